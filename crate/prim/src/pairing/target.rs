//! Elements of the target group, and their encoding in half the length.
//!
//! An element is $z = c_0 + c_1 w$ over $\mathbb{F}_{p^6}$ with $w^2 = v$ and norm $c_0^2 - v c_1^2 = 1$, so one
//! coefficient is enough: $c = (1 + c_0)/c_1$, and back $z = (c + w)^2 / (c^2 - v)$.

use super::encoding::{read2, write2};
use super::powers::POWERS;
use super::{TraceSolver, TraceTable};
use crate::codec::{Codec, DecodeError, Reader, Writer};
use crate::dlog::{Progress, SumRange};
use crate::{Logarithm, Searchable, Working};
use ark_bls12_381::{Config, Fq2, Fq6, Fq12};
use ark_ec::bls12::Bls12Config;
use ark_ff::{AdditiveGroup, CyclotomicMultSubgroup, Field};
use std::sync::Arc;

/// Bytes of an encoded element.
pub const TARGET_BYTES: usize = 288;

/// An element of the group of order r in $\mathbb{F}_{p^{12}}$, written multiplicatively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetElement(pub(super) Fq12);

impl TargetElement {
    /// The neutral element.
    #[must_use]
    pub fn identity() -> Self {
        Self(Fq12::ONE)
    }

    /// $g^s$, in time of s.
    #[must_use]
    pub fn power_vartime(s: i64) -> Self {
        let power = Self(POWERS.of_public(s.unsigned_abs()));
        if s < 0 { power.inverse() } else { power }
    }

    /// The inverse, for which the sign of $c_1$ changes.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self(Fq12::new(self.0.c0, -self.0.c1))
    }

    /// The s of $g^s$, if it is in the range; `None` for every other element.
    ///
    /// # Security
    /// In time that depends on s: only for what is public.
    ///
    /// # Cost
    /// As all steps of a [`Logarithm`] in one go.
    #[must_use]
    pub fn logarithm_vartime(&self, range: SumRange) -> Option<i64> {
        Logarithm::new(range).run(self)
    }

    /// $z + 1/z = 2 c_0$, the same for an element and its inverse.
    pub(super) fn trace(&self) -> Fq6 {
        self.0.c0.double()
    }

    /// Whether the order of a norm-1 element divides r.
    ///
    /// In the cyclotomic subgroup, $z^{p^4} z = z^{p^2}$, and there $z^p = z^u$ only for elements whose order
    /// divides $\gcd(p - u, p^4 - p^2 + 1) = r$.
    fn is_of_order(&self) -> bool {
        let frobenius = |power| self.0.frobenius_map(power);
        if frobenius(4) * self.0 != frobenius(2) {
            return false;
        }
        // u is negative.
        let power = Self(self.0.cyclotomic_exp(Config::X)).inverse();
        power.0 == frobenius(1)
    }
}

impl Searchable for TargetElement {
    type Table = TraceTable;
    type Solver = TraceSolver;

    fn table(range: SumRange, budget: u32) -> Result<Arc<TraceTable>, Working> {
        TraceTable::kept(range, budget)
    }

    fn steps(table: &TraceTable) -> u64 {
        table.count()
    }

    fn solver(&self, table: &Arc<TraceTable>, range: SumRange) -> Option<TraceSolver> {
        Some(TraceSolver::new(Arc::clone(table), self, range))
    }

    fn step(solver: &mut TraceSolver, budget: u32) -> Progress {
        solver.step(budget)
    }
}

impl Codec for TargetElement {
    /// The neutral element has no c: it takes that of -1, which is of order 2.
    fn encode(&self, writer: &mut Writer) {
        let c = self.0.c1.inverse().map_or(Fq6::ZERO, |inverse| (Fq6::ONE + self.0.c0) * inverse);
        [c.c0, c.c1, c.c2].iter().for_each(|part| write2(writer, part, 0));
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut part = || match read2(reader)? {
            (part, 0) => Ok(part),
            _ => Err(DecodeError),
        };
        let c = Fq6::new(part()?, part()?, part()?);
        if c == Fq6::ZERO {
            return Ok(Self::identity());
        }
        let (square, v) = (c.square(), Fq6::new(Fq2::ZERO, Fq2::ONE, Fq2::ZERO));
        let inverse = (square - v).inverse().ok_or(DecodeError)?;
        let element = Self(Fq12::new((square + v) * inverse, c.double() * inverse));
        if element.is_of_order() { Ok(element) } else { Err(DecodeError) }
    }
}

impl core::ops::Mul for TargetElement {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}
