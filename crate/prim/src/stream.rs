//! The key stream of pads: ChaCha12 under a key of its own.
//!
//! The same bytes everywhere, from whoever is fastest: natively the crate `chacha20`, which has code
//! for each processor's vector unit; in WebAssembly, for which it has none, [`undertone_math::simd`].

use undertone_machine::Secret;

/// A key is derived for one stream, so a constant nonce is used once.
const NONCE: [u8; 12] = [0; 12];

/// A stream, read from its start on.
pub(crate) struct Stream(Cipher);

#[cfg(not(target_arch = "wasm32"))]
type Cipher = chacha20::ChaCha12;
#[cfg(target_arch = "wasm32")]
type Cipher = undertone_math::simd::ChaCha12;

#[cfg(not(target_arch = "wasm32"))]
impl Stream {
    /// The stream of a key.
    pub(crate) fn new(key: &Secret<[u8; 32]>) -> Self {
        Self(chacha20::cipher::KeyIvInit::new(key.expose().into(), &NONCE.into()))
    }

    /// Writes the next bytes; `piece` is whole chunks of [`simd`](undertone_math::simd).
    pub(crate) fn write(&mut self, piece: &mut [u8]) {
        piece.fill(0);
        chacha20::cipher::StreamCipher::apply_keystream(&mut self.0, piece);
    }
}

#[cfg(target_arch = "wasm32")]
impl Stream {
    /// The stream of a key.
    pub(crate) fn new(key: &Secret<[u8; 32]>) -> Self {
        Self(Cipher::new(key.expose(), &NONCE))
    }

    /// Writes the next bytes; `piece` is whole chunks of [`simd`](undertone_math::simd).
    pub(crate) fn write(&mut self, piece: &mut [u8]) {
        piece.as_chunks_mut().0.iter_mut().for_each(|chunk| self.0.write(chunk));
    }
}
