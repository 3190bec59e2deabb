//! The core for JavaScript.
//!
//! Converts and nothing else: plain objects in, plain objects out, bytes as `Uint8Array`. All
//! decisions are in the crates below. The shapes are written down in the web app's `contract.ts`.

#![cfg(target_arch = "wasm32")]

#[cfg(feature = "front")]
mod demo;
mod object;
#[cfg(feature = "sums")]
mod questions;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "sums")]
mod room;

/// A third of the usual allocator's code, which every visitor would load.
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

#[cfg(feature = "front")]
pub use demo::demonstrate;
#[cfg(feature = "sums")]
pub use questions::{check_question, services};
#[cfg(feature = "record")]
pub use record::verify_record;
#[cfg(feature = "sums")]
pub use room::Room;
