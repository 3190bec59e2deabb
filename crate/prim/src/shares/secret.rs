//! One secret element for many holders: what opens the mask of somebody who vanished.

use super::noise;
use super::points::{point, weights};
use super::shamir::element;
use undertone_machine::Secret;
use undertone_math::Field127;

/// Cuts a secret into one share for each holder, of which `threshold` are enough: the values of
/// f(x) = m + a_1 x + ... + a_{t-1} x^{t-1} with random a, at one more than each holder's number.
///
/// # Security
/// Fewer than `threshold` shares are uniform, whatever the secret is. One seed for one secret. Takes the
/// same time for all secrets.
///
/// # Cost
/// 16 bytes and `threshold - 1` multiplications for each holder.
#[must_use]
pub fn cut_secret(
    secret: Field127,
    threshold: usize,
    holders: &[usize],
    seed: &Secret<[u8; 32]>,
) -> Secret<Vec<[u8; Field127::BYTES]>> {
    let random = noise(seed, threshold.saturating_sub(1).saturating_mul(Field127::BYTES));
    let coefficients = random.expose().as_chunks().0.iter().take(threshold.saturating_sub(1));
    let value = |holder: &usize| {
        let x = point(*holder);
        let high = coefficients.clone().rev().fold(Field127::default(), |sum, a| sum.mul(x).add(element(a)));
        high.mul(x).add(secret).to_bytes()
    };
    Secret::new(holders.iter().map(value).collect())
}

/// Puts secrets together that the same holders have shares of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joiner {
    holders: Vec<usize>,
    weights: Vec<Field127>,
}

impl Joiner {
    /// For shares of these holders, as many as are enough.
    ///
    /// # Cost
    /// One inversion and two multiplications by each other holder, for each.
    #[must_use]
    pub fn new(holders: Vec<usize>) -> Self {
        Self { weights: weights(&holders, Field127::default()), holders }
    }

    /// Whose shares it takes, in order.
    #[must_use]
    pub fn holders(&self) -> &[usize] {
        &self.holders
    }

    /// The secret of their shares.
    pub fn join(&self, shares: impl IntoIterator<Item = Field127>) -> Field127 {
        let terms = self.weights.iter().zip(shares).map(|(weight, share)| weight.mul(share));
        terms.fold(Field127::default(), Field127::add)
    }
}
