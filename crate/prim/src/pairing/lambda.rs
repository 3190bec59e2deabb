//! Pollard's lambda in the target group, by which the papers read a sum.

use super::TargetElement;
use crate::dlog::{SumRange, Walkable, walk_vartime};

/// Bytes of a mark: a coefficient of the element is enough to tell elements apart.
const MARK: usize = 48;

impl Walkable for TargetElement {
    type Mark = [u8; MARK];

    fn times_base_vartime(s: i64) -> Self {
        Self::power_vartime(s)
    }

    fn step(&mut self, by: &Self) {
        self.0 *= by.0;
    }

    fn mark(&self) -> Self::Mark {
        let mut mark = [0; MARK];
        let limbs = self.0.c0.c0.c0.0.0.into_iter().flat_map(u64::to_le_bytes);
        mark.iter_mut().zip(limbs).for_each(|(to, from)| *to = from);
        mark
    }
}

/// The sum in the exponent, or `None` if the walks did not meet, which for a sum of the range
/// happens less than once in a million.
///
/// # Security
/// The element must be public.
///
/// # Cost
/// About $2\sqrt{width}$ multiplications in $\mathbb{F}_{p^{12}}$.
#[must_use]
pub fn target_lambda_vartime(sum: &TargetElement, range: SumRange, seed: u64) -> Option<i64> {
    walk_vartime(sum, range, seed)
}
