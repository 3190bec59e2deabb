//! Affine points of Curve25519, which have what the search needs: one coordinate that $P$ and $-P$
//! share, and sums of points that share one inversion.
//!
//! $v^2 = u^3 + 486662 u^2 + u$, birational to the Edwards curve on which ristretto255 is defined. All
//! points here are of the prime-order subgroup and none is the identity, which has no coordinates.

use super::fan::Field;

/// A public point of the prime-order subgroup, not the identity.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) u: Field,
    pub(super) v: Field,
}

impl Point {
    /// $4G$ for the base point $G$: what 4 times a sum's point is counted in.
    pub(super) fn base() -> Self {
        Self { u: Field::from_limbs(BASE_U), v: Field::from_limbs(BASE_V) }
    }

    /// $4P$ for the ristretto255 element whose canonical encoding `bytes` are; `None` for the identity.
    ///
    /// An element is a coset of the four points of order 1, 2 and 4 (and those of order 8 are left out
    /// by the encoding), so whichever of its points is read, 4 times it is the same.
    pub(super) fn four_times(bytes: &[u8; 32]) -> Option<Self> {
        Some(Self::read(bytes)?.double().double())
    }

    /// One point of the coset; `bytes` were made or accepted by another decoder. [RFC 9496, section 4.3.1], then $u = (1+y)/(1-y)$ and $v = u \sqrt{-486664} / x$.
    fn read(bytes: &[u8; 32]) -> Option<Self> {
        let s = Field::from_bytes_mod_order(bytes);
        let one = Field::small(1);
        let (plus, minus) = (one.add(&s.square()), one.sub(&s.square()));
        let plus2 = plus.square();
        let w = Field::from_limbs(D).neg().mul(&minus.square()).sub(&plus2);
        let root = w.mul(&plus2).inverse_root_vartime()?;
        let inverse_x = root.mul(&plus);
        let inverse_y = root.mul(&inverse_x).mul(&w);
        let x = s.add(&s).mul(&inverse_x).magnitude_vartime();
        let y = minus.mul(&inverse_y);
        let shared = x.mul(&one.sub(&y));
        // Zero for the identity alone: x and 1 - y are zero at points of order 1 and 2 only.
        if x.mul(&y).is_negative_vartime() || y.is_zero_vartime() || shared.is_zero_vartime() {
            return None;
        }
        let inverse = shared.invert();
        let u = one.add(&y).mul(&x).mul(&inverse);
        let v = u.mul(&Field::from_limbs(ROOT_OF_MINUS_486664)).mul(&one.sub(&y)).mul(&inverse);
        Some(Self { u, v })
    }

    /// $2P$, with the slope of the tangent, $(3u^2 + 2Au + 1) / 2v$.
    pub(super) fn double(&self) -> Self {
        let Self { u, v } = self;
        let three_u2 = u.square().mul(&Field::small(3));
        let rise = three_u2.add(&u.mul(&Field::small(2 * A))).add(&Field::small(1));
        self.along(&rise.mul(&v.add(v).invert()), self)
    }

    /// $P + Q$, given $1 / (u_Q - u_P)$.
    pub(super) fn add_with(&self, other: &Self, inverse: &Field) -> Self {
        self.along(&other.v.sub(&self.v).mul(inverse), other)
    }

    /// $P + Q$ for points that are neither equal nor opposite.
    pub(super) fn add(&self, other: &Self) -> Self {
        self.add_with(other, &other.u.sub(&self.u).invert())
    }

    /// $-P$.
    pub(super) fn neg(&self) -> Self {
        Self { u: self.u, v: self.v.neg() }
    }

    /// The sum with a point on the line of that slope through this one:
    /// $u = \lambda^2 - A - u_P - u_Q$ and $v = \lambda(u_P - u) - v_P$.
    fn along(&self, slope: &Field, other: &Self) -> Self {
        let u = slope.square().sub(&Field::small(A)).sub(&self.u).sub(&other.u);
        let v = slope.mul(&self.u.sub(&u)).sub(&self.v);
        Self { u, v }
    }
}

/// The curve's coefficient.
pub(super) const A: u32 = 486_662;
/// The Edwards curve's coefficient, -121665/121666, in limbs of 51 bits.
const D: [u64; 5] = [0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff];
/// Either root serves: the other one turns every point into its negative.
const ROOT_OF_MINUS_486664: [u64; 5] =
    [0x604aaff457e06, 0x2296fa350598d, 0x7f13dfb16874f, 0x35de93d846e01, 0xf26edf460a00];
/// Coordinates of 4 times the base point.
const BASE_U: [u64; 5] = [0x685e4550013ef, 0x3f9aba54461fd, 0x56cc57ff86017, 0x6bef3e8e83a50, 0x79ce98b7e0689];
const BASE_V: [u64; 5] = [0x2ac60b921e3bd, 0x584b93df10b53, 0x60b628a30fc13, 0x451b80ecbc65e, 0x78a50a40b1423];
