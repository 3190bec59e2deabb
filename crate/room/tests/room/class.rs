//! A class of rooms on one perfect log, with hooks for everything that can go wrong.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use undertone_machine::{Fault, FaultCode, Role, Secret};
use undertone_room::{Action, ClientPolicy, Event, HostOptions, LedgerKey, Notice, Room};
use undertone_services::draft;
use undertone_wire::{Author, Codec, Entry, EntryKind, Hash, Invitation, Invite, List, NO_SEAT, Place, Plan};

/// A question about euros.
pub(crate) fn euros(service: &str) -> Plan {
    draft(service, "How much?", &[("unit", "EUR"), ("decimals", "2"), ("max", "50"), ("rows_max", "10")], "60").unwrap()
}

/// The same for people who may go, with so many seats that add up.
pub(crate) fn euros_by(computers: usize, more: &[(&str, &str)]) -> Plan {
    let count = computers.to_string();
    let params = [("unit", "EUR"), ("decimals", "2"), ("max", "50"), ("computers", &count)];
    draft("shares", "How much?", &[&params[..], more].concat(), "60").unwrap()
}

/// Rules of a device whose person agreed to a small group.
pub(crate) fn small() -> ClientPolicy {
    ClientPolicy { small_group: true, ..ClientPolicy::default() }
}

/// One seat with its ledger and what it was told.
pub(crate) struct Seated {
    pub(crate) room: Room,
    pub(crate) ledger: BTreeMap<LedgerKey, Vec<u8>>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) read: usize,
    /// A device that is off reads and says nothing.
    pub(crate) off: bool,
}

impl Seated {
    pub(crate) fn new(room: Room) -> Self {
        Self { room, ledger: BTreeMap::new(), notices: Vec::new(), read: 0, off: false }
    }

    pub(crate) fn fault(&self) -> Option<&Fault> {
        self.notices.iter().find_map(|notice| match notice {
            Notice::Fault { fault, .. } => Some(fault),
            _ => None,
        })
    }

    /// Figures of the last result and how many confirmed it.
    pub(crate) fn result(&self) -> Option<(Vec<String>, usize)> {
        self.notices.iter().rev().find_map(|notice| match notice {
            Notice::Result { outcome, confirmed, .. } => {
                Some((outcome.figures.iter().map(|figure| figure.value.clone()).collect(), *confirmed))
            }
            _ => None,
        })
    }

    pub(crate) fn was_told(&self, name: &str) -> usize {
        self.notices.iter().filter(|notice| format!("{notice:?}") == name).count()
    }
}

/// What a relay shows to a seat: the honest one shows each entry as it is.
pub(crate) type Show = Box<dyn FnMut(usize, &[u8]) -> Vec<Vec<u8>>>;

fn is_masked(bytes: &[u8]) -> bool {
    Entry::from_bytes(bytes).is_ok_and(|entry| entry.kind == EntryKind::Round(undertone_machine::RoundKind::Masked))
}

/// All seats, the host first, on one log.
pub(crate) struct Class {
    pub(crate) seats: Vec<Seated>,
    pub(crate) log: Vec<Vec<u8>>,
    pub(crate) known: BTreeSet<Vec<u8>>,
    pub(crate) show: Show,
    pub(crate) now: u64,
    /// Masked values that left honest devices.
    pub(crate) left: Vec<Vec<u8>>,
    /// How many people typed a value that their device took.
    pub(crate) typed: usize,
    /// A participant that cheats.
    pub(crate) cheat: Option<Author>,
    /// Seats at the end that add up for the others.
    pub(crate) computers: usize,
    /// What a participant with a changed program says in place of an entry.
    pub(crate) rewrite: Option<(Author, Rewrite)>,
    pipes: VecDeque<(Author, Author, Vec<u8>)>,
}

/// What is said in place of an entry.
pub(crate) type Rewrite = Box<dyn FnMut(Entry) -> Vec<Entry>>;

impl Class {
    /// A host with a question and so many guests by link.
    pub(crate) fn open(plan: Plan, guests: u8, group_min: u16, policy: ClientPolicy) -> Self {
        let options = HostOptions { plan, group_min, contribute: true, policy };
        let host = Room::host(Secret::new([200; 32]), options, Vec::new()).unwrap();
        let mut class = Self {
            seats: vec![Seated::new(host)],
            log: Vec::new(),
            known: BTreeSet::new(),
            show: Box::new(|_, bytes| vec![bytes.to_vec()]),
            now: 1_000,
            left: Vec::new(),
            typed: 0,
            cheat: None,
            computers: 0,
            rewrite: None,
            pipes: VecDeque::new(),
        };
        class.settle();
        for guest in 0..guests {
            class.add(guest, true, policy);
        }
        class.settle();
        class
    }

    pub(crate) fn room(&self) -> Hash {
        self.seats[0].room.identity().room()
    }

    pub(crate) fn invite(&self) -> Invite {
        let text = self.seats[0].notices.iter().find_map(|notice| match notice {
            Notice::Opened { invite, .. } => Some(invite.clone()),
            _ => None,
        });
        match Invitation::from_text(&text.unwrap()).unwrap() {
            Invitation::Link(invite) => invite,
            Invitation::Code(_) => unreachable!(),
        }
    }

    pub(crate) fn add(&mut self, seed: u8, by_link: bool, policy: ClientPolicy) -> usize {
        let secret = by_link.then(|| self.invite().secret);
        let room = Room::guest(Secret::new([seed; 32]), self.room(), secret, policy, Vec::new()).unwrap();
        self.seats.push(Seated::new(room));
        let index = self.seats.len() - 1;
        self.turn(index);
        self.seats[index].room.take_part(policy.small_group).unwrap();
        index
    }

    /// Somebody by link who offers to add up; comes after all others.
    pub(crate) fn add_computer(&mut self, seed: u8, policy: ClientPolicy) -> usize {
        let secret = Some(self.invite().secret);
        let room = Room::guest(Secret::new([seed; 32]), self.room(), secret, policy, Vec::new()).unwrap();
        self.seats.push(Seated::new(room));
        let index = self.seats.len() - 1;
        self.turn(index);
        self.seats[index].room.take_part_as(Role::Compute, policy.small_group).unwrap();
        self.computers += 1;
        index
    }

    /// The entries that stand in the log for one of an honest program.
    fn rewritten(&mut self, author: Author, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        match &mut self.rewrite {
            Some((cheat, rewrite)) if *cheat == author => {
                rewrite(Entry::from_bytes(&bytes).unwrap()).iter().map(Codec::to_bytes).collect()
            }
            _ => vec![bytes],
        }
    }

    /// Lets everything that is under way arrive.
    pub(crate) fn settle(&mut self) {
        let mut active = true;
        while active {
            active = false;
            for index in 0..self.seats.len() {
                active |= self.turn(index);
            }
            while let Some((from, to, bytes)) = self.pipes.pop_front() {
                active = true;
                let seat = self.seats.iter_mut().find(|seat| seat.room.identity().author() == to).unwrap();
                match bytes.split_first() {
                    Some((0, bytes)) => seat.room.handle(Event::Piped { from, bytes }),
                    Some((_, credit)) => {
                        let bytes = u32::from_be_bytes(credit.try_into().unwrap());
                        seat.room.handle(Event::Credited { from, bytes });
                    }
                    None => {}
                }
            }
        }
    }

    fn turn(&mut self, index: usize) -> bool {
        let mut said = Vec::new();
        let seat = &mut self.seats[index];
        if seat.off {
            return false;
        }
        seat.room.handle(Event::Clock(self.now));
        let mut active = false;
        while seat.read < self.log.len() {
            for bytes in (self.show)(index, &self.log[seat.read]) {
                seat.room.handle(Event::Entry(&bytes));
            }
            seat.read += 1;
            active = true;
        }
        while let Some(action) = seat.room.poll() {
            active = true;
            let author = seat.room.identity().author();
            match action {
                Action::Store { key, bytes } => {
                    let bytes = seat.ledger.entry(key.clone()).or_insert(bytes).clone();
                    seat.room.handle(Event::Stored { key, bytes });
                }
                Action::Append(bytes) => said.push((author, bytes)),
                Action::Pipe { to, bytes } => self.pipes.push_back((author, to, [&[0], &bytes[..]].concat())),
                Action::Credit { to, bytes } => {
                    self.pipes.push_back((author, to, [&[1], &bytes.to_be_bytes()[..]].concat()));
                }
                Action::Notice(notice) => seat.notices.push(notice),
            }
        }
        for (author, bytes) in said {
            for bytes in self.rewritten(author, bytes) {
                if is_masked(&bytes) && !self.left.contains(&bytes) {
                    self.left.push(bytes.clone());
                }
                if self.known.insert(bytes.clone()) {
                    self.log.push(bytes);
                }
            }
        }
        active
    }

    /// Lets time pass in steps of a tenth of a second.
    pub(crate) fn wait(&mut self, ms: u64) {
        let end = self.now + ms;
        while self.now < end {
            self.now += 100;
            self.settle();
        }
    }

    pub(crate) fn lock(&mut self) {
        let heads = self.seats.len() - self.computers;
        self.seats[0].room.lock(heads).unwrap();
        self.settle();
    }

    /// Locks, and lets only the host act on it.
    pub(crate) fn lock_quietly(&mut self) {
        let heads = self.seats.len() - self.computers;
        self.seats[0].room.lock(heads).unwrap();
        self.turn(0);
    }

    /// Everyone types a value, wherever the room is; devices that are off or done do not take it.
    pub(crate) fn type_all(&mut self, value: &str) {
        for seat in self.seats.iter_mut().filter(|seat| !seat.off) {
            self.typed += usize::from(seat.room.submit(value).is_ok());
        }
        self.settle();
    }

    pub(crate) fn submit(&mut self, index: usize, value: &str) {
        self.seats[index].room.submit(value).unwrap();
        self.settle();
    }

    /// All entries of the log that can be read.
    pub(crate) fn written(&self) -> impl Iterator<Item = Entry> {
        self.log.iter().filter_map(|bytes| Entry::from_bytes(bytes).ok())
    }

    pub(crate) fn entries(&self, kind: EntryKind) -> Vec<Entry> {
        self.written().filter(|entry| entry.kind == kind).collect()
    }

    /// Puts an entry into the log that no honest device wrote.
    pub(crate) fn push(&mut self, entry: &Entry) {
        self.log.push(entry.to_bytes());
        self.settle();
    }

    /// The relay loses the end of its log.
    pub(crate) fn forget(&mut self, from: usize) {
        for lost in self.log.drain(from..) {
            self.known.remove(&lost);
        }
    }

    /// Where an author stands, by the last list and question of the log.
    pub(crate) fn place(&self, author: &Author) -> Place {
        let list = self.entries(EntryKind::List).pop().map(|entry| List::from_bytes(&entry.payload).unwrap());
        let plan = self.entries(EntryKind::Plan).pop().map(|entry| Plan::from_bytes(&entry.payload).unwrap());
        let seat = self.seats.iter().find_map(|seat| seat.room.roster()?.seat_of(author));
        Place {
            list_number: list.as_ref().map_or(0, |list| list.number),
            list: list.map_or([0; 32], |list| list.hash(&self.room())),
            plan: plan.map_or([0; 32], |plan| plan.hash(&self.room())),
            seat: seat.map_or(NO_SEAT, |seat| seat.0),
            round: 0,
        }
    }

    /// The room key, as everyone who came by the link computes it.
    pub(crate) fn room_key(&self) -> Secret<[u8; 32]> {
        let roster = self.seats.iter().find_map(|seat| seat.room.roster()).unwrap().hash;
        undertone_prim::derive(self.invite().secret.expose(), "room-key/v1", &[&roster])
    }

    /// For each seat, whether it shows a result of the current question as confirmed by all.
    pub(crate) fn confirmed(&self) -> impl Iterator<Item = (usize, bool)> {
        let shown = |seat: &Seated| {
            let current = seat.notices.iter().rev().take_while(|notice| !matches!(notice, Notice::Question { .. }));
            let mut results = current.filter_map(|notice| match notice {
                Notice::Result { confirmed, seats, .. } => Some(confirmed == seats),
                _ => None,
            });
            results.any(|by_all| by_all)
        };
        self.seats.iter().map(shown).enumerate()
    }

    /// Closes the app on a device and opens it again with the same seed and ledger.
    pub(crate) fn reload(&mut self, index: usize, seed: u8) {
        self.reload_as(index, seed, small());
    }

    /// The same with a device's rules.
    pub(crate) fn reload_as(&mut self, index: usize, seed: u8, policy: ClientPolicy) {
        let room = self.room();
        let secret = Some(self.invite().secret);
        let seat = &mut self.seats[index];
        let records = seat.ledger.values().cloned().collect();
        seat.room = Room::guest(Secret::new([seed; 32]), room, secret, policy, records).unwrap();
        seat.read = 0;
        seat.notices.clear();
    }

    /// That the room ended in this fault for a seat, and how many masked values had left by then.
    pub(crate) fn assert_fault(&self, index: usize, code: FaultCode) -> usize {
        assert_eq!(
            self.seats[index].fault().map(Fault::code),
            Some(code),
            "seat {index}: {:?}",
            self.seats[index].notices
        );
        self.entries(EntryKind::Round(undertone_machine::RoundKind::Masked)).len()
    }
}
