//! Reading and writing bytes that strangers send.
//!
//! All integers are big-endian; byte strings and lists carry a length. A [`Reader`] never reads
//! past its end, never allocates more than the named limit, and [`Reader::finish`] refuses rests.

use core::fmt;

/// The bytes are not an encoding of what was asked for.
///
/// It says no more on purpose: the author of bad bytes learns nothing about how they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError;

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed bytes")
    }
}

impl std::error::Error for DecodeError {}

/// A type with one canonical byte form.
pub trait Codec: Sized {
    /// Appends the canonical form.
    fn encode(&self, writer: &mut Writer);

    /// Reads the canonical form.
    ///
    /// # Errors
    /// [`DecodeError`] for anything but the canonical form of a valid value.
    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError>;

    /// The canonical form on its own.
    fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.encode(&mut writer);
        writer.into_bytes()
    }

    /// Reads a value that fills the whole slice.
    ///
    /// # Errors
    /// [`DecodeError`] also if bytes are left over.
    fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let value = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }
}

/// Appends fields to a byte string.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Appends one byte.
    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends two bytes.
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_be_bytes());
    }

    /// Appends four bytes.
    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_be_bytes());
    }

    /// Appends eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.raw(&value.to_be_bytes());
    }

    /// Appends bytes whose number the reader knows.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends bytes with their number in front.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.raw(bytes);
    }

    /// Appends a list with its length in front.
    pub fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.u16(u16::try_from(items.len()).unwrap_or(u16::MAX));
        for item in items {
            each(self, item);
        }
    }

    /// The bytes so far.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Takes fields from the front of a byte string.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Starts at the front.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Takes `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError`] if there are fewer.
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(DecodeError)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes a fixed number of bytes.
    ///
    /// # Errors
    /// [`DecodeError`] if there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(DecodeError)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Takes one byte.
    ///
    /// # Errors
    /// [`DecodeError`] at the end.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_be_bytes(self.array()?))
    }

    /// Takes two bytes.
    ///
    /// # Errors
    /// [`DecodeError`] at the end.
    pub fn u16(&mut self) -> Result<u16, DecodeError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// Takes four bytes.
    ///
    /// # Errors
    /// [`DecodeError`] at the end.
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// Takes eight bytes.
    ///
    /// # Errors
    /// [`DecodeError`] at the end.
    pub fn u64(&mut self) -> Result<u64, DecodeError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// Takes bytes with their number in front, at most `max` of them.
    ///
    /// # Errors
    /// [`DecodeError`] if there are more than `max` or fewer than announced.
    pub fn bytes(&mut self, max: usize) -> Result<&'a [u8], DecodeError> {
        let count = usize::try_from(self.u32()?).map_err(|_| DecodeError)?;
        if count > max {
            return Err(DecodeError);
        }
        self.raw(count)
    }

    /// Takes UTF-8 text of at most `max` bytes.
    ///
    /// # Errors
    /// [`DecodeError`] if it is longer or not UTF-8.
    pub fn text(&mut self, max: usize) -> Result<String, DecodeError> {
        let bytes = self.bytes(max)?;
        core::str::from_utf8(bytes).map(str::to_owned).map_err(|_| DecodeError)
    }

    /// Takes a list of at most `max` items.
    ///
    /// # Errors
    /// [`DecodeError`] if it is longer or an item cannot be read.
    pub fn list<T>(
        &mut self,
        max: usize,
        mut each: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = usize::from(self.u16()?);
        // Every item takes at least a byte, so a short message cannot ask for a long list.
        if count > max || count > self.rest.len() {
            return Err(DecodeError);
        }
        (0..count).map(|_| each(self)).collect()
    }

    /// Takes everything that is left, at most `max` bytes.
    ///
    /// # Errors
    /// [`DecodeError`] if more is left.
    pub const fn rest(&mut self, max: usize) -> Result<&'a [u8], DecodeError> {
        let rest = self.rest;
        if rest.len() > max {
            return Err(DecodeError);
        }
        self.rest = &[];
        Ok(rest)
    }

    /// Whether everything was taken.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// [`DecodeError`] if bytes are left.
    pub const fn finish(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() { Ok(()) } else { Err(DecodeError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_was_written() {
        let mut writer = Writer::default();
        writer.u8(1);
        writer.u16(2);
        writer.u32(3);
        writer.u64(4);
        writer.bytes(b"five");
        writer.list(&[6_u8, 7], |writer, item| writer.u8(*item));
        let bytes = writer.into_bytes();
        let mut reader = Reader::new(&bytes);
        assert_eq!((reader.u8(), reader.u16(), reader.u32(), reader.u64()), (Ok(1), Ok(2), Ok(3), Ok(4)));
        assert_eq!(reader.bytes(4), Ok(&b"five"[..]));
        assert_eq!(reader.list(2, Reader::u8), Ok(vec![6, 7]));
        assert_eq!(reader.finish(), Ok(()));
    }

    #[test]
    fn refuses_lengths_beyond_the_limit_or_the_end() {
        let mut writer = Writer::default();
        writer.bytes(b"hello");
        let bytes = writer.into_bytes();
        assert_eq!(Reader::new(&bytes).bytes(4), Err(DecodeError));
        assert_eq!(Reader::new(&bytes[..8]).bytes(9), Err(DecodeError));
        assert_eq!(Reader::new(&[0xff, 0xff]).list(usize::MAX, Reader::u8), Err(DecodeError));
        assert_eq!(Reader::new(&[0]).finish(), Err(DecodeError));
    }
}
