//! The primitives that protocols are made of.
//!
//! Each takes what it needs as arguments, seeds included, and reads neither clock nor randomness.
//! Every hash and every derived key starts with a versioned domain string ([`Transcript`],
//! [`derive`]), and every decoder refuses trailing bytes, non-canonical encodings and lengths above
//! a named limit before it allocates ([`codec`]).

mod agree;
pub mod codec;
pub mod dlog;
pub mod graph;
mod group;
mod group_key;
mod kdk;
mod logarithm;
mod masks;
#[cfg(feature = "model")]
pub mod model;
mod multiples;
#[cfg(feature = "pairing")]
pub mod pairing;
pub mod pcl;
mod seal;
pub mod shares;
mod sign;
mod stream;
mod transcript;

pub use agree::{AgreementKey, PROOF_BYTES, Proof, PublicPoint};
pub use group::{Element, POINT_BYTES};
pub use group_key::GroupKey;
pub use kdk::{KeySum, kdk_message};
pub use logarithm::{Logarithm, Search, Searchable, Working};
#[cfg(any(test, feature = "ideal"))]
pub use masks::ZeroPads;
pub use masks::{PadContext, Pads, PairwisePads, add, mask};
pub use seal::{OVERHEAD_BYTES, open, seal};
pub use sign::{SIGNATURE_BYTES, SeatKey, Verifier, verify};
pub use transcript::{Hash, Transcript, derive};
