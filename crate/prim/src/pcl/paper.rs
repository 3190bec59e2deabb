//! The message as the paper counts it, which ours is measured against: n exponentiations.

use super::{Coefficients, KeyLifeError, neighbours_keys, number};
use crate::graph::BoundedGraph;
use crate::{AgreementKey, Element, GroupKey, Hash};
use curve25519_dalek::scalar::Scalar;

/// A round's message, one constant-time multiplication for each neighbour and one by the own key.
///
/// The coefficients are computed before, which flatters the paper. For tests and benches only: nothing
/// here counts rounds.
pub struct PaperRound {
    key: AgreementKey,
    terms: Vec<(Scalar, Element)>,
}

impl PaperRound {
    /// The same round as [`KeyLife`](super::KeyLife) has it, with full coefficients.
    ///
    /// # Errors
    /// The caller's: [`KeyLifeError::KeysDoNotFit`].
    pub fn new(
        key: AgreementKey,
        me: u16,
        keys: &[GroupKey],
        graph: &BoundedGraph,
        context: &Hash,
        round: u32,
    ) -> Result<Self, KeyLifeError> {
        let others = neighbours_keys(key.public(), me, keys, graph.graph())?;
        let full = Coefficients::Full;
        let row = full.row(context, round, me, &graph.graph().neighbours(me));
        let term = |(signs, other): (_, &GroupKey)| (number(signs, full.places()), other.public().element());
        Ok(Self { key, terms: row.iter().zip(&others).map(term).collect() })
    }

    /// The message.
    ///
    /// # Cost
    /// d + 1 multiplications in constant time and one of the base point.
    #[must_use]
    pub fn message(&self, value: u64) -> Element {
        let terms = self.terms.iter().map(|(a, key)| key.times(a));
        self.key.hide_again(terms.fold(Element::identity(), |sum, term| sum + term), value)
    }
}

impl core::fmt::Debug for PaperRound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PaperRound").finish_non_exhaustive()
    }
}
