//! The machine of the method `masks`: one masked vector from each contributing seat, and their sum.
//!
//! One round. Seat i appends y_i = m_i + sum_{j>i} p_ij - sum_{j<i} p_ij, and everyone adds what all
//! contributing seats appended; the pads cancel and sum_i m_i is left.

use crate::service::Party;
use undertone_machine::{Fault, FaultCode, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_math::{Ring, Word};
use undertone_prim::{Transcript, add, mask};

/// Turns the opened sums into figures, or says that no honest seats could have given them.
pub(crate) type Finish = Box<dyn Fn(&[i128], usize) -> Result<Outcome, Fault> + Send>;

/// One party's side of a masked sum.
struct MaskedSum<W> {
    to_send: Option<Vec<u8>>,
    awaited: Vec<Seat>,
    contributors: usize,
    total: Vec<W>,
    finish: Finish,
}

/// Makes the machine for a vector of `length` elements in a ring.
pub(crate) fn machine(party: Party, ring: Ring, length: usize, finish: Finish) -> Result<Box<dyn Machine>, Fault> {
    match ring {
        Ring::Z64 => MaskedSum::<u64>::start(party, length, finish),
        Ring::Z128 => MaskedSum::<u128>::start(party, length, finish),
    }
}

impl<W: Word + Send + 'static> MaskedSum<W> {
    fn start(party: Party, length: usize, finish: Finish) -> Result<Box<dyn Machine>, Fault> {
        let awaited = party.contributors();
        let to_send = masked_input::<W>(&party, &awaited, length)?;
        let machine = Self { to_send, contributors: awaited.len(), awaited, total: vec![W::default(); length], finish };
        Ok(Box::new(machine))
    }
}

/// What this seat appends; `None` if it gives nothing, or gave it before a reload.
fn masked_input<W: Word>(party: &Party, contributors: &[Seat], length: usize) -> Result<Option<Vec<u8>>, Fault> {
    let Some(input) = party.input.as_ref().filter(|_| party.contributes()) else { return Ok(None) };
    let values = input.values.expose();
    if values.len() != length {
        return Err(Fault::new(FaultCode::BadInput).in_field("value"));
    }
    // One stream for round 0 of this roster and plan; a second round would number its context 1.
    let context = Transcript::new("masked-round/v1").field(&party.context).number(0).hash();
    let masked = mask::<W>(values, party.me, contributors, party.pads.as_ref(), &context);
    masked.map(Some).ok_or_else(|| Fault::new(FaultCode::Internal).at(Phase::Round))
}

impl<W: Word + Send> Machine for MaskedSum<W> {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let malformed = |seat| Fault::new(FaultCode::Malformed).at(Phase::Round).blaming(seat);
        let (from, payload) = match mail {
            Mail::Entry { from, round: 0, kind: RoundKind::Masked, payload } => (from, payload),
            Mail::Entry { from, .. } | Mail::Chunk { from, .. } => return Err(malformed(from)),
        };
        let Some(index) = self.awaited.iter().position(|seat| *seat == from) else { return Err(malformed(from)) };
        if !add(&mut self.total, payload) {
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
        let sums: Vec<i128> = self.total.iter().map(|word| word.to_signed()).collect();
        (self.finish)(&sums, self.contributors).map(Step::Done)
    }
}
