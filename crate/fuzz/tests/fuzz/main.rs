//! Replays the corpora of all bodies, and what seeded mutation makes of them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[allow(dead_code, reason = "the rooms' own tests use all of it")]
#[path = "../../../room/tests/room/class.rs"]
mod class;
mod replay;
mod samples;
