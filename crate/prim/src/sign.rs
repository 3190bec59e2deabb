//! Seat keys: Ed25519 with one strict verification rule everywhere.

use crate::derive;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use undertone_machine::Secret;

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

/// Whether a signature holds, by the strict rule (no small-order keys, canonical encodings).
///
/// There is no batch rule: two rules that can disagree let a room be split.
#[must_use]
pub fn verify(public: &[u8; 32], message: &[u8], signature: &[u8; SIGNATURE_BYTES]) -> bool {
    #[cfg(feature = "model")]
    if crate::model::is_active() {
        return crate::model::signature(public, message) == *signature;
    }
    VerifyingKey::from_bytes(public)
        .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_verifies() {
        let key = SeatKey::from_seed(&Secret::new([7; 32]));
        let signature = key.sign(b"message");
        assert!(verify(&key.public(), b"message", &signature));
        assert!(!verify(&key.public(), b"massage", &signature));
        assert!(!verify(&SeatKey::from_seed(&Secret::new([8; 32])).public(), b"message", &signature));
    }

    #[test]
    fn refuses_small_order_keys() {
        // With the identity as key, R = sB and s of an attacker's choice would verify anything.
        let mut identity = [0; 32];
        identity[0] = 1;
        assert!(!verify(&identity, b"message", &[0; 64]));
    }
}
