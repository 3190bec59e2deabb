//! What must hold whatever happens, checked at each step from outside of the rooms.

use crate::device::Device;
use crate::{Signed, Violation};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use undertone_machine::{Outcome, Role, RoundKind};
use undertone_services::{Input, prepare};
use undertone_wire::{Ack, Author, Codec, Entry, EntryKind, Frame, Hash, Header, Join, List, Open, Plan, with_room};

/// One thing that a seat may say once: by author, list, plan, round and kind.
type Place = (Author, Hash, Hash, u32, u8);

/// Everything that was seen to leave, arrive or be shown.
#[derive(Debug, Default)]
pub(crate) struct Check {
    pub(crate) violations: Vec<Violation>,
    /// Entries that left, by author and number.
    left: BTreeMap<(Author, u32), Bytes>,
    /// Numbers of entries that left, by what they say.
    said: BTreeMap<Place, u32>,
    /// Seats of each list that was shown.
    lists: BTreeMap<Hash, Vec<Author>>,
    /// Seats that add up for the others.
    computers: BTreeSet<Author>,
    /// Plans in which they do.
    by_computers: BTreeSet<Hash>,
    /// Acknowledgements that each seat saw, by seat, list and plan.
    acks: BTreeMap<(usize, Hash, Hash), BTreeMap<Author, Ack>>,
    /// What each author's masked value of a plan was made of.
    given: BTreeMap<(Author, Hash), Option<String>>,
    /// What the relay acknowledged.
    acknowledged: BTreeMap<(Author, u32), usize>,
    /// Results that everyone signed, by plan.
    signed: BTreeMap<Hash, Outcome>,
    shown: BTreeMap<(u16, usize), Signed>,
    /// Overlooks all acknowledgements, to show that the check would notice if there were none.
    blind: bool,
}

impl Check {
    /// A check that, if it is blind, overlooks acknowledgements.
    pub(crate) fn new(blind: bool) -> Self {
        Self { blind, ..Self::default() }
    }

    /// A message leaves a device for its room. Tells whether it is a masked value.
    pub(crate) fn left(&mut self, seat: usize, room: &Hash, message: &Bytes) -> bool {
        let Ok(Frame::Append { entry }) = Frame::from_message(message) else { return false };
        let bytes = with_room(room, &entry);
        let Ok(entry) = Entry::from_bytes(&bytes) else { return false };
        let masked = entry.kind == EntryKind::Round(RoundKind::Masked);
        self.said_once(seat, &entry, bytes);
        if masked {
            self.masked(seat, &entry);
        }
        masked
    }

    fn said_once(&mut self, seat: usize, entry: &Entry, bytes: Bytes) {
        let Header { author, sequence, .. } = entry.header;
        let kind = entry.kind.as_str();
        let known = self.left.entry((author, sequence)).or_insert_with(|| bytes.clone());
        if *known != bytes {
            return self.violations.push(Violation::SaidTwice { seat, kind });
        }
        let once = place(entry).map(|place| *self.said.entry(place).or_insert(sequence));
        if once.is_some_and(|first| first != sequence) {
            self.violations.push(Violation::SaidTwice { seat, kind });
        }
    }

    /// A masked value may leave only after all seats of the list signed the same; shares, after its own
    /// seat and all that add up did.
    fn masked(&mut self, seat: usize, entry: &Entry) {
        let (listed, shares) = (self.lists.get(&entry.place.list), self.by_computers.contains(&entry.place.plan));
        let counts = |author: &&Author| !shares || self.computers.contains(*author) || **author == entry.header.author;
        let of: Vec<_> = listed.into_iter().flatten().filter(counts).collect();
        let acks = self.acks.get(&(seat, entry.place.list, entry.place.plan));
        let same: BTreeSet<_> = acks.iter().flat_map(|acks| acks.values().map(Codec::to_bytes)).collect();
        let seen = of.iter().filter(|author| acks.is_some_and(|acks| acks.contains_key(**author))).count();
        let of = of.len();
        if seen < of || of == 0 || same.len() != 1 {
            self.violations.push(Violation::MaskedTooSoon { seat, seen, of });
        }
    }

    /// A seat is shown an entry. Only what its author really wrote counts.
    pub(crate) fn showed(&mut self, seat: usize, bytes: &Bytes) {
        let Ok(Header { room, author, sequence }) = Header::peek(bytes) else { return };
        if self.left.get(&(author, sequence)) != Some(bytes) {
            return;
        }
        let Ok(entry) = Entry::from_bytes(bytes) else { return };
        match entry.kind {
            EntryKind::List => {
                let Ok(list) = List::from_bytes(&entry.payload) else { return };
                self.lists.insert(list.hash(&room), list.seats.iter().map(|seat| seat.author).collect());
            }
            EntryKind::Join if Join::from_bytes(&entry.payload).is_ok_and(|join| join.role == Role::Compute) => {
                self.computers.insert(author);
            }
            // A host that gives nothing adds up.
            EntryKind::Open if Open::from_bytes(&entry.payload).is_ok_and(|open| open.join.role == Role::Compute) => {
                self.computers.insert(author);
            }
            EntryKind::Plan => {
                let Ok(plan) = Plan::from_bytes(&entry.payload) else { return };
                if prepare(&plan).is_ok_and(|task| task.computers() > 0) {
                    self.by_computers.insert(plan.hash(&room));
                }
            }
            EntryKind::Ack if !self.blind => {
                let Ok(ack) = Ack::from_bytes(&entry.payload) else { return };
                let acks = self.acks.entry((seat, entry.place.list, entry.place.plan)).or_default();
                acks.insert(author, ack);
            }
            _ => {}
        }
    }

    /// A seat's ledger holds its masked value of a plan: from here on it stands for this text.
    pub(crate) fn gave(&mut self, author: Author, plan: Hash, text: Option<String>) {
        self.given.entry((author, plan)).or_insert(text);
    }

    /// The relay says that it stored an entry.
    pub(crate) fn acknowledged(&mut self, seat: usize, author: Author, sequence: u32) {
        self.acknowledged.insert((author, sequence), seat);
    }

    /// What the relay acknowledged and does not have in the room's log.
    pub(crate) fn lost(&self, room: &Hash, log: &[Vec<u8>]) -> Vec<Violation> {
        let headers = log.iter().filter_map(|entry| Header::peek_in(room, entry).ok());
        let kept: BTreeSet<_> = headers.map(|header| (header.author, header.sequence)).collect();
        let gone = self.acknowledged.iter().filter(|(entry, _)| !kept.contains(*entry));
        gone.map(|((_, sequence), seat)| Violation::Lost { seat: *seat, sequence: *sequence }).collect()
    }

    /// A seat is shown a result.
    pub(crate) fn result(
        &mut self,
        device: &Device,
        shown: &Outcome,
        included: usize,
        (confirmed, of): (usize, usize),
    ) {
        let Some(asked) = &device.asked else { return };
        let (seat, question, plan) = (device.seat, asked.number, asked.plan);
        let right = self.right(device, included);
        match right.first() {
            Some(_) if right.contains(shown) => {}
            right => {
                let right = right.map_or_else(|| "none".to_owned(), figures);
                self.violations.push(Violation::WrongResult { seat, shown: figures(shown), right });
            }
        }
        if confirmed == of && self.signed.entry(plan).or_insert_with(|| shown.clone()) != shown {
            self.violations.push(Violation::ResultsDiffer { seat });
        }
        let best = self.shown.entry((question, seat)).or_insert(Signed { question, seat, confirmed, of });
        best.confirmed = best.confirmed.max(confirmed);
    }

    /// The answers on plain numbers: one, over the people of the device's roster, or where people may be
    /// left out, one for each part of those who gave something, of as many as it says.
    fn right(&self, device: &Device, included: usize) -> Vec<Outcome> {
        let (Some(roster), Some(asked)) = (device.room.roster(), &device.asked) else { return Vec::new() };
        let people = roster.members.iter().filter(|member| member.role.contributes());
        let given = people.map(|member| self.given.get(&(member.author, asked.plan)).and_then(Option::as_ref));
        let given: Vec<_> = given.collect();
        let answer = |texts: &mut dyn Iterator<Item = Option<&String>>| {
            let inputs: Option<Vec<Input>> = match asked.task.question().quantity {
                None => Some(Vec::new()),
                Some(_) => texts.map(|text| asked.task.read(text?).ok()).collect(),
            };
            asked.task.oracle(&inputs?).ok()
        };
        if asked.task.computers() == 0 && asked.task.drops() == 0 {
            return answer(&mut given.into_iter()).into_iter().collect();
        }
        let given: Vec<_> = given.into_iter().flatten().collect();
        let parts = 1_u32..1_u32.checked_shl(u32::try_from(given.len()).unwrap_or(u32::MAX)).unwrap_or(1);
        let part = |set: u32| {
            let mut chosen = given.iter().zip(0..).filter(|(_, bit)| set >> bit & 1 == 1).map(|(text, _)| Some(*text));
            answer(&mut chosen)
        };
        parts.filter(|set| set.count_ones() as usize == included).filter_map(part).collect()
    }

    /// Each seat's last word on each question.
    pub(crate) fn results(&self) -> Vec<Signed> {
        self.shown.values().copied().collect()
    }
}

/// What an entry says, where it may be said once: per plan for parts of a round, whatever the list.
fn place(entry: &Entry) -> Option<Place> {
    let (author, kind, place) = (entry.header.author, entry.kind.to_wire(), &entry.place);
    match entry.kind {
        EntryKind::Round(_) | EntryKind::Confirm => Some((author, [0; 32], place.plan, place.round, kind)),
        EntryKind::Reveal => Some((author, place.list, [0; 32], 0, kind)),
        EntryKind::Ack => Some((author, place.list, place.plan, 0, kind)),
        _ => None,
    }
}

fn figures(outcome: &Outcome) -> String {
    let each = outcome.figures.iter().map(|figure| format!("{} {}", figure.title(), figure.value));
    each.collect::<Vec<_>>().join(", ")
}
