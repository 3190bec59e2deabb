//! The Edwards curve under ristretto255, for *public* points and scalars only.
//!
//! A round of PCL multiplies public keys by public numbers, many of them, and only the one
//! multiplication after that is secret. That one stays with curve25519-dalek; the public part is here,
//! because it may choose tables as large as a key life is worth, and because in wasm
//! [`field25519`](crate::field25519) is twice as fast.
//!
//! $-x^2 + y^2 = 1 + dx^2y^2$, with points as $(X : Y : Z : T)$, $x = X/Z$, $y = Y/Z$, $T = XY/Z$
//! (Hisil, Wong, Carter and Dawson 2008). The sums are complete: no pair of points is an exception.
//! Elements go in and out by the encoding of [RFC 9496, section 4.3], and the keys of signatures, which
//! are points and not elements, by that of [RFC 8032, section 5.1.2].

#[cfg(not(feature = "small"))]
mod comb;
#[cfg(any(test, feature = "small"))]
#[cfg_attr(not(feature = "small"), allow(unreachable_pub, reason = "other builds have it for their tests only"))]
mod ladder;
mod ristretto;
mod signed;
mod standard;
#[cfg(test)]
mod tests;

#[cfg(not(feature = "small"))]
pub use comb::Comb;
#[cfg(feature = "small")]
pub use ladder::Ladder as Comb;
pub use signed::{SIGN_WORDS, SignedSums, Signs};

use crate::field25519::{Field25519, Limbs};
use core::hint::select_unpredictable;

/// The limbs that are fastest for points on this target.
#[cfg(target_pointer_width = "64")]
pub type Fastest = crate::field25519::Limbs64;
/// The limbs that are fastest for points on this target.
#[cfg(not(target_pointer_width = "64"))]
pub type Fastest = crate::field25519::Limbs25;

/// A public point.
///
/// # Security
/// Operations on it may take time that depends on the value. Never put a secret here.
#[derive(Clone, Copy, Debug)]
pub struct Point<L: Limbs = Fastest> {
    x: Field25519<L>,
    y: Field25519<L>,
    z: Field25519<L>,
    t: Field25519<L>,
}

/// A point that is added often: half of $(y + x, y - x, 2dxy)$, so that the sum need not double $Z$.
#[derive(Clone, Copy, Debug)]
pub struct Addend<L: Limbs = Fastest> {
    sum: Field25519<L>,
    difference: Field25519<L>,
    product: Field25519<L>,
}

impl<L: Limbs> Point<L> {
    /// The neutral point.
    #[must_use]
    pub fn identity() -> Self {
        let (zero, one) = (Field25519::small(0), Field25519::small(1));
        Self { x: zero, y: one, z: one, t: zero }
    }

    /// $2P$, by 4 squarings and 4 multiplications.
    #[must_use]
    fn double(&self) -> Self {
        let (a, b, c) = (self.x.square(), self.y.square(), self.z.square());
        let (g, h) = (a.sub(&b), a.add(&b));
        let e = h.difference(&self.x.sum(&self.y).square());
        let f = c.add(&c).sum(&g);
        Self { x: e.mul(&f), y: g.mul(&h), z: f.times(&g), t: e.times(&h) }
    }

    /// $P + Q$, by 7 multiplications.
    #[inline]
    fn plus(&self, other: &Addend<L>) -> Self {
        self.plus_signed(other, false)
    }

    /// $P + Q$ or $P - Q$: the negative of $Q$ swaps its sum and difference, and negates its product.
    ///
    /// Signs are random, so a branch on them would be foreseen half of the time only.
    #[must_use]
    #[inline]
    pub fn plus_signed(&self, other: &Addend<L>, negative: bool) -> Self {
        let below = select_unpredictable(negative, &other.sum, &other.difference);
        let above = select_unpredictable(negative, &other.difference, &other.sum);
        let a = self.y.difference(&self.x).times(below);
        let b = self.y.sum(&self.x).times(above);
        let c = self.t.mul(&other.product);
        let (e, h) = (b.difference(&a), b.sum(&a));
        let (less, more) = (self.z.difference(&c), self.z.sum(&c));
        let f = select_unpredictable(negative, &more, &less);
        let g = select_unpredictable(negative, &less, &more);
        Self { x: e.mul(f), y: g.mul(&h), z: f.mul(g), t: e.mul(&h) }
    }

    /// As what is added often, given $1/2Z$.
    fn addend(&self, half_inverse: &Field25519<L>) -> Addend<L> {
        let (x, y) = (self.x.mul(half_inverse), self.y.mul(half_inverse));
        Addend { sum: y.add(&x), difference: y.sub(&x), product: x.mul(&y).mul(&Field25519::from_limbs(FOUR_D)) }
    }
}

impl<L: Limbs> Addend<L> {
    /// Of one of the points of the element that encodes to `bytes`; `None` for what is no encoding.
    ///
    /// # Cost
    /// One square root, 269 multiplications.
    #[must_use]
    pub fn decode_vartime(bytes: &[u8; 32]) -> Option<Self> {
        Point::decode_vartime(bytes).map(|point| point.addend(&Field25519::from_limbs(HALF)))
    }

    /// The point.
    #[must_use]
    pub fn point(&self) -> Point<L> {
        let (x, y) = (self.sum.sub(&self.difference), self.sum.add(&self.difference));
        Point { x, y, z: Field25519::small(1), t: x.mul(&y) }
    }
}

/// One half, $2^{254} - 9$, in limbs of 51 bits.
const HALF: [u64; 5] = [0x7fffffffffff7, 0x7ffffffffffff, 0x7ffffffffffff, 0x7ffffffffffff, 0x3ffffffffffff];

/// Four times the curve's coefficient, $-121665/121666$, in limbs of 51 bits.
const FOUR_D: [u64; 5] = [0x537284d65e2b2, 0x6a0a0ec55baf5, 0x79e89800700a4, 0x4e7198e80f2ee, 0x480db3b8adbff];
