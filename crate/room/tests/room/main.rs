//! Whole rooms on one log, honest and attacked, without a clock, network or disk.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod attacks;
mod class;
mod honest;
mod record;
