//! Taking up what an entry says, after its author's chain was checked.

use crate::deals::SET_ROUND;
use crate::facts::{Asked, Closed, EARLY_MAX, Joined, Sealed, SealedConfirm};
use crate::identity::join_mac;
use crate::room::{Room, Stage, Told};
use crate::timer::{GRACE_MS, LOBBY_MS, Waiting};
use crate::{GROUP_MIN_DEFAULT, Notice};
use std::sync::Arc;
use subtle::ConstantTimeEq;
use undertone_machine::{Fault, FaultCode, Phase, RoundKind, Seat, Secret};
use undertone_prim::open;
use undertone_services::{SPARES, USES_KEYS_UP, prepare};
use undertone_wire::limits::{PLANS_MAX, SEATS_MAX};
use undertone_wire::{
    Ack, Admission, Author, Codec, Entry, EntryKind, Envelope, Hash, Join, KeyOffer, List, Listed, Open, Plan, Reveal,
    room_of,
};

impl Room {
    /// Takes up one entry. Strangers and outdated entries are passed over.
    pub(crate) fn learn(&mut self, entry: Entry, hash: Hash) -> Result<(), Fault> {
        let author = entry.header.author;
        let from_host = room_of(&author) == self.identity.room();
        match entry.kind {
            EntryKind::Open if from_host => self.learn_open(&entry, hash),
            EntryKind::Plan if from_host => self.learn_plan(&entry),
            EntryKind::List if from_host => self.learn_list(&entry),
            EntryKind::Close if from_host => {
                self.close();
                Ok(())
            }
            EntryKind::Join => self.learn_join(&entry, hash),
            EntryKind::Leave => self.learn_leave(&author),
            EntryKind::Envelope => self.learn_envelope(&entry),
            EntryKind::Reveal
            | EntryKind::Rekey
            | EntryKind::Deal
            | EntryKind::Ack
            | EntryKind::Confirm
            | EntryKind::Round(_)
                if self.facts.closed.is_none() =>
            {
                self.keep_early(entry, hash);
                Ok(())
            }
            EntryKind::Reveal => self.learn_reveal(&entry, hash),
            EntryKind::Rekey => self.learn_rekey(&entry),
            EntryKind::Deal => self.learn_deal(entry),
            EntryKind::Ack => self.learn_ack(&entry),
            EntryKind::Confirm => self.learn_confirm(entry),
            EntryKind::Round(kind) => self.learn_round(entry, kind, hash),
            EntryKind::Open | EntryKind::Plan | EntryKind::List | EntryKind::Close => Ok(()),
        }
    }

    /// Keeps what only listed seats may say until there is a list.
    fn keep_early(&mut self, entry: Entry, hash: Hash) {
        if self.facts.early.len() < EARLY_MAX {
            self.facts.early.push((entry, hash));
        }
    }

    fn learn_open(&mut self, entry: &Entry, hash: Hash) -> Result<(), Fault> {
        let open: Open = read(entry, None)?;
        if self.facts.open.is_some() || entry.header.sequence != 0 {
            return Err(Fault::new(FaultCode::Malformed).at(Phase::Join));
        }
        self.journal.bind([entry.header.author]);
        self.facts.joins.insert(entry.header.author, Joined { join: open.join, hash, invited: true });
        self.facts.open = Some((open, hash));
        self.tell_opened();
        Ok(())
    }

    fn learn_plan(&mut self, entry: &Entry) -> Result<(), Fault> {
        let plan: Plan = read(entry, None)?;
        let Some((open, _)) = self.facts.open else { return Err(Fault::new(FaultCode::Malformed)) };
        let (task, hash) = (Arc::from(prepare(&plan)?), plan.hash(&self.identity.room()));
        self.count_question(&plan)?;
        self.give_up_open_question();
        self.turn_life(&plan);
        self.facts.plans = plan.number;
        self.facts.forget_before(hash);
        self.facts.asked = Some(Asked { plan: plan.clone(), hash, task: Arc::clone(&task) });
        (self.input, self.masked, self.run, self.own_ack) = (None, None, None, None);
        (self.stage, self.told) = (Stage::Agreeing, Told::default());
        self.early_bytes.clear();
        self.compute.is_late = false;
        self.schedule_reading();
        self.timer.has_question();
        if let Some(closed) = &self.facts.closed {
            let wait = u64::from(closed.list.reveal_ms).saturating_add(GRACE_MS);
            self.timer.start(Waiting::Agreement, wait);
        }
        let group_min = open.policy.group_min;
        let small_group = (crate::GROUP_MIN_SMALL..GROUP_MIN_DEFAULT).contains(&group_min);
        self.tell(Notice::Question { plan, task, group_min, small_group });
        Ok(())
    }

    /// A later reading is what people were told of at the first; all else is a new question.
    fn count_question(&mut self, plan: &Plan) -> Result<(), Fault> {
        let malformed = || Fault::new(FaultCode::Malformed).at(Phase::Join);
        if plan.is_new() {
            self.facts.questions = self.facts.questions.saturating_add(1);
            let follows = self.facts.plans.checked_add(1) == Some(plan.number);
            return if follows && self.facts.questions <= PLANS_MAX { Ok(()) } else { Err(malformed()) };
        }
        let next = self.facts.asked.as_ref().and_then(|asked| asked.plan.next_reading());
        let continues =
            next.is_some_and(|next| Plan { fresh_keys: plan.fresh_keys, ..next }.to_bytes() == plan.to_bytes());
        if continues { Ok(()) } else { Err(malformed()) }
    }

    fn learn_join(&mut self, entry: &Entry, hash: Hash) -> Result<(), Fault> {
        let author = entry.header.author;
        let late = self.facts.closed.is_some() || self.facts.joins.len() >= SEATS_MAX;
        let Some(join) = Join::from_bytes(&entry.payload).ok().filter(|_| !late) else { return Ok(()) };
        if author == self.identity.author() {
            self.timer.start(Waiting::Lobby, LOBBY_MS);
            self.tell(Notice::Joined);
        }
        let invited = self.is_invited(&author, &join);
        // A wrong proof is worse than none: such a request is not listed.
        if join.mac.is_some() && self.secret.is_some() && !invited {
            return Ok(());
        }
        self.facts.joins.entry(author).or_insert(Joined { join, hash, invited });
        self.tell_lobby();
        Ok(())
    }

    fn is_invited(&self, author: &Author, join: &Join) -> bool {
        let (Some(secret), Some(mac)) = (&self.secret, join.mac) else { return false };
        let expected = join_mac(secret.expose(), &self.identity.room(), author, &join.commitments);
        expected.ct_eq(&Secret::new(mac)).into()
    }

    fn learn_leave(&mut self, author: &Author) -> Result<(), Fault> {
        if *author == self.identity.author() {
            self.close();
        } else if self.facts.closed.is_none() {
            self.facts.joins.remove(author);
            self.tell_lobby();
        }
        // After the lock a seat that left is like one that is silent: the deadline decides.
        Ok(())
    }

    fn learn_list(&mut self, entry: &Entry) -> Result<(), Fault> {
        let list: List = read(entry, None)?;
        let before = self.facts.closed.as_ref().map(|closed| &closed.list);
        let follows = list.number == before.map_or(1, |before| before.number.saturating_add(1));
        let shrinks = before.is_none_or(|before| list.seats.iter().all(|seat| before.seats.contains(seat)));
        // Keys may move to a shorter list only while no masked value has left under the longer one.
        if !follows || !shrinks || self.outbox.has_spent_before(list.number) {
            return Err(Fault::new(FaultCode::Malformed).at(Phase::Reveal));
        }
        let contributors = self.check_listed(&list)?;
        let Some((open, _)) = self.facts.open else { return Err(Fault::new(FaultCode::Malformed)) };
        self.policy.check_group(open.policy, contributors)?;
        self.close_list(list);
        std::mem::take(&mut self.facts.early).into_iter().try_for_each(|(entry, hash)| self.learn(entry, hash))
    }

    /// Whether the list is made of requests that this device saw too; counts contributing seats.
    fn check_listed(&self, list: &List) -> Result<usize, Fault> {
        let mut contributors = 0_usize;
        for seat in &list.seats {
            let split = || Fault::new(FaultCode::SplitView).at(Phase::Reveal);
            let joined =
                self.facts.joins.get(&seat.author).filter(|joined| joined.hash == seat.join).ok_or_else(split)?;
            if self.journal.is_broken(&seat.author) {
                return Err(Fault::new(FaultCode::BrokenChain).at(Phase::Reveal));
            }
            // Who came by code made no claim: it is the host that signed one.
            let claimed = seat.admission == Admission::Link;
            if claimed && self.secret.is_some() && !joined.invited {
                let host = self.host_author().and_then(|host| place_on(&list.seats, &host));
                return Err(Fault::new(FaultCode::BadKey).at(Phase::Reveal).blaming_all(host));
            }
            contributors = contributors.saturating_add(usize::from(joined.join.role.contributes()));
        }
        let lists = |author: &Author| list.seats.iter().any(|seat: &Listed| seat.author == *author);
        if !self.host_author().is_some_and(|host| lists(&host)) {
            return Err(Fault::new(FaultCode::Malformed).at(Phase::Reveal));
        }
        if self.observer.is_none() && !lists(&self.identity.author()) {
            return Err(Fault::new(FaultCode::NotListed).at(Phase::Join));
        }
        Ok(contributors)
    }

    fn close_list(&mut self, list: List) {
        self.journal.bind(list.seats.iter().map(|seat| seat.author));
        let wait = u64::from(list.reveal_ms);
        // The host acts on the deadline; the others leave it time to do so.
        let grace = if self.is_host { 0 } else { GRACE_MS.saturating_mul(2) };
        self.timer.start(Waiting::Agreement, wait.saturating_add(grace));
        self.tell(Notice::Locked { number: list.number, seats: list.seats.len() });
        self.facts.closed = Some(Closed { hash: list.hash(&self.identity.room()), list });
        (self.roster, self.room_key, self.run, self.own_ack, self.life) = (None, None, None, None, None);
        (self.pairs, self.pads) = (Arc::default(), Arc::new(()));
        (self.stage, self.told) = (Stage::Agreeing, Told::default());
        self.early_bytes.clear();
    }

    fn learn_reveal(&mut self, entry: &Entry, hash: Hash) -> Result<(), Fault> {
        let author = entry.header.author;
        if !self.is_listed(&author) {
            return Ok(());
        }
        let reveal: Reveal = read(entry, self.seat(&author))?;
        let key = (entry.place.list, author);
        if self.facts.reveals.insert(key, (reveal, hash)).is_some() {
            return Err(self.equivocated(&author));
        }
        Ok(())
    }

    fn learn_ack(&mut self, entry: &Entry) -> Result<(), Fault> {
        let author = entry.header.author;
        if !self.is_listed(&author) {
            return Ok(());
        }
        let ack: Ack = read(entry, self.seat(&author))?;
        let acks = self.facts.acks.entry((entry.place.list, entry.place.plan)).or_default();
        if acks.insert(author, ack).is_some() {
            return Err(self.equivocated(&author));
        }
        Ok(())
    }

    fn learn_rekey(&mut self, entry: &Entry) -> Result<(), Fault> {
        let author = entry.header.author;
        if !USES_KEYS_UP || !self.is_listed(&author) {
            return Ok(());
        }
        let offer: KeyOffer = read(entry, self.seat(&author))?;
        let shown = self.facts.fresh_keys.entry((entry.place.list, entry.place.plan)).or_default();
        if shown.insert(author, offer).is_some() {
            return Err(self.equivocated(&author));
        }
        Ok(())
    }

    fn learn_deal(&mut self, entry: Entry) -> Result<(), Fault> {
        let author = entry.header.author;
        if !SPARES || !self.is_listed(&author) {
            return Ok(());
        }
        let dealt = self.facts.deals.entry((entry.place.list, entry.place.plan)).or_default();
        if dealt.insert(author, entry.payload).is_some() {
            return Err(self.equivocated(&author));
        }
        Ok(())
    }

    fn learn_confirm(&mut self, entry: Entry) -> Result<(), Fault> {
        let author = entry.header.author;
        if !self.is_listed(&author) {
            return Ok(());
        }
        let confirms = self.facts.confirms.entry((entry.place.list, entry.place.plan)).or_default();
        if confirms.iter().any(|other| other.header.author == author) {
            return Err(self.equivocated(&author));
        }
        confirms.push(SealedConfirm { header: entry.header, place: entry.place, payload: entry.payload, agrees: None });
        Ok(())
    }

    fn learn_round(&mut self, entry: Entry, kind: RoundKind, hash: Hash) -> Result<(), Fault> {
        let author = entry.header.author;
        if !self.is_listed(&author) {
            return Ok(());
        }
        // One for another question, which a log made up by others may bring, says nothing about this one.
        let is_own = author == self.identity.author() && entry.place.plan == self.place().plan;
        if is_own && kind == RoundKind::Masked {
            self.masked = self.masked.take().or_else(|| self.open_own(&entry));
            let masked = self.masked.clone().unwrap_or_default();
            self.tell(Notice::Sent { sequence: entry.header.sequence, receipt: hash, masked });
        }
        let round = entry.place.round;
        let sealed = Sealed { header: entry.header, place: entry.place, kind, payload: entry.payload, hash };
        let entries = self.facts.rounds.entry((sealed.place.list, sealed.place.plan)).or_default();
        let again = |other: &Sealed| other.header.author == author && other.place.round == round && other.kind == kind;
        if entries.iter().any(again) {
            return Err(self.equivocated(&author));
        }
        // The host closes the question: who has not answered does not any more, and can still look on.
        let closes = kind == RoundKind::Share && round == SET_ROUND && room_of(&author) == self.identity.room();
        entries.push(sealed);
        self.compute.is_late |= closes && self.spares();
        Ok(())
    }

    /// What this seat sealed before a reload.
    fn open_own(&self, entry: &Entry) -> Option<Vec<u8>> {
        let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
        open(self.room_key.as_ref()?, &context, &entry.payload)
    }

    fn learn_envelope(&mut self, entry: &Entry) -> Result<(), Fault> {
        if room_of(&entry.header.author) != self.identity.room() {
            return Ok(());
        }
        let envelope: Envelope = read(entry, None)?;
        if envelope.to == self.identity.author() {
            self.facts.envelopes.insert(entry.place.list, envelope.sealed);
        }
        Ok(())
    }

    fn is_listed(&self, author: &Author) -> bool {
        let listed = |list: &List| list.seats.iter().any(|seat| seat.author == *author);
        self.facts.closed.as_ref().is_some_and(|closed| listed(&closed.list))
    }

    /// The seat of an author; before there are seats, its place on the list.
    pub(crate) fn seat(&self, author: &Author) -> Option<Seat> {
        if let Some(roster) = &self.roster {
            return roster.seat_of(author);
        }
        place_on(&self.facts.closed.as_ref()?.list.seats, author)
    }

    fn equivocated(&self, author: &Author) -> Fault {
        let proof = self.journal.proof_against(author);
        Fault::new(FaultCode::Equivocation).at(self.phase()).blaming_all(self.seat(author)).proven_by(proof)
    }

    fn tell_lobby(&mut self) {
        let joins = || self.facts.joins.values();
        let joined = joins().filter(|joined| joined.join.role.contributes()).count();
        let by_code = joins().filter(|joined| joined.join.mac.is_none()).count();
        let by_link = joins().count().saturating_sub(by_code);
        self.tell(Notice::Lobby { joined, by_link, by_code });
        self.tell_computers();
    }
}

/// An author's place on a list: its number until there are seats.
fn place_on(seats: &[Listed], author: &Author) -> Option<Seat> {
    let place = seats.iter().position(|seat| seat.author == *author)?;
    u16::try_from(place).ok().map(Seat)
}

/// Reads a payload; its author signed it, so its author is named if it has a seat.
fn read<T: Codec>(entry: &Entry, seat: Option<Seat>) -> Result<T, Fault> {
    T::from_bytes(&entry.payload).map_err(|_| Fault::new(FaultCode::Malformed).blaming_all(seat))
}
