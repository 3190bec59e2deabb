//! The core's tests once more, compiled to wasm: in node, or in a browser with `browser-tests`.

#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[cfg(feature = "browser-tests")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[path = "../../room/tests/room/after.rs"]
mod after;
#[path = "../../room/tests/room/attacks.rs"]
mod attacks;
#[path = "../../room/tests/room/before.rs"]
mod before;
#[path = "../../math/tests/math/chacha12.rs"]
mod chacha12;
#[path = "../../room/tests/room/class.rs"]
mod class;
#[path = "../../services/tests/services/conformance.rs"]
mod conformance;
#[path = "../../services/tests/services/corrupt.rs"]
mod corrupt;
#[path = "../../room/tests/room/doubles/mod.rs"]
mod doubles;
#[path = "../../services/tests/services/draw.rs"]
mod draw;
#[path = "../../room/tests/room/harmless.rs"]
mod harmless;
#[path = "../../room/tests/room/honest.rs"]
mod honest;
#[path = "../../room/tests/room/key_lives.rs"]
mod key_lives;
#[path = "../../room/tests/room/lasting_keys.rs"]
mod lasting_keys;
#[path = "../../prim/tests/pairing.rs"]
mod pairing;
#[path = "../../room/tests/room/record.rs"]
mod record;
#[path = "../../room/tests/room/resilient.rs"]
mod resilient;
#[path = "../../room/tests/room/series.rs"]
mod series;
#[path = "../../room/tests/room/shares.rs"]
mod shares;
