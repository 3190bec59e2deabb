//! Pairwise masks: what each seat adds so that its value is noise and the sum is not.
//!
//! Seats i < j share a pad p_ij; i adds it, j subtracts it. Summed over all seats every pad cancels:
//! sum_i (m_i + sum_{j>i} p_ij - sum_{j<i} p_ji) = sum_i m_i in Z_2^k.

use crate::{Hash, derive};
use chacha20::ChaCha12;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use undertone_machine::{Seat, Secret};
use undertone_math::Word;
use zeroize::Zeroize;

/// Where the pads of a pair come from.
///
/// Two implementations: [`PairwisePads`], and the ideal twin `ZeroPads` (feature `ideal`) that lets
/// tests show what a scan for leaks would find without masks.
pub trait Pads: Send + Sync {
    /// XORs the pad shared with `peer` for one context into `out`, which starts as zeros.
    ///
    /// The context is a hash over roster, plan, round and purpose: one pad is never used twice.
    /// `false` if there is no key with this peer.
    fn fill(&self, peer: Seat, context: &Hash, out: &mut [u8]) -> bool;
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
}

impl Pads for PairwisePads {
    fn fill(&self, peer: Seat, context: &Hash, out: &mut [u8]) -> bool {
        let Some((_, key)) = self.keys.iter().find(|(seat, _)| *seat == peer) else { return false };
        let stream_key = derive(key.expose(), "pad/v1", &[context]);
        // The key is fresh for this context, so a constant nonce is used once.
        ChaCha12::new(stream_key.expose().into(), &[0; 12].into()).apply_keystream(out);
        true
    }
}

impl core::fmt::Debug for PairwisePads {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PairwisePads").finish_non_exhaustive()
    }
}

/// Pads of zeros: the masked value is the value. Exists to show that leak scans can fail.
#[cfg(any(test, feature = "ideal"))]
#[derive(Debug)]
pub struct ZeroPads;

#[cfg(any(test, feature = "ideal"))]
impl Pads for ZeroPads {
    fn fill(&self, _peer: Seat, _context: &Hash, _out: &mut [u8]) -> bool {
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
    let mut pad = vec![0; values.len().checked_mul(W::BYTES)?];
    for peer in peers.iter().filter(|peer| **peer != me) {
        pad.fill(0);
        if !pads.fill(*peer, context, &mut pad) {
            return None;
        }
        for (total, word) in sum.iter_mut().zip(pad.chunks_exact(W::BYTES)) {
            let word = W::read(word);
            *total = if me < *peer { total.add(word) } else { total.sub(word) };
        }
    }
    pad.zeroize();
    let mut out = Vec::with_capacity(pad.len());
    sum.into_iter().for_each(|word| word.write(&mut out));
    Some(out)
}

/// Adds a masked vector to a running total. `false`, and no change, if the lengths differ.
pub fn add<W: Word>(total: &mut [W], masked: &[u8]) -> bool {
    if Some(masked.len()) != total.len().checked_mul(W::BYTES) {
        return false;
    }
    total.iter_mut().zip(masked.chunks_exact(W::BYTES)).for_each(|(sum, word)| *sum = sum.add(W::read(word)));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
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
