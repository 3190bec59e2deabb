//! What touches secrets: regular multiplication in $\mathbb{G}_2$, scanned tables, Fermat's inverse.

use super::encoding::number;
use ark_bls12_381::{Fq, Fq2, Fq12, Fr, G2Affine, G2Projective};
use ark_ec::AffineRepr;
use ark_ff::{AdditiveGroup, Field, PrimeField};
use core::ops::Neg;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use undertone_machine::Secret;

/// Signed digits of a scalar: base 16, all odd.
const DIGITS: usize = 64;
/// Odd multiples in the table: 1 to 15.
const ODDS: usize = 8;

/// $x A$, by the same operations for every x.
///
/// An odd x is $\sum_i d_i 16^i$ with odd $|d_i| \le 15$: with $y = \lfloor x/2 \rfloor + 2^{255}$ the digit is twice the
/// nibble of y less 15. An even x is replaced by $r - x$, and the result by its negative. No
/// partial sum is the identity or ± a table entry, so the group law takes no special case.
#[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
pub(super) fn times(A: &G2Projective, x: &Fr) -> G2Projective {
    let (y, odd) = regular(x);
    let table = odd_multiples(A);
    let mut nibbles = (0..DIGITS).rev().map(|i| nibble(y.expose(), i));
    let mut sum = digit(&table, nibbles.next().unwrap_or_default());
    for nibble in nibbles {
        (0..4).for_each(|_| {
            sum.double_in_place();
        });
        sum += digit(&table, nibble);
    }
    negate_if(!odd, &mut sum);
    sum
}

/// y as above, and whether x is odd.
fn regular(x: &Fr) -> (Secret<[u64; 4]>, Choice) {
    let (plain, negative) = (Secret::new(number(x).0), Secret::new(number(&x.neg()).0));
    let odd = Choice::from(plain.expose().first().map_or(0, |low| (low & 1) as u8));
    let mut y = Secret::new([0; 4]);
    let mut carry = 1 << 63;
    for ((to, a), b) in y.expose_mut().iter_mut().zip(plain.expose()).zip(negative.expose()).rev() {
        let limb = u64::conditional_select(b, a, odd);
        *to = limb >> 1 | carry;
        carry = limb << 63;
    }
    (y, odd)
}

/// The i-th group of four bits.
pub(super) fn nibble(limbs: &[u64], i: usize) -> u8 {
    limbs.get(i / 16).map_or(0, |limb| (limb >> (4 * (i % 16)) & 15) as u8)
}

/// $A, 3A, \ldots, 15A$.
#[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
fn odd_multiples(A: &G2Projective) -> [G2Projective; ODDS] {
    let double = A.double();
    let mut last = *A;
    core::array::from_fn(|i| {
        if i > 0 {
            last += double;
        }
        last
    })
}

/// $(2 \cdot nibble - 15) A$.
fn digit(table: &[G2Projective; ODDS], nibble: u8) -> G2Projective {
    let negative = Choice::from(1 ^ (nibble >> 3));
    let index = u8::conditional_select(&(nibble & 7), &(7_u8.wrapping_sub(nibble) & 7), negative);
    let mut found = G2Projective::new_unchecked(Fq2::ZERO, Fq2::ZERO, Fq2::ZERO);
    for (entry, at) in table.iter().zip(0_u8..) {
        let mask = mask(at.ct_eq(&index));
        merge2(&mut found.x, &entry.x, mask);
        merge2(&mut found.y, &entry.y, mask);
        merge2(&mut found.z, &entry.z, mask);
    }
    negate_if(negative, &mut found);
    found
}

fn negate_if(negate: Choice, point: &mut G2Projective) {
    let (keep, flip) = (mask(!negate), mask(negate));
    let mut y = Fq2::ZERO;
    merge2(&mut y, &point.y, keep);
    merge2(&mut y, &-point.y, flip);
    point.y = y;
}

/// The entry at the index, read from all of them.
pub(super) fn scan(table: &[Fq12], index: u8) -> Fq12 {
    let mut found = Fq12::ZERO;
    for (entry, at) in table.iter().zip(0_u8..) {
        let mask = mask(at.ct_eq(&index));
        for (to, from) in [(&mut found.c0, &entry.c0), (&mut found.c1, &entry.c1)] {
            merge2(&mut to.c0, &from.c0, mask);
            merge2(&mut to.c1, &from.c1, mask);
            merge2(&mut to.c2, &from.c2, mask);
        }
    }
    found
}

/// All ones for yes.
fn mask(choice: Choice) -> u64 {
    u64::from(choice.unwrap_u8()).wrapping_neg()
}

fn merge2(to: &mut Fq2, from: &Fq2, mask: u64) {
    for (to, from) in [(&mut to.c0, &from.c0), (&mut to.c1, &from.c1)] {
        to.0.0.iter_mut().zip(from.0.0).for_each(|(to, from)| *to |= from & mask);
    }
}

/// Affine coordinates of a point that is not the identity; the identity for that.
pub(super) fn affine(point: &G2Projective) -> G2Affine {
    if point.z == Fq2::ZERO {
        return G2Affine::zero();
    }
    let inverse = invert(&point.z);
    let square = inverse.square();
    G2Affine::new_unchecked(point.x * square, point.y * square * inverse)
}

/// $\bar z / N(z)$ with $1/N = N^{p-2}$: Euclid's algorithm takes time that depends on z.
fn invert(z: &Fq2) -> Fq2 {
    let norm = z.c0.square() + z.c1.square();
    let mut exponent = Fq::MODULUS;
    exponent.0.iter_mut().take(1).for_each(|low| *low -= 2);
    let inverse = norm.pow(exponent);
    Fq2::new(z.c0 * inverse, -z.c1 * inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ec::{CurveGroup, PrimeGroup};

    fn scalars() -> Vec<Fr> {
        let wide = |i: u64| Fr::from(i + 3).pow([0xffff_ffff_ffff_fff1, i]);
        let edges = [1_u64, 2, 3, 15, 16, 17].map(Fr::from);
        edges.into_iter().chain(edges.map(|x| -x)).chain((0..20).map(wide)).collect()
    }

    #[test]
    #[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
    fn regular_multiplication_is_multiplication() {
        let A = G2Projective::generator() * Fr::from(77);
        for x in scalars() {
            assert_eq!(times(&A, &x), A * x);
            assert_eq!(affine(&times(&A, &x)), (A * x).into_affine());
        }
        assert!(affine(&(A - A)).is_zero());
    }

    #[test]
    fn every_entry_is_found() {
        let table: Vec<_> = (0..16_u64).map(Fq12::from).collect();
        for index in 0..16 {
            assert_eq!(scan(&table, index), Fq12::from(index));
        }
    }
}
