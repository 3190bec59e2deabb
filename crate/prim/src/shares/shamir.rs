//! Shares that are values of a polynomial.

use super::noise;
use super::points::point;
use undertone_machine::Secret;
use undertone_math::Field127;

/// Elements in one seat's share of a vector: one for each value, and one that hides what
/// [`check_share`](super::check_share) tells.
#[must_use]
pub const fn share_elements(values: usize) -> usize {
    values.saturating_add(1)
}

/// Cuts a vector into so many shares, of which `threshold` are enough: the values at 1, 2, ... of
/// f(x) = m + a_1 x + ... + a_{t-1} x^{t-1} with random a, for each value m, and of one more such
/// polynomial with a random m.
///
/// # Security
/// Fewer than `threshold` shares are uniform, whatever the values are. One seed for one vector. Takes
/// the same time for all values.
///
/// # Cost
/// `computers * (values + 1) * 16` bytes, `threshold - 1` multiplications for each element.
#[must_use]
pub fn cut_shamir(
    values: &[i128],
    threshold: usize,
    computers: usize,
    seed: &Secret<[u8; 32]>,
) -> Vec<Secret<Vec<u8>>> {
    let width = threshold.saturating_mul(Field127::BYTES);
    let elements = share_elements(values.len());
    let noise = noise(seed, elements.saturating_mul(width));
    let mut shares: Vec<_> =
        (0..computers).map(|_| Secret::new(Vec::with_capacity(elements.saturating_mul(Field127::BYTES)))).collect();
    for (index, random) in noise.expose().chunks_exact(width.max(1)).take(elements).enumerate() {
        let (lowest, rest) = random.as_chunks().0.split_first().unwrap_or((&[0; 16], &[]));
        // The one value without an input is the mask of the check: its lowest coefficient is random too.
        let secret = values.get(index).map_or_else(|| element(lowest), |value| Field127::from_signed(*value));
        for (computer, share) in shares.iter_mut().enumerate() {
            let x = point(computer);
            let high = rest.iter().rev().fold(Field127::default(), |sum, a| sum.mul(x).add(element(a)));
            share.expose_mut().extend_from_slice(&high.mul(x).add(secret).to_bytes());
        }
    }
    shares
}

/// A random element: 128 bits, whose residue is as good as uniform (2^-127 from it).
pub(super) fn element(random: &[u8; 16]) -> Field127 {
    Field127::new(u128::from_le_bytes(*random))
}
