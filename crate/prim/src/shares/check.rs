//! Whether what somebody dealt are values of polynomials of few coefficients, before it is added.
//!
//! Each seat that adds up says one random linear combination of the elements of each share that it
//! holds. Combinations of values of polynomials are values of the combined polynomial, so whoever
//! sees them all sees whether they fit; one more element, which is random, hides what they are.
//! The combination is chosen by a hash over all that was dealt: nobody can deal to suit it.

use super::points::{Points, is_in, subsets};
use crate::{Hash, Transcript};
use undertone_math::Field127;

/// The combination for what was dealt, given its hash.
#[must_use]
pub fn challenge(dealt: &Hash) -> Field127 {
    let hash = Transcript::new("share-challenge/v1").field(dealt).hash();
    let (low, _) = hash.split_first_chunk().unwrap_or((&[0; 16], &[]));
    Field127::new(u128::from_le_bytes(*low))
}

/// What a seat says of the share that it holds: r s_1 + r^2 s_2 + ... + r^L s_L + s_{L+1}.
///
/// # Security
/// The last element is random and used nowhere else, so one combination for each deal says nothing of
/// the others; two of one deal would.
#[must_use]
pub fn check_share(share: &[u8], challenge: Field127) -> Field127 {
    let elements = share.as_chunks().0.iter().map(|bytes| Field127::new(u128::from_le_bytes(*bytes)));
    let Some((mask, values)) = elements.rev().fold(None, |sum: Option<(Field127, Field127)>, element| {
        Some(match sum {
            None => (element, Field127::default()),
            Some((mask, sum)) => (mask, sum.add(element).mul(challenge)),
        })
    }) else {
        return Field127::default();
    };
    mask.add(values)
}

/// Whose shares are good, and which seats' ones are left aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// For each deal whether its shares fit at all seats that are not left aside.
    pub kept: Vec<bool>,
    /// Seats left aside, as bits: some of their shares do not fit, be it their doing or a dealer's.
    pub aside: u16,
}

/// Decides from what the seats `of` said, seat by seat and deal by deal; `None` where a seat has no
/// share.
///
/// Of the sets of seats that can be left aside, the one that keeps most deals is; the smallest among
/// those. So a lying seat drops no honest deal as long as there are more of those than there are bad
/// ones, and as few liars as leave `threshold` more honest seats than liars.
#[must_use]
pub fn keep(said: &[Vec<Option<Field127>>], of: u16, deals: usize, threshold: usize) -> Checked {
    let seats = (0..said.len()).filter(|seat| is_in(of, *seat)).count();
    let most = seats.saturating_sub(threshold) / 2;
    let mut best = Checked { kept: vec![false; deals], aside: 0 };
    let mut count = 0;
    for aside in subsets(said.len(), most).filter(|aside| aside & of == *aside) {
        let among = (0..said.len()).filter(|seat| is_in(of & !aside, *seat));
        let Some(points) = Points::new(among, threshold) else { continue };
        let value = |seat: usize, deal: usize| said.get(seat).and_then(|all| all.get(deal).copied().flatten());
        let kept: Vec<_> = (0..deals).map(|deal| points.fit(|seat| value(seat, deal))).collect();
        let fits = kept.iter().filter(|kept| **kept).count();
        if fits > count {
            (count, best) = (fits, Checked { kept, aside });
        }
        if count == deals {
            break;
        }
    }
    best
}
