//! Signed entries of a room's log.
//!
//! An entry says who speaks, where in the room's life, and what came before: it signs the hash of
//! its author's previous entry and of the last list and plan its author saw. So a relay that drops,
//! swaps or reorders one author's entries is noticed, and one that shows different rooms to
//! different people cannot make their acknowledgements match. Nothing depends on the order of
//! entries of different authors.
//!
//! An entry's room comes first. A connection belongs to one room, so what travels on it, and what a
//! relay keeps, is the rest: [`without_room`] takes the room off and [`with_room`] puts it back before
//! anything is checked. So signatures cover it, and what a relay shows in the wrong room is not signed.

use crate::limits::LOG_FRAME_BYTES_MAX;
use crate::{Author, Codec, DecodeError, Hash, Reader, Writer};
use bytes::Bytes;
use undertone_machine::RoundKind;
use undertone_prim::{SIGNATURE_BYTES, SeatKey, Transcript, Verifier, verify};

/// The seat number of an author who has none yet.
pub const NO_SEAT: u16 = u16::MAX;

const VERSION: u8 = 1;
const DOMAIN: &[u8] = b"undertone/entry/v1";

/// What an entry is. The number is its wire form and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// The host opens the room.
    Open,
    /// Someone asks for a seat and commits to keys and nonces.
    Join,
    /// The host closes the door on a list of seats.
    List,
    /// A listed seat shows the keys and the nonce that it committed to.
    Reveal,
    /// The host asks a question.
    Plan,
    /// A seat signs which people and which question it sees.
    Ack,
    /// A seat signs which inputs it added to which result.
    Confirm,
    /// Bytes sealed for one seat.
    Envelope,
    /// The host ends the room.
    Close,
    /// A seat goes.
    Leave,
    /// A seat shows a new key of a method, after those before were used up.
    Rekey,
    /// Before it acknowledges, a seat gives others what takes its masks off if it vanishes.
    Deal,
    /// Part of a run's round.
    Round(RoundKind),
}

impl EntryKind {
    /// The wire form.
    #[must_use]
    pub const fn to_wire(self) -> u8 {
        match self {
            Self::Open => 1,
            Self::Join => 2,
            Self::List => 3,
            Self::Reveal => 4,
            Self::Plan => 5,
            Self::Ack => 6,
            Self::Confirm => 7,
            Self::Envelope => 8,
            Self::Close => 9,
            Self::Leave => 10,
            Self::Rekey => 11,
            Self::Deal => 12,
            Self::Round(kind) => 0x10 | kind as u8,
        }
    }

    /// Reads the wire form.
    #[must_use]
    pub const fn from_wire(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Open,
            2 => Self::Join,
            3 => Self::List,
            4 => Self::Reveal,
            5 => Self::Plan,
            6 => Self::Ack,
            7 => Self::Confirm,
            8 => Self::Envelope,
            9 => Self::Close,
            10 => Self::Leave,
            11 => Self::Rekey,
            12 => Self::Deal,
            0x10..=0x1f => match RoundKind::from_wire(byte & 0x0f) {
                Some(kind) => Self::Round(kind),
                None => return None,
            },
            _ => return None,
        })
    }

    /// Its name in interfaces.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Join => "join",
            Self::List => "list",
            Self::Reveal => "reveal",
            Self::Plan => "plan",
            Self::Ack => "ack",
            Self::Confirm => "confirm",
            Self::Envelope => "envelope",
            Self::Close => "close",
            Self::Leave => "leave",
            Self::Rekey => "rekey",
            Self::Deal => "deal",
            Self::Round(RoundKind::Masked) => "masked",
            Self::Round(RoundKind::Opening) => "opening",
            Self::Round(RoundKind::Share) => "share",
            Self::Round(RoundKind::Ciphertext) => "ciphertext",
        }
    }
}

/// The start of an entry: where it is said, whose it is and which of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The room.
    pub room: Hash,
    /// The author's public key.
    pub author: Author,
    /// The author's own count of entries, from 0.
    pub sequence: u32,
}

impl Header {
    /// Reads the header without looking at the rest.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes do not start like an entry of this version.
    pub fn peek(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (room, rest) = bytes.split_first_chunk().ok_or(DecodeError)?;
        Self::peek_in(room, rest)
    }

    /// The same, of an entry of this room that comes without it: all that a relay reads.
    ///
    /// # Errors
    /// As [`Header::peek`].
    pub fn peek_in(room: &Hash, rest: &[u8]) -> Result<Self, DecodeError> {
        read_said(*room, &mut Reader::new(rest))
    }
}

/// An entry's bytes without the room that they start with, shared.
#[must_use]
pub fn without_room(entry: &Bytes) -> Bytes {
    entry.slice(ROOM_BYTES.min(entry.len())..)
}

/// Puts the room back in front of what came without it.
#[must_use]
pub fn with_room(room: &Hash, rest: &[u8]) -> Bytes {
    Bytes::from([room, rest].concat())
}

const ROOM_BYTES: usize = size_of::<Hash>();

/// The last list and plan that an author saw, and the author's seat and round in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the list, 0 before the first.
    pub list_number: u8,
    /// Hash of the list, zeros before the first.
    pub list: Hash,
    /// Hash of the plan, zeros before the first.
    pub plan: Hash,
    /// The author's seat, or [`NO_SEAT`].
    pub seat: u16,
    /// Round of the run, 0 outside a round.
    pub round: u32,
}

impl Place {
    /// Before any list or plan.
    pub const NOWHERE: Self = Self { list_number: 0, list: [0; 32], plan: [0; 32], seat: NO_SEAT, round: 0 };
}

/// One entry of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose it is.
    pub header: Header,
    /// Hash of the author's previous entry, zeros for the first.
    pub previous: Hash,
    /// Where in the room's life it belongs.
    pub place: Place,
    /// What it is.
    pub kind: EntryKind,
    /// Its content, in the form that its kind prescribes.
    pub payload: Vec<u8>,
    /// The author's signature over all of the above.
    pub signature: [u8; SIGNATURE_BYTES],
}

impl Entry {
    /// Signs an entry.
    #[must_use]
    pub fn sign(
        key: &SeatKey,
        room: Hash,
        sequence: u32,
        previous: Hash,
        place: Place,
        kind: EntryKind,
        payload: Vec<u8>,
    ) -> Self {
        let header = Header { room, author: key.public(), sequence };
        let mut entry = Self { header, previous, place, kind, payload, signature: [0; SIGNATURE_BYTES] };
        entry.signature = key.sign(&entry.signed_bytes());
        entry
    }

    /// Whether the author signed it.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        verify(&self.header.author, &self.signed_bytes(), &self.signature)
    }

    /// Reads an entry that `key`, its author's, signed; with the hash by which later entries name it.
    ///
    /// What can be read has one form, so signature and hash are over the bytes as they came.
    #[must_use]
    pub fn read_signed(bytes: &[u8], key: &Verifier) -> Option<(Self, Hash)> {
        let entry = Self::from_bytes(bytes).ok()?;
        let (unsigned, signature) = bytes.split_last_chunk()?;
        key.holds(&[DOMAIN, unsigned], signature).then(|| (entry, hash_of(unsigned)))
    }

    /// The hash by which later entries name this one. It leaves the signature out, so that signing
    /// the same content twice does not count as saying two things.
    #[must_use]
    pub fn hash(&self) -> Hash {
        hash_of(&self.unsigned_bytes())
    }

    /// What a seal of the payload is bound to: everything but payload and signature.
    #[must_use]
    pub fn seal_context(header: &Header, place: &Place, kind: EntryKind) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.raw(b"undertone/seal/v1");
        write_header(&mut writer, header);
        write_place(&mut writer, place);
        writer.u8(kind.to_wire());
        writer.into_bytes()
    }

    fn signed_bytes(&self) -> Vec<u8> {
        [DOMAIN, &self.unsigned_bytes()].concat()
    }

    fn unsigned_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.encode_unsigned(&mut writer);
        writer.into_bytes()
    }

    fn encode_unsigned(&self, writer: &mut Writer) {
        write_header(writer, &self.header);
        writer.raw(&self.previous);
        write_place(writer, &self.place);
        writer.u8(self.kind.to_wire());
        writer.bytes(&self.payload);
    }
}

fn hash_of(unsigned: &[u8]) -> Hash {
    Transcript::new("entry-hash/v1").field(unsigned).hash()
}

/// Whether two entries prove that their author said two things in one place.
///
/// Both are signed by one author in one room, and either have the same number and different content,
/// or are the same part of the same round of one list and plan. Anyone can check it, offline.
#[must_use]
pub fn proves_equivocation(one: &Entry, other: &Entry) -> bool {
    let one_author = one.header.room == other.header.room && one.header.author == other.header.author;
    let one_place = one.header.sequence == other.header.sequence || part(one) == part(other);
    let said_once = matches!(
        one.kind,
        EntryKind::Reveal
            | EntryKind::Rekey
            | EntryKind::Deal
            | EntryKind::Ack
            | EntryKind::Confirm
            | EntryKind::Round(_)
    );
    let counts = one.header.sequence == other.header.sequence || said_once;
    one_author && one_place && counts && one.hash() != other.hash() && one.is_signed() && other.is_signed()
}

/// What may be said once: a reveal for each list, what belongs to a question once for each question,
/// and a part of a round. The rest of the place does not count, or whoever bends it could not be convicted.
fn part(entry: &Entry) -> (EntryKind, Hash, Hash, u32) {
    let Place { list, plan, round, .. } = entry.place;
    match entry.kind {
        EntryKind::Reveal => (entry.kind, list, [0; 32], 0),
        EntryKind::Round(_) => (entry.kind, list, plan, round),
        _ => (entry.kind, list, plan, 0),
    }
}

impl Codec for Entry {
    fn encode(&self, writer: &mut Writer) {
        self.encode_unsigned(writer);
        writer.raw(&self.signature);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            header: read_header(reader)?,
            previous: reader.array()?,
            place: read_place(reader)?,
            kind: EntryKind::from_wire(reader.u8()?).ok_or(DecodeError)?,
            payload: reader.bytes(LOG_FRAME_BYTES_MAX)?.to_vec(),
            signature: reader.array()?,
        })
    }
}

fn write_header(writer: &mut Writer, header: &Header) {
    writer.raw(&header.room);
    writer.u8(VERSION);
    writer.raw(&header.author);
    writer.u32(header.sequence);
}

fn read_header(reader: &mut Reader<'_>) -> Result<Header, DecodeError> {
    let room = reader.array()?;
    read_said(room, reader)
}

fn read_said(room: Hash, reader: &mut Reader<'_>) -> Result<Header, DecodeError> {
    if reader.u8()? != VERSION {
        return Err(DecodeError);
    }
    Ok(Header { room, author: reader.array()?, sequence: reader.u32()? })
}

fn write_place(writer: &mut Writer, place: &Place) {
    writer.u8(place.list_number);
    writer.raw(&place.list);
    writer.raw(&place.plan);
    writer.u16(place.seat);
    writer.u32(place.round);
}

fn read_place(reader: &mut Reader<'_>) -> Result<Place, DecodeError> {
    Ok(Place {
        list_number: reader.u8()?,
        list: reader.array()?,
        plan: reader.array()?,
        seat: reader.u16()?,
        round: reader.u32()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::Secret;

    fn entry() -> Entry {
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        Entry::sign(&key, [2; 32], 3, [4; 32], Place::NOWHERE, EntryKind::Join, vec![5, 6])
    }

    #[test]
    fn every_kind_has_its_own_number() {
        let kinds: Vec<_> = (0..=u8::MAX).filter_map(EntryKind::from_wire).collect();
        assert_eq!(kinds.len(), 16);
        assert!((0..=u8::MAX).filter_map(|b| EntryKind::from_wire(b).map(|k| (b, k))).all(|(b, k)| k.to_wire() == b));
    }

    #[test]
    fn round_trips_and_peeks() {
        let bytes = entry().to_bytes();
        assert_eq!(Entry::from_bytes(&bytes), Ok(entry()));
        assert_eq!(Header::peek(&bytes), Ok(entry().header));
    }

    #[test]
    fn the_room_is_taken_off_and_put_back_and_another_one_is_noticed() {
        let whole = Bytes::from(entry().to_bytes());
        let rest = without_room(&whole);
        assert_eq!((rest.len(), rest.as_ptr()), (whole.len() - 32, whole[32..].as_ptr()), "a copy");
        assert_eq!(with_room(&entry().header.room, &rest), whole);
        assert_eq!(Header::peek_in(&[2; 32], &rest), Ok(entry().header));
        let elsewhere = Entry::from_bytes(&with_room(&[3; 32], &rest)).unwrap();
        assert!(!elsewhere.is_signed() && elsewhere.hash() != entry().hash());
        assert!(without_room(&Bytes::from_static(b"short")).is_empty());
        assert!(Header::peek(b"short").is_err() && Header::peek_in(&[2; 32], b"short").is_err());
    }

    #[test]
    fn two_signed_entries_in_one_place_are_proof_and_nothing_else_is() {
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        let sign = |sequence, kind, payload| {
            Entry::sign(&key, [2; 32], sequence, [4; 32], Place::NOWHERE, kind, vec![payload])
        };
        let masked = EntryKind::Round(RoundKind::Masked);
        assert!(proves_equivocation(&sign(3, EntryKind::Join, 1), &sign(3, EntryKind::Join, 2)));
        assert!(proves_equivocation(&sign(3, masked, 1), &sign(4, masked, 1)));
        assert!(proves_equivocation(&sign(3, EntryKind::Rekey, 1), &sign(4, EntryKind::Rekey, 2)));
        assert!(!proves_equivocation(&sign(3, EntryKind::Plan, 1), &sign(4, EntryKind::Plan, 1)));
        assert!(!proves_equivocation(&sign(3, masked, 1), &sign(3, masked, 1)));
        // A bent seat, list number or round does not get anyone off.
        let bent = Place { seat: 7, list_number: 3, round: 0, ..Place::NOWHERE };
        let ack = |sequence, place| Entry::sign(&key, [2; 32], sequence, [4; 32], place, EntryKind::Ack, vec![1]);
        assert!(proves_equivocation(&ack(3, Place::NOWHERE), &ack(4, Place { round: 1, ..bent })));
        let value = |sequence, place| Entry::sign(&key, [2; 32], sequence, [4; 32], place, masked, vec![1]);
        assert!(proves_equivocation(&value(3, Place::NOWHERE), &value(4, bent)));
        assert!(!proves_equivocation(&value(3, Place::NOWHERE), &value(4, Place { round: 1, ..bent })));
        let mut forged = sign(3, masked, 1);
        forged.payload = vec![9];
        assert!(!proves_equivocation(&forged, &sign(3, masked, 1)));
    }

    #[test]
    fn every_changed_byte_breaks_the_signature() {
        let (bytes, key) = (entry().to_bytes(), Verifier::new(&entry().header.author).unwrap());
        assert!(entry().is_signed());
        assert_eq!(Entry::read_signed(&bytes, &key), Some((entry(), entry().hash())));
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(!Entry::from_bytes(&bad).is_ok_and(|entry| entry.is_signed()), "byte {at}");
            assert!(Entry::read_signed(&bad, &key).is_none() && Entry::read_signed(&bytes[..at], &key).is_none());
            assert!(Entry::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }
}
