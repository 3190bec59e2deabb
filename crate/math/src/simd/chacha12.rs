//! The key stream of ChaCha with 12 rounds.
//!
//! The state is a square of words, row by row: constants; the key in two rows; the counter of blocks
//! and the nonce [RFC 8439, section 2.3]. The rounds are written once over [`Lanes`]: a word of one
//! block, or the same word of four.

use undertone_machine::Secret;

/// Bytes that one step gives: four blocks.
pub const CHUNK_BYTES: usize = 256;

const BLOCK_BYTES: usize = 64;
/// Each is a round over columns and one over diagonals.
const DOUBLE_ROUNDS: usize = 6;
/// "expand 32-byte k", read as words, before a key and a nonce are there.
const EMPTY: [u32; 16] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// A stream of key bytes, read from its start on.
///
/// # Security
/// The bytes look random to whoever lacks the key. One key and nonce serve one purpose. The state is
/// wiped when dropped; what was written is the caller's to wipe. After 256 GiB the stream repeats.
///
/// # Example
/// ```
/// use undertone_math::simd::{CHUNK_BYTES, ChaCha12};
/// let mut chunk = [0; CHUNK_BYTES];
/// ChaCha12::new(&[0; 32], &[0; 12]).write(&mut chunk);
/// assert_eq!(chunk[..4], [0x9b, 0xf4, 0x9a, 0x6a]);
/// ```
pub struct ChaCha12 {
    state: Secret<[u32; 16]>,
}

impl ChaCha12 {
    /// The stream of a key and a nonce.
    #[must_use]
    pub fn new(key: &[u8; 32], nonce: &[u8; 12]) -> Self {
        let mut state = Secret::new(EMPTY);
        read(state.expose_mut(), 4, key);
        read(state.expose_mut(), 13, nonce);
        Self { state }
    }

    /// Writes the next bytes of the stream.
    pub fn write(&mut self, chunk: &mut [u8; CHUNK_BYTES]) {
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        super::quads::write(self.state.expose(), chunk);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        write(self.state.expose(), chunk);
        self.advance();
    }

    /// [`ChaCha12::write`] as a machine without a vector unit does it: its twin.
    pub fn write_scalar(&mut self, chunk: &mut [u8; CHUNK_BYTES]) {
        write(self.state.expose(), chunk);
        self.advance();
    }

    fn advance(&mut self) {
        let [.., counter, _, _, _] = self.state.expose_mut();
        *counter = counter.wrapping_add(4);
    }
}

impl core::fmt::Debug for ChaCha12 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ChaCha12").finish_non_exhaustive()
    }
}

/// Reads bytes as words of the state from a place on.
fn read(state: &mut [u32; 16], from: usize, bytes: &[u8]) {
    let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
    state.iter_mut().skip(from).zip(words).for_each(|(to, word)| *to = word);
}

/// What rounds are made of.
pub(super) trait Lanes: Copy {
    /// Addition in Z_2^32.
    fn add(self, other: Self) -> Self;
    /// Exclusive or with `other`, then a rotation to the left.
    fn xor_rotate<const BITS: u32>(self, other: Self) -> Self;
}

impl Lanes for u32 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn xor_rotate<const BITS: u32>(self, other: Self) -> Self {
        (self ^ other).rotate_left(BITS)
    }
}

/// The square, column by column.
pub(super) type Columns<L> = [[L; 4]; 4];

/// Columns of a state; also rows of columns.
#[inline(always)]
pub(super) fn transposed<L>(square: Columns<L>) -> Columns<L> {
    let [[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]] = square;
    [[a0, b0, c0, d0], [a1, b1, c1, d1], [a2, b2, c2, d2], [a3, b3, c3, d3]]
}

/// Columns of a state.
#[inline(always)]
pub(super) fn columns(state: &[u32; 16]) -> Columns<u32> {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = *state;
    transposed([[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]])
}

/// All rounds, and the start added once more, without which they could be undone.
#[inline(always)]
pub(super) fn permuted<L: Lanes>(start: Columns<L>) -> Columns<L> {
    let mut square = start;
    for _ in 0..DOUBLE_ROUNDS {
        square = upright(round(diagonal(round(square))));
    }
    let (sums, starts) = (square.as_flattened_mut(), start.as_flattened());
    sums.iter_mut().zip(starts).for_each(|(sum, start)| *sum = sum.add(*start));
    square
}

/// Written out: a loop over columns would keep them in memory.
#[inline(always)]
fn round<L: Lanes>([a, b, c, d]: Columns<L>) -> Columns<L> {
    [quarter_round(a), quarter_round(b), quarter_round(c), quarter_round(d)]
}

#[inline(always)]
fn quarter_round<L: Lanes>([mut a, mut b, mut c, mut d]: [L; 4]) -> [L; 4] {
    a = a.add(b);
    d = d.xor_rotate::<16>(a);
    c = c.add(d);
    b = b.xor_rotate::<12>(c);
    a = a.add(b);
    d = d.xor_rotate::<8>(a);
    c = c.add(d);
    b = b.xor_rotate::<7>(c);
    [a, b, c, d]
}

/// Diagonals as columns: row r moves r places to the left.
#[inline(always)]
fn diagonal<L>([[a0, b0, c0, d0], [a1, b1, c1, d1], [a2, b2, c2, d2], [a3, b3, c3, d3]]: Columns<L>) -> Columns<L> {
    [[a0, b1, c2, d3], [a1, b2, c3, d0], [a2, b3, c0, d1], [a3, b0, c1, d2]]
}

/// And back.
#[inline(always)]
fn upright<L>([[a0, b0, c0, d0], [a1, b1, c1, d1], [a2, b2, c2, d2], [a3, b3, c3, d3]]: Columns<L>) -> Columns<L> {
    [[a0, b3, c2, d1], [a1, b0, c3, d2], [a2, b1, c0, d3], [a3, b2, c1, d0]]
}

/// Four blocks, one after the other.
fn write(state: &[u32; 16], chunk: &mut [u8; CHUNK_BYTES]) {
    let mut state = Secret::new(*state);
    for block in chunk.as_chunks_mut::<BLOCK_BYTES>().0 {
        let rows = transposed(permuted(columns(state.expose())));
        let words = block.as_chunks_mut().0.iter_mut().zip(rows.as_flattened());
        words.for_each(|(to, word)| *to = word.to_le_bytes());
        let [.., counter, _, _, _] = state.expose_mut();
        *counter = counter.wrapping_add(1);
    }
}
