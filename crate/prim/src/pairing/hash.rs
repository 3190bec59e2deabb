//! $Q_k$: a round hashed into $\mathbb{G}_1$ by the suite BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380.

use super::encoding::{number, reduced};
use crate::{Hash, Transcript};
use ark_bls12_381::{Fq, G1Affine, G1Projective, g1};
use ark_ec::AffineRepr;
use ark_ec::hashing::curve_maps::swu::SWUConfig;
use ark_ec::hashing::curve_maps::wb::WBConfig;
use ark_ec::models::short_weierstrass::SWCurveConfig;
use ark_ff::{AdditiveGroup, BigInteger, Field};
use sha2::{Digest, Sha256};

/// Separates our points from everybody else's.
const DOMAIN: &[u8] = b"UNDERTONE-V01-CS01-with-BLS12381G1_XMD:SHA-256_SSWU_RO_";

/// The public point of a round that all seats mask one coordinate with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundPoint(pub(super) G1Affine);

impl RoundPoint {
    /// The point of round `round` and of a value's coordinate; `context` is the hash over roster and plan.
    ///
    /// # Security
    /// Two values masked by one seat's key with the same point give away their difference.
    ///
    /// # Cost
    /// Two maps to the curve and a multiplication by a short cofactor.
    #[must_use]
    pub fn new(context: &Hash, round: u64, coordinate: u32) -> Self {
        let transcript = Transcript::new("pairing-round/v1").field(context);
        Self(hash_to_curve(&transcript.number(round).number(coordinate.into()).hash(), DOMAIN))
    }
}

/// The hash of RFC 9380, section 3.
fn hash_to_curve(message: &[u8], domain: &[u8]) -> G1Affine {
    let uniform = expand(message, domain);
    let points = uniform.as_chunks().0.iter().map(|bytes| map_to_curve(&reduced(bytes)));
    let sum = points.fold(G1Projective::ZERO, |sum, point| sum + point);
    G1Affine::from(sum).clear_cofactor()
}

/// The curve from which an isogeny leads to ours.
type Isogenous = <g1::Config as WBConfig>::IsogenousCurve;

/// The map of RFC 9380, section 6.6.3, in time of u, which is public. The library's own takes three times
/// the code.
fn map_to_curve(u: &Fq) -> G1Affine {
    let (x, y) = simplified_swu(u);
    let isogeny = <g1::Config as WBConfig>::ISOGENY_MAP;
    let [below_x, below_y] = [isogeny.x_map_denominator, isogeny.y_map_denominator].map(|it| polynomial(it, x));
    // What has no image goes to the identity.
    let Some(inverse) = product(&[below_x, below_y]).inverse() else { return G1Affine::zero() };
    let [above_x, above_y] = [isogeny.x_map_numerator, isogeny.y_map_numerator].map(|it| polynomial(it, x));
    G1Affine::new_unchecked(product(&[above_x, below_y, inverse]), product(&[y, above_y, below_x, inverse]))
}

/// The map to the isogenous curve, $y^2 = g(x) = x^3 + Ax + B$. [RFC 9380, section 6.6.2]
///
/// With $t = Zu^2$ one of $g(x_1)$ and $g(t x_1) = t^3 g(x_1)$ is a square, as Z is none: the second one's root is
/// $tu$ times that of $Z g(x_1)$.
#[allow(non_snake_case, reason = "constants as the standard names them")]
fn simplified_swu(u: &Fq) -> (Fq, Fq) {
    let (A, B, Z) = (Isogenous::COEFF_A, Isogenous::COEFF_B, Isogenous::ZETA);
    let t = product(&[Z, *u, *u]);
    let below = product(&[t, t + Fq::ONE]);
    let x1 = match product(&[A, below]).inverse() {
        Some(inverse) => product(&[-B, below + Fq::ONE, inverse]),
        None => product(&[B, product(&[Z, A]).inverse().unwrap_or_default()]),
    };
    let g = product(&[x1, product(&[x1, x1]) + A]) + B;
    let (x, y) = match g.sqrt() {
        Some(root) => (x1, root),
        None => (product(&[t, x1]), product(&[t, *u, product(&[Z, g]).sqrt().unwrap_or_default()])),
    };
    let odd = |it: &Fq| number(it).is_odd();
    (x, if odd(u) == odd(&y) { y } else { -y })
}

/// One copy of a multiplication that is thousands of bytes wherever the compiler writes it out.
#[inline(never)]
fn product(factors: &[Fq]) -> Fq {
    factors.iter().product()
}

/// The value at x of a polynomial, whose constant comes first.
#[inline(never)]
fn polynomial(coefficients: &[Fq], x: Fq) -> Fq {
    coefficients.iter().rev().fold(Fq::ZERO, |sum, one| sum * x + one)
}

/// `expand_message_xmd` to 128 bytes. [RFC 9380, section 5.3.1]
fn expand(message: &[u8], domain: &[u8]) -> [u8; 128] {
    let end = |hash: Sha256| <[u8; 32]>::from(hash.chain_update(domain).chain_update([domain.len() as u8]).finalize());
    let first = end(Sha256::new().chain_update([0; 64]).chain_update(message).chain_update([0, 128, 0]));
    let (mut out, mut last) = ([0; 128], [0; 32]);
    for (block, counter) in out.chunks_exact_mut(32).zip(1_u8..) {
        last.iter_mut().zip(first).for_each(|(to, from)| *to ^= from);
        last = end(Sha256::new().chain_update(last).chain_update([counter]));
        block.iter_mut().zip(last).for_each(|(to, from)| *to = from);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use ark_ff::PrimeField;

    /// RFC 9380, appendix J.9.1.
    #[test]
    fn gives_the_points_of_the_standard() {
        let domain = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_";
        let known = [
            ("", "052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1"),
            ("abc", "03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903"),
        ];
        for (message, x) in known {
            let point = hash_to_curve(message.as_bytes(), domain);
            let hex: String = point.x.into_bigint().0.iter().rev().map(|limb| format!("{limb:016x}")).collect();
            assert_eq!(hex, x, "{message}");
            assert!(point.is_on_curve() && point.is_in_correct_subgroup_assuming_on_curve());
        }
    }

    #[test]
    fn every_part_of_the_context_counts() {
        let point = RoundPoint::new(&[1; 32], 3, 4);
        assert_eq!(point, RoundPoint::new(&[1; 32], 3, 4));
        let others =
            [RoundPoint::new(&[0; 32], 3, 4), RoundPoint::new(&[1; 32], 4, 4), RoundPoint::new(&[1; 32], 3, 3)];
        assert!(others.iter().all(|other| *other != point));
    }
}
