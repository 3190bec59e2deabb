//! What only the host does, and what happens when a wait is over.

use crate::progress::{envelope_context, envelope_key};
use crate::room::{Room, Stage};
use crate::roster::in_order;
use crate::timer::{GRACE_MS, REVEAL_MS, Waiting};
use undertone_machine::{Fault, FaultCode, Phase, Seat};
use undertone_prim::seal;
use undertone_wire::limits::LISTS_MAX;
use undertone_wire::{Admission, Author, Codec, EntryKind, Envelope, List, Listed};

impl Room {
    /// Lists everyone who asked for a seat, if they are as many as the host counted.
    pub(crate) fn first_list(&mut self, heads: usize, computers: &[Author]) -> Result<(), Fault> {
        let contributors = self.facts.joins.values().filter(|joined| joined.join.role.contributes()).count();
        if heads != contributors {
            let message = format!(
                "You counted {heads} people, but {contributors} joined. Everyone here should have joined, and nobody else. \
                 Someone whose device lost its seat counts twice: then lock with {contributors}, and the seat that stays \
                 silent is left out."
            );
            return Err(Fault::new(FaultCode::HeadCount).in_field("heads").saying(message));
        }
        let Some((open, _)) = self.facts.open else { return Err(Fault::new(FaultCode::BadCall)) };
        self.policy.check_group(open.policy, contributors).map_err(|fault| fault.in_field("heads"))?;
        let listed = |(author, joined): (&Author, &crate::facts::Joined)| Listed {
            author: *author,
            join: joined.hash,
            admission: if joined.invited { Admission::Link } else { Admission::Host },
        };
        let wanted = |(author, joined): &(&Author, &crate::facts::Joined)| {
            !self.journal.is_broken(author) && self.is_chosen(author, joined, computers)
        };
        let seats = in_order(self.facts.joins.iter().filter(wanted).map(listed), |seat: &Listed| seat.author);
        self.check_offered(self.adding(&seats))?;
        let heads = u16::try_from(heads).unwrap_or(u16::MAX);
        let list = List { number: 1, seats, heads, reveal_ms: REVEAL_MS };
        self.say(self.place(), EntryKind::List, list.to_bytes())
    }

    /// Sends the room key to each seat that came by a code.
    pub(crate) fn send_envelopes(&mut self) -> Result<(), Fault> {
        let (Some(roster), Some(key), true) = (&self.roster, &self.room_key, self.is_host) else { return Ok(()) };
        let place = self.place();
        let mut envelopes = Vec::new();
        for (seat, member) in roster.seats().filter(|(_, member)| member.admission == Admission::Host) {
            let Some((_, pair)) = self.pairs.iter().find(|(peer, _)| *peer == seat) else { continue };
            let context = envelope_context(&roster.hash, &member.author);
            let sealed = seal(&envelope_key(pair), &context, key.expose());
            envelopes.push(Envelope { to: member.author, sealed });
        }
        for envelope in envelopes {
            // After a reload, or for a later question, the envelope is in the log already.
            match self.say(place, EntryKind::Envelope, envelope.to_bytes()) {
                Err(fault) if fault.code() == FaultCode::RoundSpent => {}
                done => done?,
            }
        }
        Ok(())
    }

    /// Moves on the clock; a wait that is over ends in a shorter list, a result, or a fault.
    pub(crate) fn tick(&mut self, now: u64) -> Result<(), Fault> {
        match self.timer.advance(now) {
            None => self.go_on(),
            Some(Waiting::Question | Waiting::Reading) if self.is_host => {
                Err(Fault::new(FaultCode::LinkLost).at(Phase::Join))
            }
            Some(Waiting::Question | Waiting::Lobby) => Err(Fault::new(FaultCode::HostSilent).at(Phase::Join)),
            Some(Waiting::Reading) => Err(Fault::new(FaultCode::HostSilent).at(Phase::Confirm)),
            Some(Waiting::Agreement) => self.agreement_is_over(),
            // All values are there: what is left is this device's own work, which has an end.
            Some(Waiting::Answers) if self.is_finishing() => {
                self.timer.start(Waiting::Answers, GRACE_MS);
                self.progress()
            }
            Some(Waiting::Answers) => {
                if self.is_overdue()? {
                    return Ok(());
                }
                self.give_up_open_question();
                Ok(())
            }
            Some(Waiting::Confirmations) => {
                self.stage = Stage::Over;
                self.rest();
                Ok(())
            }
        }
    }

    /// Whether all values are there, and this device still computes what they come to.
    pub(crate) fn is_finishing(&self) -> bool {
        self.is_working() && self.silent_in_round().is_empty()
    }

    /// Nothing is over: asks for a reading that is due, and computes on.
    fn go_on(&mut self) -> Result<(), Fault> {
        self.read_on()?;
        if self.is_working() { self.progress() } else { Ok(()) }
    }

    /// Ends a question that is still open: its time is over, or the host asks the next.
    pub(crate) fn give_up_open_question(&mut self) {
        let silent = match self.stage {
            Stage::Agreeing if self.facts.closed.is_some() && self.facts.asked.is_some() => self.silent_in_agreement(),
            Stage::Answering => self.silent_in_round(),
            _ => return,
        };
        self.end_question(Fault::new(FaultCode::Missing).at(self.phase()).blaming_all(silent));
    }

    fn agreement_is_over(&mut self) -> Result<(), Fault> {
        let missing = Fault::new(FaultCode::Missing).at(self.phase()).blaming_all(self.silent_in_agreement());
        if self.facts.plans > 1 {
            self.give_up_open_question();
            return Ok(());
        }
        if self.is_host && self.shorter_list()? { Ok(()) } else { Err(missing) }
    }

    /// Host: goes on without those who did not answer, while nothing has left under this list.
    fn shorter_list(&mut self) -> Result<bool, Fault> {
        let (Some(closed), Some((open, _))) = (&self.facts.closed, &self.facts.open) else { return Ok(false) };
        let silent = self.silent_authors();
        let seats: Vec<_> = closed.list.seats.iter().filter(|seat| !silent.contains(&seat.author)).copied().collect();
        let contributes =
            |seat: &&Listed| self.facts.joins.get(&seat.author).is_some_and(|joined| joined.join.role.contributes());
        let enough = self.policy.check_group(open.policy, seats.iter().filter(contributes).count()).is_ok()
            && self.check_offered(self.adding(&seats)).is_ok();
        let spent = closed.list.number >= LISTS_MAX
            || self.stage != Stage::Agreeing
            || self.facts.rounds.keys().any(|(list, _)| *list == closed.hash);
        if !enough || spent || silent.is_empty() || silent.contains(&self.identity.author()) {
            return Ok(false);
        }
        let list = List { number: closed.list.number.saturating_add(1), seats, ..closed.list };
        self.say(self.place(), EntryKind::List, list.to_bytes())?;
        Ok(true)
    }

    /// Listed seats that have not revealed or, after everyone has, not shown a new key where one is
    /// needed or not acknowledged.
    fn silent_authors(&self) -> Vec<Author> {
        let Some(closed) = &self.facts.closed else { return Vec::new() };
        let plan = self.facts.asked.as_ref().map_or([0; 32], |asked| asked.hash);
        let acks = self.facts.acks.get(&(closed.hash, plan));
        let shown = self.facts.fresh_keys.get(&(closed.hash, plan));
        let spoke = |author: &Author| match &self.roster {
            None => self.facts.reveals.contains_key(&(closed.hash, *author)),
            Some(_) if self.waits_for_keys() => shown.is_some_and(|shown| shown.contains_key(author)),
            Some(roster) if self.waits_for_deals() => {
                let deals = roster.members.iter().any(|it| it.author == *author && it.role.contributes());
                !deals || self.deal_of(author).is_some()
            }
            Some(_) => acks.is_some_and(|acks| acks.contains_key(author)),
        };
        closed.list.seats.iter().map(|seat| seat.author).filter(|author| !spoke(author)).collect()
    }

    /// The same as seats, or as places on the list before there are seats.
    fn silent_in_agreement(&self) -> Vec<Seat> {
        self.silent_authors().iter().filter_map(|author| self.seat(author)).collect()
    }

    /// Contributing seats whose value is not in the log.
    fn silent_in_round(&self) -> Vec<Seat> {
        let (Some(roster), Some(closed), Some(asked)) = (&self.roster, &self.facts.closed, &self.facts.asked) else {
            return Vec::new();
        };
        let entries = self.facts.rounds.get(&(closed.hash, asked.hash));
        let sent = |author: &Author| entries.is_some_and(|all| all.iter().any(|one| one.header.author == *author));
        let silent = roster.seats().filter(|(_, member)| member.role.contributes() && !sent(&member.author));
        silent.map(|(seat, _)| seat).collect()
    }
}
