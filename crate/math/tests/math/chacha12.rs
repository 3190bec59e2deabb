//! The key stream of ChaCha12 against vectors from a file, another implementation, and its own twin.

use chacha20::cipher::{KeyIvInit, StreamCipher};
use undertone_math::simd::{CHUNK_BYTES, ChaCha12};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const VECTORS: &str = include_str!("chacha12.txt");

type Write = fn(&mut ChaCha12, &mut [u8; CHUNK_BYTES]);
/// The kernel of this target, and the twin.
const KERNELS: [Write; 2] = [ChaCha12::write, ChaCha12::write_scalar];

fn stream(key: &[u8; 32], nonce: &[u8; 12], bytes: usize, write: Write) -> Vec<u8> {
    let mut stream = ChaCha12::new(key, nonce);
    let mut out = vec![0; bytes];
    out.as_chunks_mut().0.iter_mut().for_each(|chunk| write(&mut stream, chunk));
    out
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn vectors_of_another_program() {
    let mut lines = 0;
    for line in VECTORS.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<_> = line.split(' ').map(unhex).collect();
        let (key, nonce) = (fields[0][..].try_into().unwrap(), fields[1][..].try_into().unwrap());
        for write in KERNELS {
            assert_eq!(stream(key, nonce, 512, write), fields[2], "line {lines}");
        }
        lines += 1;
    }
    assert_eq!(lines, 4);
}

/// Keys and nonces are drawn from a stream, so that the same cases run in wasm.
#[test]
fn any_key_and_nonce_give_the_bytes_of_the_crate() {
    for case in stream(&[1; 32], &[2; 12], 64 << 8, ChaCha12::write_scalar).as_chunks::<64>().0 {
        let (key, rest) = case.split_first_chunk().unwrap();
        let (nonce, rest) = rest.split_first_chunk().unwrap();
        let bytes = CHUNK_BYTES * (1 + usize::from(rest[0]) % 20);
        let mut theirs = vec![0; bytes];
        chacha20::ChaCha12::new(key.into(), nonce.into()).apply_keystream(&mut theirs);
        for write in KERNELS {
            assert!(stream(key, nonce, bytes, write) == theirs, "{key:?} {nonce:?} {bytes}");
        }
    }
}

#[test]
fn kernel_and_twin_take_turns_on_one_stream() {
    let mut both = ChaCha12::new(&[3; 32], &[4; 12]);
    let mut chunks = [[0; CHUNK_BYTES]; 6];
    chunks.iter_mut().zip(KERNELS.into_iter().cycle()).for_each(|(chunk, write)| write(&mut both, chunk));
    assert!(chunks.as_flattened() == stream(&[3; 32], &[4; 12], 6 * CHUNK_BYTES, ChaCha12::write));
    assert_eq!(format!("{both:?}"), "ChaCha12 { .. }");
}
