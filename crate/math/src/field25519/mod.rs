//! The field of 2^255 - 19 elements, for *public* data only.
//!
//! Secrets stay with curve25519-dalek. This field exists because finding a public sum is nothing
//! but millions of multiplications, and a library made for secrets pays for constant time at every
//! comparison, encoding and inversion. In wasm it is also twice as fast, since it may choose its
//! limbs for a machine that multiplies 32 bits by 32.
//!
//! An element is five limbs of 51 bits where the machine multiplies 64 bits by 64
//! ([`Limbs51`]), or ten of 26 and 25 bits ([`Limbs25`]); [`Native`] names the one that a target uses.
//! Sums of points take four limbs of 64 bits ([`Limbs64`]) in place of five. All three are compiled
//! and tested everywhere.
//!
//! Operations work on *loose* limbs: a sum or product is carried so far that it can be multiplied
//! again, not so far that it is the smallest residue. Only [`Field25519::low_word`],
//! [`Field25519::to_bytes`] and comparisons ask for that.

mod limbs25;
mod limbs51;
mod limbs64;
mod roots;
mod slack;

pub use limbs25::Limbs25;
pub use limbs51::Limbs51;
pub use limbs64::Limbs64;
pub use slack::Slack;

/// The limbs that are fastest on this target.
#[cfg(target_pointer_width = "64")]
pub type Native = Limbs51;
/// The limbs that are fastest on this target.
#[cfg(not(target_pointer_width = "64"))]
pub type Native = Limbs25;

/// How an element is laid out, and the arithmetic that depends on it.
///
/// Arguments and results are loose: the wide limbs of [`Limbs::to_wide`] are below 2^52. Those of
/// [`Limbs::sum`] and [`Limbs::difference`] are *slack*, below three times that; only products and
/// squares take slack arguments.
pub trait Limbs: Copy {
    /// From five limbs of 51 bits, each below 2^51.
    fn from_wide(wide: [u64; 5]) -> Self;
    /// As five limbs of 51 bits, loose.
    fn to_wide(self) -> [u64; 5];
    /// $a + b$.
    #[must_use]
    fn add(&self, other: &Self) -> Self;
    /// $a - b$.
    #[must_use]
    fn sub(&self, other: &Self) -> Self;
    /// $a + b$, slack.
    #[must_use]
    fn sum(&self, other: &Self) -> Self;
    /// $a - b$, slack.
    #[must_use]
    fn difference(&self, other: &Self) -> Self;
    /// $a \cdot b$.
    #[must_use]
    fn mul(&self, other: &Self) -> Self;
    /// $a^2$.
    #[must_use]
    fn square(&self) -> Self;
}

/// An element of the field, of public value.
///
/// # Security
/// Comparisons, decoding and square roots take time that depends on the value. Never put a secret
/// here.
#[derive(Clone, Copy, Debug)]
pub struct Field25519<L: Limbs = Native>(L);

impl<L: Limbs> Field25519<L> {
    /// A small integer, below 2^51.
    #[must_use]
    pub fn small(value: u32) -> Self {
        Self::from_limbs([u64::from(value), 0, 0, 0, 0])
    }

    /// A constant, given as five limbs of 51 bits; higher bits are dropped.
    #[must_use]
    pub fn from_limbs(limbs: [u64; 5]) -> Self {
        Self(L::from_wide(limbs.map(|limb| limb & MASK)))
    }

    /// Reads 32 bytes, least significant first; `None` if they are not the smallest residue.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let read = Self::from_bytes_mod_order(bytes);
        (read.to_bytes() == *bytes).then_some(read)
    }

    /// Reads 32 bytes, least significant first, that something else has found canonical; of others,
    /// bit 255 is dropped and the rest is reduced.
    #[must_use]
    pub fn from_bytes_mod_order(bytes: &[u8; 32]) -> Self {
        let mut words = [0_u64; 4];
        for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        let [a, b, c, d] = words;
        Self::from_limbs([a, a >> 51 | b << 13, b >> 38 | c << 26, c >> 25 | d << 39, d >> 12])
    }

    /// The smallest residue, least significant byte first.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let [a, b, c, d, e] = self.smallest();
        let words = [a | b << 51, b >> 13 | c << 38, c >> 26 | d << 25, d >> 39 | e << 12];
        let mut bytes = [0; 32];
        for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The low 64 bits of the smallest residue: a hash of the element for public tables.
    #[must_use]
    pub fn low_word(self) -> u64 {
        low_word_of(self.0.to_wide())
    }

    /// [`Self::low_word`] of $a - b$, without the carries that a difference would need first.
    #[inline]
    #[must_use]
    pub fn low_word_of_difference(&self, other: &Self) -> u64 {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0.to_wide(), other.0.to_wide());
        low_word_of([a + FOUR_P_LOW - v, b + FOUR_P - w, c + FOUR_P - x, d + FOUR_P - y, e + FOUR_P - z])
    }

    /// $a + b$.
    #[inline]
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        Self(self.0.add(&other.0))
    }

    /// $a - b$.
    #[inline]
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        Self(self.0.sub(&other.0))
    }

    /// $-a$.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self::small(0).sub(self)
    }

    /// $a \cdot b$.
    #[inline]
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        Self(self.0.mul(&other.0))
    }

    /// $a^2$.
    #[inline]
    #[must_use]
    pub fn square(&self) -> Self {
        Self(self.0.square())
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero_vartime(self) -> bool {
        self.smallest() == [0; 5]
    }

    /// Whether both are the same element, however they are carried.
    #[must_use]
    pub fn equals_vartime(&self, other: &Self) -> bool {
        self.sub(other).is_zero_vartime()
    }

    /// Whether the smallest residue is odd, which is what ristretto255 calls negative.
    #[must_use]
    pub fn is_negative_vartime(self) -> bool {
        self.low_word() & 1 == 1
    }

    /// The limbs of the smallest residue.
    fn smallest(self) -> [u64; 5] {
        let mut limbs = topped(self.0.to_wide());
        let mut carry = 0;
        for limb in &mut limbs {
            *limb += carry;
            carry = *limb >> 51;
            *limb &= MASK;
        }
        limbs
    }
}

/// The smallest residue, before the carries between limbs and with a bit 255 to be dropped; limbs
/// below 2^56 will do.
///
/// The bits from 255 up come back as 19 times themselves; what remains is $v < 2p$. It exceeds
/// $p$ exactly if $v + 19$ reaches 2^255, and then $v - p = v + 19 - 2^{255}$.
#[inline]
fn topped([a, b, c, d, e]: [u64; 5]) -> [u64; 5] {
    let (a, e) = (a + 19 * (e >> 51), e & MASK);
    let over = (e + ((d + ((c + ((b + ((a + 19) >> 51)) >> 51)) >> 51)) >> 51)) >> 51;
    [a + 19 * over, b, c, d, e]
}

/// The low 64 bits of the smallest residue.
#[inline]
fn low_word_of(limbs: [u64; 5]) -> u64 {
    let [a, b, ..] = topped(limbs);
    a.wrapping_add(b << 51)
}

/// The lowest limb of 4p, which is added before a subtraction so that no limb goes below zero.
const FOUR_P_LOW: u64 = 4 * (MASK - 18);
/// The other limbs of 4p.
const FOUR_P: u64 = 4 * MASK;
/// The bits of a limb.
const MASK: u64 = (1 << 51) - 1;

#[cfg(test)]
mod tests;
