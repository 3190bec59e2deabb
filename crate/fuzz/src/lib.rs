//! What strangers may send, tried on every decoder and state machine.
//!
//! Each [`Body`] is a plain function from bytes to a verdict. The folder `fuzz` at the root wraps every
//! body for a fuzzer that looks for new paths; the tests here replay its corpora and their seeded
//! mutations ([`Mutator`]) with the stable compiler. So what a fuzzer found stays found.
//!
//! Properties that hold for any bytes: nothing panics; what decodes encodes to the same bytes, so it
//! has one form and takes no more memory than was sent; a state machine says only what it may.

mod body;
mod codecs;
mod hub;
mod mutate;
mod ops;
mod room;
mod session;
mod texts;

pub use body::{BODIES, Body, Broken, Verdict};
pub use mutate::Mutator;
