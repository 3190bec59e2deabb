//! The ledger fence: an entry leaves only after the ledger holds it, and as the ledger holds it.

use crate::{Action, Identity, LedgerKey};
use undertone_machine::{Fault, FaultCode};
use undertone_wire::{Author, Codec, Entry, EntryKind, Hash, Header, Place};
use vecmap::VecMap;

/// What an entry says about its question, apart from its content: said twice, it would be a
/// contradiction.
type Part = (EntryKind, u8, u32, Option<Author>);

/// What was said about a question, with the numbers of the entries.
type About = (Hash, Vec<(Part, u32)>);

/// All that was said, by question and in the order of their hashes: a series has thousands of them, and
/// what it costs to find one must not grow with it.
#[derive(Debug, Default)]
struct Said(Vec<About>);

impl Said {
    fn place(&self, plan: &Hash) -> Result<usize, usize> {
        self.0.binary_search_by(|(of, _)| of.cmp(plan))
    }

    fn about(&self, plan: &Hash) -> &[(Part, u32)] {
        let found = self.place(plan).ok().and_then(|place| self.0.get(place));
        found.map_or(&[], |(_, parts)| parts.as_slice())
    }

    fn number(&self, plan: &Hash, part: &Part) -> Option<u32> {
        self.about(plan).iter().find(|(other, _)| other == part).map(|(_, number)| *number)
    }

    fn insert(&mut self, plan: Hash, part: Part, number: u32) {
        match self.place(&plan) {
            Ok(place) => self.0.get_mut(place).into_iter().for_each(|(_, parts)| parts.push((part, number))),
            Err(place) => self.0.insert(place, (plan, vec![(part, number)])),
        }
    }
}

/// An own entry.
#[derive(Debug)]
struct Link {
    hash: Hash,
    /// How many parts of rounds were said up to it.
    values: u32,
}

/// This seat's own chain.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Own entries, by their number.
    chain: Vec<Link>,
    said: Said,
    /// The lowest number of a list under which a part of a round left.
    spent_under: Option<u8>,
    /// What the ledger was asked to add and has not confirmed.
    unstored: VecMap<LedgerKey, Vec<u8>>,
}

impl Outbox {
    /// Takes up the chain where the ledger left it, and sends all of it again: the relay drops what
    /// it already has.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if the ledger does not hold one whole chain of this seat.
    pub(crate) fn restore(identity: &Identity, records: Vec<Vec<u8>>) -> Result<(Self, Vec<Action>), Fault> {
        let torn = || Fault::new(FaultCode::StoreFailed);
        let decode = |bytes: Vec<u8>| Entry::from_bytes(&bytes).map(|entry| (entry, bytes)).map_err(|_| torn());
        let mut entries: Vec<_> = records.iter().map(|_| None).collect();
        for record in records {
            let (entry, bytes) = decode(record)?;
            let slot = entries.get_mut(entry.header.sequence as usize).ok_or_else(torn)?;
            // A part of a round is held in two places.
            let is_same = slot.as_ref().is_none_or(|(_, known)| *known == bytes);
            *slot = is_same.then_some(Some((entry, bytes))).ok_or_else(torn)?;
        }
        let (mut outbox, mut actions) = (Self::default(), Vec::new());
        for (entry, bytes) in entries.into_iter().flatten() {
            let follows = entry.header == outbox.next_header(identity) && entry.previous == outbox.last();
            if !follows || !entry.is_signed() {
                return Err(torn());
            }
            outbox.note(&entry);
            actions.push(Action::Append(bytes));
        }
        Ok((outbox, actions))
    }

    /// The header that the next entry will have.
    pub(crate) fn next_header(&self, identity: &Identity) -> Header {
        let sequence = u32::try_from(self.chain.len()).unwrap_or(u32::MAX);
        Header { room: identity.room(), author: identity.author(), sequence }
    }

    /// Whether something of this kind was said in this place.
    pub(crate) fn has_said(&self, kind: EntryKind, place: &Place) -> bool {
        self.said.number(&question_of(kind, place), &part(kind, place, None)).is_some()
    }

    /// Whether a part of a round left under a list before that one.
    pub(crate) fn has_spent_before(&self, list_number: u8) -> bool {
        self.spent_under.is_some_and(|number| number < list_number)
    }

    /// How many parts of rounds were said after something else; `None` if that was not said.
    pub(crate) fn values_since(&self, kind: EntryKind, place: &Place) -> Option<u32> {
        let since = self.said.number(&question_of(kind, place), &part(kind, place, None))?;
        let before = self.chain.get(since as usize)?.values;
        Some(self.values().saturating_sub(before))
    }

    /// How many parts of rounds were said about a question.
    pub(crate) fn values_about(&self, plan: &Hash) -> u32 {
        let rounds = self.said.about(plan).iter().filter(|((kind, ..), _)| matches!(kind, EntryKind::Round(_)));
        u32::try_from(rounds.count()).unwrap_or(u32::MAX)
    }

    /// Signs an entry and asks the ledger to hold it in each of its places, the first of which is its
    /// number: two instances of a seat that went apart meet there, whatever each of them says next.
    ///
    /// # Errors
    /// [`FaultCode::RoundSpent`] if this seat already said something of this kind in this place.
    pub(crate) fn push(
        &mut self,
        identity: &Identity,
        place: Place,
        kind: EntryKind,
        payload: Vec<u8>,
    ) -> Result<Vec<Action>, Fault> {
        let header = self.next_header(identity);
        if self.said.number(&question_of(kind, &place), &part(kind, &place, recipient(kind, &payload))).is_some() {
            return Err(Fault::new(FaultCode::RoundSpent));
        }
        let entry = Entry::sign(identity.seat_key(), header.room, header.sequence, self.last(), place, kind, payload);
        self.note(&entry);
        let spends = match kind {
            EntryKind::Round(kind) => Some(LedgerKey::Round { plan: place.plan, round: place.round, kind }),
            _ => None,
        };
        let keys = [Some(LedgerKey::Entry(header.sequence)), spends].into_iter().flatten();
        let bytes = entry.to_bytes();
        Ok(keys.map(|key| self.store(key, bytes.clone())).collect())
    }

    fn store(&mut self, key: LedgerKey, bytes: Vec<u8>) -> Action {
        self.unstored.insert(key.clone(), bytes.clone());
        Action::Store { key, bytes }
    }

    /// The ledger answered: what it holds is what leaves, once it is in all of its places.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if it holds something else: another window has this seat.
    pub(crate) fn stored(&mut self, key: &LedgerKey, bytes: Vec<u8>) -> Result<Option<Action>, Fault> {
        match self.unstored.remove(key) {
            None => Ok(None),
            Some(built) if built != bytes => Err(elsewhere()),
            Some(_) if self.unstored.values().any(|other| *other == bytes) => Ok(None),
            Some(_) => Ok(Some(Action::Append(bytes))),
        }
    }

    /// Checks an own entry that came back from the log.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if this device did not write it.
    pub(crate) fn check_own(&self, sequence: u32, hash: &Hash) -> Result<(), Fault> {
        if self.chain.get(sequence as usize).map(|link| &link.hash) == Some(hash) { Ok(()) } else { Err(elsewhere()) }
    }

    fn last(&self) -> Hash {
        self.chain.last().map(|link| link.hash).unwrap_or_default()
    }

    /// How many parts of rounds were said.
    fn values(&self) -> u32 {
        self.chain.last().map_or(0, |link| link.values)
    }

    fn note(&mut self, entry: &Entry) {
        let is_value = matches!(entry.kind, EntryKind::Round(_));
        self.chain.push(Link { hash: entry.hash(), values: self.values().saturating_add(is_value.into()) });
        if is_value {
            let number = entry.place.list_number;
            self.spent_under = Some(self.spent_under.map_or(number, |lowest| lowest.min(number)));
        }
        let part = part(entry.kind, &entry.place, recipient(entry.kind, &entry.payload));
        self.said.insert(question_of(entry.kind, &entry.place), part, entry.header.sequence);
    }
}

/// Envelopes go to different seats; the first 32 bytes of their payload are the recipient.
fn recipient(kind: EntryKind, payload: &[u8]) -> Option<Author> {
    if kind == EntryKind::Envelope { payload.first_chunk().copied() } else { None }
}

/// What belongs to a question is said once for each question, the rest once for each list.
fn question_of(kind: EntryKind, place: &Place) -> Hash {
    match kind {
        EntryKind::Plan
        | EntryKind::Rekey
        | EntryKind::Deal
        | EntryKind::Ack
        | EntryKind::Confirm
        | EntryKind::Round(_) => place.plan,
        _ => [0; 32],
    }
}

const fn part(kind: EntryKind, place: &Place, to: Option<Author>) -> Part {
    (kind, place.list_number, place.round, to)
}

fn elsewhere() -> Fault {
    Fault::new(FaultCode::StoreFailed).saying("This seat is already open in another window or on another device.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::{RoundKind, Secret};

    fn identity() -> Identity {
        Identity::guest(Secret::new([1; 32]), [2; 32])
    }

    /// Says something; gives what the ledger is to hold, and where.
    fn push(outbox: &mut Outbox, kind: EntryKind, payload: u8) -> Result<Vec<(LedgerKey, Vec<u8>)>, Fault> {
        let actions = outbox.push(&identity(), Place::NOWHERE, kind, vec![payload])?;
        let stores = actions.into_iter().map(|action| match action {
            Action::Store { key, bytes } => (key, bytes),
            other => panic!("not stored: {other:?}"),
        });
        Ok(stores.collect())
    }

    const VALUE: EntryKind = EntryKind::Round(RoundKind::Masked);

    #[test]
    fn only_bytes_read_back_from_all_places_of_the_store_leave() {
        let mut outbox = Outbox::default();
        let [(number, bytes), (round, same)] = &push(&mut outbox, VALUE, 1).unwrap()[..] else { panic!("not fenced") };
        assert_eq!((number, bytes), (&LedgerKey::Entry(0), same));
        assert!(matches!(outbox.stored(number, bytes.clone()), Ok(None)));
        assert!(matches!(outbox.stored(round, bytes.clone()), Ok(Some(Action::Append(sent))) if sent == *bytes));
        assert!(matches!(outbox.stored(round, bytes.clone()), Ok(None)));
    }

    #[test]
    fn what_another_instance_stored_first_wins() {
        for place in 0..2 {
            let mut outbox = Outbox::default();
            let stores = push(&mut outbox, VALUE, 1).unwrap();
            assert_eq!(outbox.stored(&stores[place].0, vec![0]).unwrap_err().code(), FaultCode::StoreFailed);
        }
    }

    /// One instance has its value stored, the other an announcement: whatever they say, they meet in the
    /// number of their entries.
    #[test]
    fn two_instances_that_went_apart_say_one_thing_between_them() {
        let mut ledger = std::collections::BTreeMap::new();
        let mut say = |outbox: &mut Outbox, kind| {
            push(outbox, kind, 0).unwrap().into_iter().find_map(|(key, bytes)| {
                let held = ledger.entry(key.clone()).or_insert(bytes).clone();
                outbox.stored(&key, held).transpose()
            })
        };
        let (mut one, mut other) = (Outbox::default(), Outbox::default());
        assert!(matches!(say(&mut one, VALUE), Some(Ok(Action::Append(_)))));
        assert!(matches!(say(&mut other, EntryKind::Leave), Some(Err(_))));
    }

    #[test]
    fn a_round_is_spent_once_also_after_a_reload() {
        let mut outbox = Outbox::default();
        let held: Vec<_> = push(&mut outbox, VALUE, 1).unwrap().into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(push(&mut outbox, VALUE, 2).unwrap_err().code(), FaultCode::RoundSpent);
        // The program may have ended between the two places.
        for records in [&held[..1], &held[..]] {
            let (mut restored, actions) = Outbox::restore(&identity(), records.to_vec()).unwrap();
            assert!(matches!(&actions[..], [Action::Append(again)] if *again == held[0]));
            assert_eq!(push(&mut restored, VALUE, 2).unwrap_err().code(), FaultCode::RoundSpent);
        }
    }

    #[test]
    fn a_value_after_an_announcement_is_remembered_also_after_a_reload() {
        let mut outbox = Outbox::default();
        let mut records = Vec::new();
        let mut say = |outbox: &mut Outbox, kind| {
            records.extend(push(outbox, kind, 0).unwrap().into_iter().map(|(_, bytes)| bytes));
        };
        let sent = |outbox: &Outbox| outbox.values_since(EntryKind::Reveal, &Place::NOWHERE);
        assert_eq!(sent(&outbox), None);
        say(&mut outbox, EntryKind::Reveal);
        say(&mut outbox, EntryKind::Ack);
        assert_eq!(sent(&outbox), Some(0));
        say(&mut outbox, VALUE);
        assert_eq!((sent(&outbox), outbox.values_about(&Place::NOWHERE.plan)), (Some(1), 1));
        assert_eq!(outbox.values_about(&[9; 32]), 0);
        assert_eq!(sent(&Outbox::restore(&identity(), records).unwrap().0), Some(1));
    }

    #[test]
    fn a_torn_ledger_is_refused() {
        let mut outbox = Outbox::default();
        let mut say = |kind| push(&mut outbox, kind, 0).unwrap().remove(0).1;
        let (one, two) = (say(EntryKind::Join), say(EntryKind::Leave));
        let refused =
            |records: &[&Vec<u8>]| Outbox::restore(&identity(), records.iter().copied().cloned().collect()).is_err();
        assert!(!refused(&[&two, &one]) && !refused(&[&two, &one, &one]));
        assert!(refused(&[&two]) && refused(&[&one[1..].to_vec()]));
        let other = push(&mut Outbox::default(), EntryKind::Leave, 0).unwrap().remove(0).1;
        assert!(refused(&[&one, &two, &other]));
    }
}
