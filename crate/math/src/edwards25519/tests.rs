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

/// The encoding of the base point of Ed25519, from [RFC 8032, section 5.1].
fn standard_base<L: Limbs>() -> Point<L> {
    let base = Point::standard_base();
    let mut bytes = [0x66; 32];
    bytes[0] = 0x58;
    assert_eq!(base.encode_standard_vartime(), bytes);
    base
}

/// A point of order 8, which is on no multiple of the base point.
const ORDER_8: &str = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";

fn bitwise<L: Limbs>(point: &Point<L>, number: &[u8; 32]) -> Point<L> {
    let addend = point.addend(&point.z.add(&point.z).invert());
    (0..256).rev().fold(Point::identity(), |sum, bit| {
        let sum = sum.double();
        if number[bit / 8] >> (bit % 8) & 1 == 1 { sum.plus(&addend) } else { sum }
    })
}

fn combed<L: Limbs>(a: &[u8; 32], b: &[u8; 32]) -> [u8; 32] {
    let base = standard_base::<L>();
    let torsion = Point::decode_standard_vartime(&bytes(ORDER_8)).unwrap();
    assert!(torsion.is_small_order_vartime() && !base.is_small_order_vartime());
    let key = times(&base, 77_777).plus(&torsion.addend(&Field25519::small(2).invert()));
    let (key, slow) = (key.negative(), [bitwise(&key.negative(), a), bitwise(&base, b)]);
    let sum = Comb::new(&key).sum_vartime(a, &Comb::new(&base), b);
    let plain = ladder::Ladder::new(&key).sum_vartime(a, &ladder::Ladder::new(&base), b);
    assert_eq!(plain.encode_standard_vartime(), sum.encode_standard_vartime());
    let [one, other] = slow;
    let expected = one.plus(&other.addend(&other.z.add(&other.z).invert()));
    assert_eq!(sum.encode_standard_vartime(), expected.encode_standard_vartime());
    sum.encode_standard_vartime()
}

fn combed_in_all_layouts(a: &[u8; 32], b: &[u8; 32]) {
    let sum = combed::<Limbs51>(a, b);
    assert_eq!([combed::<Limbs25>(a, b), combed::<Limbs64>(a, b)], [sum; 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_comb_multiplies_as_bit_by_bit_also_what_has_a_part_of_small_order(a: [u8; 32], b: [u8; 32]) {
        combed_in_all_layouts(&a, &b);
    }
}

#[test]
fn a_comb_multiplies_by_the_smallest_and_the_largest_numbers() {
    let one = {
        let mut one = [0; 32];
        one[0] = 1;
        one
    };
    for a in [[0; 32], one, [0xff; 32]] {
        [[0; 32], one, [0xff; 32]].iter().for_each(|b| combed_in_all_layouts(&a, b));
    }
}

#[test]
fn refuses_what_encodes_no_key() {
    let neutral = {
        let mut one = [0; 32];
        one[0] = 1;
        one
    };
    // Above p; y = 2, of which there is no x; and x = 0.
    let above = {
        let mut above = [0xff; 32];
        above[0] = 0xf0;
        above
    };
    let two = {
        let mut two = [0; 32];
        two[0] = 2;
        two
    };
    for wrong in [above, two, neutral] {
        assert!(Point::<Limbs51>::decode_standard_vartime(&wrong).is_none());
        assert!(Point::<Limbs25>::decode_standard_vartime(&wrong).is_none());
        assert!(Point::<Limbs64>::decode_standard_vartime(&wrong).is_none());
    }
}
