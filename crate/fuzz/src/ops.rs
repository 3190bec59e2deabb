//! Lists of operations in bytes: how a fuzzer plays a state machine.
//!
//! Deliberately lenient: an unknown operation is one of the known, and a list that ends early ends.

use undertone_wire::Reader;

/// Takes operations and their arguments from bytes.
pub(crate) struct Ops<'a> {
    reader: Reader<'a>,
    left: usize,
}

/// Most operations of one input.
const OPS_MAX: usize = 400;

impl<'a> Ops<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { reader: Reader::new(bytes), left: OPS_MAX }
    }

    /// The next operation, of so many.
    pub(crate) fn next_of(&mut self, count: u8) -> Option<u8> {
        self.left = self.left.checked_sub(1)?;
        self.reader.u8().ok()?.checked_rem(count)
    }

    pub(crate) fn u8(&mut self) -> u8 {
        self.reader.u8().unwrap_or_default()
    }

    pub(crate) fn u32(&mut self) -> u32 {
        self.reader.u32().unwrap_or_default()
    }

    /// Bytes with their number in front, or what is left.
    pub(crate) fn bytes(&mut self) -> &'a [u8] {
        let count = usize::from(self.reader.u16().unwrap_or_default());
        match self.reader.raw(count) {
            Ok(bytes) => bytes,
            Err(_) => self.reader.rest(usize::MAX).unwrap_or_default(),
        }
    }
}
