//! The multi-round sum of Patsakis, Clear and Laird as the paper computes it.

use crate::{AgreementKey, Element, Hash, PublicPoint, Transcript};
use curve25519_dalek::scalar::Scalar;
use undertone_machine::Seat;

/// $x_i \sum_j A_{ij} U_j + m_i G$ with a skew-symmetric $A = \chi(s, k)$: the reference for whoever computes it
/// faster.
///
/// # Security
/// A key is good for a number of rounds that depends on who may collude; nothing here counts them.
///
/// # Cost
/// n constant-time multiplications and one of the base point.
#[must_use]
pub fn literal_pcl_message(
    key: &AgreementKey,
    me: Seat,
    keys: &[(Seat, PublicPoint)],
    (seed, round): (&Hash, u64),
    value: u64,
) -> Element {
    let others = keys.iter().filter(|(seat, _)| *seat != me);
    let terms = others.map(|(seat, key)| key.element().times(&coefficient(seed, round, me, *seat)));
    key.masked(terms.fold(Element::identity(), |sum, term| sum + term), value)
}

/// $A_{ij} = -A_{ji}$, a hash of the pair.
fn coefficient(seed: &Hash, round: u64, me: Seat, other: Seat) -> Scalar {
    let (low, high) = (me.min(other), me.max(other));
    let transcript = Transcript::new("pcl-literal/v1").field(seed).number(round);
    let wide = transcript.number(low.0.into()).number(high.0.into()).wide();
    let scalar = Scalar::from_bytes_mod_order_wide(&wide);
    if me < other { scalar } else { -scalar }
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::Secret;

    #[test]
    fn messages_add_up_to_the_sum_in_every_round() {
        let key = |seat: u16| AgreementKey::from_seed(&Secret::new([seat as u8 + 1; 32]));
        let keys: Vec<_> = (0..4).map(|seat| (Seat(seat), *key(seat).public())).collect();
        let sent = |round| {
            let message =
                |seat| literal_pcl_message(&key(seat), Seat(seat), &keys, (&[7; 32], round), 10 + u64::from(seat));
            (0..4).map(message).collect::<Vec<_>>()
        };
        for round in 0..3 {
            let sum = sent(round).into_iter().fold(Element::identity(), |sum, one| sum + one);
            assert_eq!(sum, Element::base_times(&Scalar::from(46_u64)));
        }
        assert_ne!(sent(0)[1], sent(1)[1]);
    }
}
