//! Sealing bytes under a key: XChaCha20-Poly1305 with a nonce derived from the message.
//!
//! Many seats seal under one room key, and a seat that reloads seals the same bytes again. A nonce
//! derived from key, associated data and message (as in synthetic-IV modes) needs no counter that
//! could be lost: equal messages give equal bytes, different messages different nonces.

use crate::derive;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use undertone_machine::Secret;

const NONCE_BYTES: usize = 24;

/// Bytes that a seal adds: a nonce of 24 and a tag of 16.
pub const OVERHEAD_BYTES: usize = NONCE_BYTES + 16;

/// Seals a message; `context` is authenticated but not sent.
///
/// # Security
/// Hides the message from everyone without the key, and fails to open if message or context
/// changed. Equal (key, context, message) give equal bytes.
#[must_use]
pub fn seal(key: &Secret<[u8; 32]>, context: &[u8], message: &[u8]) -> Vec<u8> {
    let digest = derive(key.expose(), "seal-nonce/v1", &[context, message]);
    let mut nonce = [0; NONCE_BYTES];
    nonce.iter_mut().zip(digest.expose()).for_each(|(to, from)| *to = *from);
    let cipher = XChaCha20Poly1305::new(key.expose().into());
    // Encryption fails only beyond 256 GiB; an empty seal opens nowhere.
    let sealed = cipher.encrypt(&XNonce::from(nonce), Payload { msg: message, aad: context }).unwrap_or_default();
    [&nonce[..], &sealed].concat()
}

/// Opens a sealed message; `None` if it was not sealed under this key and context.
#[must_use]
pub fn open(key: &Secret<[u8; 32]>, context: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, rest) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    let cipher = XChaCha20Poly1305::new(key.expose().into());
    cipher.decrypt(&XNonce::from(*nonce), Payload { msg: rest, aad: context }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_only_what_was_sealed() {
        let key = Secret::new([1; 32]);
        let sealed = seal(&key, b"context", b"message");
        assert_eq!(sealed.len(), 7 + OVERHEAD_BYTES);
        assert_eq!(open(&key, b"context", &sealed), Some(b"message".to_vec()));
        assert_eq!(open(&key, b"other", &sealed), None);
        assert_eq!(open(&Secret::new([2; 32]), b"context", &sealed), None);
        for at in 0..sealed.len() {
            let mut bad = sealed.clone();
            bad[at] ^= 1;
            assert_eq!(open(&key, b"context", &bad), None, "byte {at}");
            assert_eq!(open(&key, b"context", &sealed[..at]), None, "cut at {at}");
        }
    }

    #[test]
    fn is_repeatable_but_never_reuses_a_nonce_for_another_message() {
        let key = Secret::new([1; 32]);
        assert_eq!(seal(&key, b"c", b"m"), seal(&key, b"c", b"m"));
        assert_ne!(seal(&key, b"c", b"m")[..NONCE_BYTES], seal(&key, b"c", b"n")[..NONCE_BYTES]);
        assert_ne!(seal(&key, b"c", b"m")[..NONCE_BYTES], seal(&key, b"d", b"m")[..NONCE_BYTES]);
    }
}
