//! The machine of the method `masks`: one masked vector from each contributing seat, and their sum.
//!
//! One round. Seat i appends y_i = m_i + sum_{j>i} p_ij - sum_{j<i} p_ij, and everyone adds what all
//! contributing seats appended; the pads cancel and sum_i m_i is left.

use crate::service::Party;
use undertone_machine::{Fault, FaultCode, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_math::{Ring, Word};
use undertone_prim::{Hash, Pads, Transcript, mask};

/// Turns the opened sums into figures, or says that no honest seats could have given them.
pub(crate) type Finish = Box<dyn Fn(&[i128], usize) -> Result<Outcome, Fault> + Send>;

/// Masked vectors, added up in Z_2^128, of which Z_2^64 is a quotient: reducing the sum is reducing each
/// term, and a module has one copy of this code.
pub(crate) struct Total {
    ring: Ring,
    words: Vec<u128>,
}

impl Total {
    /// Nothing, in so many elements.
    pub(crate) fn new(ring: Ring, length: usize) -> Self {
        Self { ring, words: vec![0; length] }
    }

    /// Adds a masked vector; `false`, and no change, if it has another length.
    pub(crate) fn add(&mut self, masked: &[u8]) -> bool {
        let bytes = self.ring.bytes();
        if Some(masked.len()) != self.words.len().checked_mul(bytes) {
            return false;
        }
        self.words.iter_mut().zip(masked.chunks_exact(bytes)).for_each(|(sum, word)| *sum = sum.add(u128::read(word)));
        true
    }

    /// What is left once all pads are gone.
    pub(crate) fn sums(&self) -> Vec<i128> {
        let signed = |word: &u128| match self.ring {
            Ring::Z64 => (*word as u64).to_signed(),
            Ring::Z128 => word.to_signed(),
        };
        self.words.iter().map(signed).collect()
    }
}

/// [`mask`] in the ring of a plan.
pub(crate) fn mask_in(
    ring: Ring,
    values: &[i128],
    me: Seat,
    peers: &[Seat],
    pads: &dyn Pads,
    context: &Hash,
) -> Option<Vec<u8>> {
    match ring {
        Ring::Z64 => mask::<u64>(values, me, peers, pads, context),
        Ring::Z128 => mask::<u128>(values, me, peers, pads, context),
    }
}

/// One party's side of a masked sum.
struct MaskedSum {
    to_send: Option<Vec<u8>>,
    awaited: Vec<Seat>,
    contributors: usize,
    total: Total,
    finish: Finish,
}

/// Makes the machine for a vector of `length` elements in a ring.
pub(crate) fn machine(party: Party, ring: Ring, length: usize, finish: Finish) -> Result<Box<dyn Machine>, Fault> {
    let awaited = party.contributors();
    let to_send = masked_input(&party, &awaited, ring, length)?;
    let total = Total::new(ring, length);
    Ok(Box::new(MaskedSum { to_send, contributors: awaited.len(), awaited, total, finish }))
}

/// What this seat appends; `None` if it gives nothing, or gave it before a reload.
fn masked_input(party: &Party, contributors: &[Seat], ring: Ring, length: usize) -> Result<Option<Vec<u8>>, Fault> {
    let Some(input) = party.input.as_ref().filter(|_| party.contributes()) else { return Ok(None) };
    let values = input.values.expose();
    if values.len() != length {
        return Err(Fault::new(FaultCode::BadInput).in_field("value"));
    }
    // One stream for round 0 of this roster and plan; a second round would number its context 1.
    let context = Transcript::new("masked-round/v1").field(&party.context).number(0).hash();
    let masked = mask_in(ring, values, party.me, contributors, party.pads.as_ref(), &context);
    masked.map(Some).ok_or_else(|| Fault::new(FaultCode::Internal).at(Phase::Round))
}

impl Machine for MaskedSum {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let malformed = |seat| Fault::new(FaultCode::Malformed).at(Phase::Round).blaming(seat);
        let (from, payload) = match mail {
            Mail::Entry { from, round: 0, kind: RoundKind::Masked, payload } => (from, payload),
            Mail::Entry { from, .. } | Mail::Chunk { from, .. } => return Err(malformed(from)),
        };
        let Some(index) = self.awaited.iter().position(|seat| *seat == from) else { return Err(malformed(from)) };
        if !self.total.add(payload) {
            return Err(malformed(from));
        }
        self.awaited.swap_remove(index);
        Ok(())
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        if let Some(payload) = self.to_send.take() {
            return Ok(Step::Append { round: 0, kind: RoundKind::Masked, payload });
        }
        if !self.awaited.is_empty() {
            return Ok(Step::Wait);
        }
        (self.finish)(&self.total.sums(), self.contributors).map(Step::Done)
    }
}
