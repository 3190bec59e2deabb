//! Public keys, prepared for many sums of public multiples.

use crate::{Element, GroupKey};
use undertone_math::edwards25519::{SignedSums, Signs};

/// Tables of public keys; in the model, which has no curve, their logarithms.
pub(crate) struct Multiples(Kind);

enum Kind {
    Curve(SignedSums),
    #[cfg(feature = "model")]
    Line(Vec<curve25519_dalek::scalar::Scalar>),
}

impl Multiples {
    /// Makes the tables.
    pub(crate) fn new(keys: &[GroupKey]) -> Option<Self> {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            let line = keys.iter().map(|key| key.public().element().line());
            return line.collect::<Option<_>>().map(|line| Self(Kind::Line(line)));
        }
        let points: Option<Vec<_>> = keys.iter().map(GroupKey::point).collect();
        Some(Self(Kind::Curve(SignedSums::new(&points?))))
    }

    /// $\sum_j a_j U_j$, for public numbers given by their signs.
    ///
    /// What comes of it is multiplied by a secret, so it goes back, by its encoding, to the library that
    /// does this in constant time.
    pub(crate) fn combine_vartime(&self, numbers: &[Signs], places: u16) -> Option<Element> {
        match &self.0 {
            Kind::Curve(sums) => Element::decode(sums.combine_vartime(numbers, places).encode_vartime()),
            #[cfg(feature = "model")]
            Kind::Line(line) => {
                let terms = numbers.iter().zip(line).map(|(signs, u)| crate::pcl::number(signs, places) * u);
                Some(Element::base_times(&terms.sum()))
            }
        }
    }
}
