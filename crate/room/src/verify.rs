//! Checking a record: everything that a seat checks, by somebody who was never in the room.
//!
//! An observer is a [`Room`] that says nothing. It reads the record's entries in an order that the
//! room could have seen, checks chains, signatures, lists, keys and acknowledgements as every seat
//! did, and, with the room's key, adds up the values again and compares what the seats signed.

use crate::room::{Observer, Room};
use crate::{ClientPolicy, Identity, Roster};
use undertone_machine::{Fault, FaultCode, Outcome, RoundKind, Seat, Secret};
use undertone_prim::Transcript;
use undertone_wire::{Author, Codec, Entry, EntryKind, Hash, Plan, Record, room_of};

/// What a record shows beyond doubt. What it does not show: [`unchecked`](Self::unchecked).
#[derive(Clone, Debug)]
pub struct Verified {
    /// The room: the hash of its host's key.
    pub room: Hash,
    /// Number of the last list; a higher one than 1 means that silent seats were left out.
    pub list: u8,
    /// The seats in order, and how well they are verified, as all of them signed.
    pub roster: Roster,
    /// Whether the record holds the room's key.
    pub keyed: bool,
    /// The questions, in order.
    pub questions: Vec<CheckedQuestion>,
}

/// A question of a checked record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedQuestion {
    /// The plan.
    pub plan: Plan,
    /// Seats that signed the same people and the same question.
    pub acknowledged: usize,
    /// Seats whose values are in the record.
    pub sent: Vec<Seat>,
    /// Seats that signed a result: with the key, this very one.
    pub confirmed: usize,
    /// The figures, computed again from the values; absent without the key or without all values.
    pub outcome: Option<Outcome>,
}

/// What was not checked, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unchecked {
    /// The figures: the record holds no key.
    Figures,
    /// Whether this is the room that is meant: its code or number tells.
    Room,
    /// Whether those who came by link knew its secret: each seat checked that before it signed.
    Invites,
    /// Whether something that was said after the last entries here was left out.
    Rest,
    /// Whether the values were true.
    Values,
}

impl Unchecked {
    /// Its name in interfaces.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Figures => "figures",
            Self::Room => "room",
            Self::Invites => "invites",
            Self::Rest => "rest",
            Self::Values => "values",
        }
    }
}

impl Verified {
    /// What no record can show, and what this one does not.
    #[must_use]
    pub fn unchecked(&self) -> Vec<Unchecked> {
        let always = [Unchecked::Room, Unchecked::Invites, Unchecked::Rest, Unchecked::Values];
        (!self.keyed).then_some(Unchecked::Figures).into_iter().chain(always).collect()
    }
}

/// Checks the bytes of a record.
///
/// # Errors
/// [`FaultCode::Malformed`] if they are no record. [`FaultCode::BadSignature`],
/// [`FaultCode::BrokenChain`], [`FaultCode::Equivocation`] naming the seat, [`FaultCode::SplitView`],
/// [`FaultCode::BadKey`] naming the place on the list, or [`FaultCode::GroupTooSmall`] if they are not
/// what one honest room says. [`FaultCode::BadSeal`] if the key does not open the values,
/// [`FaultCode::ResultSplit`] if a seat signed another result than the values give,
/// [`FaultCode::SumOutOfRange`] if they give none. [`FaultCode::Missing`] if the record ends before
/// there were seats.
///
/// # Security
/// It trusts nothing but the hash functions and signatures. Which room a record is of is for the
/// reader to compare: anyone can play a room alone and export it.
pub fn verify(bytes: &[u8]) -> Result<Verified, Fault> {
    let record = Record::from_bytes(bytes)
        .map_err(|_| Fault::new(FaultCode::Malformed).saying("This is no whole record: it was cut or changed."))?;
    // No entry can be written by a key that follows from all entries, so the observer is nobody.
    let seed = Secret::new(Transcript::new("observer/v1").field(bytes).hash());
    Replay::start(record, seed).and_then(|(replay, host)| replay.follow(host)).map_err(reworded)
}

/// A seat's words do not always fit a reader, and a wrong key is nobody's doing.
fn reworded(fault: Fault) -> Fault {
    match fault.code() {
        FaultCode::BadSeal => Fault::new(FaultCode::BadSeal).at(fault.phase()).saying(
            "The key of this record does not open its values: the key was changed, or a seat sealed something else.",
        ),
        FaultCode::SplitView => fault.saying("An entry that others signed is missing here or differs from theirs."),
        _ => fault,
    }
}

/// A record on its way through an observer.
struct Replay {
    room: Room,
    others: Vec<Entry>,
    /// The plans that the host has announced so far.
    announced: Vec<Hash>,
    questions: Vec<CheckedQuestion>,
}

impl Replay {
    /// An observer at the door, with what the host and what the others said.
    fn start(record: Record, seed: Secret<[u8; 32]>) -> Result<(Self, Vec<Entry>), Fault> {
        let policy = ClientPolicy { small_group: true, pairs: true, ..ClientPolicy::default() };
        let mut room = Room::start(Identity::guest(seed, record.room), None, false, policy, Vec::new())?;
        room.observer = Some(Observer { key: record.key });
        let (mut host, mut others) = (Vec::new(), Vec::new());
        for bytes in &record.entries {
            let entry = Entry::from_bytes(bytes).map_err(|_| Fault::new(FaultCode::Malformed))?;
            // In a record nobody is a passer-by: whatever is broken breaks it.
            room.journal.bind([entry.header.author]);
            let side = if room_of(&entry.header.author) == record.room { &mut host } else { &mut others };
            side.push(entry);
        }
        Ok((Self { room, others, announced: Vec::new(), questions: Vec::new() }, host))
    }

    /// Follows the host, and before each of its decisions reads what the others said until then.
    fn follow(mut self, host: Vec<Entry>) -> Result<Verified, Fault> {
        for entry in host {
            if matches!(entry.kind, EntryKind::Plan | EntryKind::List | EntryKind::Ack) {
                self.catch_up(false)?;
            }
            if entry.kind == EntryKind::Plan {
                self.note_question();
            }
            self.room.take_up(&entry.to_bytes())?;
            self.announced.extend(self.room.facts.asked.as_ref().map(|asked| asked.hash));
        }
        self.catch_up(true)?;
        self.note_question();
        self.finish()
    }

    /// Reads what the others can have said by now, or all that is left, each in its author's order.
    ///
    /// Twice, so that whoever breaks a rule after the reveals can be named by seat.
    fn catch_up(&mut self, all: bool) -> Result<(), Fault> {
        self.read_others(false)?;
        self.read_others(all)
    }

    fn read_others(&mut self, all: bool) -> Result<(), Fault> {
        let mut waiting: Option<Author> = None;
        for entry in std::mem::take(&mut self.others) {
            if waiting == Some(entry.header.author) || !(all || self.is_ripe(&entry)) {
                waiting = Some(entry.header.author);
                self.others.push(entry);
            } else {
                self.room.take_up(&entry.to_bytes())?;
            }
        }
        self.room.progress()?;
        // Nobody else is waiting here, so all that there is to compute is computed at once.
        while self.room.is_working() {
            self.room.progress()?;
        }
        self.room.actions.clear();
        Ok(())
    }

    /// Whether the host has said what the entry refers to.
    fn is_ripe(&self, entry: &Entry) -> bool {
        let number = self.room.facts.closed.as_ref().map_or(0, |closed| closed.list.number);
        let place = &entry.place;
        let after_lock = number > 0 && place.list_number <= number && self.announced.contains(&place.plan);
        match entry.kind {
            EntryKind::Join => true,
            EntryKind::Reveal => after_lock,
            _ => after_lock && self.room.roster.is_some(),
        }
    }

    /// Writes down what is known of the current question, before it is forgotten for the next.
    fn note_question(&mut self) {
        self.room.do_without_missing();
        let room = &self.room;
        let (Some(roster), Some(asked), Some(closed)) = (&room.roster, &room.facts.asked, &room.facts.closed) else {
            return;
        };
        let agreement = (closed.hash, asked.hash);
        let rounds = room.facts.rounds.get(&agreement).map_or(&[][..], Vec::as_slice);
        let masked = rounds.iter().filter(|sealed| sealed.kind == RoundKind::Masked);
        let question = CheckedQuestion {
            plan: asked.plan.clone(),
            acknowledged: room.facts.acks.get(&agreement).map_or(0, |acks| acks.len()),
            sent: masked.filter_map(|sealed| roster.seat_of(&sealed.header.author)).collect(),
            confirmed: room.facts.confirms.get(&agreement).map_or(0, |confirms| confirms.len()),
            outcome: room.run.as_ref().and_then(|run| run.outcome.clone()),
        };
        self.questions.push(question);
    }

    fn finish(self) -> Result<Verified, Fault> {
        let Self { mut room, questions, .. } = self;
        let (Some(roster), Some(closed)) = (room.roster.take(), &room.facts.closed) else {
            let message = "The record ends before everyone had shown their keys.";
            return Err(Fault::new(FaultCode::Missing).at(room.phase()).saying(message));
        };
        let list = closed.list.number;
        let key = room.observer.as_ref().and_then(|observer| observer.key.as_ref());
        if key.is_some_and(|key| key.list != list) {
            return Err(Fault::new(FaultCode::BadSeal));
        }
        Ok(Verified { room: room.identity.room(), list, roster, keyed: key.is_some(), questions })
    }
}
