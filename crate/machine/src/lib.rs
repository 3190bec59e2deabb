//! What every protocol of Undertone looks like from outside.
//!
//! A party is a [`Machine`]: a pure function of its plan, input, seed and mail. It owns no socket,
//! clock or source of randomness, so the same code runs in a browser tab, on a phone, in a native
//! process and in the simulator, and a run can be repeated bit for bit.

mod fault;
mod outcome;
mod seat;
mod secret;
mod step;

pub use fault::{Family, Fault, FaultCode, Phase};
pub use outcome::{Figure, Outcome};
pub use seat::{Role, Seat};
pub use secret::Secret;
pub use step::{CHUNK_BYTES_MAX, KeysAfter, LeftOut, Machine, Mail, RoundKind, Step};
