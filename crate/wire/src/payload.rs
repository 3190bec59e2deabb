//! What the entries of a room's life carry, kind by kind.

use crate::limits::{KEY_BYTES_MAX, LISTS_MAX, METHODS_MAX, SEATS_MAX};
use crate::{Author, Codec, DecodeError, Hash, Reader, Writer};
use undertone_machine::Role;
use undertone_prim::{PROOF_BYTES, Transcript};

/// A method of aggregation for which a seat shows a key. The number is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum MethodId {
    /// Pairwise masks over Z_2^k; the key is a ristretto255 point.
    Masks = 1,
    /// The single-round KDK; the key is a ristretto255 point.
    Kdk = 2,
    /// The bounded multi-round PCL; the key is a ristretto255 point.
    Pcl = 3,
    /// The multi-round KDK; the key is a BLS12-381 point of G2.
    KdkPairing = 4,
}

impl MethodId {
    /// Reads the wire form.
    #[must_use]
    pub const fn from_wire(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Masks),
            2 => Some(Self::Kdk),
            3 => Some(Self::Pcl),
            4 => Some(Self::KdkPairing),
            _ => None,
        }
    }
}

/// The floors that a host declares for the whole room; part of the roster hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoomPolicy {
    /// Fewest contributing seats.
    pub group_min: u16,
}

/// A request for a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Join {
    /// What the seat is for.
    pub role: Role,
    /// For each list that the room may have, H(keys, nonce of that list).
    pub commitments: [Hash; LISTS_MAX as usize],
    /// Proof that the author holds the invite's secret; absent after a typed code.
    pub mac: Option<[u8; 32]>,
}

impl Codec for Join {
    fn encode(&self, writer: &mut Writer) {
        writer.u8(self.role as u8);
        for commitment in &self.commitments {
            writer.raw(commitment);
        }
        writer.u8(u8::from(self.mac.is_some()));
        if let Some(mac) = &self.mac {
            writer.raw(mac);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let role = Role::from_wire(reader.u8()?).ok_or(DecodeError)?;
        let mut commitments = [[0; 32]; LISTS_MAX as usize];
        for commitment in &mut commitments {
            *commitment = reader.array()?;
        }
        let mac = match reader.u8()? {
            0 => None,
            1 => Some(reader.array()?),
            _ => return Err(DecodeError),
        };
        Ok(Self { role, commitments, mac })
    }
}

/// The first entry of a room, by its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The room's floors.
    pub policy: RoomPolicy,
    /// The host's own seat.
    pub join: Join,
}

impl Codec for Open {
    fn encode(&self, writer: &mut Writer) {
        writer.u16(self.policy.group_min);
        self.join.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { policy: RoomPolicy { group_min: reader.u16()? }, join: Join::decode(reader)? })
    }
}

/// On whose word a seat is on the list, weakest first. The number is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Admission {
    /// Came by a typed code; the host let it in by counting heads.
    Host = 1,
    /// Showed that it holds the invite's secret.
    Link = 2,
}

impl Admission {
    const fn from_wire(byte: u8) -> Option<Self> {
        match byte {
            1 => Some(Self::Host),
            2 => Some(Self::Link),
            _ => None,
        }
    }
}

/// One line of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The seat's public key.
    pub author: Author,
    /// Hash of the entry that asked for the seat, which holds its commitments.
    pub join: Hash,
    /// On whose word it is here.
    pub admission: Admission,
}

/// The host's list of seats. Numbers count up, and each list is part of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// 1 for the first.
    pub number: u8,
    /// The seats, in the order of their keys.
    pub seats: Vec<Listed>,
    /// People whom the host counted in the room.
    pub heads: u16,
    /// Time to reveal and acknowledge, from reading the list on.
    pub reveal_ms: u32,
}

impl List {
    /// The hash that reveals and acknowledgements are bound to.
    #[must_use]
    pub fn hash(&self, room: &Hash) -> Hash {
        Transcript::new("list/v1").field(room).field(&self.to_bytes()).hash()
    }
}

impl Codec for List {
    fn encode(&self, writer: &mut Writer) {
        writer.u8(self.number);
        writer.list(&self.seats, |writer, seat| {
            writer.raw(&seat.author);
            writer.raw(&seat.join);
            writer.u8(seat.admission as u8);
        });
        writer.u16(self.heads);
        writer.u32(self.reveal_ms);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = reader.u8()?;
        let seats = reader.list(SEATS_MAX, |reader| {
            Ok(Listed {
                author: reader.array()?,
                join: reader.array()?,
                admission: Admission::from_wire(reader.u8()?).ok_or(DecodeError)?,
            })
        })?;
        let list = Self { number, seats, heads: reader.u16()?, reveal_ms: reader.u32()? };
        let sorted = list.seats.is_sorted_by(|one, next| one.author < next.author);
        if sorted && (1..=LISTS_MAX).contains(&number) { Ok(list) } else { Err(DecodeError) }
    }
}

/// A key for one method, with the proof that its owner knows the secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyOffer {
    /// The method.
    pub method: MethodId,
    /// The public key, in the method's encoding.
    pub key: Vec<u8>,
    /// Proof of possession, bound to room, seat and commitment.
    pub proof: [u8; PROOF_BYTES],
}

impl Codec for KeyOffer {
    fn encode(&self, writer: &mut Writer) {
        writer.u8(self.method as u8);
        writer.bytes(&self.key);
        writer.raw(&self.proof);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            method: MethodId::from_wire(reader.u8()?).ok_or(DecodeError)?,
            key: reader.bytes(KEY_BYTES_MAX)?.to_vec(),
            proof: reader.array()?,
        })
    }
}

/// What a seat committed to, shown after the list is closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// The nonce of this list.
    pub nonce: [u8; 32],
    /// Keys, in the order of their methods, no method twice.
    pub keys: Vec<KeyOffer>,
}

impl Codec for Reveal {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.nonce);
        writer.list(&self.keys, |writer, key| key.encode(writer));
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let reveal = Self { nonce: reader.array()?, keys: reader.list(METHODS_MAX, KeyOffer::decode)? };
        let sorted = reveal.keys.is_sorted_by(|one, next| one.method < next.method);
        if sorted { Ok(reveal) } else { Err(DecodeError) }
    }
}

/// What a seat sees; a run starts only when all seats see the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// Identities, keys, floors, list and nonces.
    pub roster: Hash,
    /// Service, parameters, bounds, deadline.
    pub plan: Hash,
    /// The entries that led here.
    pub log: Hash,
}

impl Codec for Ack {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.roster);
        writer.raw(&self.plan);
        writer.raw(&self.log);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { roster: reader.array()?, plan: reader.array()?, log: reader.array()? })
    }
}

/// What a seat computed. It travels sealed, because a result is easily guessed from its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirm {
    /// Hash of what was added and what came out.
    pub computed: Hash,
}

impl Confirm {
    /// Of the hash over (seat, entry hash) of all inputs that were added, and the hash of the figures.
    #[must_use]
    pub fn of(included: &Hash, result: &Hash) -> Self {
        Self { computed: Transcript::new("confirm/v1").field(included).field(result).hash() }
    }
}

impl Codec for Confirm {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.computed);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { computed: reader.array()? })
    }
}

/// Bytes that one seat sealed for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// The recipient's public key.
    pub to: Author,
    /// Sealed under the pair's key.
    pub sealed: Vec<u8>,
}

/// Envelopes carry keys, not data.
const ENVELOPE_BYTES_MAX: usize = 1024;

impl Codec for Envelope {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.to);
        writer.bytes(&self.sealed);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { to: reader.array()?, sealed: reader.bytes(ENVELOPE_BYTES_MAX)?.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;

    fn round_trips<T: Codec + PartialEq + Debug>(value: &T) {
        let bytes = value.to_bytes();
        assert_eq!(T::from_bytes(&bytes).as_ref(), Ok(value));
        for at in 0..bytes.len() {
            assert!(T::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        assert!(T::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
    }

    fn join(mac: Option<[u8; 32]>) -> Join {
        Join { role: Role::Contributor, commitments: [[1; 32], [2; 32], [3; 32]], mac }
    }

    fn list(authors: &[u8]) -> List {
        let seat = |byte: &u8| Listed { author: [*byte; 32], join: [9; 32], admission: Admission::Link };
        List { number: 1, seats: authors.iter().map(seat).collect(), heads: 3, reveal_ms: 1000 }
    }

    #[test]
    fn all_payloads_round_trip() {
        round_trips(&join(None));
        round_trips(&join(Some([4; 32])));
        round_trips(&Open { policy: RoomPolicy { group_min: 5 }, join: join(None) });
        round_trips(&list(&[1, 2, 3]));
        let key = KeyOffer { method: MethodId::Masks, key: vec![1; 32], proof: [2; PROOF_BYTES] };
        round_trips(&Reveal { nonce: [7; 32], keys: vec![key] });
        round_trips(&Ack { roster: [1; 32], plan: [2; 32], log: [3; 32] });
        round_trips(&Confirm::of(&[1; 32], &[2; 32]));
        round_trips(&Envelope { to: [1; 32], sealed: vec![2; 50] });
    }

    #[test]
    fn lists_are_sorted_without_repeats() {
        assert!(List::from_bytes(&list(&[2, 1]).to_bytes()).is_err());
        assert!(List::from_bytes(&list(&[1, 1]).to_bytes()).is_err());
        assert!(List::from_bytes(&List { number: 4, ..list(&[1]) }.to_bytes()).is_err());
    }
}
