//! A relay that shows each seat what it likes.
//!
//! It can drop, repeat, hold back, cut and change what it forwards, and put in what it has from
//! elsewhere. It has no honest seat's key, so what it changes is no longer signed; in league with a
//! host it has the host's.

use crate::class::Show;
use undertone_prim::SeatKey;
use undertone_wire::{Author, Codec, Entry, EntryKind, Hash};

type Change = Box<dyn FnMut(Entry) -> Vec<Vec<u8>>>;

/// Which entries, shown to whom.
pub(crate) struct Pick {
    seats: Box<dyn Fn(usize) -> bool>,
    kind: Option<EntryKind>,
}

/// What is shown in place of the picked entries.
pub(crate) struct Rule {
    pick: Pick,
    change: Change,
}

/// Entries of a kind, shown to one seat.
pub(crate) fn to(seat: usize, kind: EntryKind) -> Pick {
    Pick { seats: Box::new(move |shown| shown == seat), kind: Some(kind) }
}

/// Entries of every kind, shown to the seats that a test picks.
pub(crate) fn to_all(seats: impl Fn(usize) -> bool + 'static) -> Pick {
    Pick { seats: Box::new(seats), kind: None }
}

/// A relay with these rules: the first that fits an entry counts, and what none fits is shown as it is.
pub(crate) fn script(rules: impl IntoIterator<Item = Rule>) -> Show {
    let mut rules: Vec<Rule> = rules.into_iter().collect();
    Box::new(move |seat, bytes| {
        let Ok(entry) = Entry::from_bytes(bytes) else { return vec![bytes.to_vec()] };
        let fits = |rule: &&mut Rule| (rule.pick.seats)(seat) && rule.pick.kind.is_none_or(|kind| kind == entry.kind);
        match rules.iter_mut().find(fits) {
            Some(rule) => (rule.change)(entry),
            None => vec![bytes.to_vec()],
        }
    })
}

impl Pick {
    pub(crate) fn changes(self, change: impl FnMut(Entry) -> Vec<Vec<u8>> + 'static) -> Rule {
        Rule { pick: self, change: Box::new(change) }
    }

    pub(crate) fn drops(self) -> Rule {
        self.changes(|_| Vec::new())
    }

    pub(crate) fn repeats(self) -> Rule {
        self.changes(|entry| vec![entry.to_bytes(); 2])
    }

    /// Shows the first so many bytes.
    pub(crate) fn cuts(self, bytes: usize) -> Rule {
        self.changes(move |entry| vec![entry.to_bytes()[..bytes].to_vec()])
    }

    /// Shows one entry in place of another.
    pub(crate) fn swaps(self, shown: &Entry, instead: &Entry) -> Rule {
        let (shown, instead) = (shown.clone(), instead.to_bytes());
        self.changes(move |entry| vec![if entry == shown { instead.clone() } else { entry.to_bytes() }])
    }

    /// Shows each entry of an author only after that author's next one.
    pub(crate) fn swaps_neighbours_of(self, author: Author, first: EntryKind) -> Rule {
        let mut held: Option<Vec<u8>> = None;
        self.changes(move |entry| {
            let bytes = entry.to_bytes();
            match (entry.header.author == author, entry.kind == first, held.take()) {
                (true, true, None) => {
                    held = Some(bytes);
                    Vec::new()
                }
                (true, _, Some(before)) => vec![bytes, before],
                (_, _, waiting) => {
                    held = waiting;
                    vec![bytes]
                }
            }
        })
    }

    /// Shows another life of one author, who is in league with the relay: each of its entries is
    /// edited and signed anew, so that they are one whole chain again.
    pub(crate) fn forks(self, key: SeatKey, mut edit: impl FnMut(&mut Entry) + 'static) -> Rule {
        let mut last: std::collections::BTreeMap<u32, Hash> = std::collections::BTreeMap::new();
        self.changes(move |mut entry| {
            if entry.header.author != key.public() {
                return vec![entry.to_bytes()];
            }
            edit(&mut entry);
            let header = entry.header;
            let before = header.sequence.checked_sub(1).and_then(|number| last.get(&number));
            let previous = before.copied().unwrap_or_default();
            let (place, kind, payload) = (entry.place, entry.kind, entry.payload);
            let entry = Entry::sign(&key, header.room, header.sequence, previous, place, kind, payload);
            last.insert(header.sequence, entry.hash());
            vec![entry.to_bytes()]
        })
    }
}
