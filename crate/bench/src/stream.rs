//! The key stream of masks against the crate that others use.
//!
//! Our kernel is for WebAssembly. Its native rows show why natively masks take the crate.

use crate::{Bench, Row, Work};
use chacha20::ChaCha12;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use core::hint::black_box;
use undertone_math::simd;

/// Key streams of two lengths.
pub(crate) const BENCH: Bench =
    Bench { name: "masks-stream", about: "The key stream that masks are made of, ChaCha12.", rows };

fn rows() -> Vec<Row> {
    [("64 KiB", 64 << 10), ("1 MiB", 1 << 20)].map(|(n, bytes)| row(n, bytes)).into()
}

fn row(n: &'static str, bytes: usize) -> Row {
    Row::new("our kernel", n, move || ours(bytes)).against("chacha20 crate", move || theirs(bytes)).of_bytes(bytes)
}

fn ours(bytes: usize) -> Work {
    let mut out = vec![0; bytes];
    Box::new(move || {
        let mut stream = simd::ChaCha12::new(&KEY, &NONCE);
        out.as_chunks_mut().0.iter_mut().for_each(|chunk| stream.write(chunk));
        black_box(&out);
    })
}

/// Its keystream is combined with what is there, so there is nothing to clear first.
fn theirs(bytes: usize) -> Work {
    let mut out = vec![0; bytes];
    Box::new(move || {
        ChaCha12::new(&KEY.into(), &NONCE.into()).apply_keystream(&mut out);
        black_box(&out);
    })
}

const KEY: [u8; 32] = [7; 32];
const NONCE: [u8; 12] = [0; 12];
