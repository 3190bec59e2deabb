//! Frames: one WebSocket message each, between a seat's device and the relay.
//!
//! One enum owns all numbers. The version of the whole protocol is the WebSocket subprotocol.

use crate::limits::{LOG_FRAME_BYTES_MAX, PIPE_FRAME_BYTES_MAX};
use crate::{Author, Codec, DecodeError, Hash, Reader, Writer};
use bytes::Bytes;

/// The WebSocket subprotocol that both ends must name.
pub const SUBPROTOCOL: &str = "undertone.v1";

/// What a second connection of a seat must show to take the seat over. It is the relay's only way to
/// tell a seat's own device from others, so it is never printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(pub [u8; 16]);

impl core::fmt::Debug for Token {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Token")
    }
}

/// Why the relay refuses. The number is its wire form and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Refusal {
    /// No such room: never opened, expired or closed.
    NoSuchRoom = 1,
    /// The room takes no more seats.
    RoomFull = 2,
    /// The frame is larger than its kind may be.
    TooLarge = 3,
    /// More frames or bytes a second than a seat may send.
    TooFast = 4,
    /// The frame cannot be read or does not fit the connection's state.
    BadFrame = 5,
    /// Another device holds this seat.
    WrongToken = 6,
    /// A newer connection of the same seat took over.
    Displaced = 7,
    /// The receiver's window is full: bytes were sent without credit.
    NoCredit = 8,
    /// The seat at the other end of the pipe is not connected.
    PeerAway = 9,
    /// The relay is going down and will be back.
    Restarting = 10,
    /// The room's log is full.
    LogFull = 11,
    /// The relay takes no more rooms.
    TooManyRooms = 12,
    /// The author left entries out, or sent another one for a place that is taken.
    BadSequence = 13,
    /// This connection did not read for too long.
    TooSlow = 14,
}

impl Refusal {
    /// Reads the wire form.
    #[must_use]
    pub const fn from_wire(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::NoSuchRoom,
            2 => Self::RoomFull,
            3 => Self::TooLarge,
            4 => Self::TooFast,
            5 => Self::BadFrame,
            6 => Self::WrongToken,
            7 => Self::Displaced,
            8 => Self::NoCredit,
            9 => Self::PeerAway,
            10 => Self::Restarting,
            11 => Self::LogFull,
            12 => Self::TooManyRooms,
            13 => Self::BadSequence,
            14 => Self::TooSlow,
            _ => return None,
        })
    }

    /// One plain sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSuchRoom => "No open room answers to this invite.",
            Self::RoomFull => "This room takes no more people.",
            Self::TooLarge => "A message was larger than the relay takes.",
            Self::TooFast => "This device sent more than the relay takes in that time.",
            Self::BadFrame => "The relay could not read a message of this device.",
            Self::WrongToken => "This seat belongs to another device.",
            Self::Displaced => "This seat is now open in another window.",
            Self::NoCredit => "A direct connection sent more than it was allowed.",
            Self::PeerAway => "The other end of a direct connection is away.",
            Self::Restarting => "The relay is restarting.",
            Self::LogFull => "This room holds as much as the relay takes.",
            Self::TooManyRooms => "The relay takes no more rooms at the moment.",
            Self::BadSequence => "This seat's messages do not follow one another.",
            Self::TooSlow => "This device did not keep up with the room.",
        }
    }

    /// Whether the same device may try again at once.
    #[must_use]
    pub const fn may_retry(self) -> bool {
        matches!(self, Self::Restarting | Self::TooSlow | Self::TooFast)
    }
}

/// One message between a device and the relay.
///
/// Layouts, big-endian, after the number: see [`Codec::encode`]; each is pinned in hex by a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// 0x01 to the relay: sit down in a room and read its log.
    Attach {
        /// The room.
        room: Hash,
        /// The seat's public key.
        author: Author,
        /// What a second connection of the same seat must show as well.
        token: Token,
        /// First place of the log to send.
        from: u64,
        /// Whether to open the room if it is not there. Only its host can: the room is the hash of
        /// the host's key.
        open: bool,
    },
    /// 0x02 to the relay: append an entry to the log.
    Append {
        /// The signed entry, without its room.
        entry: Bytes,
    },
    /// 0x03 to the relay: read stored entries again.
    Fetch {
        /// First place of the log.
        from: u64,
        /// Most entries wanted.
        count: u16,
    },
    /// 0x04 to the relay: forward bytes to one seat.
    Pipe {
        /// The receiver.
        to: Author,
        /// Sealed between the two seats.
        bytes: Bytes,
    },
    /// 0x05 to the relay: the machine consumed bytes of a pipe, so as many more may come.
    Credit {
        /// The sender whose bytes were consumed.
        to: Author,
        /// How many.
        bytes: u32,
    },
    /// 0x06 to the relay: which room has this code?
    Find {
        /// A [`RoomCode`](crate::RoomCode) as a number.
        code: u64,
    },
    /// 0x07 to the relay: are you there?
    Ping {
        /// Comes back in the pong.
        nonce: u64,
    },
    /// 0x81 from the relay: you are in.
    Attached {
        /// Number of entries in the log at this moment.
        head: u64,
    },
    /// 0x82 from the relay: an entry of the log.
    Entry {
        /// Its place.
        sequence: u64,
        /// The signed entry, without its room.
        entry: Bytes,
    },
    /// 0x83 from the relay: your entry is stored.
    Stored {
        /// The author's own count.
        own: u32,
        /// Its place in the log.
        sequence: u64,
    },
    /// 0x84 from the relay: bytes from a pipe.
    Piped {
        /// The sender.
        from: Author,
        /// Sealed between the two seats.
        bytes: Bytes,
    },
    /// 0x85 from the relay: the other end consumed bytes of a pipe.
    Credited {
        /// The other end.
        from: Author,
        /// How many.
        bytes: u32,
    },
    /// 0x86 from the relay: the room with that code.
    Found {
        /// The room; the client checks that its code fits.
        room: Hash,
    },
    /// 0x87 from the relay: yes.
    Pong {
        /// As in the ping.
        nonce: u64,
    },
    /// 0x88 from the relay: stored entries, as many as fit into one frame.
    Fetched {
        /// Place of the first.
        from: u64,
        /// The signed entries without their room, in order.
        entries: Vec<Bytes>,
    },
    /// 0x8f from the relay: no, and why.
    Refused {
        /// The reason.
        reason: Refusal,
    },
}

impl Frame {
    /// The frame as one message.
    #[must_use]
    pub fn to_message(&self) -> Bytes {
        Bytes::from(self.to_bytes())
    }

    /// Reads one message without copying what it carries.
    ///
    /// # Errors
    /// [`DecodeError`] for anything but one whole frame.
    pub fn from_message(message: &Bytes) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(message);
        let frame = Self::read(&mut reader, &|slice| message.slice_ref(slice))?;
        reader.finish()?;
        Ok(frame)
    }
}

impl Frame {
    fn read(reader: &mut Reader<'_>, keep: &dyn Fn(&[u8]) -> Bytes) -> Result<Self, DecodeError> {
        Ok(match reader.u8()? {
            0x01 => Self::Attach {
                room: reader.array()?,
                author: reader.array()?,
                token: Token(reader.array()?),
                from: reader.u64()?,
                open: read_flag(reader)?,
            },
            0x02 => Self::Append { entry: keep(reader.rest(LOG_FRAME_BYTES_MAX)?) },
            0x03 => Self::Fetch { from: reader.u64()?, count: reader.u16()? },
            0x04 => Self::Pipe { to: reader.array()?, bytes: keep(reader.rest(PIPE_FRAME_BYTES_MAX)?) },
            0x05 => Self::Credit { to: reader.array()?, bytes: reader.u32()? },
            0x06 => Self::Find { code: reader.u64()? },
            0x07 => Self::Ping { nonce: reader.u64()? },
            0x81 => Self::Attached { head: reader.u64()? },
            0x82 => Self::Entry { sequence: reader.u64()?, entry: keep(reader.rest(LOG_FRAME_BYTES_MAX)?) },
            0x83 => Self::Stored { own: reader.u32()?, sequence: reader.u64()? },
            0x84 => Self::Piped { from: reader.array()?, bytes: keep(reader.rest(PIPE_FRAME_BYTES_MAX)?) },
            0x85 => Self::Credited { from: reader.array()?, bytes: reader.u32()? },
            0x86 => Self::Found { room: reader.array()? },
            0x87 => Self::Pong { nonce: reader.u64()? },
            0x88 => Self::Fetched {
                from: reader.u64()?,
                entries: reader.list(ENTRIES_FETCHED_MAX, |reader| Ok(keep(reader.bytes(LOG_FRAME_BYTES_MAX)?)))?,
            },
            0x8f => Self::Refused { reason: Refusal::from_wire(reader.u8()?).ok_or(DecodeError)? },
            _ => return Err(DecodeError),
        })
    }
}

const ENTRIES_FETCHED_MAX: usize = 1024;

impl Codec for Frame {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Self::Attach { room, author, token, from, open } => {
                writer.u8(0x01);
                writer.raw(room);
                writer.raw(author);
                writer.raw(&token.0);
                writer.u64(*from);
                writer.u8(u8::from(*open));
            }
            Self::Append { entry } => write_tail(writer, 0x02, entry),
            Self::Fetch { from, count } => {
                writer.u8(0x03);
                writer.u64(*from);
                writer.u16(*count);
            }
            Self::Pipe { to, bytes } => write_pipe(writer, 0x04, to, bytes),
            Self::Credit { to, bytes } => write_credit(writer, 0x05, to, *bytes),
            Self::Find { code } => write_number(writer, 0x06, *code),
            Self::Ping { nonce } => write_number(writer, 0x07, *nonce),
            Self::Attached { head } => write_number(writer, 0x81, *head),
            Self::Entry { sequence, entry } => {
                write_number(writer, 0x82, *sequence);
                writer.raw(entry);
            }
            Self::Stored { own, sequence } => {
                writer.u8(0x83);
                writer.u32(*own);
                writer.u64(*sequence);
            }
            Self::Piped { from, bytes } => write_pipe(writer, 0x84, from, bytes),
            Self::Credited { from, bytes } => write_credit(writer, 0x85, from, *bytes),
            Self::Found { room } => write_tail(writer, 0x86, room),
            Self::Pong { nonce } => write_number(writer, 0x87, *nonce),
            Self::Fetched { from, entries } => {
                write_number(writer, 0x88, *from);
                writer.list(entries, |writer, entry| writer.bytes(entry));
            }
            Self::Refused { reason } => {
                writer.u8(0x8f);
                writer.u8(*reason as u8);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::read(reader, &Bytes::copy_from_slice)
    }
}

fn write_number(writer: &mut Writer, kind: u8, number: u64) {
    writer.u8(kind);
    writer.u64(number);
}

fn write_tail(writer: &mut Writer, kind: u8, bytes: &[u8]) {
    writer.u8(kind);
    writer.raw(bytes);
}

fn write_pipe(writer: &mut Writer, kind: u8, peer: &Author, bytes: &[u8]) {
    writer.u8(kind);
    writer.raw(peer);
    writer.raw(bytes);
}

fn write_credit(writer: &mut Writer, kind: u8, peer: &Author, bytes: u32) {
    writer.u8(kind);
    writer.raw(peer);
    writer.u32(bytes);
}

fn read_flag(reader: &mut Reader<'_>) -> Result<bool, DecodeError> {
    match reader.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(DecodeError),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn samples() -> Vec<(Frame, String)> {
        let (aa, bb, b) = ("aa".repeat(32), "bb".repeat(32), Bytes::from_static(b"\x01\x02"));
        vec![
            (
                Frame::Attach { room: [0xaa; 32], author: [0xbb; 32], token: Token([0xcc; 16]), from: 7, open: true },
                format!("01{aa}{bb}{}000000000000000701", "cc".repeat(16)),
            ),
            (Frame::Append { entry: b.clone() }, "020102".into()),
            (Frame::Fetch { from: 9, count: 3 }, "0300000000000000090003".into()),
            (Frame::Pipe { to: [0xaa; 32], bytes: b.clone() }, format!("04{aa}0102")),
            (Frame::Credit { to: [0xaa; 32], bytes: 5 }, format!("05{aa}00000005")),
            (Frame::Find { code: 6 }, "060000000000000006".into()),
            (Frame::Ping { nonce: 1 }, "070000000000000001".into()),
            (Frame::Attached { head: 2 }, "810000000000000002".into()),
            (Frame::Entry { sequence: 4, entry: b.clone() }, "8200000000000000040102".into()),
            (Frame::Stored { own: 1, sequence: 2 }, "83000000010000000000000002".into()),
            (Frame::Piped { from: [0xbb; 32], bytes: b.clone() }, format!("84{bb}0102")),
            (Frame::Credited { from: [0xbb; 32], bytes: 8 }, format!("85{bb}00000008")),
            (Frame::Found { room: [0xaa; 32] }, format!("86{aa}")),
            (Frame::Pong { nonce: 1 }, "870000000000000001".into()),
            (Frame::Fetched { from: 3, entries: vec![b] }, "8800000000000000030001000000020102".into()),
            (Frame::Refused { reason: Refusal::NoSuchRoom }, "8f01".into()),
        ]
    }

    #[test]
    fn bytes_are_pinned() {
        for (frame, expected) in samples() {
            assert_eq!(hex(&frame.to_bytes()), expected);
            assert_eq!(Frame::from_message(&frame.to_message()), Ok(frame.clone()));
            assert_eq!(Frame::from_bytes(&frame.to_bytes()), Ok(frame));
        }
    }

    #[test]
    fn refuses_rests_unknown_numbers_and_oversize() {
        assert_eq!(Frame::from_bytes(&[]), Err(DecodeError));
        assert_eq!(Frame::from_bytes(&[0x7f]), Err(DecodeError));
        assert_eq!(Frame::from_bytes(&[0x8f, 200]), Err(DecodeError));
        assert_eq!(Frame::from_bytes(&[0x07, 0, 0, 0, 0, 0, 0, 0, 1, 9]), Err(DecodeError));
        let oversize = [&[0x02][..], &vec![0; LOG_FRAME_BYTES_MAX + 1]].concat();
        assert_eq!(Frame::from_bytes(&oversize), Err(DecodeError));
    }

    #[test]
    fn tokens_are_never_printed() {
        assert_eq!(format!("{:?}", Token([0xcc; 16])), "Token");
    }

    #[test]
    fn refusals_round_trip() {
        let known: Vec<_> = (0..=u8::MAX).filter_map(Refusal::from_wire).collect();
        assert_eq!(known.len(), 14);
        assert!((0..=u8::MAX).all(|byte| Refusal::from_wire(byte).is_none_or(|refusal| refusal as u8 == byte)));
    }

    proptest! {
        #[test]
        fn any_bytes_decode_to_themselves_or_not_at_all(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Ok(frame) = Frame::from_bytes(&bytes) {
                prop_assert_eq!(frame.to_bytes(), bytes);
            }
        }
    }
}
