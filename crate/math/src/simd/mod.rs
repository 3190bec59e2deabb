//! Kernels for vector units, each with a scalar twin that gives the same bytes.
//!
//! Masks are sums of key streams, one per other seat, so a long masked vector costs what the stream
//! costs. The `chacha20` crate has vector code for every native processor and none for WebAssembly,
//! where it is 2.5 times slower than what the browser's 128-bit unit can do. [`ChaCha12`] is for
//! there. A browser without that unit runs the twin.
//!
//! No `unsafe`: vectors are built from lanes and taken apart into words, and the compiler turns that
//! into whole loads and stores.

mod chacha12;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod quads;

pub use chacha12::{CHUNK_BYTES, ChaCha12};
