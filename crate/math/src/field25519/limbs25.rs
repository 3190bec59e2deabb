//! Ten limbs of 26 and 25 bits, for machines that multiply 32 bits by 32.
//!
//! Two limbs are one of 51 bits, so a limb's weight is 2 to the rounded-up 25.5 i. Where two odd
//! limbs meet, both weights were rounded up and their product counts twice.

use super::Limbs;

/// $\sum_i l_i 2^{\lceil 25.5 i \rceil}$ with $l_i < 2^{26} + 2^{12}$ for even, $2^{25} + 2^{12}$ for odd i.
#[derive(Clone, Copy, Debug)]
pub struct Limbs25([u32; 10]);

impl Limbs for Limbs25 {
    fn from_wide([a, b, c, d, e]: [u64; 5]) -> Self {
        let low = |it: u64| it as u32 & LOW26;
        let high = |it: u64| (it >> 26) as u32;
        Self([low(a), high(a), low(b), high(b), low(c), high(c), low(d), high(d), low(e), high(e)])
    }

    fn to_wide(self) -> [u64; 5] {
        let [a, b, c, d, e, f, g, h, i, j] = self.0;
        let pair = |low: u32, high: u32| u64::from(low) + (u64::from(high) << 26);
        [pair(a, b), pair(c, d), pair(e, f), pair(g, h), pair(i, j)]
    }

    #[inline(never)]
    fn add(&self, other: &Self) -> Self {
        let ([a, b, c, d, e, f, g, h, i, j], [q, r, s, t, u, v, w, x, y, z]) = (self.0, other.0);
        carried([a + q, b + r, c + s, d + t, e + u, f + v, g + w, h + x, i + y, j + z])
    }

    #[inline(never)]
    fn sub(&self, other: &Self) -> Self {
        let ([a, b, c, d, e, f, g, h, i, j], [q, r, s, t, u, v, w, x, y, z]) = (self.0, other.0);
        // 4p is added, limb by limb above anything loose, so that no limb goes below zero.
        carried([
            a + FOUR_P_LOW - q,
            b + FOUR_P_ODD - r,
            c + FOUR_P_EVEN - s,
            d + FOUR_P_ODD - t,
            e + FOUR_P_EVEN - u,
            f + FOUR_P_ODD - v,
            g + FOUR_P_EVEN - w,
            h + FOUR_P_ODD - x,
            i + FOUR_P_EVEN - y,
            j + FOUR_P_ODD - z,
        ])
    }

    #[inline]
    fn sum(&self, other: &Self) -> Self {
        let ([a, b, c, d, e, f, g, h, i, j], [q, r, s, t, u, v, w, x, y, z]) = (self.0, other.0);
        Self([a + q, b + r, c + s, d + t, e + u, f + v, g + w, h + x, i + y, j + z])
    }

    #[inline]
    fn difference(&self, other: &Self) -> Self {
        let ([a, b, c, d, e, f, g, h, i, j], [q, r, s, t, u, v, w, x, y, z]) = (self.0, other.0);
        Self([
            a + TWO_P_LOW - q,
            b + TWO_P_ODD - r,
            c + TWO_P_EVEN - s,
            d + TWO_P_ODD - t,
            e + TWO_P_EVEN - u,
            f + TWO_P_ODD - v,
            g + TWO_P_EVEN - w,
            h + TWO_P_ODD - x,
            i + TWO_P_EVEN - y,
            j + TWO_P_ODD - z,
        ])
    }

    #[inline(never)]
    #[rustfmt::skip]
    fn mul(&self, other: &Self) -> Self {
        let [a, b, c, d, e, f, g, h, i, j] = self.0;
        let [q, r, s, t, u, v, w, x, y, z] = other.0;
        // 2^255 = 19: what lies above the tenth limb comes back below, 19-fold.
        let (r_, s_, t_, u_, v_) = (19 * r, 19 * s, 19 * t, 19 * u, 19 * v);
        let (w_, x_, y_, z_) = (19 * w, 19 * x, 19 * y, 19 * z);
        let (b2, d2, f2, h2, j2) = (2 * b, 2 * d, 2 * f, 2 * h, 2 * j);
        reduced([
            m(a, q) + m(b2, z_) + m(c, y_) + m(d2, x_) + m(e, w_) + m(f2, v_) + m(g, u_) + m(h2, t_) + m(i, s_) + m(j2, r_),
            m(a, r) + m(b, q) + m(c, z_) + m(d, y_) + m(e, x_) + m(f, w_) + m(g, v_) + m(h, u_) + m(i, t_) + m(j, s_),
            m(a, s) + m(b2, r) + m(c, q) + m(d2, z_) + m(e, y_) + m(f2, x_) + m(g, w_) + m(h2, v_) + m(i, u_) + m(j2, t_),
            m(a, t) + m(b, s) + m(c, r) + m(d, q) + m(e, z_) + m(f, y_) + m(g, x_) + m(h, w_) + m(i, v_) + m(j, u_),
            m(a, u) + m(b2, t) + m(c, s) + m(d2, r) + m(e, q) + m(f2, z_) + m(g, y_) + m(h2, x_) + m(i, w_) + m(j2, v_),
            m(a, v) + m(b, u) + m(c, t) + m(d, s) + m(e, r) + m(f, q) + m(g, z_) + m(h, y_) + m(i, x_) + m(j, w_),
            m(a, w) + m(b2, v) + m(c, u) + m(d2, t) + m(e, s) + m(f2, r) + m(g, q) + m(h2, z_) + m(i, y_) + m(j2, x_),
            m(a, x) + m(b, w) + m(c, v) + m(d, u) + m(e, t) + m(f, s) + m(g, r) + m(h, q) + m(i, z_) + m(j, y_),
            m(a, y) + m(b2, x) + m(c, w) + m(d2, v) + m(e, u) + m(f2, t) + m(g, s) + m(h2, r) + m(i, q) + m(j2, z_),
            m(a, z) + m(b, y) + m(c, x) + m(d, w) + m(e, v) + m(f, u) + m(g, t) + m(h, s) + m(i, r) + m(j, q),
        ])
    }

    #[inline(never)]
    #[rustfmt::skip]
    fn square(&self) -> Self {
        let [a, b, c, d, e, f, g, h, i, j] = self.0;
        let (a2, b2, c2, d2, e2) = (2 * a, 2 * b, 2 * c, 2 * d, 2 * e);
        let (f2, g2, h2, i2) = (2 * f, 2 * g, 2 * h, 2 * i);
        let (f_, g_, h_, i_, j_) = (19 * f, 19 * g, 19 * h, 19 * i, 19 * j);
        reduced([
            m(a, a) + m(c2, i_) + m(e2, g_) + 2 * (m(b2, j_) + m(d2, h_) + m(f, f_)),
            m(a2, b) + m(d2, i_) + m(f2, g_) + m(c2, j_) + m(e2, h_),
            m(a2, c) + m(b2, b) + m(e2, i_) + m(g, g_) + 2 * (m(d2, j_) + m(f2, h_)),
            m(a2, d) + m(b2, c) + m(e2, j_) + m(f2, i_) + m(g2, h_),
            m(a2, e) + m(b2, d2) + m(c, c) + m(g2, i_) + 2 * (m(f2, j_) + m(h, h_)),
            m(a2, f) + m(b2, e) + m(c2, d) + m(g2, j_) + m(h2, i_),
            m(a2, g) + m(b2, f2) + m(c2, e) + m(d2, d) + m(i, i_) + 2 * m(h2, j_),
            m(a2, h) + m(b2, g) + m(c2, f) + m(d2, e) + m(i2, j_),
            m(a2, i) + m(b2, h2) + m(c2, g) + m(d2, f2) + m(e, e) + 2 * m(j, j_),
            m(a2, j) + m(b2, i) + m(c2, h) + m(d2, g) + m(e2, f),
        ])
    }
}

/// The full product of two limbs.
#[inline]
fn m(a: u32, b: u32) -> u64 {
    u64::from(a) * u64::from(b)
}

/// Each limb's bits above its own go to the next, at once: limbs below 2^29 become loose.
#[inline]
fn carried([a, b, c, d, e, f, g, h, i, j]: [u32; 10]) -> Limbs25 {
    Limbs25([
        (a & LOW26) + 19 * (j >> 25),
        (b & LOW25) + (a >> 26),
        (c & LOW26) + (b >> 25),
        (d & LOW25) + (c >> 26),
        (e & LOW26) + (d >> 25),
        (f & LOW25) + (e >> 26),
        (g & LOW26) + (f >> 25),
        (h & LOW25) + (g >> 26),
        (i & LOW26) + (h >> 25),
        (j & LOW25) + (i >> 26),
    ])
}

/// Sums of products below 2^63, as two slack arguments give them, as loose limbs: one chain of carries from each half, side by side.
#[inline]
fn reduced([a, b, c, d, e, f, g, h, i, j]: [u64; 10]) -> Limbs25 {
    let low26 = |it: u64| it as u32 & LOW26;
    let low25 = |it: u64| it as u32 & LOW25;
    let (b, g) = (b + (a >> 26), g + (f >> 25));
    let (c, h) = (c + (b >> 25), h + (g >> 26));
    let (d, i) = (d + (c >> 26), i + (h >> 25));
    let (e, j) = (e + (d >> 25), j + (i >> 26));
    let f = u64::from(low25(f)) + (e >> 26);
    let a = u64::from(low26(a)) + 19 * (j >> 25);
    let (b, g) = (u64::from(low25(b)) + (a >> 26), u64::from(low26(g)) + (f >> 25));
    let (c, h) = (low26(c) + (b >> 25) as u32, low25(h) + (g >> 26) as u32);
    Limbs25([low26(a), low25(b), c, low25(d), low26(e), low25(f), low26(g), h, low26(i), low25(j)])
}

const LOW26: u32 = (1 << 26) - 1;
const LOW25: u32 = (1 << 25) - 1;
/// The lowest limb of 2p.
const TWO_P_LOW: u32 = 2 * (LOW26 - 18);
/// The other even limbs of 2p.
const TWO_P_EVEN: u32 = 2 * LOW26;
/// The odd limbs of 2p.
const TWO_P_ODD: u32 = 2 * LOW25;
/// The lowest limb of 4p.
const FOUR_P_LOW: u32 = 4 * (LOW26 - 18);
/// The other even limbs of 4p.
const FOUR_P_EVEN: u32 = 4 * LOW26;
/// The odd limbs of 4p.
const FOUR_P_ODD: u32 = 4 * LOW25;
