//! What is on the table before anything is opened, and when it is agreed on.

use super::deal::Held;
use super::messages::{Check, Sign};
use super::{Scheme, Terms};
use undertone_machine::{Fault, FaultCode, Phase, Seat};
use undertone_prim::shares::{Checked, challenge, check_share, keep};
use undertone_prim::{Hash, Transcript};

/// Everything said so far but shares of sums.
pub(super) struct Table {
    pub(super) terms: Terms,
    pub(super) context: Hash,
    pub(super) contributors: Vec<Seat>,
    pub(super) computers: Vec<Seat>,
    /// Contributor by contributor.
    pub(super) deals: Vec<Option<Held>>,
    /// Computer by computer.
    checks: Vec<Option<Check>>,
    /// Checks that were compared with the deals.
    compared: u16,
    /// Computers with what they signed, in the order in which it came.
    signs: Vec<(usize, Sign)>,
    /// The last set that was worked out, since doing so takes a while in a large room.
    worked_out: Option<(u16, Agreed)>,
}

/// A set that is added.
#[derive(Clone)]
pub(super) struct Agreed {
    /// Computers whose checks count and who are not left aside, as bits: they open it.
    adding: u16,
    /// Contributor by contributor.
    pub(super) kept: Vec<bool>,
    set: Hash,
}

impl Agreed {
    /// Whether a computer's share of the sum counts.
    pub(super) fn adds(&self, computer: usize) -> bool {
        has(self.adding, computer)
    }

    /// How many are added.
    pub(super) fn count(&self) -> usize {
        self.kept.iter().filter(|kept| **kept).count()
    }
}

fn has(set: u16, computer: usize) -> bool {
    bit(computer) & set != 0
}

fn bit(computer: usize) -> u16 {
    u32::try_from(computer).ok().and_then(|shift| 1_u16.checked_shl(shift)).unwrap_or_default()
}

impl Table {
    pub(super) fn new(terms: Terms, context: Hash, contributors: Vec<Seat>, computers: Vec<Seat>) -> Self {
        let deals = contributors.iter().map(|_| None).collect();
        let checks = computers.iter().map(|_| None).collect();
        let (signs, worked_out) = (Vec::new(), None);
        Self { terms, context, contributors, computers, deals, checks, compared: 0, signs, worked_out }
    }

    /// Whether everyone has dealt.
    pub(super) fn has_all_deals(&self) -> bool {
        self.deals.iter().all(Option::is_some)
    }

    /// Whether a computer's check is here.
    pub(super) fn has_checked(&self, computer: usize) -> bool {
        self.checks.get(computer).is_some_and(Option::is_some)
    }

    /// Whether a computer signed a set.
    pub(super) fn has_signed(&self, computer: usize) -> bool {
        self.signs.iter().any(|(other, _)| *other == computer)
    }

    /// Takes a computer's only check.
    pub(super) fn take_check(&mut self, computer: usize, check: Check) -> Option<()> {
        let slot = self.checks.get_mut(computer).filter(|slot| slot.is_none())?;
        *slot = Some(check);
        Some(())
    }

    /// Takes a computer's only signature, after its check.
    pub(super) fn take_sign(&mut self, computer: usize, sign: Sign) -> Option<()> {
        if !self.has_checked(computer) || self.has_signed(computer) {
            return None;
        }
        self.signs.push((computer, sign));
        Some(())
    }

    /// What this computer says of the deals that it holds.
    pub(super) fn own_check(&self) -> Vec<u8> {
        let share = |deal: &Option<Held>| deal.as_ref().is_some_and(|deal| deal.share.is_some());
        let held: Vec<_> = self.deals.iter().map(share).collect();
        let view = self.view(&held).unwrap_or_default();
        let checked = match self.terms.scheme {
            Scheme::Additive(_) => &[][..],
            Scheme::Shamir(_) => &self.deals,
        };
        let values = checked
            .iter()
            .flatten()
            .filter_map(|deal| deal.share.as_ref().map(|share| check_share(share.expose(), challenge(&deal.hash))));
        Check::write(&held, &view, values)
    }

    /// Hash over deals; `None` if one of them is not here yet.
    fn view(&self, held: &[bool]) -> Option<Hash> {
        let start = Transcript::new("share-view/v1").field(&self.context);
        let mut held = self.contributors.iter().zip(&self.deals).zip(held).filter(|(_, held)| **held);
        let view = held
            .try_fold(start, |view, ((seat, deal), _)| Some(view.number(seat.0.into()).field(&deal.as_ref()?.hash)));
        view.map(Transcript::hash)
    }

    /// Compares what others say they hold and signed with what is here.
    ///
    /// # Errors
    /// [`FaultCode::SplitView`]: somebody lies, or was shown something else. Nobody is named, since a
    /// seat alone cannot tell which.
    pub(super) fn compare(&mut self) -> Result<(), Fault> {
        let split = || Fault::new(FaultCode::SplitView).at(Phase::Round).saying(SPLIT);
        for (computer, check) in self.checks.iter().enumerate() {
            let Some(check) = check.as_ref().filter(|_| !has(self.compared, computer)) else { continue };
            match self.view(&check.held) {
                Some(view) if view == check.view => self.compared |= bit(computer),
                Some(_) => return Err(split()),
                None => {}
            }
        }
        for at in 0..self.signs.len() {
            let Some((_, sign)) = self.signs.get(at).copied() else { continue };
            if self.work_out(sign.of).is_some_and(|agreed| agreed.set != sign.set) {
                return Err(split());
            }
        }
        Ok(())
    }

    /// What is added if these checks count; `None` while one of them, or a deal, is not here yet.
    fn work_out(&mut self, of: u16) -> Option<Agreed> {
        if let Some((_, agreed)) = self.worked_out.as_ref().filter(|(other, _)| *other == of) {
            return Some(agreed.clone());
        }
        if self.compared & of != of {
            return None;
        }
        let said: Vec<_> =
            self.checks.iter().map(|check| check.as_ref().map_or_else(Vec::new, |it| it.values.clone())).collect();
        let Checked { kept, aside } = match self.terms.scheme {
            Scheme::Additive(_) => self.held_by_all(),
            Scheme::Shamir(threshold) => keep(&said, of, self.contributors.len(), threshold),
        };
        let agreed = Agreed { adding: of & !aside, set: self.set(of, aside, &kept), kept };
        self.worked_out = Some((of, agreed.clone()));
        Some(agreed)
    }

    /// Without a spare computer, a deal counts if all hold it.
    fn held_by_all(&self) -> Checked {
        let holds = |check: &Option<Check>, at: usize| {
            check.as_ref().is_some_and(|check| check.held.get(at).copied().unwrap_or_default())
        };
        let kept = (0..self.contributors.len()).map(|at| self.checks.iter().all(|check| holds(check, at)));
        Checked { kept: kept.collect(), aside: 0 }
    }

    /// Hash over the checks that count and what follows from them.
    fn set(&self, of: u16, aside: u16, kept: &[bool]) -> Hash {
        let start = Transcript::new("share-set/v1").field(&self.context).number(of.into()).number(aside.into());
        let counted = self.checks.iter().enumerate().filter(|(computer, _)| has(of, *computer));
        let checks = counted.filter_map(|(_, check)| check.as_ref());
        let set = checks.fold(start, |set, check| set.field(&check.hash));
        kept.iter().fold(set, |set, kept| set.number((*kept).into())).hash()
    }

    /// What this computer signs: what another proposed, or its own proposal if it is its turn.
    pub(super) fn own_sign(&mut self, computer: usize, late: usize) -> Option<Vec<u8>> {
        let of = match self.signs.first() {
            Some((_, sign)) => sign.of,
            None => self.proposal(computer, late)?,
        };
        self.work_out(of).map(|agreed| Sign { of, set: agreed.set }.write())
    }

    /// The checks that this computer proposes to count. The first computer proposes when all are there;
    /// each later one waits for one sign more that the time is over, and so do all for missing checks.
    fn proposal(&self, computer: usize, late: usize) -> Option<u16> {
        let waited = if self.checks.iter().all(Option::is_some) { late } else { late.checked_sub(2)? };
        let enough = self.compared.count_ones() as usize >= self.terms.quorum();
        (enough && (computer == 0 || waited > computer)).then_some(self.compared)
    }

    /// The set that a quorum signed.
    pub(super) fn agreed(&mut self) -> Option<Agreed> {
        let (_, sign) = self
            .signs
            .iter()
            .find(|(_, sign)| self.signs.iter().filter(|(_, other)| other == sign).count() >= self.terms.quorum())?;
        self.work_out(sign.of)
    }
}

/// The words of a split view once values are out.
const SPLIT: &str = "The seats that add up do not see the same values. Nothing was opened.";
