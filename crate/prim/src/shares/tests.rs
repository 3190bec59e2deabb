//! Dealing, checking and putting together, honest and not.

use super::points::subsets;
use super::*;
use proptest::prelude::*;
use undertone_math::Field127;

const DEALT: [u8; 32] = [3; 32];

fn elements(share: &[u8]) -> Vec<Field127> {
    share.as_chunks().0.iter().map(|bytes| Field127::from_bytes(*bytes).unwrap()).collect()
}

fn deal(values: &[i128], threshold: usize, computers: usize, seed: u8) -> Vec<Vec<u8>> {
    let shares = cut_shamir(values, threshold, computers, &Secret::new([seed; 32]));
    shares.iter().map(|share| share.expose().clone()).collect()
}

/// Adds up the shares of all deals at each seat, without the masks of the check.
fn add_up(deals: &[Vec<Vec<u8>>], length: usize) -> Vec<Option<Vec<Field127>>> {
    let seats = deals[0].len();
    let sum = |seat: usize| {
        let add = |sum: Vec<Field127>, deal: &Vec<Vec<u8>>| {
            sum.into_iter().zip(elements(&deal[seat])).map(|(sum, share)| sum.add(share)).collect()
        };
        deals.iter().fold(vec![Field127::default(); length], add)
    };
    (0..seats).map(|seat| Some(sum(seat))).collect()
}

fn said(deals: &[Vec<Vec<u8>>]) -> Vec<Vec<Option<Field127>>> {
    let one = |seat: usize| deals.iter().map(|deal| Some(check_share(&deal[seat], challenge(&DEALT)))).collect();
    (0..deals[0].len()).map(one).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_so_many_shares_give_the_sum(
        inputs in prop::collection::vec(prop::collection::vec(-(1_i128 << 100)..(1_i128 << 100), 3), 1..6),
        computers in 2_usize..=COMPUTERS_MAX,
        threshold in 2_usize..=COMPUTERS_MAX,
    ) {
        let threshold = threshold.min(computers);
        let deals: Vec<_> = inputs.iter().zip(1..).map(|(values, seed)| deal(values, threshold, computers, seed)).collect();
        let right: Vec<i128> = (0..3).map(|at| inputs.iter().map(|values| values[at]).sum()).collect();
        let all = add_up(&deals, 3);
        for missing in subsets(computers, computers - threshold) {
            let there: Vec<_> = all.iter().enumerate().map(|(seat, share)| share.clone().filter(|_| missing >> seat & 1 == 0)).collect();
            prop_assert_eq!(recombine(&there, threshold), Ok(Recombined { sums: right.clone(), wrong: 0 }));
        }
        let few: Vec<_> = all.iter().enumerate().map(|(seat, share)| share.clone().filter(|_| seat + 1 < threshold)).collect();
        prop_assert_eq!(recombine(&few, threshold), Err(Unfit));
    }

    #[test]
    fn wrong_shares_are_found_up_to_half_of_what_is_more_than_needed(
        computers in 2_usize..=COMPUTERS_MAX, threshold in 2_usize..=COMPUTERS_MAX, wrong: u16, by in 1_i128..(1 << 90), at in 0_usize..3,
    ) {
        let threshold = threshold.min(computers);
        let spare = computers - threshold;
        let wrong = wrong & ((1 << computers) - 1);
        let mut shares = add_up(&[deal(&[1, -2, 3], threshold, computers, 1), deal(&[10, 20, 30], threshold, computers, 2)], 3);
        for (seat, share) in shares.iter_mut().flatten().enumerate().filter(|(seat, _)| wrong >> seat & 1 == 1) {
            // Different at each seat, so that no polynomial of few coefficients goes through them.
            share[at] = share[at].add(Field127::from_signed(by).mul(Field127::new(seat as u128 + 2).invert()));
        }
        let found = recombine(&shares, threshold);
        let count = wrong.count_ones() as usize;
        if 2 * count <= spare {
            prop_assert_eq!(found, Ok(Recombined { sums: vec![11, 18, 33], wrong }));
        } else if count <= spare / 2 + 1 && count <= spare {
            // One more than can be found is still noticed, or there is a set as small that explains it.
            prop_assert!(found.is_err() || found.unwrap().wrong != 0);
        }
    }

    #[test]
    fn fewer_shares_say_nothing(values in prop::collection::vec(-(1_i128 << 100)..(1_i128 << 100), 2), seed: u8) {
        // For every secret there is a polynomial through the shares of threshold - 1 seats: those of another
        // vector, shifted by the polynomial that is 0 at these seats and the difference at 0.
        let shares = deal(&values, 3, 5, seed);
        let through = |seats: [usize; 2], secret: i128| {
            let points = points::Points::new(seats.into_iter().chain([4]), 3).unwrap();
            let known = |seat: usize| (seat != 4).then(|| elements(&shares[seat])[0]);
            let base = points.secret(|seat| known(seat).or(Some(Field127::default())));
            let slope = points.secret(|seat| Some(Field127::new(u128::from(seat == 4))));
            let free = Field127::from_signed(secret).sub(base).mul(slope.invert());
            points.secret(|seat| known(seat).or(Some(free))).to_signed()
        };
        for secret in [0, 1, -5, values[1]] {
            prop_assert_eq!(through([0, 1], secret), secret);
            prop_assert_eq!(through([1, 3], secret), secret);
        }
    }
}

#[test]
fn shares_are_the_values_of_a_polynomial_worked_by_hand() {
    // f(x) = 7 + a x with a from the stream: share 2 - share 1 = a = share 1 - 7.
    let shares = deal(&[7], 2, 3, 9);
    let [one, two, three] = [0, 1, 2].map(|seat| elements(&shares[seat])[0]);
    let a = one.sub(Field127::new(7));
    assert_eq!((two.sub(one), three.sub(two)), (a, a));
    assert_eq!(elements(&shares[0]).len(), share_elements(1));
}

#[test]
fn honest_deals_are_kept_and_nobody_is_left_aside() {
    let deals: Vec<_> = (1..6).map(|seed| deal(&[i128::from(seed), 5], 3, 5, seed)).collect();
    assert_eq!(keep(&said(&deals), 0b11111, 5, 3), Checked { kept: vec![true; 5], aside: 0 });
    // Also without one of the seats.
    assert_eq!(keep(&said(&deals), 0b10111, 5, 3), Checked { kept: vec![true; 5], aside: 0 });
}

#[test]
fn a_deal_of_too_many_coefficients_is_dropped_whatever_element_it_is_in() {
    for bad in 0..4 {
        let mut deals: Vec<_> = (1..5).map(|seed| deal(&[1, 2, 3], 2, 5, seed)).collect();
        let steep = deal(&[1, 2, 3], 4, 5, 77);
        for (share, other) in deals[2].iter_mut().zip(&steep) {
            share[16 * bad..16 * bad + 16].copy_from_slice(&other[16 * bad..16 * bad + 16]);
        }
        let checked = keep(&said(&deals), 0b11111, 4, 2);
        assert_eq!(checked, Checked { kept: vec![true, true, false, true], aside: 0 }, "element {bad}");
    }
}

#[test]
fn one_lying_seat_drops_no_honest_deal_and_is_left_aside() {
    let deals: Vec<_> = (1..8).map(|seed| deal(&[1], 2, 4, seed)).collect();
    let mut told = said(&deals);
    for value in told[3].iter_mut().skip(1) {
        *value = value.map(|value| value.add(Field127::new(1)));
    }
    assert_eq!(keep(&told, 0b1111, 7, 2), Checked { kept: vec![true; 7], aside: 0b1000 });
    told[3].fill(None);
    assert_eq!(keep(&told, 0b1111, 7, 2), Checked { kept: vec![true; 7], aside: 0b1000 });
}

#[test]
fn a_share_that_does_not_fit_costs_the_dealer_where_no_seat_can_be_spared() {
    let mut deals: Vec<_> = (1..4).map(|seed| deal(&[1], 2, 3, seed)).collect();
    deals[1][2][0] ^= 1;
    assert_eq!(keep(&said(&deals), 0b111, 3, 2), Checked { kept: vec![true, false, true], aside: 0 });
}

#[test]
fn two_dealers_who_spoil_different_seats_are_dropped_and_one_is_not_enough() {
    let mut deals: Vec<_> = (1..7).map(|seed| deal(&[1], 2, 5, seed)).collect();
    // One seat can be spared, and leaving aside either saves one of the two.
    deals[0][1][0] ^= 1;
    deals[1][2][0] ^= 1;
    let checked = keep(&said(&deals), 0b11111, 6, 2);
    assert_eq!((checked.kept.iter().filter(|kept| **kept).count(), checked.aside.count_ones()), (5, 1));
}
