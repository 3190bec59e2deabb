//! Pairwise masks: what each seat adds so that its value is noise and the sum is not.
//!
//! Seats i < j share a pad p_ij; i adds it, j subtracts it. Summed over all seats every pad cancels:
//! sum_i (m_i + sum_{j>i} p_ij - sum_{j<i} p_ji) = sum_i m_i in Z_2^k.

use crate::Hash;
use crate::stream::Stream;
use crate::transcript::Derivation;
use undertone_machine::{Seat, Secret};
use undertone_math::Word;
use undertone_math::simd::CHUNK_BYTES;
use zeroize::Zeroize;

/// Bytes of a pad that are there at a time: they stay in the processor's nearest memory.
const PIECE_BYTES: usize = 1024;

/// What pads are for: a hash over roster, plan, round and purpose.
///
/// # Security
/// One pad is never used twice, so one context is for one vector.
#[derive(Clone)]
pub struct PadContext {
    keys: Derivation,
}

impl PadContext {
    /// Pads for what was hashed.
    #[must_use]
    pub fn new(hash: &Hash) -> Self {
        Self { keys: Derivation::new("pad/v1", &[hash]) }
    }
}

impl core::fmt::Debug for PadContext {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PadContext").finish_non_exhaustive()
    }
}

/// Where the pads of a pair come from.
///
/// Two implementations: [`PairwisePads`], and the ideal twin `ZeroPads` (feature `ideal`) that lets
/// tests show what a scan for leaks would find without masks.
pub trait Pads: Send + Sync {
    /// Gives the pad shared with `peer` for one context to `take`: so many bytes, in order, in pieces
    /// whose length is a multiple of 16, the last one excepted.
    ///
    /// `false` if there is no key with this peer.
    fn pour(&self, peer: Seat, context: &PadContext, bytes: usize, take: &mut dyn FnMut(&[u8])) -> bool;
}

/// ChaCha12 streams under keys that each pair agreed on.
pub struct PairwisePads {
    keys: Vec<(Seat, Secret<[u8; 32]>)>,
}

impl PairwisePads {
    /// Takes one key per peer in the order of seats, each already bound to the roster.
    #[must_use]
    pub fn new(keys: Vec<(Seat, Secret<[u8; 32]>)>) -> Self {
        Self { keys }
    }

    /// The same, from the keys of all pairs, which are for more than masks.
    #[must_use]
    pub fn of_pairs(pairs: &[(Seat, Secret<[u8; 32]>)]) -> Self {
        let masks = Derivation::new("masks-key/v1", &[]);
        Self::new(pairs.iter().map(|(seat, pair)| (*seat, masks.key(pair.expose()))).collect())
    }
}

impl Pads for PairwisePads {
    fn pour(&self, peer: Seat, context: &PadContext, bytes: usize, take: &mut dyn FnMut(&[u8])) -> bool {
        let Some((_, key)) = self.keys.iter().find(|(seat, _)| *seat == peer) else { return false };
        let mut stream = Stream::new(&context.keys.key(key.expose()));
        let mut buffer = [0; PIECE_BYTES];
        // No more than is needed: a pad for one value is wiped in no time.
        let chunks = bytes.div_ceil(CHUNK_BYTES).saturating_mul(CHUNK_BYTES);
        let piece = buffer.get_mut(..chunks.min(PIECE_BYTES)).unwrap_or_default();
        let mut left = bytes;
        while left > 0 {
            stream.write(piece);
            let now = piece.get(..left).unwrap_or(piece);
            take(now);
            left = left.saturating_sub(now.len());
        }
        piece.zeroize();
        true
    }
}

impl core::fmt::Debug for PairwisePads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PairwisePads").finish_non_exhaustive()
    }
}

/// No pads at all: what asks for one is told that there is no key.
impl Pads for () {
    fn pour(&self, _peer: Seat, _context: &PadContext, _bytes: usize, _take: &mut dyn FnMut(&[u8])) -> bool {
        false
    }
}

/// Pads of zeros: the masked value is the value. Exists to show that leak scans can fail.
#[cfg(any(test, feature = "ideal"))]
#[derive(Debug)]
pub struct ZeroPads;

#[cfg(any(test, feature = "ideal"))]
impl Pads for ZeroPads {
    fn pour(&self, _peer: Seat, _context: &PadContext, bytes: usize, take: &mut dyn FnMut(&[u8])) -> bool {
        take(&vec![0; bytes]);
        true
    }
}

/// Masks a vector: y = m + sum_{j>i} p_ij - sum_{j<i} p_ij, least significant byte first.
///
/// `None` if a key with one of the peers is missing.
///
/// # Security
/// One context for one vector. Masked vectors of all seats together reveal exactly their sum.
///
/// # Cost
/// `peers * values * W::BYTES` bytes of ChaCha12 and as many additions.
#[must_use]
pub fn mask<W: Word>(values: &[i128], me: Seat, peers: &[Seat], pads: &dyn Pads, context: &Hash) -> Option<Vec<u8>> {
    let mut sum: Vec<W> = values.iter().map(|value| W::from_signed(*value)).collect();
    let bytes = values.len().checked_mul(W::BYTES)?;
    let context = PadContext::new(context);
    for peer in peers.iter().filter(|peer| **peer != me) {
        let combine = if me < *peer { W::add_all } else { W::sub_all };
        let mut rest = sum.as_mut_slice();
        let mut take = |piece: &[u8]| {
            let (now, later) =
                core::mem::take(&mut rest).split_at_mut_checked(piece.len() / W::BYTES).unwrap_or_default();
            combine(now, piece);
            rest = later;
        };
        if !pads.pour(*peer, &context, bytes, &mut take) {
            return None;
        }
    }
    let mut out = Vec::with_capacity(bytes);
    sum.into_iter().for_each(|word| word.write(&mut out));
    Some(out)
}

/// Adds a masked vector to a running total. `false`, and no change, if the lengths differ.
pub fn add<W: Word>(total: &mut [W], masked: &[u8]) -> bool {
    if Some(masked.len()) != total.len().checked_mul(W::BYTES) {
        return false;
    }
    W::add_all(total, masked);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive;
    use proptest::prelude::*;

    fn pads(me: u16, n: u16) -> PairwisePads {
        let key = |peer: u16| {
            let pair = [me.min(peer) as u8, me.max(peer) as u8];
            (Seat(peer), derive(&pair, "test/v1", &[]))
        };
        PairwisePads::new((0..n).filter(|peer| *peer != me).map(key).collect())
    }

    fn masked<W: Word>(inputs: &[Vec<i128>], context: &Hash) -> Vec<Vec<u8>> {
        let n = inputs.len() as u16;
        let seats: Vec<_> = (0..n).map(Seat).collect();
        (0..n).map(|i| mask::<W>(&inputs[usize::from(i)], Seat(i), &seats, &pads(i, n), context).unwrap()).collect()
    }

    fn sum<W: Word>(masked: &[Vec<u8>], length: usize) -> Vec<i128> {
        let mut total = vec![W::default(); length];
        assert!(masked.iter().all(|one| add(&mut total, one)));
        total.into_iter().map(W::to_signed).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn pads_cancel(inputs in prop::collection::vec(prop::collection::vec(-(1_i128 << 40)..(1_i128 << 40), 3), 2..9)) {
            let plain: Vec<i128> = (0..3).map(|k| inputs.iter().map(|input| input[k]).sum()).collect();
            prop_assert_eq!(sum::<u64>(&masked::<u64>(&inputs, &[1; 32]), 3), plain.clone());
            prop_assert_eq!(sum::<u128>(&masked::<u128>(&inputs, &[1; 32]), 3), plain);
        }
    }

    #[test]
    fn contexts_give_fresh_masks_and_a_part_is_not_the_sum() {
        let inputs = vec![vec![1], vec![2], vec![3]];
        let (one, two) = (masked::<u64>(&inputs, &[1; 32]), masked::<u64>(&inputs, &[2; 32]));
        assert!(one.iter().zip(&two).all(|(a, b)| a != b));
        assert_ne!(sum::<u64>(&one[..2], 1), vec![3]);
    }

    #[test]
    fn without_pads_the_value_is_in_the_open() {
        let seats = [Seat(0), Seat(1)];
        let open = mask::<u64>(&[123_456], Seat(0), &seats, &ZeroPads, &[0; 32]).unwrap();
        assert_eq!(open, 123_456_u64.to_le_bytes());
    }

    #[test]
    fn missing_keys_and_wrong_lengths_are_refused() {
        assert_eq!(mask::<u64>(&[1], Seat(0), &[Seat(0), Seat(9)], &pads(0, 3), &[0; 32]), None);
        assert!(!add::<u64>(&mut [0], &[0; 7]));
        assert!(!add::<u64>(&mut [0], &[0; 16]));
    }
}
