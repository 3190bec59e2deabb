//! Seat keys: Ed25519 with one strict verification rule everywhere.
//!
//! A seat checks every entry of everyone, several of each author, and this is most of what a room
//! computes. So a [`Verifier`] prepares an author's key once. What it accepts is the strict rule of
//! `ed25519-dalek`, which tests hold against it.

use crate::derive;
use curve25519_dalek::scalar::Scalar;
use ed25519_dalek::{Signer, SigningKey};
use sha2::{Digest, Sha512};
use std::sync::OnceLock;
use undertone_machine::Secret;
use undertone_math::edwards25519::{Comb, Point};

/// Bytes of a signature.
pub const SIGNATURE_BYTES: usize = 64;

/// The key that signs a seat's entries.
pub struct SeatKey(Kind);

enum Kind {
    // `SigningKey` wipes itself on drop.
    Ed25519(SigningKey),
    #[cfg(feature = "model")]
    Model([u8; 32]),
}

impl SeatKey {
    /// Derives the key of one room from a seat's seed.
    #[must_use]
    pub fn from_seed(seed: &Secret<[u8; 32]>) -> Self {
        let secret = derive(seed.expose(), "seat-key/v1", &[]);
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Self(Kind::Model(*secret.expose()));
        }
        Self(Kind::Ed25519(SigningKey::from_bytes(secret.expose())))
    }

    /// The public half, which names the seat.
    #[must_use]
    pub fn public(&self) -> [u8; 32] {
        match &self.0 {
            Kind::Ed25519(key) => key.verifying_key().to_bytes(),
            #[cfg(feature = "model")]
            Kind::Model(public) => *public,
        }
    }

    /// Signs a message.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        match &self.0 {
            // It never fails. The call that says so brings the code that prints an error into every module;
            // zeros, if it ever did, are a signature that nobody accepts.
            Kind::Ed25519(key) => key.try_sign(message).map_or([0; SIGNATURE_BYTES], |signature| signature.to_bytes()),
            #[cfg(feature = "model")]
            Kind::Model(public) => crate::model::signature(public, message),
        }
    }
}

impl core::fmt::Debug for SeatKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SeatKey").finish_non_exhaustive()
    }
}

/// Whether a signature holds, by the rule of [`Verifier`].
#[must_use]
pub fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
    Verifier::new(public).is_some_and(|key| key.holds(&[message], signature))
}

/// A seat's public key, prepared for many signatures.
pub struct Verifier {
    public: [u8; 32],
    /// Of the negative key; none in the model.
    negative: Option<Comb>,
}

impl Verifier {
    /// Prepares a key; `None` for one that is no key: of small order, or not in its canonical encoding.
    ///
    /// # Cost
    /// Two thirds of what checking a signature would cost without. It takes 3 kB.
    #[must_use]
    pub fn new(public: &[u8; 32]) -> Option<Self> {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Some(Self { public: *public, negative: None });
        }
        let key = Point::decode_standard_vartime(public).filter(|key| !key.is_small_order_vartime())?;
        Some(Self { public: *public, negative: Some(Comb::new(&key.negative())) })
    }

    /// Whether a signature over the parts of a message holds, by the strict rule: canonical encodings, and
    /// neither key nor $R$ of small order.
    ///
    /// $sB - kA = R$ for $k = H(R, A, \text{message})$, compared as it is encoded. [RFC 8032, section 5.1.7]
    ///
    /// There is no batch rule: two rules that can disagree let a room be split.
    #[must_use]
    pub fn holds(&self, message: &[&[u8]], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        let Some(negative) = &self.negative else { return self.holds_in_model(message, signature) };
        let (Some(r), Some(s)) = (signature.first_chunk::<32>(), signature.last_chunk::<32>()) else { return false };
        if bool::from(Scalar::from_canonical_bytes(*s).is_none()) {
            return false;
        }
        let hash = Sha512::new().chain_update(r).chain_update(self.public);
        let hash = message.iter().fold(hash, |hash, part| hash.chain_update(part)).finalize();
        let k = Scalar::from_bytes_mod_order_wide(&hash.into());
        let sum = negative.sum_vartime(k.as_bytes(), base(), s);
        sum.encode_standard_vartime() == *r && !sum.is_small_order_vartime()
    }

    #[cfg(feature = "model")]
    fn holds_in_model(&self, message: &[&[u8]], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        crate::model::signature(&self.public, &message.concat()) == *signature
    }

    #[cfg(not(feature = "model"))]
    fn holds_in_model(&self, _message: &[&[u8]], _signature: &[u8; SIGNATURE_BYTES]) -> bool {
        false
    }
}

impl core::fmt::Debug for Verifier {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Verifier").finish_non_exhaustive()
    }
}

/// The base point, prepared once for all keys.
pub(crate) fn base() -> &'static Comb {
    static BASE: OnceLock<Comb> = OnceLock::new();
    BASE.get_or_init(|| Comb::new(&Point::standard_base()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve25519_dalek::constants::EIGHT_TORSION;
    use curve25519_dalek::edwards::EdwardsPoint;
    use curve25519_dalek::traits::Identity;
    use ed25519_dalek::{Signature, VerifyingKey};
    use proptest::prelude::*;

    #[test]
    fn signs_and_verifies() {
        let key = SeatKey::from_seed(&Secret::new([7; 32]));
        let signature = key.sign(b"message");
        assert!(verify(&key.public(), b"message", &signature));
        assert!(!verify(&key.public(), b"massage", &signature));
        assert!(!verify(&SeatKey::from_seed(&Secret::new([8; 32])).public(), b"message", &signature));
    }

    /// What the library says that the rule is from.
    fn strict(public: &[u8; 32], message: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        VerifyingKey::from_bytes(public)
            .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
    }

    fn agreed(public: &[u8; 32], message: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
        let holds = verify(public, message, signature);
        assert_eq!(holds, strict(public, message, signature), "{public:?} {message:?} {signature:?}");
        holds
    }

    #[test]
    fn every_changed_bit_is_judged_as_by_the_library() {
        for seed in 0..4 {
            let key = SeatKey::from_seed(&Secret::new([seed; 32]));
            let (public, message) = (key.public(), [seed; 100]);
            let signature = key.sign(&message);
            assert!(agreed(&public, &message, &signature) && !agreed(&public, &message[1..], &signature));
            for bit in 0..256 {
                let flip = |bytes: &mut [u8], bit: usize| bytes[bit / 8] ^= 1 << (bit % 8);
                let (mut other, mut bent_r, mut bent_s) = (public, signature, signature);
                flip(&mut other, bit);
                flip(&mut bent_r, bit);
                flip(&mut bent_s, 256 + bit);
                assert!(!agreed(&other, &message, &signature));
                assert!(!agreed(&public, &message, &bent_r) && !agreed(&public, &message, &bent_s));
            }
        }
    }

    /// A signature by $a$ under the key $A$ with a nonce of its own and anything added to $R$.
    fn made(a: &Scalar, key: EdwardsPoint, add: EdwardsPoint, message: &[u8]) -> ([u8; 32], [u8; SIGNATURE_BYTES]) {
        let nonce = Scalar::from_bytes_mod_order_wide(&Sha512::digest(message).into());
        let (r, public) = ((EdwardsPoint::mul_base(&nonce) + add).compress().0, key.compress().0);
        let hash = Sha512::new().chain_update(r).chain_update(public).chain_update(message).finalize();
        let s = nonce + Scalar::from_bytes_mod_order_wide(&hash.into()) * a;
        (public, [r, s.to_bytes()].concat().try_into().unwrap())
    }

    #[test]
    fn parts_of_small_order_are_judged_as_by_the_library() {
        let a = Scalar::from(77_777_u64);
        let mut held = [0; 3];
        for (number, torsion) in (0_u8..64).zip(EIGHT_TORSION.iter().cycle()) {
            let (whole, none) = (EdwardsPoint::mul_base(&a), EdwardsPoint::identity());
            let cases = [
                made(&a, whole + torsion, none, &[number]),
                made(&a, whole, *torsion, &[number]),
                made(&Scalar::ZERO, *torsion, none, &[number]),
            ];
            for ((public, signature), held) in cases.iter().zip(&mut held) {
                *held += usize::from(agreed(public, &[number], signature));
            }
        }
        // The hash is now and then a multiple of the part's order; R is the neutral point's company only.
        assert!((9..32).contains(&held[0]) && held[1] == 8 && held[2] == 0, "{held:?}");
    }

    #[test]
    fn what_has_a_second_form_is_refused_in_it() {
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        let (public, mut signature) = (key.public(), key.sign(b"message"));
        // s and s + l are the same multiple.
        let order = [&BASEPOINT_ORDER_BYTES[..], &[0; 15], &[0x10]].concat();
        let mut carry = 0;
        for (byte, add) in signature[32..].iter_mut().zip(order) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            (*byte, carry) = (sum as u8, sum >> 8);
        }
        assert!(!agreed(&public, b"message", &signature));
        // Above p nobody knows a key, and those of small order are none.
        for low in 0xed..=0xff_u8 {
            let mut public = [0xff; 32];
            (public[0], public[31]) = (low, 0x7f);
            assert!(Verifier::new(&public).is_none());
        }
        // R may not be of small order, however well it fits: k = 0 needs luck, so a key of zero stands in.
        assert!(!agreed(&EdwardsPoint::identity().compress().0, b"message", &[0; SIGNATURE_BYTES]));
    }

    /// The order of the base point, but for its highest bits.
    const BASEPOINT_ORDER_BYTES: [u8; 16] =
        [0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_key_and_signature_are_judged_as_by_the_library(
            public: [u8; 32],
            r: [u8; 32],
            s: [u8; 32],
            message in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            agreed(&public, &message, &[r, s].concat().try_into().unwrap());
            let key = SeatKey::from_seed(&Secret::new(s));
            prop_assert!(agreed(&key.public(), &message, &key.sign(&message)));
            let parts = message.split_at(message.len() / 3);
            prop_assert!(Verifier::new(&key.public()).unwrap().holds(&[parts.0, parts.1], &key.sign(&message)));
        }
    }

    #[test]
    fn refuses_small_order_keys() {
        // With the identity as key, R = sB and s of an attacker's choice would verify anything.
        let mut identity = [0; 32];
        identity[0] = 1;
        assert!(!verify(&identity, b"message", &[0; 64]));
    }
}
