//! Shares of seeds, as they come.

use super::deal::SEED_BYTES;
use undertone_math::Field127;
use undertone_prim::Hash;
use undertone_prim::shares::Joiner;

/// In place of a share that was never dealt, or does not open: no element is written like this.
pub(super) const NOT_HELD: [u8; SEED_BYTES] = [0xff; SEED_BYTES];

/// Bytes of one opening.
pub(super) const fn bytes(holders: usize) -> usize {
    holders.saturating_mul(SEED_BYTES).saturating_add(32)
}

/// What came of one seat's opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Read {
    /// It is not here, or was not looked at.
    #[default]
    No,
    /// Its shares are those that were dealt.
    Used,
    /// Some are not: whoever said so said what nobody dealt.
    Wrong,
    /// It is for another set.
    Another,
}

/// All openings, holder by holder.
#[derive(Default)]
pub(super) struct Openings {
    heard: Vec<Option<Vec<u8>>>,
    read: Vec<Read>,
    /// Dealer by dealer, whose shares are here, in the order of their places.
    shares: Vec<Vec<(usize, Field127)>>,
}

impl Openings {
    pub(super) fn new(people: usize) -> Self {
        Self { heard: vec![None; people], read: vec![Read::No; people], shares: vec![Vec::new(); people] }
    }

    /// Where a seat's opening goes.
    pub(super) fn slot(&mut self, holder: usize) -> Option<&mut Option<Vec<u8>>> {
        self.heard.get_mut(holder)
    }

    /// Reads what is new. `dealer` says whose share is at a place of a holder's opening, if it is what was
    /// dealt.
    pub(super) fn read(&mut self, set: &Hash, dealer: impl Fn(usize, &[u8], usize) -> Option<usize>) {
        for (holder, (heard, read)) in self.heard.iter().zip(&mut self.read).enumerate() {
            let (Some(heard), Read::No) = (heard, *read) else { continue };
            let Some((said, shares)) = heard.split_first_chunk() else { continue };
            if said != set {
                *read = Read::Another;
                continue;
            }
            *read = Read::Used;
            for (at, share) in shares.as_chunks().0.iter().enumerate().filter(|(_, share)| **share != NOT_HELD) {
                let share = Field127::from_bytes(*share).zip(dealer(holder, share, at));
                let Some((share, dealer)) = share else {
                    *read = Read::Wrong;
                    continue;
                };
                if let Some(all) = self.shares.get_mut(dealer) {
                    let place = all.partition_point(|(other, _)| *other < holder);
                    all.insert(place, (holder, share));
                }
            }
        }
    }

    /// One seed of each seat, if so many shares of each are here.
    pub(super) fn seeds(&self, threshold: usize) -> Option<Vec<Field127>> {
        if self.shares.iter().any(|shares| shares.len() < threshold) {
            return None;
        }
        let mut joiner = Joiner::new(Vec::new());
        let seed = |shares: &Vec<(usize, Field127)>| {
            let used = || shares.iter().take(threshold);
            if !used().map(|(holder, _)| holder).eq(joiner.holders()) {
                joiner = Joiner::new(used().map(|(holder, _)| *holder).collect());
            }
            joiner.join(used().map(|(_, share)| *share))
        };
        Some(self.shares.iter().map(seed).collect())
    }

    /// Whether a seat's opening is here and fits.
    pub(super) fn is_used(&self, holder: usize) -> bool {
        self.read.get(holder) == Some(&Read::Used)
    }

    /// Whether a seat said a share that nobody dealt to it.
    pub(super) fn is_wrong(&self, holder: usize) -> bool {
        self.read.get(holder) == Some(&Read::Wrong)
    }

    /// Whether a seat opened another set.
    pub(super) fn is_of_another(&self, holder: usize) -> bool {
        self.read.get(holder) == Some(&Read::Another)
    }
}
