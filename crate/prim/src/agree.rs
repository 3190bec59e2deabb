//! Pairwise key agreement on ristretto255, with proof of possession.
//!
//! Without the proof a latecomer could show `s*G - sum of the others' keys` and read everyone
//! (the rogue-key attack); with it, a key counts only if its owner knows the exponent, in this
//! room, in this seat.

use crate::codec::{Codec, DecodeError, Reader, Writer};
use crate::group::{Element, POINT_BYTES};
use crate::{Hash, Transcript, derive};
use core::cell::OnceCell;
use curve25519_dalek::scalar::Scalar;
use subtle::ConstantTimeEq;
use undertone_machine::Secret;
use zeroize::Zeroize;

/// Bytes of an encoded proof.
pub const PROOF_BYTES: usize = 64;

/// A public key: a canonical ristretto255 element other than the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicPoint {
    encoded: [u8; POINT_BYTES],
    point: Element,
}

impl PublicPoint {
    /// Wraps an element; the neutral one is nobody's key.
    pub(crate) fn of(point: Element) -> Self {
        Self { encoded: point.encode(), point }
    }

    /// The element.
    #[must_use]
    pub const fn element(&self) -> Element {
        self.point
    }

    /// The canonical encoding.
    #[must_use]
    pub const fn encoded(&self) -> &[u8; POINT_BYTES] {
        &self.encoded
    }
}

impl Codec for PublicPoint {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(&self.encoded);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let encoded = reader.array()?;
        let point = Element::decode(encoded).ok_or(DecodeError)?;
        if point.is_identity() { Err(DecodeError) } else { Ok(Self { encoded, point }) }
    }
}

/// A Schnorr proof that the owner of a [`PublicPoint`] knows its exponent: (e, s) with
/// e = H(context, X, sG - eX).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    challenge: Scalar,
    response: Scalar,
}

impl Proof {
    /// Checks the proof for a key in a context.
    #[must_use]
    #[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
    pub fn holds(&self, public: &PublicPoint, context: &Hash) -> bool {
        let R = Element::combine_vartime(&self.challenge, &public.encoded, &self.response);
        R.is_some_and(|R| challenge(context, public, &R).ct_eq(&self.challenge).into())
    }
}

impl Codec for Proof {
    fn encode(&self, writer: &mut Writer) {
        writer.raw(self.challenge.as_bytes());
        writer.raw(self.response.as_bytes());
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut scalar = || {
            let bytes = reader.array()?;
            Option::from(Scalar::from_canonical_bytes(bytes)).ok_or(DecodeError)
        };
        Ok(Self { challenge: scalar()?, response: scalar()? })
    }
}

/// The secret exponent of a seat's aggregation key.
pub struct AgreementKey {
    x: Secret<Scalar>,
    /// Computed when it is asked for: to hide a value takes the secret only.
    public: OnceCell<PublicPoint>,
}

impl AgreementKey {
    /// Derives a key from a seed.
    #[must_use]
    pub fn from_seed(seed: &Secret<[u8; 32]>) -> Self {
        let mut wide = Transcript::new("agreement-key/v1").field(seed.expose()).wide();
        let x = Secret::new(Scalar::from_bytes_mod_order_wide(&wide));
        wide.zeroize();
        Self { x, public: OnceCell::new() }
    }

    /// The public half.
    ///
    /// # Cost
    /// One multiplication of the base point, the first time.
    #[must_use]
    pub fn public(&self) -> &PublicPoint {
        self.public.get_or_init(|| PublicPoint::of(Element::base_times(self.x.expose())))
    }

    /// Proves possession in a context (room, seat and commitment).
    ///
    /// The nonce is derived from the key and the context, so the same call gives the same proof.
    #[must_use]
    #[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
    pub fn prove(&self, context: &Hash) -> Proof {
        let mut wide = Transcript::new("possession-nonce/v1").field(self.x.expose().as_bytes()).field(context).wide();
        let k = Secret::new(Scalar::from_bytes_mod_order_wide(&wide));
        wide.zeroize();
        let R = Element::base_times(k.expose());
        let challenge = challenge(context, self.public(), &R.encode());
        Proof { challenge, response: k.expose() + challenge * self.x.expose() }
    }

    /// `x A + m G`: hides a value under what the other seats' keys add up to.
    ///
    /// The key is used up: hidden twice, two values give away their difference.
    #[must_use]
    pub(crate) fn hide(self, others: Element, value: u64) -> Element {
        self.hide_again(others, value)
    }

    /// The same for a key that outlives the message: under the same `others` it must not be asked twice.
    #[must_use]
    pub(crate) fn hide_again(&self, others: Element, value: u64) -> Element {
        let value = Secret::new(Scalar::from(value));
        others.times_plus_base(self.x.expose(), value.expose())
    }

    /// The key that both ends of a pair derive: KDF(x_i * X_j; both public keys, context).
    ///
    /// # Cost
    /// One constant-time scalar multiplication.
    #[must_use]
    pub fn shared(&self, peer: &PublicPoint, context: &Hash) -> Secret<[u8; 32]> {
        let point = Secret::new(peer.point.times(self.x.expose()).encode());
        let (mine, theirs) = (self.public().encoded(), peer.encoded());
        let (low, high) = if mine < theirs { (mine, theirs) } else { (theirs, mine) };
        derive(point.expose(), "pair-key/v1", &[low, high, context])
    }
}

impl core::fmt::Debug for AgreementKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AgreementKey").finish_non_exhaustive()
    }
}

#[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
fn challenge(context: &Hash, public: &PublicPoint, R: &[u8; POINT_BYTES]) -> Scalar {
    let transcript = Transcript::new("possession/v1").field(context).field(&public.encoded);
    Scalar::from_bytes_mod_order_wide(&transcript.field(R).wide())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(byte: u8) -> AgreementKey {
        AgreementKey::from_seed(&Secret::new([byte; 32]))
    }

    #[test]
    fn both_ends_agree_and_contexts_separate() {
        let (a, b) = (key(1), key(2));
        let shared = *a.shared(b.public(), &[0; 32]).expose();
        assert_eq!(shared, *b.shared(a.public(), &[0; 32]).expose());
        assert_ne!(shared, *a.shared(b.public(), &[1; 32]).expose());
        assert_ne!(shared, *a.shared(key(3).public(), &[0; 32]).expose());
    }

    #[test]
    fn proof_binds_key_and_context() {
        let (a, context) = (key(1), [9; 32]);
        let proof = a.prove(&context);
        assert!(proof.holds(a.public(), &context));
        assert!(!proof.holds(key(2).public(), &context));
        assert!(!proof.holds(a.public(), &[8; 32]));
    }

    #[test]
    fn every_flipped_bit_of_a_proof_fails() {
        let (a, context) = (key(1), [9; 32]);
        let bytes = a.prove(&context).to_bytes();
        for bit in 0..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(!Proof::from_bytes(&bad).is_ok_and(|proof| proof.holds(a.public(), &context)), "bit {bit}");
        }
    }

    #[test]
    fn a_rogue_key_cannot_be_proven() {
        // s*G - X_victim: the attacker knows s, not the exponent, so a proof for s does not fit.
        let (victim, s) = (key(1), key(2));
        let rogue = s.public().point - victim.public().point;
        let rogue = PublicPoint::of(rogue);
        assert!(!s.prove(&[0; 32]).holds(&rogue, &[0; 32]));
    }

    #[test]
    fn refuses_identity_and_non_canonical_points() {
        assert_eq!(PublicPoint::from_bytes(&[0; 32]), Err(DecodeError));
        assert_eq!(PublicPoint::from_bytes(&[0xff; 32]), Err(DecodeError));
        let encoded = *key(1).public().encoded();
        assert!(PublicPoint::from_bytes(&encoded).is_ok());
        assert_eq!(PublicPoint::from_bytes(&encoded[..31]), Err(DecodeError));
    }

    #[test]
    fn about_one_random_string_in_sixteen_is_a_point() {
        let decoded =
            (0..4000_u64).filter(|i| PublicPoint::from_bytes(&Transcript::new("t").number(*i).hash()).is_ok());
        let count = decoded.count();
        assert!((150..350).contains(&count), "{count} of 4000");
    }
}
