//! The relay's rules, as a device meets them: frames in, frames out, a clock that the test turns.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail as loudly as the test itself"
)]

mod codes;
mod device;
mod durable;
mod expiry;
mod hostile;
mod log;
mod order;
mod pipes;
mod seats;
