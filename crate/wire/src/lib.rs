//! What travels between seats, and between a seat and the relay.
//!
//! Two layers, both only encoded and decoded here: [`Frame`]s, which the relay reads, and signed
//! [`Entry`]s inside them, which it cannot read beyond their author and place. Every decoder refuses
//! rests, unknown numbers and lengths above the named limits; numbers are never used twice.

mod entry;
mod frame;
mod invite;
pub mod limits;
mod payload;
mod plan;
mod record;

pub use entry::{Entry, EntryKind, Header, NO_SEAT, Place, proves_equivocation, with_room, without_room};
pub use frame::{Frame, Refusal, SUBPROTOCOL, Token};
pub use invite::{Invitation, Invite, RoomCode};
pub use payload::{
    Ack, Admission, Confirm, Envelope, Join, KeyOffer, List, Listed, MethodId, Open, Reveal, RoomPolicy,
};
pub use plan::{Plan, Series};
pub use record::{RECORD_SUFFIX, Record, RecordKey};
pub use undertone_prim::codec::{Codec, DecodeError, Reader, Writer};
pub use undertone_prim::{Hash, Verifier};

use undertone_prim::Transcript;

/// A seat's Ed25519 public key: its name on the wire.
pub type Author = [u8; 32];

/// The room of a host: the hash of the host's public key.
///
/// An invite that carries it fixes who may sign lists and plans, whatever the relay says.
#[must_use]
pub fn room_of(host: &Author) -> Hash {
    Transcript::new("room/v1").field(host).hash()
}
