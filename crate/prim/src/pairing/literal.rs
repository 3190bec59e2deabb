//! The message as the papers compute it: a pairing for each other seat.

use super::neighbourhood::signed;
use super::{PairingKey, PairingPoint, RoundPoint, TargetElement};
use ark_bls12_381::{Bls12_381, Fq12};
use ark_ec::pairing::Pairing;
use ark_ff::{CyclotomicMultSubgroup, Field, PrimeField};
use undertone_machine::Seat;

/// The reference for [`Neighbourhood::message`](super::Neighbourhood::message): the same element.
///
/// # Security
/// In time that depends on key and value: for tests and benches.
///
/// # Cost
/// n - 1 pairings, as many multiplications and two exponentiations in the target group.
#[must_use]
pub fn literal_message(
    key: &PairingKey,
    me: Seat,
    keys: &[(Seat, PairingPoint)],
    round: &RoundPoint,
    value: u64,
) -> TargetElement {
    let others = keys.iter().filter(|(seat, _)| *seat != me);
    let pairings = others.map(|(seat, key)| Bls12_381::pairing(round.0, signed(me, *seat, key)).0);
    let w = pairings.fold(Fq12::ONE, |product, one| product * one);
    let mask = w.cyclotomic_exp(key.x.expose().into_bigint());
    let g = TargetElement::power_vartime(1);
    // With a limb to spare: the library's signed digits of a number may be one bit longer than it.
    TargetElement(mask * g.0.cyclotomic_exp([value, 0]))
}
