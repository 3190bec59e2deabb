//! How people find a room: a link with a secret, or four words without one.

use crate::{Codec, DecodeError, Hash, Reader, Writer};
use base64ct::{Base64UrlUnpadded, Encoding};
use core::fmt;
use undertone_machine::Secret;
use undertone_prim::Transcript;

const VERSION: u8 = 1;

/// Number of words in the list, from the EFF's short list, chosen to be easy to type and to hear.
const WORDS: u64 = 1296;
const WORD_LIST: &str = include_str!("../words.txt");
const CODE_WORDS: u32 = 4;

/// What a link or QR carries in its fragment, which browsers never send.
///
/// # Security
/// The room's hash fixes the host's key; the secret proves that a joiner was invited and seals the
/// room's values from the relay. Whoever sees the link can join.
pub struct Invite {
    /// The room.
    pub room: Hash,
    /// Which wasm module the room's services live in; 0 is `sums`.
    pub module: u8,
    /// What only invited people know.
    pub secret: Secret<[u8; 16]>,
}

impl Invite {
    /// The fragment's text, in an alphabet that needs no escaping. Coding takes constant time.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut writer = Writer::default();
        writer.u8(VERSION);
        writer.u8(self.module);
        writer.raw(&self.room);
        writer.raw(self.secret.expose());
        Base64UrlUnpadded::encode_string(&writer.into_bytes())
    }

    /// Reads a fragment's text.
    ///
    /// # Errors
    /// [`DecodeError`] if it is not a whole invite of this version.
    pub fn from_text(text: &str) -> Result<Self, DecodeError> {
        let bytes = Base64UrlUnpadded::decode_vec(text).map_err(|_| DecodeError)?;
        let mut reader = Reader::new(&bytes);
        if reader.u8()? != VERSION {
            return Err(DecodeError);
        }
        let (module, room, secret) = (reader.u8()?, reader.array()?, reader.array()?);
        reader.finish()?;
        Ok(Self { room, module, secret: Secret::new(secret) })
    }
}

impl fmt::Debug for Invite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Invite").finish_non_exhaustive()
    }
}

/// Four words that lead to a room's lobby, and no further: they carry no secret.
///
/// The code is the first 41.4 bits of a hash of the room, so a relay that answers with another room
/// must find a host key that collides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoomCode(u64);

impl RoomCode {
    /// The code of a room.
    #[must_use]
    pub fn of(room: &Hash) -> Self {
        let hash = Transcript::new("room-code/v1").field(room).hash();
        let number = hash.iter().take(8).fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        Self(number % WORDS.pow(CODE_WORDS))
    }

    /// As a number, for the relay's look-up.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Reads four words, in any case, separated by anything but letters.
    ///
    /// # Errors
    /// [`DecodeError`] unless they are four words of the list.
    pub fn from_text(text: &str) -> Result<Self, DecodeError> {
        let lower = text.to_ascii_lowercase();
        let words: Vec<_> = lower.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
        if words.len() != CODE_WORDS as usize {
            return Err(DecodeError);
        }
        let number = words.iter().try_fold(0_u64, |sum, word| {
            let index = WORD_LIST.lines().position(|known| known == *word)?;
            sum.checked_mul(WORDS)?.checked_add(index as u64)
        });
        number.map(Self).ok_or(DecodeError)
    }
}

impl fmt::Display for RoomCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut words = Vec::new();
        for _ in 0..CODE_WORDS {
            words.push(WORD_LIST.lines().nth((rest % WORDS) as usize).unwrap_or_default());
            rest /= WORDS;
        }
        words.reverse();
        f.write_str(&words.join(" "))
    }
}

/// What someone pasted or typed: a link, a bare invite, or four words.
#[derive(Debug)]
pub enum Invitation {
    /// With the secret.
    Link(Invite),
    /// Without.
    Code(RoomCode),
}

impl Invitation {
    /// Reads whatever people have: the whole link, its fragment, or the words.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none of these.
    pub fn from_text(text: &str) -> Result<Self, DecodeError> {
        let text = text.trim();
        let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
        Invite::from_text(fragment).map(Self::Link).or_else(|_| RoomCode::from_text(text).map(Self::Code))
    }
}

impl Codec for RoomCode {
    fn encode(&self, writer: &mut Writer) {
        writer.u64(self.0);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let number = reader.u64()?;
        if number < WORDS.pow(CODE_WORDS) { Ok(Self(number)) } else { Err(DecodeError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_list_is_sorted_and_whole() {
        let words: Vec<_> = WORD_LIST.lines().collect();
        assert_eq!(words.len() as u64, WORDS);
        assert!(words.is_sorted_by(|a, b| a < b));
        assert!(words.iter().all(|word| word.bytes().all(|b| b.is_ascii_lowercase())));
    }

    #[test]
    fn codes_round_trip_as_people_type_them() {
        for room in 0..200_u8 {
            let code = RoomCode::of(&[room; 32]);
            let text = code.to_string();
            assert_eq!(RoomCode::from_text(&text), Ok(code));
            assert_eq!(RoomCode::from_text(&text.to_uppercase().replace(' ', " - ")), Ok(code));
        }
        assert_eq!(RoomCode::from_text("acid acorn acre"), Err(DecodeError));
        assert_eq!(RoomCode::from_text("acid acorn acre unknownword"), Err(DecodeError));
    }

    #[test]
    fn invites_round_trip_in_links() {
        let invite = Invite { room: [7; 32], module: 0, secret: Secret::new([8; 16]) };
        let link = format!("http://school.example/#{}", invite.to_text());
        let Ok(Invitation::Link(read)) = Invitation::from_text(&link) else { panic!("not read") };
        assert_eq!((read.room, *read.secret.expose()), ([7; 32], [8; 16]));
        assert!(Invitation::from_text(&link[..link.len() - 1]).is_err());
        assert_eq!(format!("{invite:?}"), "Invite { .. }");
    }
}
