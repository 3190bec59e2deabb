//! $Q_k$: a round hashed into $\mathbb{G}_1$ by the suite BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380.

use crate::{Hash, Transcript};
use ark_bls12_381::{Fq, G1Affine, G1Projective, g1};
use ark_ec::AffineRepr;
use ark_ec::hashing::curve_maps::wb::WBMap;
use ark_ec::hashing::map_to_curve_hasher::MapToCurve;
use ark_ff::PrimeField;
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
///
/// The map is total: where the library has an error, no input leads to it.
fn hash_to_curve(message: &[u8], domain: &[u8]) -> G1Affine {
    let map = |bytes: &[u8]| {
        let mapped = WBMap::<g1::Config>::map_to_curve(Fq::from_be_bytes_mod_order(bytes));
        mapped.unwrap_or_else(|_| G1Affine::zero())
    };
    let uniform = expand(message, domain);
    let (low, high) = uniform.split_at(64);
    let sum: G1Projective = map(low) + map(high);
    G1Affine::from(sum).clear_cofactor()
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
