#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| undertone_fuzz_targets::run("hub", data));
