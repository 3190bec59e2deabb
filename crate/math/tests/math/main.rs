//! Kernels, natively; `crate/wasm` runs the same files in wasm.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod chacha12;
