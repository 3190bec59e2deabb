//! The field of 2^127 - 1 elements, for *secret* data.
//!
//! Shamir's shares need a field that is larger than every sum. This one holds all sums that a plan
//! can ask for, an element is sixteen bytes, and since 2^127 = 1 in it, reducing is adding the top
//! to the bottom: no table, no division, and no branch or index that depends on a value.

/// The modulus, a prime of Mersenne's form.
const P: u128 = (1 << 127) - 1;

/// An element, as its smallest residue.
///
/// # Security
/// All operations take the same time for all values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Field127(u128);

impl Field127 {
    /// Bytes of an element.
    pub const BYTES: usize = 16;

    /// Integers of smaller magnitude are elements that [`to_signed`](Self::to_signed) gives back.
    pub const MAGNITUDE: u128 = 1 << 126;

    /// The residue of an integer.
    #[must_use]
    pub const fn new(value: u128) -> Self {
        // Twice, because the first time can leave 2^127; the second leaves at most P, which is 0.
        let once = (value & P) + (value >> 127);
        let twice = (once & P) + (once >> 127);
        Self((twice + ((twice + 1) >> 127)) & P)
    }

    /// The residue of a signed integer of magnitude up to 2^126.
    #[must_use]
    pub const fn from_signed(value: i128) -> Self {
        // All ones below zero, where the residue is P more.
        let sign = (value >> 127) as u128;
        Self::new((value as u128).wrapping_add(P & sign))
    }

    /// The residue of smallest magnitude.
    #[must_use]
    pub const fn to_signed(self) -> i128 {
        // 1 above P / 2 = 2^126 - 1/2.
        let upper = self.0 >> 126;
        self.0.wrapping_sub(P * upper) as i128
    }

    /// $a + b$.
    #[must_use]
    pub const fn add(self, other: Self) -> Self {
        Self::new(self.0 + other.0)
    }

    /// $a - b$.
    #[must_use]
    pub const fn sub(self, other: Self) -> Self {
        Self::new(self.0 + (P - other.0))
    }

    /// $a \cdot b$.
    #[must_use]
    pub const fn mul(self, other: Self) -> Self {
        const LOW: u128 = u64::MAX as u128;
        let ([a0, a1], [b0, b1]) = ([self.0 & LOW, self.0 >> 64], [other.0 & LOW, other.0 >> 64]);
        // a1 and b1 are below 2^63, so the middle is below 2^128.
        let (low, middle, high) = (a0 * b0, a1 * b0 + a0 * b1, a1 * b1);
        // 2^128 = 2: the upper half of the middle and the top count twice, together below 2^128.
        let top = 2 * high + 2 * (middle >> 64);
        Self::new(low).add(Self::new(middle << 64)).add(Self::new(top))
    }

    /// $1 / a$, and 0 for 0.
    #[must_use]
    pub const fn invert(self) -> Self {
        // a^(P - 2), and P - 2 is 125 ones, a zero and a one.
        let (mut power, mut bit) = (self, 1);
        while bit < 127 {
            power = power.mul(power);
            if bit != 125 {
                power = power.mul(self);
            }
            bit += 1;
        }
        power
    }

    /// The element, least significant byte first.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::BYTES] {
        self.0.to_le_bytes()
    }

    /// Reads an element; `None` if it is no smallest residue.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let value = u128::from_le_bytes(bytes);
        if value < P { Some(Self(value)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: Field127 = Field127::new(1);

    /// a * b by doubling and adding, each step reduced by comparison: another way to the same element.
    fn slow_mul(a: u128, b: u128) -> u128 {
        let wrap = |sum: u128| if sum >= P { sum - P } else { sum };
        (0..127).rev().fold(0, |sum, bit| wrap(wrap(2 * sum) + if b >> bit & 1 == 1 { a } else { 0 }))
    }

    #[test]
    fn edges_are_smallest_residues() {
        for (value, residue) in [(P - 1, P - 1), (P, 0), (P + 1, 1), (2 * P, 0), (2 * P + 1, 1), (u128::MAX, 1)] {
            assert_eq!(Field127::new(value).0, residue, "{value}");
        }
        assert_eq!(Field127::new(P - 1).add(ONE), Field127::default());
        assert_eq!(Field127::default().sub(ONE).0, P - 1);
        assert_eq!(Field127::new(P - 1).mul(Field127::new(P - 1)), ONE);
        assert_eq!(Field127::default().invert(), Field127::default());
        let most = Field127::MAGNITUDE as i128 - 1;
        for value in [0, 1, -1, most, -most] {
            assert_eq!(Field127::from_signed(value).to_signed(), value);
        }
    }

    #[test]
    fn only_smallest_residues_are_read() {
        for value in [0, 1, P - 1] {
            assert_eq!(Field127::from_bytes(value.to_le_bytes()).map(Field127::to_bytes), Some(value.to_le_bytes()));
        }
        for value in [P, P + 1, 1 << 127, u128::MAX] {
            assert_eq!(Field127::from_bytes(value.to_le_bytes()), None);
        }
    }

    proptest! {
        #[test]
        fn is_a_field(a: u128, b: u128, c: u128) {
            let [x, y, z] = [a, b, c].map(Field127::new);
            prop_assert_eq!(x.mul(y).0, slow_mul(x.0, y.0));
            prop_assert_eq!(x.add(y).mul(z), x.mul(z).add(y.mul(z)));
            prop_assert_eq!(x.sub(y).add(y), x);
            let unit = if x == Field127::default() { x } else { ONE };
            prop_assert_eq!(x.mul(x.invert()), unit);
        }

        #[test]
        fn sums_are_those_of_integers(values in prop::collection::vec(-(1_i128 << 100)..(1_i128 << 100), 1..50)) {
            let sum = values.iter().fold(Field127::default(), |sum, value| sum.add(Field127::from_signed(*value)));
            prop_assert_eq!(sum.to_signed(), values.iter().sum::<i128>());
        }
    }
}
