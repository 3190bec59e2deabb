//! Four limbs of 64 bits, without room for carries: fewest multiplications, for long sums of points.
//!
//! A value is any number below 2^256, and 2^256 = 38. Every carry is taken at once, so slack does not
//! exist here. A chain of products that wait for each other is no faster than with five limbs, and
//! points, whose products come in fours, are.

use super::{Limbs, MASK};

/// $\sum_i l_i 2^{64 i}$.
#[derive(Clone, Copy, Debug)]
pub struct Limbs64([u64; 4]);

impl Limbs for Limbs64 {
    fn from_wide([a, b, c, d, e]: [u64; 5]) -> Self {
        Self([a | b << 51, b >> 13 | c << 38, c >> 26 | d << 25, d >> 39 | e << 12])
    }

    fn to_wide(self) -> [u64; 5] {
        let [a, b, c, d] = self.0;
        let cut = |it: u64| it & MASK;
        [cut(a), cut(a >> 51 | b << 13), cut(b >> 38 | c << 26), cut(c >> 25 | d << 39), d >> 12]
    }

    #[inline]
    fn add(&self, other: &Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        let (a, carry) = a.overflowing_add(w);
        let (b, carry) = add(b, x, carry);
        let (c, carry) = add(c, y, carry);
        let (d, carry) = add(d, z, carry);
        folded([a, b, c, d], 38 * u64::from(carry))
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        let (a, borrow) = a.overflowing_sub(w);
        let (b, borrow) = sub(b, x, borrow);
        let (c, borrow) = sub(c, y, borrow);
        let (d, borrow) = sub(d, z, borrow);
        // What was borrowed, 2^256, is 38 too much; to give that back may borrow once more.
        let (a, borrow) = a.overflowing_sub(38 * u64::from(borrow));
        let (b, borrow) = b.overflowing_sub(u64::from(borrow));
        let (c, borrow) = c.overflowing_sub(u64::from(borrow));
        let (d, borrow) = d.overflowing_sub(u64::from(borrow));
        Self([a.wrapping_sub(38 * u64::from(borrow)), b, c, d])
    }

    #[inline]
    fn sum(&self, other: &Self) -> Self {
        self.add(other)
    }

    #[inline]
    fn difference(&self, other: &Self) -> Self {
        self.sub(other)
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        let ([a, b, c, d], y) = (self.0, other.0);
        let (low, [e, f, g, h]) = row(a, y, [0; 4]);
        let (i, [e, f, g, h]) = row(b, y, [e, f, g, h]);
        let (j, [e, f, g, h]) = row(c, y, [e, f, g, h]);
        let (k, high) = row(d, y, [e, f, g, h]);
        reduced([low, i, j, k], high)
    }

    #[inline]
    fn square(&self) -> Self {
        self.mul(self)
    }
}

/// $a \cdot y$ plus what the rows before left: the lowest limb, which is done, and the rest.
#[inline]
fn row(a: u64, [w, x, y, z]: [u64; 4], [e, f, g, h]: [u64; 4]) -> (u64, [u64; 4]) {
    let (low, carry) = mac(e, a, w, 0);
    let (e, carry) = mac(f, a, x, carry);
    let (f, carry) = mac(g, a, y, carry);
    let (g, h) = mac(h, a, z, carry);
    (low, [e, f, g, h])
}

/// $r + ab + c$, low and high; it cannot overflow.
#[inline]
fn mac(r: u64, a: u64, b: u64, c: u64) -> (u64, u64) {
    let sum = u128::from(r) + u128::from(a) * u128::from(b) + u128::from(c);
    (sum as u64, (sum >> 64) as u64)
}

/// $low + 2^{256} high = low + 38 high$.
#[inline]
fn reduced([a, b, c, d]: [u64; 4], [w, x, y, z]: [u64; 4]) -> Limbs64 {
    let (a, carry) = mac(a, w, 38, 0);
    let (b, carry) = mac(b, x, 38, carry);
    let (c, carry) = mac(c, y, 38, carry);
    let (d, carry) = mac(d, z, 38, carry);
    folded([a, b, c, d], 38 * carry)
}

/// Adds what came back from the top, below 2^11. If that carries as well, little is left below.
#[inline]
fn folded([a, b, c, d]: [u64; 4], again: u64) -> Limbs64 {
    let (a, carry) = a.overflowing_add(again);
    let (b, carry) = b.overflowing_add(u64::from(carry));
    let (c, carry) = c.overflowing_add(u64::from(carry));
    let (d, carry) = d.overflowing_add(u64::from(carry));
    Limbs64([a.wrapping_add(38 * u64::from(carry)), b, c, d])
}

/// $a + b$ and a carry.
#[inline]
fn add(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let sum = u128::from(a) + u128::from(b) + u128::from(carry);
    (sum as u64, sum >> 64 != 0)
}

/// $a - b$ less a borrow.
#[inline]
fn sub(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, first) = a.overflowing_sub(b);
    let (difference, second) = difference.overflowing_sub(u64::from(borrow));
    (difference, first || second)
}
