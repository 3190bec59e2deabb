//! The primitives that protocols are made of.
//!
//! Each takes what it needs as arguments, seeds included, and reads neither clock nor randomness.
//! Every hash and every derived key starts with a versioned domain string ([`Transcript`],
//! [`derive`]), and every decoder refuses trailing bytes, non-canonical encodings and lengths above
//! a named limit before it allocates ([`codec`]).

mod agree;
pub mod codec;
pub mod dlog;
mod group;
mod kdk;
mod masks;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "pairing")]
pub mod pairing;
#[cfg(any(test, feature = "reference"))]
mod pcl_literal;
mod seal;
mod sign;
mod stream;
mod transcript;

pub use agree::{AgreementKey, PROOF_BYTES, Proof, PublicPoint};
pub use group::{Element, POINT_BYTES};
pub use kdk::kdk_message;
#[cfg(any(test, feature = "ideal"))]
pub use masks::ZeroPads;
pub use masks::{PadContext, Pads, PairwisePads, add, mask};
#[cfg(any(test, feature = "reference"))]
pub use pcl_literal::literal_pcl_message;
pub use seal::{OVERHEAD_BYTES, open, seal};
pub use sign::{SIGNATURE_BYTES, SeatKey, verify};
pub use transcript::{Hash, Transcript, derive};
