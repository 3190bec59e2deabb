//! The relay over real sockets, on raw bytes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test's helpers may fail as loudly as the test itself, and a test may read a clock"
)]

mod client;
mod handshake;
mod hostile;
mod keeping;
mod log;
mod page;
mod pipes;
mod slow;
mod stop;
mod watching;
