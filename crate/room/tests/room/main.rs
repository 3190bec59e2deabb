//! Whole rooms on one log, honest and attacked, without a clock, network or disk.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod after;
mod attacks;
mod before;
mod class;
mod doubles;
mod harmless;
mod honest;
mod key_lives;
mod lasting_keys;
mod record;
mod resilient;
mod series;
mod shares;
