//! The public coefficients $A^{(k)}_{ij}$.
//!
//! One ChaCha12 stream a round, keyed by a hash of the context and the round, holds the coefficient of
//! every pair at a place of its own, so a seat reads the pairs it is part of and nothing else.
//! $A_{ij}$ belongs to the pair, and the seat of the higher place takes its negative: the matrix is
//! skew-symmetric without anyone seeing more than one row.
//!
//! A number is written in digits that are 1 or -1 ([`SignedSums`](undertone_math::edwards25519)), in
//! which turning all digits gives the negative. 128 digits spell $2^{128}$ different numbers, which is
//! what the bound on an accident asks for: by the lemma of Schwartz and Zippel a set of colluding
//! seats finds the masks of l rounds dependent with probability at most $l(h-1)/2^{128}$.

use crate::{Hash, Transcript};
use chacha20::ChaCha12;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};
use curve25519_dalek::scalar::Scalar;
use undertone_math::edwards25519::Signs;

/// From how many numbers a coefficient is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coefficients {
    /// $2^{128}$ numbers.
    Short,
    /// All numbers modulo the group's order, as the paper has it.
    Full,
}

impl Coefficients {
    /// Digits of a number.
    pub(crate) const fn places(self) -> u16 {
        match self {
            Self::Short => 128,
            Self::Full => 254,
        }
    }

    /// What the stream is for.
    const fn domain(self) -> &'static str {
        match self {
            Self::Short => "pcl-short/v1",
            Self::Full => "pcl-full/v1",
        }
    }

    /// $A^{(k)}_{ij}$ for the seat i and all its neighbours j, as digits.
    pub(crate) fn row(self, context: &Hash, round: u32, me: u16, neighbours: &[u16]) -> Vec<Signs> {
        let key = Transcript::new(self.domain()).field(context).number(u64::from(round)).hash();
        // The key is fresh for this context and round, so a constant nonce is used once.
        let mut stream = ChaCha12::new(&key.into(), &[0; 12].into());
        let mut tile = Tile { number: u64::MAX, bytes: [0; BLOCK_BYTES] };
        let entry = |other: &u16| {
            let signs = self.of_pair(&mut stream, &mut tile, me.min(*other), me.max(*other));
            if me < *other { signs } else { signs.map(|word| !word) }
        };
        neighbours.iter().map(entry).collect()
    }

    /// The coefficient of a pair, low < high.
    ///
    /// Short ones lie four in a block, for the pairs of two neighbouring seats with two others, so a row
    /// takes half as many blocks as it has entries. A full one takes a block: 64 bytes are uniform
    /// modulo the order.
    fn of_pair(self, stream: &mut ChaCha12, tile: &mut Tile, low: u16, high: u16) -> Signs {
        match self {
            Self::Short => {
                let number = u64::from(low / 2) << 16 | u64::from(high / 2);
                let slot = usize::from(low % 2 * 2 + high % 2);
                let mut words = tile.read(stream, number).chunks_exact(16).nth(slot).into_iter().flat_map(words);
                [words.next().unwrap_or_default(), words.next().unwrap_or_default(), 0, 0]
            }
            Self::Full => {
                let number = u64::from(low) << 16 | u64::from(high);
                full(tile.read(stream, number))
            }
        }
    }
}

/// The digits of $2x + 1$ for x uniform modulo the order: $\sum_p \pm 2^p = 2c + 1 - 2^{254}$ for
/// $c = x + 2^{253}$, and x is below that.
fn full(block: &[u8; BLOCK_BYTES]) -> Signs {
    let x = Scalar::from_bytes_mod_order_wide(block);
    let mut signs = [0; 4];
    signs.iter_mut().zip(words(x.as_bytes())).for_each(|(to, word)| *to = word);
    let [a, b, c, d] = signs;
    [a, b, c, d | 1 << (253 - 192)]
}

/// The number that digits stand for, $2c + 1 - 2^b$ for the integer c that they spell as bits.
#[cfg(any(test, feature = "model", feature = "reference"))]
pub(crate) fn number(signs: &Signs, places: u16) -> Scalar {
    let mut number = Scalar::ZERO;
    for place in (0..usize::from(places)).rev() {
        let word = signs.get(place / 64).copied().unwrap_or_default();
        let digit = if word >> (place % 64) & 1 == 1 { Scalar::ONE } else { -Scalar::ONE };
        number = number + number + digit;
    }
    number
}

/// A block of the stream, kept for the next pair.
struct Tile {
    number: u64,
    bytes: [u8; BLOCK_BYTES],
}

impl Tile {
    fn read(&mut self, stream: &mut ChaCha12, number: u64) -> &[u8; BLOCK_BYTES] {
        if self.number != number {
            (self.number, self.bytes) = (number, [0; BLOCK_BYTES]);
            // Numbers are below 2^32, as many as the stream has blocks.
            let reached = stream.try_seek(number * BLOCK_BYTES as u64);
            debug_assert!(reached.is_ok());
            stream.apply_keystream(&mut self.bytes);
        }
        &self.bytes
    }
}

/// Words of 64 bits, the least significant byte first.
fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks_exact(8).map(word)
}

/// Bytes of a block of ChaCha.
const BLOCK_BYTES: usize = 64;
