//! Sums that are only multiplied: the carries of an addition cost a quarter of a multiplication, and
//! a product carries anyway.

use super::{Field25519, Limbs, Native};

/// A sum or difference of two elements whose carries are left to the product it goes into.
///
/// It can be multiplied and nothing else, so its limbs cannot grow further.
#[derive(Clone, Copy, Debug)]
pub struct Slack<L: Limbs = Native>(L);

impl<L: Limbs> Field25519<L> {
    /// $a + b$, to be multiplied.
    #[inline]
    #[must_use]
    pub fn sum(&self, other: &Self) -> Slack<L> {
        Slack(self.0.sum(&other.0))
    }

    /// $a - b$, to be multiplied.
    #[inline]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Slack<L> {
        Slack(self.0.difference(&other.0))
    }
}

impl<L: Limbs> Slack<L> {
    /// $a \cdot b$.
    #[inline]
    #[must_use]
    pub fn mul(&self, other: &Self) -> Field25519<L> {
        Field25519(self.0.mul(&other.0))
    }

    /// $a \cdot b$ with an element.
    #[inline]
    #[must_use]
    pub fn times(&self, other: &Field25519<L>) -> Field25519<L> {
        Field25519(self.0.mul(&other.0))
    }

    /// $a^2$.
    #[inline]
    #[must_use]
    pub fn square(&self) -> Field25519<L> {
        Field25519(self.0.square())
    }
}
