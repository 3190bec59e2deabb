//! The single-round private sum of Kursawe, Danezis and Kohlweiss, in the group of [`Element`].
//!
//! Seat i has the key pair (x_i, U_i = x_i G) and sends
//!
//! ```text
//! V_i = x_i (sum_{j>i} U_j - sum_{j<i} U_j) + m_i G.
//! ```
//!
//! Every pair's term x_i x_j G is added by one of the two and subtracted by the other, so the V_i of
//! all seats add up to (sum_i m_i) G, and whoever has them all finds the sum as a small logarithm.

use crate::{AgreementKey, Element, PublicPoint};
use undertone_machine::Seat;

/// A seat's message, for a value that is at least 0.
///
/// `keys` are the public keys of all seats that give a value; the own one is passed over. The key is
/// used up: a second message under it would give away the difference of the two values.
///
/// # Security
/// Under the decisional Diffie-Hellman assumption all messages together reveal exactly the sum, as
/// long as two seats keep their secrets, if every key came with a proof of possession. It needs one
/// view of the keys at all seats.
///
/// # Cost
/// One addition for each other seat, one scalar multiplication, one multiplication of the base point.
#[must_use]
pub fn kdk_message(key: AgreementKey, me: Seat, keys: &[(Seat, PublicPoint)], value: u64) -> Element {
    let signed = |(seat, key): &(Seat, PublicPoint)| match seat.cmp(&me) {
        core::cmp::Ordering::Greater => key.element(),
        core::cmp::Ordering::Equal => Element::identity(),
        core::cmp::Ordering::Less => -key.element(),
    };
    let others = keys.iter().map(signed).fold(Element::identity(), |sum, one| sum + one);
    key.hide(others, value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlog::SumRange;
    use curve25519_dalek::scalar::Scalar;
    use undertone_machine::Secret;

    fn key(seat: u16) -> AgreementKey {
        AgreementKey::from_seed(&Secret::new([seat as u8 + 1; 32]))
    }

    fn messages(values: &[u64]) -> Vec<Element> {
        let seats = || (0..).zip(values);
        let keys: Vec<_> = seats().map(|(seat, _)| (Seat(seat), *key(seat).public())).collect();
        seats().map(|(seat, value)| kdk_message(key(seat), Seat(seat), &keys, *value)).collect()
    }

    fn total(messages: &[Element]) -> Element {
        messages.iter().fold(Element::identity(), |sum, one| sum + *one)
    }

    #[test]
    fn messages_add_up_to_the_sum_and_a_part_does_not() {
        let values = [0, 5, 1 << 40, 17];
        let sum = Element::base_times(&Scalar::from(values.iter().sum::<u64>()));
        assert_eq!(total(&messages(&values)), sum);
        let small = total(&messages(&[100, 20, 3]));
        assert_eq!(small.logarithm_vartime(SumRange::new(0, 300).unwrap()), Some(123));
        assert_eq!(small.logarithm_vartime(SumRange::new(0, 122).unwrap()), None);
        assert_ne!(total(&messages(&values)[..3]), sum);
    }

    #[test]
    fn equal_values_of_two_seats_look_different() {
        let sent = messages(&[7, 7, 7]);
        assert!(sent[0] != sent[1] && sent[1] != sent[2]);
    }

    #[cfg(feature = "model")]
    #[test]
    fn the_model_gives_the_same_sum() {
        crate::model::within(|| {
            let sum = total(&messages(&[1, 2, 3]));
            assert_eq!(sum, Element::base_times(&Scalar::from(6_u64)));
            let found = |low, high| sum.logarithm_vartime(SumRange::new(low, high).unwrap());
            assert_eq!(
                [found(0, 6), found(-9, 9), found(6, 7), found(0, 5), found(7, 9)],
                [Some(6), Some(6), Some(6), None, None]
            );
        });
    }
}
