//! What a contributing seat says, and what a computer finds in it.

use super::{Scheme, Terms};
use crate::envelope::envelope_key;
use crate::service::Party;
use undertone_machine::{Fault, FaultCode, Phase, Seat, Secret};
use undertone_math::{Field127, Ring};
use undertone_prim::shares::{cut_additive, cut_shamir};
use undertone_prim::{Hash, OVERHEAD_BYTES, Pads, Transcript, derive, open as unseal, seal};

/// A deal that was read.
pub(super) struct Held {
    /// Hash of all of it.
    pub(super) hash: Hash,
    /// The share in this computer's envelope, if there is one that opens.
    pub(super) share: Option<Secret<Vec<u8>>>,
}

/// Shares, one after the other.
pub(super) type Shares<'a> = dyn Iterator<Item = Option<&'a Secret<Vec<u8>>>> + 'a;

/// Cuts this seat's values and seals each computer's share for it; `None` if it gives nothing, or gave
/// it before a reload.
pub(super) fn deal(party: &Party, terms: &Terms, computers: &[Seat]) -> Result<Option<Vec<u8>>, Fault> {
    let Some(input) = party.input.as_ref().filter(|_| party.contributes()) else { return Ok(None) };
    let values = input.values.expose();
    if values.len() != terms.length {
        return Err(Fault::new(FaultCode::BadInput).in_field("value"));
    }
    // The same seed cuts the same way after a reload, and never two questions alike.
    let seed = derive(party.seed.expose(), "share-seed/v1", &[&party.context]);
    let shares = match terms.scheme {
        Scheme::Additive(Ring::Z64) => cut_additive::<u64>(values, terms.computers, &seed),
        Scheme::Additive(Ring::Z128) => cut_additive::<u128>(values, terms.computers, &seed),
        Scheme::Shamir(threshold) => cut_shamir(values, threshold, terms.computers, &seed),
    };
    let mut payload = Vec::with_capacity(terms.deal_bytes());
    for (computer, share) in computers.iter().zip(&shares) {
        let bound = envelope(&party.context, party.me, *computer);
        let key = envelope_key(party.pads.as_ref(), *computer, &bound);
        let key = key.ok_or_else(|| Fault::new(FaultCode::Internal).at(Phase::Round))?;
        payload.extend_from_slice(&seal(&key, &bound, share.expose()));
    }
    Ok(Some(payload))
}

/// What an envelope is bound to: the people and the question, which are in the context, the round, the
/// dealer and the computer.
fn envelope(context: &Hash, dealer: Seat, computer: Seat) -> Hash {
    let start = Transcript::new("share-envelope/v1").field(context).number(0);
    start.number(dealer.0.into()).number(computer.0.into()).hash()
}

/// The hash of a deal.
pub(super) fn hash(context: &Hash, dealer: Seat, payload: &[u8]) -> Hash {
    Transcript::new("share-deal/v1").field(context).number(dealer.0.into()).field(payload).hash()
}

/// The share in one computer's envelope; `None` if it does not open, or holds something else.
pub(super) fn open(
    pads: &dyn Pads,
    context: &Hash,
    terms: &Terms,
    dealer: Seat,
    computer: Seat,
    payload: &[u8],
    place: usize,
) -> Option<Secret<Vec<u8>>> {
    let bytes = terms.share_bytes().saturating_add(OVERHEAD_BYTES);
    let sealed = payload.chunks_exact(bytes).nth(place)?;
    let bound = envelope(context, dealer, computer);
    let share = Secret::new(unseal(&envelope_key(pads, dealer, &bound)?, &bound, sealed)?);
    let residues = match terms.scheme {
        Scheme::Additive(_) => true,
        Scheme::Shamir(_) => super::elements(share.expose()).is_some(),
    };
    (share.expose().len() == terms.share_bytes() && residues).then_some(share)
}

/// The sum of elements, share by share, without the masks of the check; `None` if one is missing.
pub(super) fn add_elements(shares: &mut Shares<'_>, length: usize) -> Option<Vec<u8>> {
    let mut sums = vec![Field127::default(); length];
    for share in shares {
        let elements = share?.expose().as_chunks().0.iter();
        let elements = elements.map(|bytes| Field127::new(u128::from_le_bytes(*bytes)));
        sums.iter_mut().zip(elements).for_each(|(sum, element)| *sum = sum.add(element));
    }
    Some(sums.into_iter().flat_map(Field127::to_bytes).collect())
}
