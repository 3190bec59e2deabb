//! Keys of what one seat seals for one other.

use undertone_machine::{Seat, Secret};
use undertone_prim::{Hash, PadContext, Pads};

/// The key of one envelope, which its two seats alone can make; `None` if there is no key with the other.
///
/// # Security
/// `bound` is for one envelope: it says whose it is, for whom, and in which round of which question.
pub(crate) fn envelope_key(pads: &dyn Pads, peer: Seat, bound: &Hash) -> Option<Secret<[u8; 32]>> {
    let mut key = Secret::new([0; 32]);
    let mut rest = key.expose_mut().as_mut_slice();
    let there = pads.pour(peer, &PadContext::new(bound), rest.len(), &mut |piece| {
        let (now, later) = core::mem::take(&mut rest).split_at_mut_checked(piece.len()).unwrap_or_default();
        now.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
        rest = later;
    });
    there.then_some(key)
}
