//! Rooms under every kind of trouble.
//!
//! `UNDERTONE_FULL=1` runs ten times as many seeds.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod calm;
mod found;
mod planted;
mod series;
mod storm;
mod vanish;

/// How many seeds to run.
fn seeds(usual: u64) -> u64 {
    if std::env::var_os("UNDERTONE_FULL").is_some() { usual * 10 } else { usual }
}
