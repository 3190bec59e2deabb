//! Encodings of Ed25519, [RFC 8032, sections 5.1.2 and 5.1.3]: $y$, and whether $x$ is odd in the top bit.

use super::{Point, ristretto::D};
use crate::field25519::{Field25519, Limbs};

impl<L: Limbs> Point<L> {
    /// The point that encodes to `bytes`; `None` for what is no encoding, and for the two points with
    /// $x = 0$, which are no keys.
    ///
    /// With $x^2 = u/v$, $u = y^2 - 1$ and $v = dy^2 + 1$, $x = u / \sqrt{uv}$.
    ///
    /// # Cost
    /// One square root, 260 multiplications.
    #[must_use]
    pub fn decode_standard_vartime(bytes: &[u8; 32]) -> Option<Self> {
        let mut low = *bytes;
        let [.., top] = &mut low;
        let is_odd = *top >> 7 == 1;
        *top &= 0x7f;
        let (y, one) = (Field25519::from_bytes(&low)?, Field25519::small(1));
        let y2 = y.square();
        let (u, v) = (y2.sub(&one), Field25519::from_limbs(D).mul(&y2).add(&one));
        let x = u.mul(&u.mul(&v).inverse_root_vartime()?);
        let x = if x.is_negative_vartime() == is_odd { x } else { x.neg() };
        Some(Self { x, y, z: one, t: x.mul(&y) })
    }

    /// The base point: $y = 4/5$, $x$ even.
    #[must_use]
    pub fn standard_base() -> Self {
        let y = Field25519::<L>::small(4).mul(&Field25519::small(5).invert());
        // It is a point, so nothing else comes of it.
        Self::decode_standard_vartime(&y.to_bytes()).unwrap_or_else(Self::identity)
    }

    /// The point's encoding.
    ///
    /// # Cost
    /// One inversion, 270 multiplications.
    #[must_use]
    pub fn encode_standard_vartime(&self) -> [u8; 32] {
        let inverse = self.z.invert();
        let mut bytes = self.y.mul(&inverse).to_bytes();
        let [.., top] = &mut bytes;
        *top |= u8::from(self.x.mul(&inverse).is_negative_vartime()) << 7;
        bytes
    }

    /// Whether $8P$ is the neutral point.
    #[must_use]
    pub fn is_small_order_vartime(&self) -> bool {
        let eightfold = self.double().double().double();
        eightfold.x.is_zero_vartime() && eightfold.y.equals_vartime(&eightfold.z)
    }

    /// $-P$.
    #[must_use]
    pub fn negative(&self) -> Self {
        Self { x: self.x.neg(), t: self.t.neg(), ..*self }
    }
}
