//! The room itself: what people call, what comes in, what goes out.

use crate::compute::Compute;
use crate::facts::{Agreement, Facts};
use crate::identity::{Identity, join_mac};
use crate::journal::{Journal, Verdict};
use crate::keys::{Life, method_of};
use crate::outbox::Outbox;
use crate::pipes::Pairs;
use crate::policy::ClientPolicy;
use crate::roster::Roster;
use crate::run::{MASKED, Run};
use crate::timer::{Timer, Waiting};
use crate::{Action, Event, LedgerKey, Notice};
use std::collections::VecDeque;
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Phase, Role, Seat, Secret};
use undertone_prim::Pads;
use undertone_services::{Input, Task, module_number, module_of, prepare};
use undertone_wire::limits::PLANS_MAX;
use undertone_wire::{
    Ack, Author, Codec, Entry, EntryKind, Hash, Invite, Join, MethodId, Open, Place, Plan, RecordKey, Refusal,
    RoomCode, RoomPolicy, room_of,
};

/// What a host decides before anyone comes.
#[derive(Debug)]
pub struct HostOptions {
    /// The first question.
    pub plan: Plan,
    /// Fewest contributing seats.
    pub group_min: u16,
    /// Whether the host gives a value too. A host who does not adds up, where a few seats do that.
    pub contribute: bool,
    /// This device's own rules.
    pub policy: ClientPolicy,
}

/// One seat's view of a room, from joining to the last result.
///
/// # Security
/// See the crate's documentation for the rules that it keeps, and `SECURITY.md` for what they do
/// and do not protect.
pub struct Room {
    pub(crate) identity: Identity,
    /// The invite's secret; absent after a typed code.
    pub(crate) secret: Option<Secret<[u8; 16]>>,
    pub(crate) is_host: bool,
    /// Number of the wasm module that holds the first question's service; hosts put it into invites.
    module: u8,
    pub(crate) policy: ClientPolicy,
    pub(crate) journal: Journal,
    pub(crate) outbox: Outbox,
    pub(crate) facts: Facts,
    pub(crate) roster: Option<Roster>,
    pub(crate) pairs: Pairs,
    /// Made from these keys, once for all questions.
    pub(crate) pads: Arc<dyn Pads>,
    /// What this seat signs of the current roster and question, computed once.
    pub(crate) own_ack: Option<(Ack, Agreement)>,
    pub(crate) room_key: Option<Secret<[u8; 32]>>,
    pub(crate) input: Option<Input>,
    /// Own masked value of the current question, once made.
    pub(crate) masked: Option<Vec<u8>>,
    pub(crate) run: Option<Run>,
    /// Keys for the current question, if its method uses keys up.
    pub(crate) life: Option<Life>,
    /// About those who add up for others.
    pub(crate) compute: Compute,
    /// Bytes of pipes from seats that were ready before this one.
    pub(crate) early_bytes: Vec<(Author, Vec<u8>)>,
    /// Entries that wait until this device has computed what the question before them comes to.
    held: VecDeque<Vec<u8>>,
    pub(crate) stage: Stage,
    /// What was last told about progress and results, so that nothing is told twice.
    pub(crate) told: Told,
    pub(crate) timer: Timer,
    pub(crate) actions: VecDeque<Action>,
    pub(crate) over: bool,
    pub(crate) ideal_pads: Option<Arc<dyn Pads>>,
    /// Set if this is nobody's seat: a record is followed, and nothing is ever said.
    pub(crate) observer: Option<Observer>,
}

/// Somebody who follows a room's record without a seat.
pub(crate) struct Observer {
    /// The key that came with the record.
    pub(crate) key: Option<RecordKey>,
}

/// How far the current question is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Not everyone has acknowledged.
    #[default]
    Agreeing,
    /// Values may leave.
    Answering,
    /// A result is out, not all seats have signed it.
    Confirming,
    /// Everyone signed the result, or the question ended early.
    Over,
}

/// The last counts that were told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) acknowledged: usize,
    pub(crate) sent: usize,
    pub(crate) confirmed: Option<usize>,
}

impl Room {
    /// Opens a room, or takes one up again with the ledger's records of the same seed.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if the records are not one whole chain of this seat;
    /// [`FaultCode::GroupTooSmall`] if this device does not accept the group that it asks for.
    pub fn host(seed: Secret<[u8; 32]>, options: HostOptions, records: Vec<Vec<u8>>) -> Result<Self, Fault> {
        let identity = Identity::host(seed);
        let secret = Some(identity.invite_secret());
        let mut room = Self::start(identity, secret, true, options.policy, records)?;
        if options.group_min < room.policy.floor() {
            let message = format!("The smallest group must be {} or more.", room.policy.floor());
            return Err(Fault::new(FaultCode::GroupTooSmall).in_field("group_min").saying(message));
        }
        room.module = module_number(module_of(&options.plan)?);
        let idle = Self::idle_role(prepare(&options.plan)?.computers());
        let role = if options.contribute { Role::Contributor } else { idle };
        let join = room.join_request(role, method_of(&options.plan)?);
        let open = Open { policy: RoomPolicy { group_min: options.group_min }, join };
        // The device may have gone between the two.
        for (kind, payload) in [(EntryKind::Open, open.to_bytes()), (EntryKind::Plan, options.plan.to_bytes())] {
            if !room.outbox.has_said(kind, &Place::NOWHERE) {
                room.say(Place::NOWHERE, kind, payload)?;
            }
        }
        Ok(room)
    }

    /// Looks into a room as a guest, or comes back with the ledger's records of the same seed.
    ///
    /// Nothing is said before [`take_part`](Self::take_part).
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if the records are not one whole chain of this seat.
    pub fn guest(
        seed: Secret<[u8; 32]>,
        room: Hash,
        secret: Option<Secret<[u8; 16]>>,
        policy: ClientPolicy,
        records: Vec<Vec<u8>>,
    ) -> Result<Self, Fault> {
        Self::start(Identity::guest(seed, room), secret, false, policy, records)
    }

    pub(crate) fn start(
        identity: Identity,
        secret: Option<Secret<[u8; 16]>>,
        is_host: bool,
        policy: ClientPolicy,
        records: Vec<Vec<u8>>,
    ) -> Result<Self, Fault> {
        let (outbox, actions) = Outbox::restore(&identity, records)?;
        let mut journal = Journal::new(identity.room());
        journal.bind([identity.author()]);
        Ok(Self {
            journal,
            identity,
            secret,
            is_host,
            module: 0,
            policy,
            outbox,
            facts: Facts::default(),
            roster: None,
            pairs: Pairs::default(),
            pads: Arc::new(()),
            own_ack: None,
            room_key: None,
            input: None,
            masked: None,
            run: None,
            life: None,
            compute: Compute::default(),
            early_bytes: Vec::new(),
            held: VecDeque::new(),
            stage: Stage::default(),
            told: Told::default(),
            timer: Timer::new(),
            actions: actions.into(),
            over: false,
            ideal_pads: None,
            observer: None,
        })
    }

    /// Replaces the pads by ideal ones, for tests that show what a scan for leaks would find.
    #[cfg(feature = "ideal")]
    pub fn replace_pads(&mut self, pads: Arc<dyn Pads>) {
        self.ideal_pads = Some(pads);
    }

    /// This seat's keys.
    #[must_use]
    pub const fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The people and keys of this room, once everyone has shown theirs.
    #[must_use]
    pub const fn roster(&self) -> Option<&Roster> {
        self.roster.as_ref()
    }

    /// The current question.
    #[must_use]
    pub fn task(&self) -> Option<&Arc<dyn Task>> {
        self.facts.asked.as_ref().map(|asked| &asked.task)
    }

    /// When to tell the time next, on the clock of [`Event::Clock`].
    #[must_use]
    pub fn wake_at(&self) -> Option<u64> {
        if self.is_working() { Some(self.timer.now()) } else { self.timer.due() }
    }

    /// Whether there is more to compute: the time may be told at once, and the room goes on.
    #[must_use]
    pub fn is_working(&self) -> bool {
        !self.over && self.run.as_ref().is_some_and(Run::is_working)
    }

    /// Whether something that everyone agreed on ends at [`wake_at`](Self::wake_at): until then a seat
    /// that cannot reach the relay tries on.
    #[must_use]
    pub fn has_deadline(&self) -> bool {
        self.timer.waiting().is_some_and(|waiting| waiting != Waiting::Question)
    }

    /// The next thing to do.
    pub fn poll(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// Whether the room is over for this seat.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Takes an event. What follows from it is asked for with [`poll`](Self::poll).
    pub fn handle(&mut self, event: Event<'_>) {
        if self.over {
            return;
        }
        let done = match event {
            Event::Entry(bytes) => self.hear(bytes),
            Event::Stored { key, bytes } => self.stored(&key, bytes),
            Event::StoreFailed => Err(Fault::new(FaultCode::StoreFailed)),
            Event::Piped { from, bytes } => self.piped(&from, bytes),
            Event::Credited { from, bytes } => self.credited(&from, bytes),
            Event::Clock(now) => self.tick(now),
            Event::Refused(refusal) => Err(refused(refusal)),
            Event::LinkLost => Err(Fault::new(FaultCode::LinkLost)),
        };
        if let Err(fault) = done.and_then(|()| self.hear_held()) {
            self.end(fault);
        }
    }

    /// Guest: asks for a seat. `small_group` is the person's consent to a group of three or four.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] for a host, twice, or before there is a question.
    pub fn take_part(&mut self, small_group: bool) -> Result<(), Fault> {
        self.take_part_as(Role::Contributor, small_group)
    }

    pub(crate) fn ask_for_seat(&mut self, role: Role, small_group: bool) -> Result<(), Fault> {
        self.policy.small_group |= small_group;
        if self.is_host || self.over || self.outbox.has_said(EntryKind::Join, &Place::NOWHERE) {
            return Err(Fault::new(FaultCode::BadCall));
        }
        let method = self.method().ok_or_else(no_question)?;
        let join = self.join_request(role, method);
        self.say(Place::NOWHERE, EntryKind::Join, join.to_bytes())
    }

    /// Checks a typed value against the current question; nothing is kept or sent.
    ///
    /// # Errors
    /// [`FaultCode::BadInput`] with a sentence that names the allowed range.
    pub fn check_input(&self, text: &str) -> Result<(), Fault> {
        self.asked_task()?.read(text).map(|_| ())
    }

    /// Takes the person's value. It leaves, masked, once everyone has acknowledged.
    ///
    /// # Errors
    /// [`FaultCode::BadInput`] with a sentence that names the allowed range,
    /// [`FaultCode::RoundSpent`] if a value for this question has been made ready to leave.
    pub fn submit(&mut self, text: &str) -> Result<(), Fault> {
        let input = self.asked_task()?.read(text)?;
        self.take_input(input)
    }

    /// Takes the person's value for the question of that number only: in a series the next one may be in
    /// force by the time that a value is there. Without a number it is for the current one.
    ///
    /// # Errors
    /// As [`submit`](Self::submit), and [`FaultCode::BadCall`] for a question that is not in force.
    pub fn submit_to(&mut self, number: Option<u16>, text: &str) -> Result<(), Fault> {
        if number.is_some_and(|number| number != self.number()) {
            return Err(Fault::new(FaultCode::BadCall).saying("That question is over."));
        }
        self.submit(text)
    }

    /// Takes a column of rows for which this seat stands.
    ///
    /// # Errors
    /// As [`submit`](Self::submit), naming the row.
    pub fn submit_rows(&mut self, rows: &mut dyn Iterator<Item = &str>) -> Result<(), Fault> {
        let input = self.asked_task()?.read_rows(rows)?;
        self.take_input(input)
    }

    fn take_input(&mut self, input: Input) -> Result<(), Fault> {
        if self.run.is_some() || self.outbox.has_said(MASKED, &self.place()) {
            return Err(Fault::new(FaultCode::RoundSpent));
        }
        if self.over || self.stage == Stage::Over {
            return Err(Fault::new(FaultCode::BadCall));
        }
        self.input = Some(input);
        if let Err(fault) = self.progress() {
            self.end(fault);
        }
        Ok(())
    }

    /// Host: closes the list on as many people as were counted in the room.
    ///
    /// # Errors
    /// [`FaultCode::HeadCount`] if another number joined: somebody uninvited may be among them.
    /// [`FaultCode::GroupTooSmall`] if they are too few.
    pub fn lock(&mut self, heads: usize) -> Result<(), Fault> {
        self.lock_with(heads, &[])
    }

    /// Host: the same, with these of the seats that offer to add up; all of them if none are named.
    ///
    /// # Errors
    /// As [`lock`](Self::lock); [`FaultCode::HeadCount`] also if they are not as many as the question takes.
    pub fn lock_with(&mut self, heads: usize, computers: &[Author]) -> Result<(), Fault> {
        self.host_only()?;
        if self.facts.closed.is_some() {
            return Err(Fault::new(FaultCode::BadCall));
        }
        self.first_list(heads, computers)
    }

    /// Host: asks the same people something new.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] while a question is open; [`FaultCode::RoomFull`] after too many.
    pub fn ask(&mut self, plan: Plan) -> Result<(), Fault> {
        self.host_only()?;
        if self.stage != Stage::Over && self.stage != Stage::Confirming {
            return Err(Fault::new(FaultCode::BadCall).saying("The current question is still open."));
        }
        let number = self.facts.plans.checked_add(1).filter(|_| self.facts.questions < PLANS_MAX);
        let number = number.ok_or_else(|| Fault::new(FaultCode::RoomFull))?;
        let plan = Plan { number, fresh_keys: self.lacks_keys(&plan)?, ..plan };
        self.say(self.place(), EntryKind::Plan, plan.to_bytes())
    }

    /// Goes: a host closes the room, a guest only leaves. What was sent stays sent.
    pub fn leave(&mut self) {
        if self.over {
            return;
        }
        let kind = if self.is_host { EntryKind::Close } else { EntryKind::Leave };
        if self.outbox.has_said(kind, &self.place()) {
            return;
        }
        let joined = self.is_host || self.outbox.has_said(EntryKind::Join, &Place::NOWHERE);
        if joined && self.say(self.place(), kind, Vec::new()).is_err() {
            self.end(Fault::new(FaultCode::Closed));
        }
        if !joined {
            self.close();
        }
    }

    fn host_only(&self) -> Result<(), Fault> {
        let allowed = self.is_host && !self.over && self.facts.open.is_some();
        if allowed { Ok(()) } else { Err(Fault::new(FaultCode::BadCall)) }
    }

    fn asked_task(&self) -> Result<&Arc<dyn Task>, Fault> {
        self.task().ok_or_else(no_question)
    }

    fn join_request(&self, role: Role, first: MethodId) -> Join {
        let commitments = self.identity.commitments(first);
        let mac = self.secret.as_ref().map(|secret| {
            *join_mac(secret.expose(), &self.identity.room(), &self.identity.author(), &commitments).expose()
        });
        Join { role, commitments, mac }
    }

    /// The last list and question that this seat saw, and its own seat.
    pub(crate) fn place(&self) -> Place {
        let closed = self.facts.closed.as_ref();
        Place {
            list_number: closed.map_or(0, |closed| closed.list.number),
            list: closed.map_or([0; 32], |closed| closed.hash),
            plan: self.facts.asked.as_ref().map_or([0; 32], |asked| asked.hash),
            seat: self.me().map_or(undertone_wire::NO_SEAT, |seat| seat.0),
            round: 0,
        }
    }

    /// This seat's number.
    pub(crate) fn me(&self) -> Option<Seat> {
        self.roster.as_ref()?.seat_of(&self.identity.author())
    }

    pub(crate) fn host_author(&self) -> Option<Author> {
        let is_host = |author: &&Author| undertone_wire::room_of(author) == self.identity.room();
        self.facts.joins.keys().find(is_host).copied()
    }

    /// Signs an entry and asks the ledger to hold it. An observer says nothing.
    pub(crate) fn say(&mut self, place: Place, kind: EntryKind, payload: Vec<u8>) -> Result<(), Fault> {
        if self.observer.is_some() {
            return Ok(());
        }
        self.actions.extend(self.outbox.push(&self.identity, place, kind, payload)?);
        Ok(())
    }

    pub(crate) fn tell(&mut self, notice: Notice) {
        self.actions.push_back(Action::Notice(notice));
    }

    /// Text of the invite and the code, for the host to show.
    pub(crate) fn tell_opened(&mut self) {
        let Some(secret) = self.secret.as_ref().filter(|_| self.is_host) else { return };
        let room = self.identity.room();
        let invite = Invite { room, module: self.module, secret: Secret::new(*secret.expose()) };
        let (invite, code) = (invite.to_text(), RoomCode::of(&room).to_string());
        self.tell(Notice::Opened { invite, code });
    }

    fn hear(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if !self.held.is_empty() || self.is_too_early(bytes) {
            self.held.push_back(bytes.to_vec());
            return Ok(());
        }
        if self.take_up(bytes)? { self.progress() } else { Ok(()) }
    }

    /// Whether the host goes on although this device still computes what all values come to: it is slow,
    /// or reads after a reload in one go what took the others a while. The question did not fail.
    fn is_too_early(&self, bytes: &[u8]) -> bool {
        let goes_on = |entry: Entry| {
            let from_host = room_of(&entry.header.author) == self.identity.room();
            from_host && matches!(entry.kind, EntryKind::Plan | EntryKind::Close)
        };
        self.is_working() && Entry::from_bytes(bytes).is_ok_and(goes_on) && self.is_finishing()
    }

    /// Hears what waited for this device's work.
    fn hear_held(&mut self) -> Result<(), Fault> {
        while !self.is_working()
            && let Some(bytes) = self.held.pop_front()
        {
            if self.take_up(&bytes)? {
                self.progress()?;
            }
        }
        Ok(())
    }

    /// Takes up an entry of the log, if it is a new one, without asking yet what follows from it.
    pub(crate) fn take_up(&mut self, bytes: &[u8]) -> Result<bool, Fault> {
        match self.journal.judge(bytes) {
            Verdict::Ignored => Ok(false),
            Verdict::Broken(code, author, proof) => Err(self.broken(code, &author).proven_by(proof)),
            Verdict::Accepted(entry, hash) => {
                if entry.header.author == self.identity.author() {
                    self.outbox.check_own(entry.header.sequence, &hash)?;
                }
                self.learn(*entry, hash)?;
                Ok(true)
            }
        }
    }

    /// Only two signed entries in one place are evidence against their author: the relay can drop
    /// and garble, but not sign.
    fn broken(&self, code: FaultCode, author: &Author) -> Fault {
        let blamed = self.seat(author).filter(|_| code == FaultCode::Equivocation);
        Fault::new(code).at(self.phase()).blaming_all(blamed)
    }

    fn stored(&mut self, key: &LedgerKey, bytes: Vec<u8>) -> Result<(), Fault> {
        let action = self.outbox.stored(key, bytes)?;
        self.actions.extend(action);
        Ok(())
    }

    pub(crate) const fn phase(&self) -> Phase {
        match (self.facts.closed.is_some(), self.roster.is_some(), self.stage) {
            (false, ..) => Phase::Join,
            (_, false, _) => Phase::Reveal,
            (_, _, Stage::Agreeing) => Phase::Acknowledge,
            (_, _, Stage::Answering) => Phase::Round,
            (_, _, Stage::Confirming | Stage::Over) => Phase::Confirm,
        }
    }

    /// Ends the room for this seat: nothing that waits may leave any more.
    pub(crate) fn end(&mut self, fault: Fault) {
        self.over = true;
        self.timer.end();
        self.actions.retain(|action| matches!(action, Action::Notice(_)));
        self.tell_fault(fault, false);
        self.tell(Notice::Closed);
    }

    /// Ends the current question only.
    pub(crate) fn end_question(&mut self, fault: Fault) {
        self.stage = Stage::Over;
        self.input = None;
        self.run = None;
        self.schedule_reading();
        self.rest();
        self.tell_fault(fault, true);
    }

    /// Number of the question in force, 0 before the first.
    fn number(&self) -> u16 {
        self.facts.asked.as_ref().map_or(0, |asked| asked.plan.number)
    }

    fn tell_fault(&mut self, fault: Fault, room_goes_on: bool) {
        let sent = self.masked.is_some() || self.outbox.has_said(MASKED, &self.place());
        self.tell(Notice::Fault { fault, sent, room_goes_on, number: self.number() });
    }

    /// Ends the room without a fault. An observer reads on: others may have spoken until then.
    pub(crate) fn close(&mut self) {
        if self.observer.is_some() {
            return;
        }
        self.over = true;
        self.timer.end();
        self.tell(Notice::Closed);
    }
}

fn no_question() -> Fault {
    Fault::new(FaultCode::BadCall).saying("There is no question yet.")
}

/// The relay's word is no evidence against anyone.
fn refused(refusal: Refusal) -> Fault {
    let code = match refusal {
        Refusal::NoSuchRoom => FaultCode::NoSuchRoom,
        Refusal::RoomFull => FaultCode::RoomFull,
        _ => FaultCode::RelayRefused,
    };
    Fault::new(code).saying(refusal.sentence())
}

impl core::fmt::Debug for Room {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Room").field("stage", &self.stage).field("over", &self.over).finish_non_exhaustive()
    }
}
