//! The laws of a field for all layouts, and all against each other.

use super::*;
use proptest::prelude::*;

type A = Field25519<Limbs51>;
type B = Field25519<Limbs25>;
type C = Field25519<Limbs64>;

/// p, least significant byte first.
const P: [u8; 32] = {
    let mut bytes = [0xff; 32];
    bytes[0] = 0xed;
    bytes[31] = 0x7f;
    bytes
};

/// Values where a carry or a residue is likely to go wrong.
fn edges() -> Vec<[u8; 32]> {
    let mut edges = vec![[0; 32]];
    for bit in 0..255 {
        let mut power = [0; 32];
        power[bit / 8] = 1 << (bit % 8);
        edges.push(power);
        edges.push(A::from_bytes(&power).unwrap().neg().to_bytes());
        edges.push(A::from_bytes(&power).unwrap().sub(&A::small(1)).to_bytes());
    }
    edges
}

fn any_element() -> impl Strategy<Value = [u8; 32]> {
    let random = any::<[u8; 32]>().prop_map(|mut bytes| {
        bytes[31] &= 0x3f;
        bytes
    });
    prop_oneof![3 => random, 1 => proptest::sample::select(edges())]
}

fn laws<L: Limbs>(a: [u8; 32], b: [u8; 32], c: [u8; 32]) {
    let [a, b, c] = [a, b, c].map(|it| Field25519::<L>::from_bytes(&it).unwrap());
    let (zero, one) = (Field25519::<L>::small(0), Field25519::<L>::small(1));
    let same = |x: Field25519<L>, y: Field25519<L>| assert_eq!(x.to_bytes(), y.to_bytes());
    same(a.add(&b), b.add(&a));
    same(a.mul(&b), b.mul(&a));
    same(a.add(&b).add(&c), a.add(&b.add(&c)));
    same(a.mul(&b).mul(&c), a.mul(&b.mul(&c)));
    same(a.mul(&b.add(&c)), a.mul(&b).add(&a.mul(&c)));
    same(a.sub(&b).add(&b), a);
    same(a.add(&a.neg()), zero);
    same(a.mul(&one), a);
    same(a.square(), a.mul(&a));
    let (sum, difference) = (a.sum(&b), a.difference(&b));
    same(sum.mul(&difference), a.square().sub(&b.square()));
    same(sum.square(), a.add(&b).square());
    same(difference.mul(&difference), a.sub(&b).square());
    same(difference.times(&c), a.sub(&b).mul(&c));
    same(a.mul(&a.invert()), if a.is_zero_vartime() { zero } else { one });
    assert_eq!(a.low_word(), u64::from_le_bytes(a.to_bytes()[..8].try_into().unwrap()));
    assert_eq!(a.low_word_of_difference(&b), a.sub(&b).low_word());
    assert_eq!(a.equals_vartime(&b), a.to_bytes() == b.to_bytes());
    roots(a);
}

fn roots<L: Limbs>(a: Field25519<L>) {
    let Some(root) = a.square().inverse_root_vartime() else { return assert!(a.is_zero_vartime()) };
    assert!(!root.is_negative_vartime());
    assert_eq!(root.square().mul(&a.square()).to_bytes(), Field25519::<L>::small(1).to_bytes());
    // 2 is no square mod p, so twice a square is none.
    assert!(a.square().add(&a.square()).inverse_root_vartime().is_none());
}

proptest! {
    #[test]
    fn all_layouts_are_fields(a in any_element(), b in any_element(), c in any_element()) {
        laws::<Limbs51>(a, b, c);
        laws::<Limbs25>(a, b, c);
        laws::<Limbs64>(a, b, c);
    }

    #[test]
    fn all_layouts_agree_over_long_walks(start in any_element(), step in any_element()) {
        let (mut a, a_step) = (A::from_bytes(&start).unwrap(), A::from_bytes(&step).unwrap());
        let (mut c, c_step) = (C::from_bytes(&start).unwrap(), C::from_bytes(&step).unwrap());
        let (mut b, b_step) = (B::from_bytes(&start).unwrap(), B::from_bytes(&step).unwrap());
        for _ in 0..20 {
            // Loose results feed each other, in the order that loosens them most.
            a = a.sub(&a_step).add(&a).add(&a_step).sub(&a.square().neg()).mul(&a_step.sub(&a));
            c = c.sub(&c_step).add(&c).add(&c_step).sub(&c.square().neg()).mul(&c_step.sub(&c));
            b = b.sub(&b_step).add(&b).add(&b_step).sub(&b.square().neg()).mul(&b_step.sub(&b));
            a = a.difference(&a_step).mul(&a.difference(&a.add(&a_step))).sub(&a_step).difference(&a.neg()).square();
            c = c.difference(&c_step).mul(&c.difference(&c.add(&c_step))).sub(&c_step).difference(&c.neg()).square();
            b = b.difference(&b_step).mul(&b.difference(&b.add(&b_step))).sub(&b_step).difference(&b.neg()).square();
            prop_assert_eq!(a.to_bytes(), b.to_bytes());
            prop_assert_eq!(a.to_bytes(), c.to_bytes());
            prop_assert_eq!(a.low_word(), b.low_word());
        }
    }

    #[test]
    fn bytes_come_back(a in any_element()) {
        prop_assert_eq!(A::from_bytes(&a).unwrap().to_bytes(), a);
        prop_assert_eq!(B::from_bytes(&a).unwrap().to_bytes(), a);
        prop_assert_eq!(C::from_bytes(&a).unwrap().to_bytes(), a);
    }

    #[test]
    fn all_at_once_inverts_as_one_by_one(values in proptest::collection::vec(any_element(), 1..20)) {
        let before: Vec<_> = values.iter().map(|it| A::from_bytes(it).unwrap()).collect();
        let mut after = before.clone();
        let inverted = A::invert_all_vartime(&mut after, &mut Vec::new());
        prop_assert_eq!(inverted, !before.iter().any(|it| it.is_zero_vartime()));
        for (before, after) in before.iter().zip(after) {
            let wanted = if inverted { before.invert() } else { *before };
            prop_assert_eq!(after.to_bytes(), wanted.to_bytes());
        }
    }
}

#[test]
fn edges_obey_the_laws() {
    let edges = edges();
    for (i, a) in edges.iter().enumerate() {
        let (b, c) = (edges[(7 * i + 3) % edges.len()], edges[(11 * i + 5) % edges.len()]);
        laws::<Limbs51>(*a, b, c);
        laws::<Limbs25>(*a, b, c);
        laws::<Limbs64>(*a, b, c);
    }
}

#[test]
fn refuses_what_is_not_the_smallest_residue() {
    let mut bytes = P;
    for low in 0xed..=0xff {
        bytes[0] = low;
        assert!(A::from_bytes(&bytes).is_none() && B::from_bytes(&bytes).is_none());
    }
    bytes[0] = 0xec;
    assert!(A::from_bytes(&bytes).is_some() && B::from_bytes(&bytes).is_some());
    let mut high = [0; 32];
    high[31] = 0x80;
    assert!(A::from_bytes(&high).is_none() && B::from_bytes(&high).is_none());
}

#[test]
fn known_products() {
    // 2^254 * 2 = 19, and sqrt(-1)^2 = -1.
    let mut power = [0; 32];
    power[31] = 0x40;
    assert_eq!(A::from_bytes(&power).unwrap().mul(&A::small(2)).to_bytes(), A::small(19).to_bytes());
    assert_eq!(B::from_bytes(&power).unwrap().mul(&B::small(2)).to_bytes(), B::small(19).to_bytes());
    // -1 is a square, so it has an inverse root, whose square is -1 again.
    let minus_one = A::small(1).neg();
    assert_eq!(minus_one.inverse_root_vartime().unwrap().square().to_bytes(), minus_one.to_bytes());
}

#[test]
fn carries_beyond_256_bits_come_back() {
    // 2^256 - 1 = 37 is as loose as four limbs get; products and sums of it carry twice.
    let top =
        Field25519(Limbs64::from_wide([u64::MAX >> 13, u64::MAX >> 13, u64::MAX >> 13, u64::MAX >> 13, MASK << 1 | 1]));
    let same = |x: C, y: u32| assert_eq!(x.to_bytes(), A::small(y).to_bytes());
    same(top, 37);
    same(top.add(&top), 74);
    same(top.mul(&top), 37 * 37);
    same(top.add(&top).sub(&top).add(&top), 74);
    same(C::small(0).sub(&top).neg(), 37);
    same(C::small(0).sub(&top).sub(&top).neg(), 74);
}
