//! A party in a room, by lists of operations: the log says anything, and so do pipes, ledger and clock.
//!
//! Apart from bytes as they are, the log may hold what known seats sign: a fuzzer cannot guess
//! signatures, and would never get past them.

use crate::codecs::must;
use crate::ops::Ops;
use crate::{Broken, Verdict};
use std::collections::BTreeSet;
use undertone_machine::{RoundKind, Secret};
use undertone_prim::SeatKey;
use undertone_room::{Action, ClientPolicy, Event, HostOptions, Identity, Notice, Room};
use undertone_services::draft;
use undertone_wire::{Codec, Entry, EntryKind, Hash, Header, List, NO_SEAT, Place, Plan, Refusal};

/// Seeds of the seats that the log may hold entries of, the host first.
const SEEDS: [u8; 4] = [200, 0, 1, 2];

/// Most that a room may want done after one event.
const ACTIONS_MAX: usize = 10_000;

/// What is known of one seat's room, and what it said.
struct Play {
    room: Room,
    id: Hash,
    /// What each known seat said so far: its next number and the hash before it.
    chains: [(u32, Hash); SEEDS.len()],
    place: Place,
    stored: BTreeSet<Vec<u8>>,
    /// Own entries that the log did not show yet.
    unseen: Vec<Vec<u8>>,
    ready: bool,
    /// Whether it was at any time so far that values might have left.
    was_ready: bool,
    values: BTreeSet<Hash>,
    now_ms: u64,
}

/// Nothing leaves but what the ledger held, no value before everyone acknowledged, one for each
/// question; and a room that is over waits for nothing.
pub(crate) fn run(bytes: &[u8]) -> Result<Verdict, Broken> {
    let mut ops = Ops::new(bytes);
    let mut play = Play::new(ops.u8())?;
    play.drain()?;
    while let Some(op) = ops.next_of(14) {
        play.step(op, &mut ops);
        play.drain()?;
    }
    Ok(if play.was_ready { Verdict::Taken } else { Verdict::Refused })
}

impl Play {
    fn new(who: u8) -> Result<Self, Broken> {
        let host = Identity::host(Secret::new([SEEDS[0]; 32]));
        let policy = ClientPolicy { small_group: true, ..ClientPolicy::default() };
        let room = if who == 0 {
            let options = HostOptions { plan: question()?, group_min: 3, contribute: true, policy };
            Room::host(Secret::new([SEEDS[0]; 32]), options, Vec::new())
        } else {
            let secret = Some(host.invite_secret()).filter(|_| who % 2 == 1);
            Room::guest(Secret::new([SEEDS[1]; 32]), host.room(), secret, policy, Vec::new())
        };
        Ok(Self {
            room: room.map_err(|_| Broken("no room"))?,
            id: host.room(),
            chains: [(0, [0; 32]); SEEDS.len()],
            place: Place::NOWHERE,
            stored: BTreeSet::new(),
            unseen: Vec::new(),
            ready: false,
            was_ready: false,
            values: BTreeSet::new(),
            now_ms: 0,
        })
    }

    fn step(&mut self, op: u8, ops: &mut Ops<'_>) {
        match op {
            0 => self.show(ops.bytes()),
            1 => self.sign(ops),
            2 => std::mem::take(&mut self.unseen).iter().for_each(|bytes| self.show(bytes)),
            3 => {
                self.now_ms = self.now_ms.saturating_add(ops.u32().into());
                self.room.handle(Event::Clock(self.now_ms));
            }
            4 => {
                let from = key(ops.u8()).public();
                self.room.handle(Event::Piped { from, bytes: ops.bytes() });
            }
            5 => {
                let from = key(ops.u8()).public();
                self.room.handle(Event::Credited { from, bytes: ops.u32() });
            }
            6 => {
                let reason = Refusal::from_wire(ops.u8()).unwrap_or(Refusal::BadFrame);
                self.room.handle(Event::Refused(reason));
            }
            7 => self.room.handle(Event::LinkLost),
            8 => drop(self.room.take_part(ops.u8() == 0)),
            9 => drop(core::str::from_utf8(ops.bytes()).map(|text| self.room.submit(text))),
            10 => drop(self.room.lock(ops.u8().into())),
            11 => drop(question().map(|plan| self.room.ask(plan))),
            12 => self.room.leave(),
            _ => self.room.handle(Event::StoreFailed),
        }
    }

    /// The log shows bytes.
    fn show(&mut self, bytes: &[u8]) {
        if let Ok(entry) = Entry::from_bytes(bytes) {
            self.note(&entry);
        }
        self.room.handle(Event::Entry(bytes));
    }

    /// Follows the log, so that what is signed next fits to it.
    fn note(&mut self, entry: &Entry) {
        if let Some(chain) = self.chain_of(&entry.header) {
            *chain = (entry.header.sequence.saturating_add(1), entry.hash());
        }
        if let (EntryKind::List, Ok(list)) = (entry.kind, List::from_bytes(&entry.payload)) {
            (self.place.list_number, self.place.list) = (list.number, list.hash(&self.id));
        }
        if let (EntryKind::Plan, Ok(plan)) = (entry.kind, Plan::from_bytes(&entry.payload)) {
            self.place.plan = plan.hash(&self.id);
        }
    }

    fn chain_of(&mut self, header: &Header) -> Option<&mut (u32, Hash)> {
        let known = SEEDS.iter().zip(0..).find(|(_, who)| key(*who).public() == header.author);
        self.chains.get_mut(usize::from(known?.1))
    }

    /// A known seat signs any payload as its next entry, where the room is.
    fn sign(&mut self, ops: &mut Ops<'_>) {
        let (who, kind, payload) = (ops.u8(), ops.u8(), ops.bytes().to_vec());
        let Some(kind) = EntryKind::from_wire(kind) else { return };
        let key = key(who);
        let header = Header { room: self.id, author: key.public(), sequence: 0 };
        let Some((sequence, previous)) = self.chain_of(&header).copied() else { return };
        let seat = self.room.roster().and_then(|roster| roster.seat_of(&key.public()));
        let place = match kind {
            EntryKind::Open | EntryKind::Join => Place::NOWHERE,
            _ => Place { seat: seat.map_or(NO_SEAT, |seat| seat.0), ..self.place },
        };
        let entry = Entry::sign(&key, self.id, sequence, previous, place, kind, payload);
        self.show(&entry.to_bytes());
    }

    /// Does what the room wants, and looks at what that is.
    fn drain(&mut self) -> Result<(), Broken> {
        for _ in 0..ACTIONS_MAX {
            match self.room.poll() {
                None => return must(!self.room.is_over() || self.room.wake_at().is_none(), "an end has a deadline"),
                Some(Action::Store { key, bytes }) => {
                    self.stored.insert(bytes.clone());
                    self.room.handle(Event::Stored { key, bytes });
                }
                Some(Action::Append(bytes)) => self.left(bytes)?,
                Some(Action::Notice(Notice::Ready { .. })) => (self.ready, self.was_ready) = (true, true),
                Some(Action::Notice(Notice::Locked { .. } | Notice::Question { .. })) => self.ready = false,
                Some(_) => {}
            }
        }
        Err(Broken("one event leads to work without end"))
    }

    fn left(&mut self, bytes: Vec<u8>) -> Result<(), Broken> {
        must(self.stored.contains(&bytes), "something left that the ledger does not hold")?;
        let entry = Entry::from_bytes(&bytes).map_err(|_| Broken("a room says what cannot be read"))?;
        if entry.kind == EntryKind::Round(RoundKind::Masked) {
            must(self.ready, "a value left before everyone acknowledged")?;
            must(self.values.insert(entry.place.plan), "two values left for one question")?;
        }
        self.unseen.push(bytes);
        Ok(())
    }
}

fn key(who: u8) -> SeatKey {
    let seed = SEEDS.get(usize::from(who) % SEEDS.len()).copied().unwrap_or_default();
    SeatKey::from_seed(&Secret::new([seed; 32]))
}

fn question() -> Result<Plan, Broken> {
    draft("sum", "How much?", &[("max", "50")], "60").map_err(|_| Broken("no question"))
}
