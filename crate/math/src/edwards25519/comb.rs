//! Multiples of points that are multiplied often, by any number: signatures are checked with
//! $sB - kA$, and neither the base point $B$ nor an author's key $A$ changes from one to the next.
//!
//! A number of 258 digits that are 1 or -1 is six numbers of 43 such digits, of $P$, $2^{43}P$ and so on:
//! a [sum of six points](super::signed) with 43 doublings instead of 252, which two points share.
//! Digits without zeros spell odd numbers only; of an even one the next is taken, and $P$ once less. A
//! detour over the group's order would be wrong for a key with a part of small order.

use super::signed::affine;
use super::{Addend, Fastest, Point, SIGN_WORDS, SignedSums, Signs};
use crate::field25519::Limbs;

/// A point, prepared for many multiples.
#[derive(Clone, Debug)]
pub struct Comb<L: Limbs = Fastest> {
    teeth: SignedSums<L>,
    once: Vec<Addend<L>>,
}

impl<L: Limbs> Comb<L> {
    /// Makes the tables.
    ///
    /// # Cost
    /// 215 doublings, 32 additions and 3 inversions; 33 sums of about 100 bytes.
    #[must_use]
    pub fn new(point: &Point<L>) -> Self {
        let mut teeth = vec![*point];
        for _ in 1..TEETH {
            let last = teeth.last().unwrap_or(point);
            teeth.push((0..PLACES).fold(*last, |point, _| point.double()));
        }
        Self { teeth: SignedSums::new(&teeth), once: affine(&[*point]) }
    }

    /// $aP + bQ$, for numbers with their least significant byte first.
    ///
    /// # Cost
    /// 43 doublings, and 86 to 88 additions.
    #[must_use]
    pub fn sum_vartime(&self, a: &[u8; 32], other: &Self, b: &[u8; 32]) -> Point<L> {
        let sum = self.teeth.combine_two_vartime(&digits(a), &other.teeth, &digits(b), PLACES);
        other.less_if_even(b, self.less_if_even(a, sum))
    }

    fn less_if_even(&self, number: &[u8; 32], sum: Point<L>) -> Point<L> {
        let is_even = number.first().is_some_and(|byte| byte & 1 == 0);
        self.once.iter().filter(|_| is_even).fold(sum, |sum, once| sum.plus_signed(once, true))
    }
}

/// The digits of a number or, if it is even, of the next one.
///
/// $\sum_p \pm 2^p$ over b places is $2e + 1 - 2^b$ for the bits e of what is positive; so of an odd n they are
/// $(n - 1)/2$ and, on top, $2^{b-1}$.
fn digits(number: &[u8; 32]) -> [Signs; TEETH] {
    let mut bits = [0_u64; 5];
    for (word, chunk) in bits.iter_mut().zip(number.chunks_exact(8)) {
        *word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    let [a, b, c, d, _] = bits;
    let top = 1 << ((TEETH * PLACES as usize - 1) % 64);
    let half = [a >> 1 | b << 63, b >> 1 | c << 63, c >> 1 | d << 63, d >> 1, top];
    core::array::from_fn(|tooth| {
        let (word, shift) = (tooth * PLACES as usize / 64, tooth * PLACES as usize % 64);
        let at = |index: usize| half.get(index).copied().map_or(0, u128::from);
        let both = (at(word) | at(word + 1) << 64) >> shift;
        let mut signs = [0; SIGN_WORDS];
        signs[0] = both as u64 & ((1 << PLACES) - 1);
        signs
    })
}

/// In how many parts a number is cut: 32 sums for each point are 3 kB, and a cut more would double that.
const TEETH: usize = 6;
/// Digits of a part: all parts together have more than the 256 of the longest number.
const PLACES: u16 = 43;
