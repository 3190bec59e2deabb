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

use crate::group_key::KeyTotal;
use crate::{AgreementKey, Element, GroupKey};
use undertone_machine::Seat;

/// A seat's message, for a value that is at least 0.
///
/// `keys` are the public keys of all seats that give a value, or of those that a
/// [`Graph`](crate::graph::Graph) links this one with; the own one is passed over. The key is used up: a
/// second message under it would give away the difference of the two values.
///
/// # Security
/// Under the decisional Diffie-Hellman assumption all messages together reveal exactly the sum, if
/// every key came with a proof of possession, as long as the seats that keep their secrets, two at
/// least, are linked with each other directly or through each other. It needs one view of the keys at
/// all seats.
///
/// # Cost
/// One addition for each key, two square roots, one scalar multiplication, one multiplication of the
/// base point.
#[must_use]
pub fn kdk_message(key: AgreementKey, me: Seat, keys: &[(Seat, GroupKey)], value: u64) -> Option<Element> {
    let mut total = KeyTotal::nothing();
    for negative in [false, true] {
        let others = keys.iter().filter(|(seat, _)| *seat != me && (*seat < me) == negative);
        total.add(others.map(|(_, key)| key), negative);
    }
    Some(key.hide(total.element()?, value))
}

/// The sum of the others' keys, kept up to date while seats come and go.
///
/// A message then takes two multiplications, however many seats there are.
#[derive(Clone, Debug)]
pub struct KeySum {
    me: Seat,
    /// Whose keys are in, so that none is in twice.
    seats: Vec<Seat>,
    sum: KeyTotal,
}

impl KeySum {
    /// Of nobody yet.
    #[must_use]
    pub fn new(me: Seat) -> Self {
        Self { me, seats: Vec::new(), sum: KeyTotal::nothing() }
    }

    /// Adds a seat's key. `false`, and no change, if the seat is in already or is the own one.
    ///
    /// # Cost
    /// One addition.
    pub fn join(&mut self, seat: Seat, key: &GroupKey) -> bool {
        let Err(place) = self.seats.binary_search(&seat) else { return false };
        if seat == self.me {
            return false;
        }
        self.seats.insert(place, seat);
        self.sum.add([key].into_iter(), seat < self.me);
        true
    }

    /// Takes a seat's key out, which must be the one that was added. `false`, and no change, if the seat
    /// is not in.
    ///
    /// # Cost
    /// One addition.
    pub fn leave(&mut self, seat: Seat, key: &GroupKey) -> bool {
        let Ok(place) = self.seats.binary_search(&seat) else { return false };
        self.seats.remove(place);
        self.sum.add([key].into_iter(), seat > self.me);
        true
    }

    /// The same message as [`kdk_message`] over the seats that are in. The key is used up.
    #[must_use]
    pub fn message(&self, key: AgreementKey, value: u64) -> Option<Element> {
        Some(key.hide(self.sum.element()?, value))
    }
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

    fn public(seat: u16) -> GroupKey {
        GroupKey::new(key(seat).public()).unwrap()
    }

    fn messages(values: &[u64]) -> Vec<Element> {
        let seats = || (0..).zip(values);
        let keys: Vec<_> = seats().map(|(seat, _)| (Seat(seat), public(seat))).collect();
        seats().map(|(seat, value)| kdk_message(key(seat), Seat(seat), &keys, *value).unwrap()).collect()
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
    fn rings_of_neighbours_add_up_to_the_same_sum() {
        use crate::graph::Tolerance;
        for (seats, colluders) in [(3, 1), (10, 3), (17, 1), (17, 6)] {
            let graph = Tolerance::new(seats, colluders, 0).unwrap().graph();
            let sent: Vec<_> = (0..seats)
                .map(|me| {
                    let keys: Vec<_> = graph.neighbours(me).iter().map(|it| (Seat(*it), public(*it))).collect();
                    kdk_message(key(me), Seat(me), &keys, u64::from(me) * 11).unwrap()
                })
                .collect();
            let sum: u64 = (0..u64::from(seats)).map(|me| me * 11).sum();
            assert_eq!(total(&sent), Element::base_times(&Scalar::from(sum)), "n = {seats}");
        }
    }

    #[test]
    fn a_sum_that_is_kept_is_the_sum_over_those_who_are_there() {
        let mut sum = KeySum::new(Seat(2));
        for seat in [4, 0, 1, 3, 5] {
            assert!(sum.join(Seat(seat), &public(seat)) && !sum.join(Seat(seat), &public(seat)));
        }
        assert!(!sum.join(Seat(2), &public(2)) && !sum.leave(Seat(6), &public(6)));
        assert!(sum.leave(Seat(1), &public(1)) && !sum.leave(Seat(1), &public(1)));
        assert!(sum.message(key(2), 77).is_some());
        let there: Vec<_> = [0, 2, 3, 4, 5].map(|seat| (Seat(seat), public(seat))).into();
        assert_eq!(sum.message(key(2), 77), kdk_message(key(2), Seat(2), &there, 77));
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
