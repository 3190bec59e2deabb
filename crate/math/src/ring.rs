//! Rings Z_2^k in which masked values are added.

/// A machine word with wrapping addition: an element of Z_2^64 or Z_2^128.
pub trait Word: Copy + Default + PartialEq {
    /// Bytes of one element.
    const BYTES: usize;
    /// Addition in the ring.
    #[must_use]
    fn add(self, other: Self) -> Self;
    /// Subtraction in the ring.
    #[must_use]
    fn sub(self, other: Self) -> Self;
    /// Adds elements, as [`Word::write`] wrote them, to as many sums.
    fn add_all(sums: &mut [Self], bytes: &[u8]);
    /// Subtracts them.
    fn sub_all(sums: &mut [Self], bytes: &[u8]);
    /// The residue of a signed integer.
    fn from_signed(value: i128) -> Self;
    /// The residue of smallest magnitude.
    fn to_signed(self) -> i128;
    /// Reads an element, least significant byte first; short input reads as if it ended in zeros.
    fn read(bytes: &[u8]) -> Self;
    /// Writes an element, least significant byte first.
    fn write(self, out: &mut Vec<u8>);
}

macro_rules! word {
    ($word:ty, $signed:ty) => {
        impl Word for $word {
            const BYTES: usize = size_of::<$word>();
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            fn add_all(sums: &mut [Self], bytes: &[u8]) {
                let words = bytes.as_chunks().0.iter().map(|word| Self::from_le_bytes(*word));
                sums.iter_mut().zip(words).for_each(|(sum, word)| *sum = sum.wrapping_add(word));
            }
            fn sub_all(sums: &mut [Self], bytes: &[u8]) {
                let words = bytes.as_chunks().0.iter().map(|word| Self::from_le_bytes(*word));
                sums.iter_mut().zip(words).for_each(|(sum, word)| *sum = sum.wrapping_sub(word));
            }
            fn from_signed(value: i128) -> Self {
                value as Self
            }
            fn to_signed(self) -> i128 {
                (self as $signed) as i128
            }
            fn read(bytes: &[u8]) -> Self {
                let mut buffer = [0_u8; size_of::<$word>()];
                buffer.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
                Self::from_le_bytes(buffer)
            }
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

word!(u64, i64);
word!(u128, i128);

/// Which ring a plan's sums live in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ring {
    /// Z_2^64: 8 bytes an element.
    Z64,
    /// Z_2^128: 16 bytes an element.
    Z128,
}

impl Ring {
    /// The narrowest ring that holds every sum of magnitude up to `magnitude`, or `None`.
    #[must_use]
    pub fn holding(magnitude: u128) -> Option<Self> {
        if magnitude < 1 << 63 {
            Some(Self::Z64)
        } else if magnitude < 1 << 127 {
            Some(Self::Z128)
        } else {
            None
        }
    }

    /// Bytes of one element.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Z64 => <u64 as Word>::BYTES,
            Self::Z128 => <u128 as Word>::BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn picks_the_narrowest_ring() {
        assert_eq!(Ring::holding(0), Some(Ring::Z64));
        assert_eq!(Ring::holding((1 << 63) - 1), Some(Ring::Z64));
        assert_eq!(Ring::holding(1 << 63), Some(Ring::Z128));
        assert_eq!(Ring::holding(1 << 127), None);
    }

    fn laws<W: Word + core::fmt::Debug>(a: i128, b: i128) {
        let (x, y) = (W::from_signed(a), W::from_signed(b));
        assert_eq!(x.add(y).sub(y), x);
        assert_eq!(x.add(y), y.add(x));
        assert_eq!(x.add(y).to_signed(), a + b);
        let mut bytes = Vec::new();
        x.write(&mut bytes);
        assert_eq!(bytes.len(), W::BYTES);
        assert_eq!(W::read(&bytes), x);
        let mut sums = [y, W::default()];
        W::add_all(&mut sums, &bytes);
        assert!(sums == [y.add(x), W::default()]);
        W::sub_all(&mut sums, &bytes);
        assert!(sums == [y, W::default()]);
    }

    proptest! {
        #[test]
        fn words_are_rings(a in -(1_i128 << 61)..(1_i128 << 61), b in -(1_i128 << 61)..(1_i128 << 61)) {
            laws::<u64>(a, b);
            laws::<u128>(a << 60, b << 60);
        }
    }
}
