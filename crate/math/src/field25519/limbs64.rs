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
        let (a, carry) = a.carrying_add(w, false);
        let (b, carry) = b.carrying_add(x, carry);
        let (c, carry) = c.carrying_add(y, carry);
        let (d, carry) = d.carrying_add(z, carry);
        folded([a, b, c, d], thirty_eight_if(carry))
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        let ([a, b, c, d], [w, x, y, z]) = (self.0, other.0);
        let (a, borrow) = a.borrowing_sub(w, false);
        let (b, borrow) = b.borrowing_sub(x, borrow);
        let (c, borrow) = c.borrowing_sub(y, borrow);
        let (d, borrow) = d.borrowing_sub(z, borrow);
        // What was borrowed, 2^256, is 38 too much; to give that back may borrow once more.
        let (a, borrow) = a.borrowing_sub(thirty_eight_if(borrow), false);
        let (b, borrow) = b.borrowing_sub(0, borrow);
        let (c, borrow) = c.borrowing_sub(0, borrow);
        let (d, borrow) = d.borrowing_sub(0, borrow);
        Self([a.wrapping_sub(thirty_eight_if(borrow)), b, c, d])
    }

    #[inline]
    fn sum(&self, other: &Self) -> Self {
        self.add(other)
    }

    #[inline]
    fn difference(&self, other: &Self) -> Self {
        self.sub(other)
    }

    #[inline(always)]
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
        let [a, b, c, d] = self.0;
        // Products of two different limbs count twice.
        let (p, carry) = mac(0, a, b, 0);
        let (q, carry) = mac(0, a, c, carry);
        let (r, s) = mac(0, a, d, carry);
        let (r, carry) = mac(r, b, c, 0);
        let (s, t) = mac(s, b, d, carry);
        let (t, u) = mac(t, c, d, 0);
        let twice = [p << 1, q << 1 | p >> 63, r << 1 | q >> 63, s << 1 | r >> 63, t << 1 | s >> 63];
        with_squares([a, b, c, d], twice, [u << 1 | t >> 63, u >> 63])
    }
}

/// Adds the squares of the limbs at their places.
#[inline]
fn with_squares([a, b, c, d]: [u64; 4], [p, q, r, s, t]: [u64; 5], [u, v]: [u64; 2]) -> Limbs64 {
    let [(al, ah), (bl, bh), (cl, ch), (dl, dh)] = [a, b, c, d].map(|it| mac(0, it, it, 0));
    let (p, carry) = p.carrying_add(ah, false);
    let (q, carry) = q.carrying_add(bl, carry);
    let (r, carry) = r.carrying_add(bh, carry);
    let (s, carry) = s.carrying_add(cl, carry);
    let (t, carry) = t.carrying_add(ch, carry);
    let (u, carry) = u.carrying_add(dl, carry);
    let (v, _) = v.carrying_add(dh, carry);
    reduced([al, p, q, r], [s, t, u, v])
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
    let (a, carry) = a.carrying_add(again, false);
    let (b, carry) = b.carrying_add(0, carry);
    let (c, carry) = c.carrying_add(0, carry);
    let (d, carry) = d.carrying_add(0, carry);
    Limbs64([a.wrapping_add(thirty_eight_if(carry)), b, c, d])
}

/// What 2^256 is worth, if it is there.
#[inline]
fn thirty_eight_if(carry: bool) -> u64 {
    u64::from(carry).wrapping_neg() & 38
}
