//! The core for JavaScript.
//!
//! Converts and nothing else: plain objects in, plain objects out, bytes as `Uint8Array`. All
//! decisions are in the crates below. The shapes are written down in the web app's `contract.ts`.

#![cfg(target_arch = "wasm32")]

mod object;
#[cfg(feature = "room")]
mod questions;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "room")]
mod room;

#[cfg(feature = "sums")]
pub use questions::demonstrate;
#[cfg(feature = "room")]
pub use questions::{check_question, services};
#[cfg(feature = "record")]
pub use record::verify_record;
#[cfg(feature = "room")]
pub use room::Room;
