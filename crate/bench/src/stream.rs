//! The key stream of masks against the crate that others use.

use crate::{Bench, Row};
use chacha20::ChaCha12;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use core::hint::black_box;
use undertone_math::simd;

/// Key streams of two lengths.
pub(crate) const BENCH: Bench =
    Bench { name: "masks-stream", about: "The key stream that masks are made of, ChaCha12.", rows };

fn rows() -> Vec<Row> {
    [("64 KiB", 64 << 10), ("1 MiB", 1 << 20)].into_iter().flat_map(|(n, bytes)| [kernel(n, bytes)]).collect()
}

fn kernel(n: &'static str, bytes: usize) -> Row {
    let ours = move || {
        let mut out = vec![0; bytes];
        let work = move || {
            let mut stream = simd::ChaCha12::new(&KEY, &NONCE);
            out.as_chunks_mut().0.iter_mut().for_each(|chunk| stream.write(chunk));
            black_box(&out);
        };
        Box::new(work) as crate::Work
    };
    Row::new("kernel", n, ours).against("chacha20 crate", move || theirs(bytes)).of_bytes(bytes)
}

/// Its keystream is combined with what is there, so there is nothing to clear first.
fn theirs(bytes: usize) -> crate::Work {
    let mut out = vec![0; bytes];
    Box::new(move || {
        ChaCha12::new(&KEY.into(), &NONCE.into()).apply_keystream(&mut out);
        black_box(&out);
    })
}

const KEY: [u8; 32] = [7; 32];
const NONCE: [u8; 12] = [0; 12];
