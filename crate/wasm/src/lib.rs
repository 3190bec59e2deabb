//! The core for JavaScript.
//!
//! Converts and nothing else: plain objects in, plain objects out, bytes as `Uint8Array`. All
//! decisions are in the crates below. The shapes are written down in the web app's `contract.ts`.

#![cfg(target_arch = "wasm32")]

mod object;
mod questions;
mod room;

pub use questions::{check_question, demonstrate, services};
pub use room::Room;
