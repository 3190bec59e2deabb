//! What follows from everything heard so far.
//!
//! Each step looks at all facts and does at most what they allow, so it does not matter in which
//! order the facts came, nor whether this is the first look or one after a reload.

use crate::facts::{Agreement, SealedConfirm};
use crate::identity::room_key;
use crate::keys::Life;
use crate::pipes::Pipes;
use crate::room::{Room, Stage, Told};
use crate::roster::{Candidate, Roster, Tier};
use crate::run::{MASKED, Run, Wish};
use crate::timer::{CONFIRM_MS, GRACE_MS, Waiting};
use crate::{Action, Notice};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Phase, RoundKind, Seat, Secret};
use undertone_prim::{PairwisePads, Transcript, derive, open, seal};
use undertone_services::{GOES_ON_WITHOUT, MASKS, Party, find};
use undertone_wire::limits::PIPE_WINDOW_BYTES;
use undertone_wire::{Ack, Admission, Author, Codec, Confirm, Entry, EntryKind, Hash, Listed, NO_SEAT, Place};
use vecmap::VecMap;

impl Room {
    /// Does all that the facts allow.
    pub(crate) fn progress(&mut self) -> Result<(), Fault> {
        if self.over {
            return Ok(());
        }
        self.reveal()?;
        self.seat_everyone()?;
        self.renew_keys()?;
        self.exchange_deals()?;
        self.acknowledge()?;
        self.become_ready()?;
        self.open_envelope();
        self.start_run()?;
        self.work()?;
        self.confirm()?;
        self.tell_progress();
        Ok(())
    }

    /// Shows what was committed to, once the list is closed: never for two lists of one number.
    fn reveal(&mut self) -> Result<(), Fault> {
        let (Some(closed), Some(method)) = (&self.facts.closed, self.method()) else { return Ok(()) };
        let (number, place) = (closed.list.number, self.place());
        if self.observer.is_some() || self.outbox.has_said(EntryKind::Reveal, &place) {
            return Ok(());
        }
        let reveal = self.identity.reveal(number, method).to_bytes();
        self.say(place, EntryKind::Reveal, reveal)
    }

    /// Computes the roster, once everyone has revealed.
    fn seat_everyone(&mut self) -> Result<(), Fault> {
        let (Some(closed), Some((opened, _)), None) = (&self.facts.closed, &self.facts.open, &self.roster) else {
            return Ok(());
        };
        let Some(candidates) =
            closed.list.seats.iter().map(|seat| self.candidate(closed.hash, seat)).collect::<Option<Vec<_>>>()
        else {
            return Ok(());
        };
        let Some(method) = self.method() else { return Ok(()) };
        let mut roster = Roster::assemble(&self.identity.room(), opened.policy, &closed.list, method, &candidates)?;
        // An observer has no invite of its own: it reports what the seats signed.
        let vouched = self.secret.is_some() || self.observer.is_some();
        let own = if vouched { Tier::HostVerified } else { Tier::Unverified };
        roster.tier = roster.tier.min(self.policy.tier_max).min(own);
        self.life = self.first_life(&roster);
        if self.observer.is_some() {
            self.roster = Some(roster);
            return Ok(());
        }
        let me = self.identity.author();
        let pair = |(seat, member): (Seat, &crate::Member)| {
            (seat, self.identity.agreement().shared(&member.masks_key, &roster.hash))
        };
        self.pairs = roster.seats().filter(|(_, member)| member.author != me).map(pair).collect();
        if MASKS {
            self.pads = Arc::new(PairwisePads::of_pairs(&self.pairs));
        }
        self.roster = Some(roster);
        Ok(())
    }

    /// A listed seat with all that it said, once it has revealed for this list.
    fn candidate<'a>(&'a self, list: Hash, listed: &'a Listed) -> Option<Candidate<'a>> {
        let joined = self.facts.joins.get(&listed.author)?;
        let (reveal, _) = self.facts.reveals.get(&(list, listed.author))?;
        Some(Candidate { listed, join: &joined.join, reveal })
    }

    /// What this seat signs: the people, the question, and the entries that led here.
    fn compute_ack(&self) -> Option<(Ack, Agreement)> {
        self.check_keys().ok()?;
        let (roster, closed) = (self.roster.as_ref()?, self.facts.closed.as_ref()?);
        let (asked, (_, opened)) = (self.facts.asked.as_ref()?, self.facts.open.as_ref()?);
        let start = Transcript::new("log-digest/v1").field(opened).field(&closed.hash).field(&asked.hash);
        let log = closed.list.seats.iter().try_fold(start, |log, listed| {
            let (_, reveal) = self.facts.reveals.get(&(closed.hash, listed.author))?;
            Some(log.field(&listed.join).field(reveal))
        })?;
        let dealt = if self.spares() { Some(self.deals_hash()?) } else { None };
        let log = dealt.iter().fold(log, |log, deals| log.field(deals));
        let log = self.life_in_force().map(Life::hash).iter().fold(log, |log, life| log.field(life));
        Some((Ack { roster: roster.hash, plan: asked.hash, log: log.hash() }, (closed.hash, asked.hash)))
    }

    /// Signs what it sees, if it is what this device accepts.
    fn acknowledge(&mut self) -> Result<(), Fault> {
        if let Err(fault) = self.check_keys()
            && self.stage == Stage::Agreeing
            && self.roster.is_some()
        {
            // Whoever missed the keys that came with values cannot follow; neither can an observer who
            // cannot read them. The host notices that somebody is silent, and asks for new ones.
            if !self.waits_for_keys() {
                self.end_question(fault);
            }
            return Ok(());
        }
        self.own_ack = self.own_ack.or_else(|| self.compute_ack());
        let Some((ack, _)) = self.own_ack.filter(|_| self.stage == Stage::Agreeing) else { return Ok(()) };
        let place = self.place();
        if self.outbox.has_said(EntryKind::Ack, &place) {
            return Ok(());
        }
        self.check_seats()?;
        self.check_computers()?;
        if let Err(fault) = self.check_apart() {
            self.end_question(fault);
            return Ok(());
        }
        self.say(place, EntryKind::Ack, ack.to_bytes())
    }

    /// Whether the service works with as many seats.
    fn check_seats(&self) -> Result<(), Fault> {
        let (Some(roster), Some(asked)) = (&self.roster, &self.facts.asked) else { return Ok(()) };
        let (manifest, contributors) = (find(&asked.plan.service)?.manifest(), roster.contributors());
        if (manifest.seats_min..=manifest.seats_max).contains(&contributors) {
            return asked.task.admits(contributors).map_err(|fault| fault.at(Phase::Acknowledge));
        }
        let (min, max) = (manifest.seats_min, manifest.seats_max);
        let message = format!("This kind of question takes {min} to {max} people; {contributors} take part.");
        Err(Fault::new(FaultCode::BadPlan).at(Phase::Acknowledge).in_field("seats").saying(message))
    }

    /// Seats whose acknowledgement agrees with this device's view.
    ///
    /// One that differs ends the room before any value has left: somebody is shown another room.
    fn acknowledged(&self) -> Result<usize, Fault> {
        let (Some(roster), Some((own, agreement))) = (&self.roster, self.own_ack) else { return Ok(0) };
        let Some(acks) = self.facts.acks.get(&agreement) else { return Ok(0) };
        let acks: Vec<_> = roster.members.iter().filter_map(|member| acks.get(&member.author)).collect();
        if acks.iter().any(|ack| **ack != own) {
            return Err(Fault::new(FaultCode::SplitView).at(Phase::Acknowledge));
        }
        Ok(acks.len())
    }

    /// Everyone signed the same: from here on values may leave.
    fn become_ready(&mut self) -> Result<(), Fault> {
        // Where a few seats add up, others may still acknowledge once values are out: too late to matter.
        if self.stage != Stage::Agreeing {
            return Ok(());
        }
        let count = self.acknowledged()?;
        let (Some(roster), Some(asked)) = (&self.roster, &self.facts.asked) else { return Ok(()) };
        if count < roster.members.len() && !self.computers_agree() {
            return Ok(());
        }
        let (seats, contributors, tier) = (roster.members.len(), roster.contributors(), roster.tier);
        let remaining_ms = asked.plan.deadline_ms;
        if let Some(secret) = &self.secret {
            self.room_key = Some(room_key(secret.expose(), &roster.hash));
        }
        self.take_record_key();
        self.stage = Stage::Answering;
        // The host acts on the deadline; the others leave it time to do so.
        let grace = if self.is_host && self.spares() { 0 } else { GRACE_MS };
        self.timer.start(Waiting::Answers, remaining_ms.saturating_add(grace));
        self.schedule_reading();
        let keys = self.life_in_force().and_then(Life::meter);
        let others = contributors.saturating_sub(1);
        let breakers = self.colluders().map_or(others, |t| t.saturating_add(1));
        self.tell(Notice::Ready { seats, contributors, breakers, tier, remaining_ms, keys });
        self.send_envelopes()
    }

    /// A seat that came by a code gets the room key from the host, after the acknowledgements.
    fn open_envelope(&mut self) {
        let (Some(closed), Some(roster)) = (&self.facts.closed, &self.roster) else { return };
        let wanted = self.stage == Stage::Answering && self.room_key.is_none();
        let (Some(sealed), true) = (self.facts.envelopes.get(&closed.hash), wanted) else { return };
        let host = self.host_author().and_then(|author| roster.seat_of(&author));
        let Some((_, pair)) = self.pairs.iter().find(|(seat, _)| Some(*seat) == host) else { return };
        let key = open(&envelope_key(pair), &envelope_context(&roster.hash, &self.identity.author()), sealed);
        let key = key.and_then(|key| key.try_into().ok());
        self.room_key = key.map(Secret::new);
    }

    /// Makes the machine, once this seat's value is there.
    pub(crate) fn start_run(&mut self) -> Result<(), Fault> {
        let Some((_, agreement)) = self.own_ack else { return Ok(()) };
        // An observer runs the machine of a seat beyond the last: it gives nothing and adds up the same.
        let me = self.me().or_else(|| self.observer.as_ref().map(|_| Seat(NO_SEAT)));
        let (Some(me), Some(roster), Some(asked)) = (me, &self.roster, &self.facts.asked) else { return Ok(()) };
        let spent = self.outbox.has_said(MASKED, &self.place());
        let needs_input = asked.task.question().quantity.is_some()
            && roster.member(me).is_some_and(|member| member.role.contributes())
            && !spent
            && !self.compute.is_late;
        let waits = self.stage != Stage::Answering || self.room_key.is_none() || self.run.is_some();
        if waits || (needs_input && self.input.is_none()) {
            return Ok(());
        }
        let keys = self.keys_for_run(needs_input)?;
        // A value typed again after a reload, before this device knew that one had left.
        let input = self.input.take().filter(|_| !spent);
        let party = Party { input, keys, deals: self.deals(), ..self.party(me, roster, &asked.hash) };
        let (context, machine) = (party.context, asked.task.machine(party)?);
        let pipes = Pipes::new(me, Arc::clone(&self.pairs), &context);
        self.run = Some(Run::new(agreement, machine, pipes));
        let early = std::mem::take(&mut self.early_bytes);
        early.iter().try_for_each(|(from, bytes)| self.receive(from, bytes))
    }

    /// What any machine of this seat is made from, without an input.
    pub(crate) fn party(&self, me: Seat, roster: &Roster, plan: &Hash) -> Party {
        let context = Transcript::new("run-context/v1").field(&roster.hash).field(plan).hash();
        Party {
            me,
            roles: roster.members.iter().map(|member| member.role).collect(),
            input: None,
            pads: Arc::clone(self.ideal_pads.as_ref().unwrap_or(&self.pads)),
            keys: None,
            deals: Vec::new(),
            host: self.host_author().and_then(|host| roster.seat_of(&host)).unwrap_or(Seat(NO_SEAT)),
            context,
            seed: self.identity.run_seed(&context),
        }
    }

    /// Feeds the machine and does what it wants.
    fn work(&mut self) -> Result<(), Fault> {
        let (Some(run), Some(key), Some(roster)) = (&mut self.run, &self.room_key, &self.roster) else {
            return Ok(());
        };
        let entries = self.facts.rounds.get(&run.agreement).map_or(&[][..], Vec::as_slice);
        for sealed in entries.iter().skip(run.fed_count()) {
            let seat = roster.seat_of(&sealed.header.author).ok_or_else(|| Fault::new(FaultCode::Internal))?;
            let blamed = blamed_for_seal(self.secret.is_some(), roster, seat);
            run.feed(seat, sealed, key, blamed)?;
        }
        if let Some(fault) = self.refuses_to_open() {
            self.end_question(fault);
            return Ok(());
        }
        self.remember_opened();
        loop {
            let wish = self.run.as_mut().map(Run::advance).transpose()?.flatten();
            self.flush_pipes();
            match wish {
                Some(Wish::Append { round, kind, payload }) => self.append(round, kind, payload)?,
                Some(Wish::Credit { to, bytes }) => {
                    let to = self.author_of(to);
                    self.actions.extend(to.map(|to| Action::Credit { to, bytes }));
                }
                Some(Wish::Flush) => {}
                Some(Wish::Working { done, of }) => {
                    self.tell(Notice::Working { done, of });
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
    }

    fn append(&mut self, round: u32, kind: RoundKind, payload: Vec<u8>) -> Result<(), Fault> {
        let place = Place { round, ..self.place() };
        // What a seat agreed to and opened it says after a reload as it has said it already.
        if GOES_ON_WITHOUT && kind != RoundKind::Masked && self.outbox.has_said(EntryKind::Round(kind), &place) {
            return Ok(());
        }
        let Some(sealed) = self.seal_to_room(&place, EntryKind::Round(kind), &payload) else { return Ok(()) };
        if kind == RoundKind::Masked {
            self.masked = Some(payload);
        }
        self.say(place, EntryKind::Round(kind), sealed)
    }

    fn seal_to_room(&self, place: &Place, kind: EntryKind, payload: &[u8]) -> Option<Vec<u8>> {
        let header = self.outbox.next_header(&self.identity);
        Some(seal(self.room_key.as_ref()?, &Entry::seal_context(&header, place, kind), payload))
    }

    pub(crate) fn flush_pipes(&mut self) {
        while let Some((seat, bytes)) = self.run.as_mut().and_then(|run| run.pipes.next_out()) {
            let to = self.author_of(seat);
            self.actions.extend(to.map(|to| Action::Pipe { to, bytes }));
        }
    }

    fn author_of(&self, seat: Seat) -> Option<Author> {
        self.roster.as_ref()?.member(seat).map(|member| member.author)
    }

    /// Bytes of a pipe came. From seats that were ready earlier they wait for this one; what strangers
    /// send, or more than a window holds, is lost.
    pub(crate) fn piped(&mut self, from: &Author, bytes: &[u8]) -> Result<(), Fault> {
        let waiting: usize = self.early_bytes.iter().map(|(_, bytes)| bytes.len()).sum();
        if self.run.is_none() && waiting.saturating_add(bytes.len()) <= PIPE_WINDOW_BYTES {
            self.early_bytes.push((*from, bytes.to_vec()));
        }
        self.receive(from, bytes)?;
        self.progress()
    }

    fn receive(&mut self, from: &Author, bytes: &[u8]) -> Result<(), Fault> {
        let seat = self.roster.as_ref().and_then(|roster| roster.seat_of(from));
        let (Some(run), Some(seat)) = (&mut self.run, seat) else { return Ok(()) };
        run.pipes.received(seat, bytes)
    }

    pub(crate) fn credited(&mut self, from: &Author, bytes: u32) -> Result<(), Fault> {
        let seat = self.roster.as_ref().and_then(|roster| roster.seat_of(from));
        let (Some(run), Some(seat)) = (&mut self.run, seat) else { return Ok(()) };
        run.pipes.credited(seat, bytes)?;
        self.flush_pipes();
        self.progress()
    }

    /// Signs the result, and compares what others signed.
    fn confirm(&mut self) -> Result<(), Fault> {
        let Some((own, agreement)) = self.run.as_ref().and_then(|run| Some((run.computed?, run.agreement))) else {
            return Ok(());
        };
        let place = self.place();
        let signs = self.me().is_some_and(|me| self.is_confirming(me));
        if signs && !self.outbox.has_said(EntryKind::Confirm, &place) {
            let Some(sealed) = self.seal_to_room(&place, EntryKind::Confirm, &own.to_bytes()) else { return Ok(()) };
            self.say(place, EntryKind::Confirm, sealed)?;
        }
        if self.stage == Stage::Answering {
            self.stage = Stage::Confirming;
            self.timer.start(Waiting::Confirmations, CONFIRM_MS);
        }
        let confirmed = self.confirmations(&agreement, &own)?;
        self.tell_left_out();
        self.tell_result(confirmed);
        Ok(())
    }

    /// How many of those who sign the result signed this one. Each signature is opened once.
    fn confirmations(&mut self, agreement: &Agreement, own: &Confirm) -> Result<usize, Fault> {
        let confirms = self.facts.confirms.get(agreement).map_or(&[][..], Vec::as_slice);
        let agrees = confirms.iter().map(|sealed| self.agrees(sealed, own)).collect::<Result<Vec<_>, Fault>>()?;
        let count = agrees.iter().flatten().filter(|seat| self.is_confirming(**seat)).count();
        for (sealed, agrees) in self.facts.confirms.get_mut(agreement).into_iter().flatten().zip(agrees) {
            sealed.agrees = agrees;
        }
        Ok(count)
    }

    /// The seat of a signature on the result, if it is one that counts.
    fn agrees(&self, sealed: &SealedConfirm, own: &Confirm) -> Result<Option<Seat>, Fault> {
        let (None, Some(roster), Some(key)) = (sealed.agrees, &self.roster, &self.room_key) else {
            return Ok(sealed.agrees);
        };
        let seat = roster.seat_of(&sealed.header.author).filter(|seat| self.is_confirming(*seat));
        let Some(seat) = seat else { return Ok(None) };
        let context = Entry::seal_context(&sealed.header, &sealed.place, EntryKind::Confirm);
        let confirm = open(key, &context, &sealed.payload).and_then(|plain| Confirm::from_bytes(&plain).ok());
        let blamed = blamed_for_seal(self.secret.is_some(), roster, seat);
        match confirm {
            None => Err(Fault::new(FaultCode::BadSeal).at(Phase::Confirm).blaming_all(blamed)),
            Some(confirm) if confirm != *own => Err(Fault::new(FaultCode::ResultSplit).at(Phase::Confirm)),
            Some(_) => Ok(Some(seat)),
        }
    }

    fn tell_result(&mut self, confirmed: usize) {
        let (Some(roster), Some(run)) = (&self.roster, &self.run) else { return };
        let Some(outcome) = &run.outcome else { return };
        let seats = roster.seats().filter(|(seat, _)| self.is_confirming(*seat)).count();
        let tier = roster.tier;
        if self.stage == Stage::Over || self.told.confirmed == Some(confirmed) {
            return;
        }
        let included: Vec<_> = run.included().collect();
        let contribution_in = self.me().is_some_and(|me| included.contains(&me));
        let (outcome, included) = (outcome.clone(), included.len());
        self.told.confirmed = Some(confirmed);
        if confirmed == seats {
            self.stage = Stage::Over;
            self.rest();
        }
        self.tell(Notice::Result { outcome, included, confirmed, seats, contribution_in, tier });
    }

    fn tell_progress(&mut self) {
        let (Some(roster), Some((_, agreement))) = (&self.roster, self.own_ack) else { return };
        if matches!(self.stage, Stage::Confirming | Stage::Over) {
            return;
        }
        let acknowledged = self.facts.acks.get(&agreement).map_or(0, VecMap::len);
        let sent = self
            .facts
            .rounds
            .get(&agreement)
            .map_or(0, |all| all.iter().filter(|one| one.kind == RoundKind::Masked).count());
        let told = Told { acknowledged, sent, ..self.told };
        if told != self.told {
            let of = roster.contributors();
            self.told = told;
            self.tell(Notice::Progress { acknowledged, sent, of });
        }
    }
}

/// Who is named for a seal that does not open: its author, if author and this device have the room key
/// from the invite. A key that came in an envelope may be another one, which proves nothing.
fn blamed_for_seal(invited: bool, roster: &Roster, seat: Seat) -> Option<Seat> {
    let knows = roster.member(seat).is_some_and(|member| member.admission == Admission::Link);
    (invited && knows).then_some(seat)
}

/// The key of envelopes between host and one seat.
pub(crate) fn envelope_key(pair: &Secret<[u8; 32]>) -> Secret<[u8; 32]> {
    derive(pair.expose(), "envelope/v1", &[])
}

/// What an envelope is bound to.
pub(crate) fn envelope_context(roster: &Hash, to: &Author) -> Vec<u8> {
    [&roster[..], to].concat()
}
