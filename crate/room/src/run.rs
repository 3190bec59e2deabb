//! One run: a machine, the entries that it was fed, its pipes and its outcome.

use crate::facts::{Agreement, Sealed};
use crate::pipes::Pipes;
use undertone_machine::{
    Fault, FaultCode, KeysAfter, LeftOut, Machine, Mail, Outcome, Phase, RoundKind, Seat, Secret, Step,
};
use undertone_prim::{Transcript, open};
use undertone_services::GOES_ON_WITHOUT;
use undertone_wire::{Confirm, Entry, EntryKind, Hash};

/// The kind of entry that a value leaves in.
pub(crate) const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

/// What the machine wants the room to do.
pub(crate) enum Wish {
    /// Append to the log.
    Append { round: u32, kind: RoundKind, payload: Vec<u8> },
    /// Tell a seat that its bytes were consumed.
    Credit { to: Seat, bytes: u32 },
    /// Let out what credit allows.
    Flush,
    /// Be asked again, after whatever else there is to do.
    Working { done: u64, of: u64 },
}

/// What a machine was fed, by (seat, round, kind), and the hash of the entry.
type Fed = ((Seat, u32, u8), Hash);

/// A run in progress.
pub(crate) struct Run {
    pub(crate) agreement: Agreement,
    pub(crate) pipes: Pipes,
    machine: Box<dyn Machine>,
    /// What the machine was fed, by (seat, round, kind), with the hash of the entry.
    fed: Vec<Fed>,
    pub(crate) outcome: Option<Outcome>,
    /// What this seat says of that.
    pub(crate) computed: Option<Confirm>,
    /// The machine has more to compute, and goes on when the time is told.
    working: bool,
}

impl Run {
    pub(crate) fn new(agreement: Agreement, machine: Box<dyn Machine>, pipes: Pipes) -> Self {
        Self { agreement, pipes, machine, fed: Vec::new(), outcome: None, computed: None, working: false }
    }

    /// What is left of the keys for the question after this one.
    pub(crate) fn keys_after(&self) -> KeysAfter {
        if self.outcome.is_some() { self.machine.keys_after() } else { KeysAfter::None }
    }

    /// Whether the machine has more to compute.
    pub(crate) const fn is_working(&self) -> bool {
        self.working
    }

    /// The time to answer is over: whether the run goes on.
    ///
    /// # Errors
    /// What the machine says.
    pub(crate) fn overdue(&mut self) -> Result<bool, Fault> {
        self.machine.overdue()
    }

    /// Whose values are added, where that had to be agreed on.
    pub(crate) fn agreed_set(&self) -> Option<Vec<Seat>> {
        self.machine.included()
    }

    /// Without whose part the outcome came about.
    pub(crate) fn left_out(&self) -> LeftOut {
        self.machine.left_out()
    }

    /// How many entries the machine was given.
    pub(crate) fn fed_count(&self) -> usize {
        self.fed.len()
    }

    /// Gives the machine the next entry of this run.
    ///
    /// # Errors
    /// [`FaultCode::BadSeal`] if it does not open, naming whoever is `blamed` for that. Otherwise what
    /// the machine says.
    pub(crate) fn feed(
        &mut self,
        seat: Seat,
        sealed: &Sealed,
        room_key: &Secret<[u8; 32]>,
        blamed: Option<Seat>,
    ) -> Result<(), Fault> {
        let fed = (seat, sealed.place.round, sealed.kind as u8);
        let place = self.fed.partition_point(|(other, _)| *other < fed);
        self.fed.insert(place, (fed, sealed.hash));
        let context = Entry::seal_context(&sealed.header, &sealed.place, EntryKind::Round(sealed.kind));
        let Some(payload) = open(room_key, &context, &sealed.payload) else {
            return Err(Fault::new(FaultCode::BadSeal).at(Phase::Round).blaming_all(blamed));
        };
        self.machine.handle(Mail::Entry { from: seat, round: sealed.place.round, kind: sealed.kind, payload: &payload })
    }

    /// Lets the machine go on as far as it can.
    ///
    /// # Errors
    /// What the machine says.
    pub(crate) fn advance(&mut self) -> Result<Option<Wish>, Fault> {
        self.working = false;
        while self.outcome.is_none() && !self.pipes.is_blocked() {
            match self.machine.poll()? {
                Step::Append { round, kind, payload } => return Ok(Some(Wish::Append { round, kind, payload })),
                Step::Send { to, chunk } => {
                    if !self.pipes.send(to, &chunk) {
                        return Err(Fault::new(FaultCode::Internal).at(Phase::Round));
                    }
                    return Ok(Some(Wish::Flush));
                }
                Step::Need { from, bytes } => {
                    let Some((chunk, credit)) = self.pipes.take(from, bytes) else { return Ok(None) };
                    self.machine.handle(Mail::Chunk { from, bytes: &chunk })?;
                    if credit > 0 {
                        return Ok(Some(Wish::Credit { to: from, bytes: credit }));
                    }
                }
                Step::Wait => return Ok(None),
                Step::Working { done, of } => {
                    self.working = true;
                    return Ok(Some(Wish::Working { done, of }));
                }
                Step::Done(outcome) => {
                    self.computed = Some(Confirm::of(&self.included_hash(), &result_hash(&outcome)));
                    self.outcome = Some(outcome);
                }
            }
        }
        Ok(None)
    }

    /// Hash over (seat, entry hash) of all that was added.
    fn included_hash(&self) -> Hash {
        let added: Vec<_> = self.fed.iter().filter(|fed| self.is_added(fed)).collect();
        let start = Transcript::new("included/v1").number(added.len() as u64);
        let each = |transcript: Transcript, ((seat, round, kind), hash): &Fed| {
            transcript.number(seat.0.into()).number((*round).into()).number((*kind).into()).field(hash)
        };
        added.into_iter().fold(start, each).hash()
    }

    /// Where it had to be agreed whose values are added, what they gave is; everywhere else, all is.
    fn is_added(&self, ((seat, _, kind), _): &Fed) -> bool {
        let set = if GOES_ON_WITHOUT { self.agreed_set() } else { None };
        set.is_none_or(|set| *kind == RoundKind::Masked as u8 && set.contains(seat))
    }

    /// Seats whose masked values were added.
    pub(crate) fn included(&self) -> impl Iterator<Item = Seat> {
        let masked = self.fed.iter().filter(|fed| self.is_added(fed) && fed.0.2 == RoundKind::Masked as u8);
        masked.map(|((seat, ..), _)| *seat)
    }
}

/// Hash of the figures.
fn result_hash(outcome: &Outcome) -> Hash {
    let start = Transcript::new("result/v1").number(outcome.figures.len() as u64);
    let each = |transcript: Transcript, figure: &undertone_machine::Figure| {
        let texts = [figure.name, &figure.label, &figure.value, &figure.unit];
        texts.iter().fold(transcript, |transcript, text| transcript.field(text.as_bytes()))
    };
    outcome.figures.iter().fold(start, each).hash()
}
