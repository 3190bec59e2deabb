//! Four blocks of ChaCha12 at once in WebAssembly's vector unit.

use super::chacha12::{CHUNK_BYTES, Lanes, columns, permuted, transposed};
use core::arch::wasm32::{
    i8x16_shuffle, i32x4_shuffle, u32x4, u32x4_add, u32x4_shl, u32x4_shr, u32x4_splat, u64x2_extract_lane, v128,
    v128_or, v128_xor,
};

impl Lanes for v128 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        u32x4_add(self, other)
    }

    /// Halves of words change places in one shuffle, which engines know. Any other shuffle of bytes takes
    /// them as long as shifting does, and is more code.
    #[inline(always)]
    fn xor_rotate<const BITS: u32>(self, other: Self) -> Self {
        let it = v128_xor(self, other);
        match BITS {
            16 => i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(it, it),
            _ => v128_or(u32x4_shl(it, BITS), u32x4_shr(it, 32_u32.wrapping_sub(BITS))),
        }
    }
}

/// Four blocks. Lane k of a vector belongs to block k until the end, when rows become whole.
pub(super) fn write(state: &[u32; 16], chunk: &mut [u8; CHUNK_BYTES]) {
    let mut start = columns(state).map(|column| column.map(|word| u32x4_splat(word)));
    let [[_, _, _, counter], ..] = &mut start;
    *counter = u32x4_add(*counter, u32x4(0, 1, 2, 3));
    let [a, b, c, d] = transposed(permuted(start)).map(by_block);
    let blocks = chunk.as_chunks_mut::<64>().0.iter_mut().zip(transposed([a, b, c, d]));
    for (block, rows) in blocks {
        block.as_chunks_mut::<16>().0.iter_mut().zip(rows).for_each(|(to, row)| *to = bytes(row));
    }
}

/// A row of four blocks in lanes, as a row of each block.
#[inline(always)]
fn by_block([w, x, y, z]: [v128; 4]) -> [v128; 4] {
    let (wx_low, wx_high) = (i32x4_shuffle::<0, 4, 1, 5>(w, x), i32x4_shuffle::<2, 6, 3, 7>(w, x));
    let (yz_low, yz_high) = (i32x4_shuffle::<0, 4, 1, 5>(y, z), i32x4_shuffle::<2, 6, 3, 7>(y, z));
    [
        i32x4_shuffle::<0, 1, 4, 5>(wx_low, yz_low),
        i32x4_shuffle::<2, 3, 6, 7>(wx_low, yz_low),
        i32x4_shuffle::<0, 1, 4, 5>(wx_high, yz_high),
        i32x4_shuffle::<2, 3, 6, 7>(wx_high, yz_high),
    ]
}

/// The compiler makes one store of it.
#[inline(always)]
fn bytes(row: v128) -> [u8; 16] {
    let [low, high] = [u64x2_extract_lane::<0>(row), u64x2_extract_lane::<1>(row)];
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}
