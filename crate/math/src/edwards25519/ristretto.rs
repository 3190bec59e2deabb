//! Encodings of ristretto255, [RFC 9496, sections 4.3.1 and 4.3.2].

use super::Point;
use crate::field25519::{Field25519, Limbs};

impl<L: Limbs> Point<L> {
    /// One of the points of the element that encodes to `bytes`; `None` for what is no encoding.
    ///
    /// # Cost
    /// One square root, 265 multiplications.
    #[must_use]
    pub fn decode_vartime(bytes: &[u8; 32]) -> Option<Self> {
        let s = Field25519::from_bytes(bytes).filter(|s| !s.is_negative_vartime())?;
        let one = Field25519::small(1);
        let (plus, minus) = (one.add(&s.square()), one.sub(&s.square()));
        let plus2 = plus.square();
        let w = Field25519::from_limbs(D).neg().mul(&minus.square()).sub(&plus2);
        let root = w.mul(&plus2).inverse_root_vartime()?;
        let inverse_x = root.mul(&plus);
        let inverse_y = root.mul(&inverse_x).mul(&w);
        let x = s.add(&s).mul(&inverse_x).magnitude_vartime();
        let y = minus.mul(&inverse_y);
        let t = x.mul(&y);
        let accepted = !t.is_negative_vartime() && !y.is_zero_vartime();
        accepted.then_some(Self { x, y, z: one, t })
    }

    /// The encoding of the element that the point belongs to.
    ///
    /// # Cost
    /// One square root, 275 multiplications.
    #[must_use]
    pub fn encode_vartime(&self) -> [u8; 32] {
        let Self { x, y, z, t } = self;
        let u1 = z.add(y).mul(&z.sub(y));
        let u2 = x.mul(y);
        // Zero for the four points of the neutral element alone.
        let Some(root) = u1.mul(&u2.square()).inverse_root_vartime() else { return [0; 32] };
        let (one_part, other_part) = (root.mul(&u1), root.mul(&u2));
        let inverse_z = one_part.mul(&other_part).mul(t);
        let i = Field25519::root_of_minus_one();
        let (x, y, inverse) = if t.mul(&inverse_z).is_negative_vartime() {
            (y.mul(&i), x.mul(&i), one_part.mul(&Field25519::from_limbs(INVERSE_ROOT_OF_MINUS_D_MINUS_ONE)))
        } else {
            (*x, *y, other_part)
        };
        let y = if x.mul(&inverse_z).is_negative_vartime() { y.neg() } else { y };
        inverse.mul(&z.sub(&y)).magnitude_vartime().to_bytes()
    }
}

/// The curve's coefficient, $-121665/121666$, in limbs of 51 bits.
pub(super) const D: [u64; 5] = [0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb, 0x52036cee2b6ff];
/// $1/\sqrt{-1 - d}$.
const INVERSE_ROOT_OF_MINUS_D_MINUS_ONE: [u64; 5] =
    [0xfdaa805d40ea, 0x2eb482e57d339, 0x7610274bc58, 0x6510b613dc8ff, 0x786c8905cfaff];
