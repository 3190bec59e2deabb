//! Both layouts against the laws of the group. That the encodings are those of ristretto255, and the
//! sums those of another library, is shown in `prim`, which has that library.

use super::*;
use crate::field25519::{Limbs25, Limbs51, Limbs64};
use proptest::prelude::*;

/// The encoding of the base point, from [RFC 9496, appendix A.1].
const BASE: &str = "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76";
/// Of its double and its fifteenfold.
const TWO: &str = "6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919";
const FIFTEEN: &str = "e0c418f7c8d9c4cdd7395b93ea124f3ad99021bb681dfc3302a9d99a2e53e64e";

fn bytes(hex: &str) -> [u8; 32] {
    core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
}

fn base<L: Limbs>() -> Point<L> {
    Point::decode_vartime(&bytes(BASE)).unwrap()
}

/// One bit at a time.
fn times<L: Limbs>(point: &Point<L>, scalar: u128) -> Point<L> {
    let addend = point.addend(&point.z.add(&point.z).invert());
    (0..128).rev().fold(Point::identity(), |sum, bit| {
        let sum = sum.double();
        if scalar >> bit & 1 == 1 { sum.plus(&addend) } else { sum }
    })
}

/// One place at a time, and one point.
fn slow<L: Limbs>(point: &Point<L>, number: &Signs, places: u16) -> Point<L> {
    let addend = point.addend(&point.z.add(&point.z).invert());
    (0..usize::from(places)).rev().fold(Point::identity(), |sum, place| {
        let sum = sum.double();
        sum.plus_signed(&addend, number[place / 64] >> (place % 64) & 1 == 0)
    })
}

fn small_multiples<L: Limbs>() {
    let sums = SignedSums::new(&[base::<L>()]);
    let of = |signs: u64, places| sums.combine_vartime(&[[signs, 0, 0, 0]], places).encode_vartime();
    // No place: nothing. +1. +2 - 1 = 1. 8 + 4 + 2 + 1 = 15.
    assert_eq!([of(0, 0), of(1, 1), of(2, 2), of(15, 4)], [[0; 32], bytes(BASE), bytes(BASE), bytes(FIFTEEN)]);
    let twice = SignedSums::new(&[base::<L>(), base::<L>()]);
    let both = |signs: [u64; 2], places| twice.combine_vartime(&signs.map(|it| [it, 0, 0, 0]), places).encode_vartime();
    assert_eq!([both([1, 1], 1), both([1, 0], 1)], [bytes(TWO), [0; 32]]);
}

#[test]
fn small_multiples_of_the_base_point_are_those_of_the_standard() {
    small_multiples::<Limbs51>();
    small_multiples::<Limbs25>();
    small_multiples::<Limbs64>();
}

fn adds_and_takes_away<L: Limbs>() {
    let one = Addend::<L>::decode_vartime(&bytes(BASE)).unwrap();
    assert_eq!(one.point().encode_vartime(), bytes(BASE));
    let two = one.point().plus_signed(&one, false);
    assert_eq!([two.encode_vartime(), two.plus_signed(&one, true).encode_vartime()], [bytes(TWO), bytes(BASE)]);
    assert_eq!(one.point().plus_signed(&one, true).encode_vartime(), [0; 32]);
}

#[test]
fn a_point_that_was_read_is_added_and_taken_away() {
    adds_and_takes_away::<Limbs51>();
    adds_and_takes_away::<Limbs25>();
    adds_and_takes_away::<Limbs64>();
}

#[test]
fn refuses_what_encodes_no_element() {
    let (mut odd, mut high) = (bytes(BASE), bytes(BASE));
    odd[0] ^= 1;
    high[31] |= 0x80;
    for wrong in [odd, high, [0xff; 32]] {
        assert!(Point::<Limbs51>::decode_vartime(&wrong).is_none());
        assert!(Point::<Limbs25>::decode_vartime(&wrong).is_none());
        assert!(Point::<Limbs64>::decode_vartime(&wrong).is_none());
    }
}

fn combined<L: Limbs>(numbers: &[Signs], places: u16) -> [u8; 32] {
    let points: Vec<_> = (0..numbers.len()).map(|i| times(&base::<L>(), i as u128 * 77_777 + 3)).collect();
    let fast = SignedSums::new(&points).combine_vartime(numbers, places);
    let one_by_one = points.iter().zip(numbers).fold(Point::identity(), |sum, (point, number)| {
        let term = slow(point, number, places);
        sum.plus(&term.addend(&term.z.add(&term.z).invert()))
    });
    assert_eq!(fast.encode_vartime(), one_by_one.encode_vartime());
    fast.encode_vartime()
}

fn in_all_layouts(numbers: &[Signs], places: u16) {
    let sum = combined::<Limbs51>(numbers, places);
    assert_eq!([combined::<Limbs25>(numbers, places), combined::<Limbs64>(numbers, places)], [sum; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn combined_at_once_as_one_by_one(
        numbers in proptest::collection::vec(any::<Signs>(), 0..27),
        places in proptest::sample::select(vec![0, 1, 63, 64, 65, 128, 254, 256]),
    ) {
        in_all_layouts(&numbers, places);
    }
}

#[test]
fn many_points_take_smaller_tables_and_give_the_same() {
    let numbers: Vec<_> = (0..263_u64).map(|i| [i.wrapping_mul(0x9E37_79B9_7F4A_7C15), i, 0, 0]).collect();
    in_all_layouts(&numbers, 128);
}

#[test]
fn the_smallest_and_the_largest_number_cancel() {
    // All signs negative, then all positive: the ends of what 256 places spell.
    in_all_layouts(&[[0; SIGN_WORDS], [u64::MAX; SIGN_WORDS]], 256);
}
