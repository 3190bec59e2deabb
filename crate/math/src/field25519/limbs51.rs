//! Five limbs of 51 bits, for machines that multiply 64 bits by 64.

use super::{FOUR_P, FOUR_P_LOW, Limbs, MASK};

/// $\sum_i l_i 2^{51 i}$ with $l_i < 2^{51} + 2^{18}$.
#[derive(Clone, Copy, Debug)]
pub struct Limbs51([u64; 5]);

impl Limbs for Limbs51 {
    fn from_wide(wide: [u64; 5]) -> Self {
        Self(wide)
    }

    #[inline]
    fn to_wide(self) -> [u64; 5] {
        self.0
    }

    #[inline]
    fn add(&self, other: &Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0, other.0);
        carried([a + v, b + w, c + x, d + y, e + z])
    }

    #[inline]
    fn sub(&self, other: &Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0, other.0);
        carried([a + FOUR_P_LOW - v, b + FOUR_P - w, c + FOUR_P - x, d + FOUR_P - y, e + FOUR_P - z])
    }

    #[inline]
    fn sum(&self, other: &Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0, other.0);
        Self([a + v, b + w, c + x, d + y, e + z])
    }

    #[inline]
    fn difference(&self, other: &Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0, other.0);
        Self([a + TWO_P_LOW - v, b + TWO_P - w, c + TWO_P - x, d + TWO_P - y, e + TWO_P - z])
    }

    #[inline]
    fn mul(&self, other: &Self) -> Self {
        let ([a, b, c, d, e], [v, w, x, y, z]) = (self.0, other.0);
        // 2^255 = 19: what lies above the fifth limb comes back below, 19-fold.
        let (w19, x19, y19, z19) = (19 * w, 19 * x, 19 * y, 19 * z);
        reduced([
            m(a, v) + m(e, w19) + m(d, x19) + m(c, y19) + m(b, z19),
            m(a, w) + m(b, v) + m(e, x19) + m(d, y19) + m(c, z19),
            m(a, x) + m(b, w) + m(c, v) + m(e, y19) + m(d, z19),
            m(a, y) + m(b, x) + m(c, w) + m(d, v) + m(e, z19),
            m(a, z) + m(b, y) + m(c, x) + m(d, w) + m(e, v),
        ])
    }

    #[inline]
    fn square(&self) -> Self {
        let [a, b, c, d, e] = self.0;
        let (a2, b2, c2, d2) = (2 * a, 2 * b, 2 * c, 2 * d);
        let (d19, e19) = (19 * d, 19 * e);
        reduced([
            m(a, a) + m(b2, e19) + m(c2, d19),
            m(a2, b) + m(c2, e19) + m(d, d19),
            m(a2, c) + m(b, b) + m(d2, e19),
            m(a2, d) + m(b2, c) + m(e, e19),
            m(a2, e) + m(b2, d) + m(c, c),
        ])
    }
}

/// The full product of two limbs.
#[inline]
fn m(a: u64, b: u64) -> u128 {
    u128::from(a) * u128::from(b)
}

/// Each limb's bits above 51 go to the next, at once: limbs below 2^54 become loose.
#[inline]
fn carried([a, b, c, d, e]: [u64; 5]) -> Limbs51 {
    Limbs51([
        (a & MASK) + 19 * (e >> 51),
        (b & MASK) + (a >> 51),
        (c & MASK) + (b >> 51),
        (d & MASK) + (c >> 51),
        (e & MASK) + (d >> 51),
    ])
}

/// Sums of products below 2^114 as loose limbs: what comes of two slack arguments.
#[inline]
fn reduced([a, b, c, d, e]: [u128; 5]) -> Limbs51 {
    let high = |it: u128| (it >> 51) as u64;
    let low = |it: u128| it as u64 & MASK;
    let b = b + u128::from(high(a));
    let c = c + u128::from(high(b));
    let d = d + u128::from(high(c));
    let e = e + u128::from(high(d));
    let wrapped = low(a) + 19 * high(e);
    Limbs51([wrapped & MASK, low(b) + (wrapped >> 51), low(c), low(d), low(e)])
}

/// The lowest limb of 2p.
const TWO_P_LOW: u64 = 2 * (MASK - 18);
/// The other limbs of 2p.
const TWO_P: u64 = 2 * MASK;
