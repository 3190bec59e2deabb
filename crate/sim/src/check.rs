//! What must hold whatever happens, checked at each step from outside of the rooms.

use crate::device::Device;
use crate::{Signed, Violation};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use undertone_machine::{Outcome, RoundKind};
use undertone_services::Input;
use undertone_wire::{Ack, Author, Codec, Entry, EntryKind, Frame, Hash, Header, List};

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

    /// A message leaves a device. Tells whether it is a masked value.
    pub(crate) fn left(&mut self, seat: usize, message: &Bytes) -> bool {
        let Ok(Frame::Append { entry: bytes }) = Frame::from_message(message) else { return false };
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

    /// A masked value may leave only after all seats of the list signed the same.
    fn masked(&mut self, seat: usize, entry: &Entry) {
        let of = self.lists.get(&entry.place.list).map_or(&[][..], Vec::as_slice);
        let acks = self.acks.get(&(seat, entry.place.list, entry.place.plan));
        let same: BTreeSet<_> = acks.iter().flat_map(|acks| acks.values().map(Codec::to_bytes)).collect();
        let seen = of.iter().filter(|author| acks.is_some_and(|acks| acks.contains_key(*author))).count();
        if seen < of.len() || of.is_empty() || same.len() != 1 {
            self.violations.push(Violation::MaskedTooSoon { seat, seen, of: of.len() });
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

    /// What the relay acknowledged and does not have.
    pub(crate) fn lost(&self, log: &[Vec<u8>]) -> Vec<Violation> {
        let headers = log.iter().filter_map(|entry| Header::peek(entry).ok());
        let kept: BTreeSet<_> = headers.map(|header| (header.author, header.sequence)).collect();
        let gone = self.acknowledged.iter().filter(|(entry, _)| !kept.contains(*entry));
        gone.map(|((_, sequence), seat)| Violation::Lost { seat: *seat, sequence: *sequence }).collect()
    }

    /// A seat is shown a result.
    pub(crate) fn result(&mut self, device: &Device, shown: &Outcome, confirmed: usize, of: usize) {
        let Some(asked) = &device.asked else { return };
        let (seat, question, plan) = (device.seat, asked.number, asked.plan);
        match self.right(device) {
            Some(right) if right == *shown => {}
            right => {
                let right = right.as_ref().map_or_else(|| "none".to_owned(), figures);
                self.violations.push(Violation::WrongResult { seat, shown: figures(shown), right });
            }
        }
        if confirmed == of && self.signed.entry(plan).or_insert_with(|| shown.clone()) != shown {
            self.violations.push(Violation::ResultsDiffer { seat });
        }
        let best = self.shown.entry((question, seat)).or_insert(Signed { question, seat, confirmed, of });
        best.confirmed = best.confirmed.max(confirmed);
    }

    /// The answer on plain numbers, over the people of the device's roster.
    fn right(&self, device: &Device) -> Option<Outcome> {
        let (roster, asked) = (device.room.roster()?, device.asked.as_ref()?);
        let inputs: Option<Vec<Input>> = match asked.task.question().quantity {
            None => Some(Vec::new()),
            Some(_) => roster
                .seats()
                .filter(|(_, member)| member.role.contributes())
                .map(|(_, member)| {
                    let text = self.given.get(&(member.author, asked.plan))?.as_ref()?;
                    asked.task.read(text).ok()
                })
                .collect(),
        };
        asked.task.oracle(&inputs?).ok()
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
