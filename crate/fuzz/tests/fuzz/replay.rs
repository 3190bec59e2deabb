//! Every input of a corpus, and thousands of changed ones, keep to the properties of their body.

use crate::samples::samples;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use undertone_fuzz::{BODIES, Body, Broken, Mutator, Verdict};

/// Set, it writes the corpora anew.
const BLESS: &str = "UNDERTONE_BLESS";
/// How much longer it takes with `UNDERTONE_FULL`.
const FULL: u64 = 20;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn folder(body: &Body) -> PathBuf {
    fuzz().join("corpus").join(body.name)
}

/// A body's inputs in the order of their names, so that mutation is the same everywhere.
fn corpus(body: &Body) -> Vec<Vec<u8>> {
    static BLESSED: Once = Once::new();
    if std::env::var_os(BLESS).is_some() {
        BLESSED.call_once(bless);
    }
    let mut files: Vec<_> = fs::read_dir(folder(body))
        .unwrap_or_else(|_| panic!("{} has no corpus: run {BLESS}=1 cargo test -p undertone-fuzz", body.name))
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

fn bless() {
    for (body, name, bytes) in samples() {
        let folder = fuzz().join("corpus").join(body);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_corpus_is_alive_and_keeps_to_its_body() {
    for body in BODIES {
        let verdicts: Vec<_> = corpus(body).iter().map(|input| (body.run)(input)).collect();
        assert!(verdicts.iter().all(Result::is_ok), "{}: {verdicts:?}", body.name);
        assert!(verdicts.contains(&Ok(Verdict::Taken)), "{}: nothing of its corpus is taken", body.name);
    }
}

#[test]
fn what_rooms_say_is_taken_whether_or_not_it_is_in_a_corpus() {
    for (name, file, bytes) in samples() {
        let body = BODIES.iter().find(|body| body.name == name).unwrap();
        let verdict = (body.run)(&bytes);
        assert_eq!(verdict, Ok(Verdict::Taken), "{name}/{file}");
    }
}

#[test]
fn thousands_of_changed_inputs_keep_to_their_bodies() {
    let times = if std::env::var_os("UNDERTONE_FULL").is_some() { FULL } else { 1 };
    for (body, seed) in BODIES.iter().zip(1..) {
        let (corpus, mut mutator) = (corpus(body), Mutator::new(seed));
        let (mut taken, tries) = (0, body.tries * times);
        for attempt in 0..tries {
            let input = mutator.mutate(&corpus);
            match (body.run)(&input) {
                Ok(verdict) => taken += u64::from(verdict == Verdict::Taken),
                Err(broken) => panic!("{}, attempt {attempt}: {broken}: {}", body.name, hex(&input)),
            }
        }
        println!("{}: {tries} changed inputs, {taken} taken", body.name);
        assert!(taken < tries, "{}: nothing was ever refused", body.name);
    }
}

#[test]
fn a_body_that_breaks_is_noticed_within_its_tries() {
    // One input in many thousands breaks it, two changes away from the corpus.
    fn planted(bytes: &[u8]) -> Result<Verdict, Broken> {
        let breaks = bytes.len() == 3 && bytes.first() == Some(&0xff);
        if breaks { Err(Broken("planted")) } else { Ok(Verdict::Taken) }
    }
    let mut mutator = Mutator::new(1);
    let corpus = [vec![1, 2, 3, 4]];
    assert!((0..4_000).any(|_| planted(&mutator.mutate(&corpus)).is_err()));
}

#[test]
fn every_body_has_its_fuzz_target() {
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for body in BODIES {
        let target = fs::read_to_string(fuzz().join("fuzz_targets").join(format!("{}.rs", body.name))).unwrap();
        assert!(target.contains(&format!("undertone_fuzz_targets::run(\"{}\", data)", body.name)), "{}", body.name);
        assert!(manifest.contains(&format!("name = \"{}\"", body.name)), "{}", body.name);
    }
    let targets = fs::read_dir(fuzz().join("fuzz_targets")).unwrap().count();
    assert_eq!(targets, BODIES.len(), "a target without a body");
}
