//! The same as [`Comb`](super::Comb) without tables, with 256 doublings in place of 43: for a module that has
//! no room for more code.

use super::{Addend, Fastest, Point};
use crate::field25519::Limbs;

/// A point that is multiplied bit by bit.
#[derive(Clone, Debug)]
pub struct Ladder<L: Limbs = Fastest> {
    once: Addend<L>,
}

impl<L: Limbs> Ladder<L> {
    /// Of a point.
    ///
    /// # Cost
    /// One inversion.
    #[must_use]
    pub fn new(point: &Point<L>) -> Self {
        Self { once: point.addend(&point.z.add(&point.z).invert()) }
    }

    /// $aP + bQ$, for numbers with their least significant byte first.
    ///
    /// # Cost
    /// 256 doublings, and an addition for each bit that is set.
    #[must_use]
    pub fn sum_vartime(&self, a: &[u8; 32], other: &Self, b: &[u8; 32]) -> Point<L> {
        (0..256).rev().fold(Point::identity(), |sum, place| {
            [(self, a), (other, b)].into_iter().fold(sum.double(), |sum, (of, number)| {
                let is_set = number.get(place / 8).is_some_and(|byte| byte >> (place % 8) & 1 == 1);
                if is_set { sum.plus(&of.once) } else { sum }
            })
        })
    }
}
