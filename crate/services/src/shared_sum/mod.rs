//! The machine of the method `shares`: each contributing seat cuts its values into shares for a few
//! seats that add up, and can go.
//!
//! Rounds. 0: a contributing seat *deals*: one envelope for each computer. 1: once all have, or
//! the time is over, each computer *checks*: which deals it holds, and of each one combination that
//! says whether its shares fit those of the others. 2: computers *sign* one set: whose checks count,
//! and, as follows from these, whose deals are added. The first computer proposes it; if it is
//! silent, the next. 3: once a quorum signed the same set, each computer says its share of the *sum*,
//! and anyone puts the sum together.

mod agree;
mod deal;
mod messages;

use crate::service::Party;
use agree::{Agreed, Table};
use deal::Held;
use messages::{Check, Sign};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, LeftOut, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_math::{Field127, Ring, Word};
use undertone_prim::shares::{join_additive, recombine, share_elements};
use undertone_prim::{OVERHEAD_BYTES, Pads};

/// Turns the opened sums of so many seats into figures, or says that no honest seats could have given
/// them.
pub(crate) type Finish = Box<dyn Fn(&[i128], usize) -> Result<Outcome, Fault> + Send>;

/// How values are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// All computers are needed.
    Additive(Ring),
    /// So many are.
    Shamir(usize),
}

/// What everyone agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    pub(crate) scheme: Scheme,
    pub(crate) computers: usize,
    /// Values of each seat.
    pub(crate) length: usize,
}

impl Terms {
    /// Computers whose shares give the sum; fewer learn nothing.
    pub(crate) const fn threshold(&self) -> usize {
        match self.scheme {
            Scheme::Additive(_) => self.computers,
            Scheme::Shamir(threshold) => threshold,
        }
    }

    /// Computers that have to sign one set. Any two quorums share more computers than may be in league,
    /// so at least one that signs once, and no two sets are ever opened.
    pub(crate) const fn quorum(&self) -> usize {
        self.computers.saturating_add(self.threshold()).saturating_sub(1) / 2 + 1
    }

    /// Bytes of one computer's share of what one seat gives.
    pub(crate) const fn share_bytes(&self) -> usize {
        match self.scheme {
            Scheme::Additive(ring) => self.length.saturating_mul(ring.bytes()),
            Scheme::Shamir(_) => share_elements(self.length).saturating_mul(Field127::BYTES),
        }
    }

    /// Bytes of what a contributing seat says: an envelope for each computer.
    pub(crate) const fn deal_bytes(&self) -> usize {
        self.computers.saturating_mul(self.share_bytes().saturating_add(OVERHEAD_BYTES))
    }

    /// Bytes of one computer's share of the sum: that of the values only.
    pub(crate) const fn sum_bytes(&self) -> usize {
        let element = match self.scheme {
            Scheme::Additive(ring) => ring.bytes(),
            Scheme::Shamir(_) => Field127::BYTES,
        };
        self.length.saturating_mul(element)
    }

    /// Bytes of all that one computer says, if everyone dealt.
    pub(crate) const fn compute_bytes(&self, contributors: usize) -> usize {
        let values = match self.scheme {
            Scheme::Additive(_) => 0,
            Scheme::Shamir(_) => contributors.saturating_mul(Field127::BYTES),
        };
        Check::bytes(contributors).saturating_add(values).saturating_add(Sign::BYTES).saturating_add(self.sum_bytes())
    }
}

/// How often the computers are told that the time is over, beyond their number, before all give up: to
/// propose without those who are missing, to sign, and to put together what there is.
const PATIENCE: usize = 4;

/// One party's side of a sum of shares.
struct SharedSum {
    terms: Terms,
    table: Table,
    pads: Arc<dyn Pads>,
    me: Seat,
    /// This seat's place among the computers, if it is one.
    computer: Option<usize>,
    to_deal: Option<Vec<u8>>,
    /// Which of its rounds this computer has offered to say.
    offered: u32,
    /// Shares of the sum, computer by computer.
    sums: Vec<Option<Vec<u8>>>,
    agreed: Option<Agreed>,
    /// How often the time was over, when the set was agreed on and by now.
    agreed_at: usize,
    late: usize,
    wrong: u16,
    finish: Finish,
}

/// Makes the machine.
///
/// # Errors
/// [`FaultCode::BadInput`] if the input has another length, [`FaultCode::BadPlan`] if the room has
/// another number of computers.
pub(crate) fn machine(party: &Party, terms: Terms, finish: Finish) -> Result<Box<dyn Machine>, Fault> {
    let computers = party.computers();
    if computers.len() != terms.computers {
        return Err(Fault::new(FaultCode::BadPlan).in_field("computers"));
    }
    let table = Table::new(terms, party.context, party.contributors(), computers);
    Ok(Box::new(SharedSum {
        to_deal: deal::deal(party, &terms, &table.computers)?,
        pads: Arc::clone(&party.pads),
        me: party.me,
        computer: table.computers.iter().position(|seat| *seat == party.me),
        offered: 0,
        sums: vec![None; terms.computers],
        agreed: None,
        agreed_at: 0,
        late: 0,
        wrong: 0,
        terms,
        table,
        finish,
    }))
}

fn malformed(seat: Seat) -> Fault {
    Fault::new(FaultCode::Malformed).at(Phase::Round).blaming(seat)
}

impl SharedSum {
    fn take_deal(&mut self, from: Seat, payload: &[u8]) -> Option<()> {
        let place = self.table.contributors.iter().position(|seat| *seat == from)?;
        let slot = self.table.deals.get_mut(place).filter(|slot| slot.is_none())?;
        if payload.len() != self.terms.deal_bytes() {
            return None;
        }
        let hash = deal::hash(&self.table.context, from, payload);
        let open = |computer| {
            deal::open(self.pads.as_ref(), &self.table.context, &self.terms, from, self.me, payload, computer)
        };
        *slot = Some(Held { hash, share: self.computer.and_then(open) });
        Some(())
    }

    fn take_share(&mut self, from: Seat, round: u32, payload: &[u8]) -> Option<()> {
        let computer = self.table.computers.iter().position(|seat| *seat == from)?;
        match round {
            1 => self.table.take_check(computer, Check::read(&self.table, payload)?),
            2 => self.table.take_sign(computer, Sign::read(&self.terms, payload)?),
            3 => self.take_sum(computer, payload),
            _ => None,
        }
    }

    /// A share of the sum comes after the check, and once.
    fn take_sum(&mut self, computer: usize, payload: &[u8]) -> Option<()> {
        let canonical = match self.terms.scheme {
            Scheme::Additive(_) => true,
            Scheme::Shamir(_) => elements(payload).is_some(),
        };
        let slot = self.sums.get_mut(computer).filter(|slot| slot.is_none())?;
        if payload.len() != self.terms.sum_bytes() || !canonical || !self.table.has_checked(computer) {
            return None;
        }
        *slot = Some(payload.to_vec());
        Some(())
    }

    /// What this computer has to say next, if the others said enough.
    fn next_word(&mut self) -> Option<Step> {
        let computer = self.computer?;
        let (round, payload) = match self.offered {
            0 if self.late > 0 || self.table.has_all_deals() => (1, self.table.own_check()),
            1 if self.table.has_checked(computer) => (2, self.table.own_sign(computer, self.late)?),
            2 => (3, self.own_sum(computer)?),
            _ => return None,
        };
        self.offered = round;
        Some(Step::Append { round, kind: RoundKind::Share, payload })
    }

    /// The sum of the shares that this computer holds of those who were agreed on.
    fn own_sum(&self, computer: usize) -> Option<Vec<u8>> {
        let agreed = self.agreed.as_ref().filter(|agreed| agreed.adds(computer))?;
        let shares = self.table.deals.iter().zip(&agreed.kept).filter(|(_, kept)| **kept);
        let mut shares = shares.map(|(deal, _)| deal.as_ref().and_then(|deal| deal.share.as_ref()));
        match self.terms.scheme {
            Scheme::Additive(Ring::Z64) => add_words::<u64>(&mut shares, self.terms.length),
            Scheme::Additive(Ring::Z128) => add_words::<u128>(&mut shares, self.terms.length),
            Scheme::Shamir(_) => deal::add_elements(&mut shares, self.terms.length),
        }
    }

    /// Whether nobody's share of the sum is waited for any longer.
    fn is_complete(&self, agreed: &Agreed) -> bool {
        let there = |computer: &usize| self.sums.get(*computer).is_some_and(Option::is_some);
        let adding = || (0..self.terms.computers).filter(|computer| agreed.adds(*computer));
        let patience_is_over = self.late >= self.agreed_at.saturating_add(2);
        adding().all(|computer| there(&computer))
            || (patience_is_over && adding().filter(there).count() >= self.terms.threshold())
    }

    /// Puts the sum together.
    fn finish(&mut self) -> Result<Option<Outcome>, Fault> {
        let Some(agreed) = self.agreed.as_ref().filter(|agreed| self.is_complete(agreed)) else { return Ok(None) };
        let used = self.sums.iter().enumerate().map(|(computer, sum)| sum.as_deref().filter(|_| agreed.adds(computer)));
        let (sums, wrong) = match self.terms.scheme {
            Scheme::Additive(ring) => {
                let shares: Vec<_> = used.flatten().collect();
                let join = match ring {
                    Ring::Z64 => join_additive::<u64>,
                    Ring::Z128 => join_additive::<u128>,
                };
                (join(&shares, self.terms.length), 0)
            }
            Scheme::Shamir(threshold) => {
                let shares: Vec<_> = used.map(|sum| sum.and_then(elements)).collect();
                recombine(&shares, threshold).map_or((None, 0), |found| (Some(found.sums), found.wrong))
            }
        };
        let unfit = "The shares of the sum do not fit together, and they are too few to say whose is wrong.";
        let sums = sums.ok_or_else(|| Fault::new(FaultCode::SumOutOfRange).at(Phase::Round).saying(unfit))?;
        let outcome = (self.finish)(&sums, agreed.count())?;
        self.wrong = wrong;
        Ok(Some(outcome))
    }

    /// Computers that have not said what is waited for.
    fn silent(&self) -> Vec<Seat> {
        let silent = |computer: &usize| match &self.agreed {
            None => !self.table.has_signed(*computer),
            Some(agreed) => agreed.adds(*computer) && self.sums.get(*computer).is_none_or(Option::is_none),
        };
        let seats = (0..self.terms.computers).filter(silent);
        seats.filter_map(|computer| self.table.computers.get(computer).copied()).collect()
    }
}

impl Machine for SharedSum {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let (from, taken) = match mail {
            Mail::Entry { from, round: 0, kind: RoundKind::Masked, payload } => (from, self.take_deal(from, payload)),
            Mail::Entry { from, round, kind: RoundKind::Share, payload } => {
                (from, self.take_share(from, round, payload))
            }
            Mail::Entry { from, .. } | Mail::Chunk { from, .. } => (from, None),
        };
        taken.ok_or_else(|| malformed(from))?;
        self.table.compare()?;
        if self.agreed.is_none() {
            self.agreed = self.table.agreed();
            self.agreed_at = self.late;
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        if let Some(payload) = self.to_deal.take() {
            return Ok(Step::Append { round: 0, kind: RoundKind::Masked, payload });
        }
        if let Some(step) = self.next_word() {
            return Ok(step);
        }
        Ok(self.finish()?.map_or(Step::Wait, Step::Done))
    }

    fn overdue(&mut self) -> Result<bool, Fault> {
        self.late = self.late.saturating_add(1);
        if self.late > self.terms.computers.saturating_add(PATIENCE) {
            return Err(Fault::new(FaultCode::Missing).at(Phase::Round).blaming_all(self.silent()));
        }
        Ok(true)
    }

    fn included(&self) -> Option<Vec<Seat>> {
        let agreed = self.agreed.as_ref()?;
        let seats = self.table.contributors.iter().zip(&agreed.kept);
        Some(seats.filter(|(_, kept)| **kept).map(|(seat, _)| *seat).collect())
    }

    fn left_out(&self) -> LeftOut {
        let seats = |which: &dyn Fn(usize) -> bool| {
            let all = self.table.computers.iter().enumerate();
            all.filter(|(computer, _)| which(*computer)).map(|(_, seat)| *seat).collect()
        };
        let wrong = |computer: usize| u32::try_from(computer).is_ok_and(|bit| self.wrong >> bit & 1 == 1);
        let used = |computer: usize| {
            let adds = self.agreed.as_ref().is_some_and(|agreed| agreed.adds(computer));
            adds && self.sums.get(computer).is_some_and(Option::is_some)
        };
        LeftOut { wrong: seats(&wrong), missing: seats(&|computer| !used(computer)) }
    }
}

/// Elements, if all of them are smallest residues.
fn elements(bytes: &[u8]) -> Option<Vec<Field127>> {
    bytes.as_chunks().0.iter().map(|element| Field127::from_bytes(*element)).collect()
}

/// The sum of words, share by share; `None` if one is missing.
fn add_words<W: Word>(shares: &mut deal::Shares<'_>, length: usize) -> Option<Vec<u8>> {
    let mut sums = vec![W::default(); length];
    for share in shares {
        undertone_prim::add(&mut sums, share?.expose()).then_some(())?;
    }
    let mut out = Vec::new();
    sums.into_iter().for_each(|sum| sum.write(&mut out));
    Some(out)
}
