//! A room's exported record: what its seats signed, for anyone who wants to check it later.
//!
//! Only the host's and the listed seats' entries are in it, each as it came. No rule depends on the
//! order of entries of different authors, so a record has one order, by author and number, and one
//! set of entries has one record.

use crate::limits::{LISTS_MAX, LOG_FRAME_BYTES_MAX, RECORD_BYTES_MAX};
use crate::{Codec, DecodeError, Hash, Reader, Writer};
use core::fmt;
use undertone_machine::Secret;

/// How a record's file is named at its end, with the dot.
pub const RECORD_SUFFIX: &str = ".record";

/// The first bytes, by which a file is known, and the version.
const MAGIC: &[u8; 16] = b"undertone.record";
const VERSION: u8 = 1;

/// Room, version, author and number of an entry.
const HEADER_BYTES: usize = 32 + 1 + 32 + 4;

/// The key under which a room's values were sealed.
///
/// # Security
/// Whoever holds it can read the results of all questions under its list, and no single value.
pub struct RecordKey {
    /// Number of the list that the key belongs to.
    pub list: u8,
    /// The key.
    pub key: Secret<[u8; 32]>,
}

impl fmt::Debug for RecordKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordKey").field("list", &self.list).finish_non_exhaustive()
    }
}

/// All that is needed to check offline what a room computed.
///
/// Bytes: magic, version, room, 0 or 1 (then list number and key), count, and each entry with its
/// length in front.
///
/// # Security
/// [`to_bytes`](Codec::to_bytes) copies the key, if there is one, out of its [`Secret`].
#[derive(Debug)]
pub struct Record {
    /// The room.
    pub room: Hash,
    /// The room's key, if whoever exported the record put it in.
    pub key: Option<RecordKey>,
    /// The entries as they came, by author and number.
    pub entries: Vec<Vec<u8>>,
}

impl Codec for Record {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(MAGIC);
        writer.u8(VERSION);
        writer.raw(&self.room);
        writer.u8(u8::from(self.key.is_some()));
        if let Some(RecordKey { list, key }) = &self.key {
            writer.u8(*list);
            writer.raw(key.expose());
        }
        writer.u32(u32::try_from(self.entries.len()).unwrap_or(u32::MAX));
        for entry in &self.entries {
            writer.bytes(entry);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let known = reader.array()? == *MAGIC && reader.u8()? == VERSION;
        if !known {
            return Err(DecodeError);
        }
        let room = reader.array()?;
        let key = match reader.u8()? {
            0 => None,
            1 => Some(read_key(reader)?),
            _ => return Err(DecodeError),
        };
        let (mut entries, mut last) = (Vec::new(), &[][..]);
        for _ in 0..reader.u32()? {
            let entry = reader.bytes(LOG_FRAME_BYTES_MAX)?;
            // Room, version, author and number: by their bytes, entries of one room sort as they must.
            let head = entry.get(..HEADER_BYTES).filter(|head| head.starts_with(&room)).ok_or(DecodeError)?;
            if head <= last {
                return Err(DecodeError);
            }
            last = head;
            entries.push(entry.to_vec());
        }
        Ok(Self { room, key, entries })
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        if bytes.len() > RECORD_BYTES_MAX {
            return Err(DecodeError);
        }
        let mut reader = Reader::new(bytes);
        let record = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(record)
    }
}

fn read_key(reader: &mut Reader<'_>) -> Result<RecordKey, DecodeError> {
    let (list, key) = (reader.u8()?, Secret::new(reader.array()?));
    if (1..=LISTS_MAX).contains(&list) { Ok(RecordKey { list, key }) } else { Err(DecodeError) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, EntryKind, Header, Place};
    use undertone_prim::SeatKey;

    const ROOM: Hash = [3; 32];

    fn entry(seed: u8, sequence: u32) -> Vec<u8> {
        let key = SeatKey::from_seed(&Secret::new([seed; 32]));
        Entry::sign(&key, ROOM, sequence, [0; 32], Place::NOWHERE, EntryKind::Leave, Vec::new()).to_bytes()
    }

    fn record(entries: Vec<Vec<u8>>, key: bool) -> Record {
        let key = key.then(|| RecordKey { list: 2, key: Secret::new([7; 32]) });
        Record { room: ROOM, key, entries }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Two entries of one author and one of another, in the order of a record.
    fn three() -> Vec<Vec<u8>> {
        let mut all = vec![entry(1, 0), entry(1, 1), entry(2, 0)];
        all.sort_by_key(|bytes| Header::peek(bytes).map(|header| (header.author, header.sequence)).unwrap());
        all
    }

    #[test]
    fn bytes_are_pinned() {
        let empty = record(Vec::new(), true).to_bytes();
        let magic = "756e646572746f6e652e7265636f7264";
        let expected = [magic, "01", &"03".repeat(32), "01", "02", &"07".repeat(32), "00000000"].concat();
        assert_eq!(hex(&empty), expected);
        let one = record(vec![entry(1, 0)], false).to_bytes();
        let author = "9ddca4f1bcde94df394fcf0546d04d8bd96ad9e8feb451a7a4626961a967e513";
        let signature = "40ea566909d64a26853bc46ff47e1b006f56e6ea0c3bee5c440b3521035d4ebe\
                         e2cb24fc6748bae09b1d31b48ae20bd11ca924816da64dfa71c28f2fc7cd9f0a";
        let previous_and_place = ["00".repeat(32 + 1 + 32 + 32), "ffff".into(), "00".repeat(4)].concat();
        let entry = [&"03".repeat(32), "01", author, "00000000", &previous_and_place, "0a", "00000000", signature];
        assert_eq!(hex(&one), [magic, "01", &"03".repeat(32), "00", "00000001", "000000f1", &entry.concat()].concat());
    }

    #[test]
    fn round_trips_and_refuses_every_cut_and_any_rest() {
        for key in [true, false] {
            let bytes = record(three(), key).to_bytes();
            let read = Record::from_bytes(&bytes).unwrap();
            assert_eq!((read.to_bytes(), read.entries.len()), (bytes.clone(), 3));
            for at in 0..bytes.len() {
                assert!(Record::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
            }
            assert!(Record::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        }
    }

    #[test]
    fn refuses_another_order_repeats_and_other_rooms() {
        let refused = |entries| assert!(Record::from_bytes(&record(entries, false).to_bytes()).is_err());
        refused(three().into_iter().rev().collect());
        refused(vec![entry(1, 1), entry(1, 0)]);
        refused(vec![entry(1, 0), entry(1, 0)]);
        refused(vec![b"no entry".to_vec()]);
        let elsewhere = Record { room: [4; 32], ..record(three(), false) };
        assert!(Record::from_bytes(&elsewhere.to_bytes()).is_err());
    }

    #[test]
    fn refuses_keys_of_lists_that_no_room_has() {
        for list in [0, LISTS_MAX + 1] {
            let key = Some(RecordKey { list, key: Secret::new([7; 32]) });
            assert!(Record::from_bytes(&Record { key, ..record(three(), false) }.to_bytes()).is_err());
        }
    }

    #[test]
    fn debug_never_shows_the_key() {
        assert!(!format!("{:?}", record(Vec::new(), true)).contains("7, 7"));
    }
}
