//! The ledger fence: an entry leaves only after the ledger holds it, and as the ledger holds it.

use crate::{Action, Identity, LedgerKey};
use undertone_machine::{Fault, FaultCode};
use undertone_wire::{Author, Codec, Entry, EntryKind, Hash, Header, Place};
use vecmap::VecMap;

/// What an entry says about its question, apart from its content: said twice, it would be a
/// contradiction.
type Part = (EntryKind, u8, u32, Option<Author>);

/// All that was said, by question, with the number of the entry.
///
/// Apart by question, because a series has thousands of them and mostly the last one is looked for.
#[derive(Debug, Default)]
struct Said(Vec<(Hash, Vec<(Part, u32)>)>);

impl Said {
    fn about(&self, plan: &Hash) -> &[(Part, u32)] {
        self.0.iter().rev().find(|(of, _)| of == plan).map_or(&[], |(_, parts)| parts.as_slice())
    }

    fn number(&self, plan: &Hash, part: &Part) -> Option<u32> {
        self.about(plan).iter().find(|(other, _)| other == part).map(|(_, number)| *number)
    }

    fn insert(&mut self, plan: Hash, part: Part, number: u32) {
        match self.0.iter_mut().rev().find(|(of, _)| *of == plan) {
            Some((_, parts)) => parts.push((part, number)),
            None => self.0.push((plan, vec![(part, number)])),
        }
    }

    fn all(&self) -> impl Iterator<Item = &(Part, u32)> {
        self.0.iter().flat_map(|(_, parts)| parts)
    }
}

/// This seat's own chain.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// Hashes of own entries, by their number.
    chain: Vec<Hash>,
    said: Said,
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
        let (mut outbox, mut actions) = (Self::default(), Vec::new());
        for record in records {
            let (entry, bytes) = decode(record)?;
            let slot: &mut Option<(Entry, _)> = entries.get_mut(entry.header.sequence as usize).ok_or_else(torn)?;
            // A part of a round whose number another window had by then never left, and is spent all the same.
            match slot {
                Some(_) if is_round(&entry) => outbox.note_said(&entry),
                Some((other, _)) if is_round(other) => {
                    outbox.note_said(other);
                    *slot = Some((entry, bytes));
                }
                _ => *slot = Some((entry, bytes)),
            }
        }
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
        self.said.all().any(|((kind, number, ..), _)| matches!(kind, EntryKind::Round(_)) && *number < list_number)
    }

    /// How many parts of rounds were said after something else; `None` if that was not said.
    pub(crate) fn values_since(&self, kind: EntryKind, place: &Place) -> Option<u32> {
        let since = self.said.number(&question_of(kind, place), &part(kind, place, None))?;
        Some(count_rounds(self.said.all().filter(|(_, number)| *number > since)))
    }

    /// How many parts of rounds were said about a question.
    pub(crate) fn values_about(&self, plan: &Hash) -> u32 {
        count_rounds(self.said.about(plan).iter())
    }

    /// Signs an entry and asks the ledger to hold it.
    ///
    /// # Errors
    /// [`FaultCode::RoundSpent`] if this seat already said something of this kind in this place.
    pub(crate) fn push(
        &mut self,
        identity: &Identity,
        place: Place,
        kind: EntryKind,
        payload: Vec<u8>,
    ) -> Result<Action, Fault> {
        let header = self.next_header(identity);
        if self.said.number(&question_of(kind, &place), &part(kind, &place, recipient(kind, &payload))).is_some() {
            return Err(Fault::new(FaultCode::RoundSpent));
        }
        let entry = Entry::sign(identity.seat_key(), header.room, header.sequence, self.last(), place, kind, payload);
        self.note(&entry);
        let key = match kind {
            EntryKind::Round(kind) => LedgerKey::Round { plan: place.plan, round: place.round, kind },
            _ => LedgerKey::Entry(header.sequence),
        };
        Ok(self.store(key, entry.to_bytes()))
    }

    /// The ledger answered: what it holds is what leaves. A part of a round needs two places in it, that of
    /// the round and, like all entries, that of its number: another window may have taken either.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if it holds something else: another window has this seat.
    pub(crate) fn stored(&mut self, key: &LedgerKey, bytes: Vec<u8>) -> Result<Option<Action>, Fault> {
        match self.unstored.remove(key) {
            None => Ok(None),
            Some(built) if built != bytes => Err(elsewhere()),
            Some(_) if matches!(key, LedgerKey::Entry(_)) => Ok(Some(Action::Append(bytes))),
            Some(_) => {
                let sequence = Header::peek(&bytes).map_err(|_| elsewhere())?.sequence;
                Ok(Some(self.store(LedgerKey::Entry(sequence), bytes)))
            }
        }
    }

    fn store(&mut self, key: LedgerKey, bytes: Vec<u8>) -> Action {
        self.unstored.insert(key.clone(), bytes.clone());
        Action::Store { key, bytes }
    }

    /// Checks an own entry that came back from the log.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if this device did not write it.
    pub(crate) fn check_own(&self, sequence: u32, hash: &Hash) -> Result<(), Fault> {
        if self.chain.get(sequence as usize) == Some(hash) { Ok(()) } else { Err(elsewhere()) }
    }

    fn last(&self) -> Hash {
        self.chain.last().copied().unwrap_or_default()
    }

    fn note(&mut self, entry: &Entry) {
        self.chain.push(entry.hash());
        self.note_said(entry);
    }

    fn note_said(&mut self, entry: &Entry) {
        let part = part(entry.kind, &entry.place, recipient(entry.kind, &entry.payload));
        self.said.insert(question_of(entry.kind, &entry.place), part, entry.header.sequence);
    }
}

const fn is_round(entry: &Entry) -> bool {
    matches!(entry.kind, EntryKind::Round(_))
}

/// Envelopes go to different seats; the first 32 bytes of their payload are the recipient.
fn recipient(kind: EntryKind, payload: &[u8]) -> Option<Author> {
    if kind == EntryKind::Envelope { payload.first_chunk().copied() } else { None }
}

/// What belongs to a question is said once for each question, the rest once for each list.
fn question_of(kind: EntryKind, place: &Place) -> Hash {
    match kind {
        EntryKind::Plan | EntryKind::Rekey | EntryKind::Ack | EntryKind::Confirm | EntryKind::Round(_) => place.plan,
        _ => [0; 32],
    }
}

const fn part(kind: EntryKind, place: &Place, to: Option<Author>) -> Part {
    (kind, place.list_number, place.round, to)
}

fn count_rounds<'a>(said: impl Iterator<Item = &'a (Part, u32)>) -> u32 {
    let rounds = said.filter(|((kind, ..), _)| matches!(kind, EntryKind::Round(_))).count();
    u32::try_from(rounds).unwrap_or(u32::MAX)
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

    fn masked(outbox: &mut Outbox, payload: u8) -> Result<Action, Fault> {
        outbox.push(&identity(), Place::NOWHERE, EntryKind::Round(RoundKind::Masked), vec![payload])
    }

    #[test]
    fn only_bytes_read_back_from_the_store_leave() {
        let mut outbox = Outbox::default();
        let Ok(Action::Store { key, bytes }) = masked(&mut outbox, 1) else { panic!("not stored") };
        assert!(matches!(key, LedgerKey::Round { .. }));
        let Ok(Some(Action::Store { key: number, bytes: again })) = outbox.stored(&key, bytes.clone()) else {
            panic!("a part of a round left without its number")
        };
        assert_eq!((&number, &again), (&LedgerKey::Entry(0), &bytes));
        assert!(matches!(outbox.stored(&number, bytes.clone()), Ok(Some(Action::Append(sent))) if sent == bytes));
        assert!(matches!(outbox.stored(&key, bytes.clone()), Ok(None)));
        assert!(matches!(outbox.stored(&number, bytes), Ok(None)));
    }

    #[test]
    fn a_part_of_a_round_whose_number_another_window_took_stays_behind_and_stays_spent() {
        let (mut one, mut other) = (Outbox::default(), Outbox::default());
        let Ok(Action::Store { key, bytes: value }) = masked(&mut one, 1) else { panic!("not stored") };
        let Ok(Action::Store { bytes: leave, .. }) =
            other.push(&identity(), Place::NOWHERE, EntryKind::Leave, Vec::new())
        else {
            panic!("not stored")
        };
        let Ok(Some(Action::Store { key: number, .. })) = one.stored(&key, value.clone()) else { panic!("not stored") };
        assert_eq!(one.stored(&number, leave.clone()).unwrap_err().code(), FaultCode::StoreFailed);
        for records in [vec![value.clone(), leave.clone()], vec![leave.clone(), value]] {
            let (mut restored, actions) = Outbox::restore(&identity(), records).unwrap();
            assert!(matches!(&actions[..], [Action::Append(again)] if *again == leave));
            assert_eq!(masked(&mut restored, 2).unwrap_err().code(), FaultCode::RoundSpent);
        }
    }

    #[test]
    fn what_another_instance_stored_first_wins() {
        let mut outbox = Outbox::default();
        let Ok(Action::Store { key, .. }) = masked(&mut outbox, 1) else { panic!("not stored") };
        assert_eq!(outbox.stored(&key, vec![0]).unwrap_err().code(), FaultCode::StoreFailed);
    }

    #[test]
    fn a_round_is_spent_once_also_after_a_reload() {
        let mut outbox = Outbox::default();
        let Ok(Action::Store { bytes, .. }) = masked(&mut outbox, 1) else { panic!("not stored") };
        assert_eq!(masked(&mut outbox, 2).unwrap_err().code(), FaultCode::RoundSpent);
        let (mut restored, actions) = Outbox::restore(&identity(), vec![bytes.clone()]).unwrap();
        assert!(matches!(&actions[..], [Action::Append(again)] if *again == bytes));
        assert_eq!(masked(&mut restored, 2).unwrap_err().code(), FaultCode::RoundSpent);
    }

    #[test]
    fn a_value_after_an_announcement_is_remembered_also_after_a_reload() {
        let mut outbox = Outbox::default();
        let mut records = Vec::new();
        let mut push = |outbox: &mut Outbox, kind| match outbox.push(&identity(), Place::NOWHERE, kind, Vec::new()) {
            Ok(Action::Store { bytes, .. }) => records.push(bytes),
            _ => panic!("not stored"),
        };
        let sent = |outbox: &Outbox| outbox.values_since(EntryKind::Reveal, &Place::NOWHERE);
        assert_eq!(sent(&outbox), None);
        push(&mut outbox, EntryKind::Reveal);
        push(&mut outbox, EntryKind::Ack);
        assert_eq!(sent(&outbox), Some(0));
        push(&mut outbox, EntryKind::Round(RoundKind::Masked));
        assert_eq!((sent(&outbox), outbox.values_about(&Place::NOWHERE.plan)), (Some(1), 1));
        assert_eq!(outbox.values_about(&[9; 32]), 0);
        assert_eq!(sent(&Outbox::restore(&identity(), records).unwrap().0), Some(1));
    }

    #[test]
    fn a_torn_ledger_is_refused() {
        let mut outbox = Outbox::default();
        let mut push = |kind| match outbox.push(&identity(), Place::NOWHERE, kind, Vec::new()) {
            Ok(Action::Store { bytes, .. }) => bytes,
            _ => panic!("not stored"),
        };
        let (one, two) = (push(EntryKind::Join), push(EntryKind::Leave));
        assert!(Outbox::restore(&identity(), vec![two.clone(), one.clone()]).is_ok());
        assert!(Outbox::restore(&identity(), vec![two]).is_err());
        assert!(Outbox::restore(&identity(), vec![one[1..].to_vec()]).is_err());
    }
}
