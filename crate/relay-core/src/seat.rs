//! What a room remembers of a seat: its device, its entries' places, and its pipes.

use crate::ConnectionId;
use crate::bucket::Bucket;
use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use subtle::ConstantTimeEq;
use undertone_machine::Secret;
use undertone_wire::Author;
use undertone_wire::limits::PIPE_WINDOW_BYTES;

/// One author in one room. It outlives its connections.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    pub(crate) connection: Option<ConnectionId>,
    pub(crate) cursor: Cursor,
    pub(crate) inbound: Inbound,
    pub(crate) written: Written,
    pub(crate) frames: Bucket,
    pub(crate) bytes: Bucket,
    pub(crate) pipes: Bucket,
    token: Option<Secret<[u8; 16]>>,
}

impl Seat {
    /// Whether a device that shows this token may sit here. The first one decides.
    pub(crate) fn admits(&mut self, token: [u8; 16]) -> bool {
        let shown = Secret::new(token);
        match &self.token {
            Some(known) => known.ct_eq(&shown).into(),
            None => {
                self.token = Some(shown);
                true
            }
        }
    }

    /// Gives the seat to a connection that reads from a place on; returns the one that had it.
    pub(crate) fn sit(&mut self, connection: ConnectionId, from: u64) -> Option<ConnectionId> {
        // What was under way to the old connection is lost with it.
        self.inbound = Inbound::default();
        self.cursor = Cursor { next: from, waits: false };
        self.connection.replace(connection)
    }

    /// Whether nobody would miss it.
    pub(crate) fn is_blank(&self) -> bool {
        self.connection.is_none() && self.written.next() == 0
    }
}

/// How far a reader is.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// The next place that it wants.
    pub(crate) next: u64,
    /// Whether it read everything and waits to be told of more.
    pub(crate) waits: bool,
}

/// The entries of one author: exactly one for each of its numbers.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Places of those that are stored.
    places: Vec<u64>,
    /// Those that the store took and did not yet keep.
    pending: VecDeque<Bytes>,
}

/// How an entry stands to those that its author wrote before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is the next one.
    Next,
    /// That number is stored already, at this place.
    Stored(u64),
    /// That number waits for the store, with these bytes.
    Pending(Bytes),
    /// Numbers before it are missing.
    Gap,
}

impl Written {
    /// The next number.
    pub(crate) fn next(&self) -> usize {
        self.places.len() + self.pending.len()
    }

    /// How a number stands.
    pub(crate) fn standing(&self, number: u32) -> Standing {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        if number == self.next() {
            return Standing::Next;
        }
        if let Some(place) = self.places.get(number) {
            return Standing::Stored(*place);
        }
        let pending = self.pending.get(number.saturating_sub(self.places.len()));
        pending.map_or(Standing::Gap, |entry| Standing::Pending(entry.clone()))
    }

    /// Whether the store took entries that it did not yet keep.
    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The store took the next one.
    pub(crate) fn taken(&mut self, entry: Bytes) {
        self.pending.push_back(entry);
    }

    /// The oldest that was not stored is now, at this place; returns its number.
    pub(crate) fn stored(&mut self, place: u64) -> u32 {
        let number = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        self.places.push(place);
        self.pending.pop_front();
        number
    }
}

/// Bytes under way to a seat on all its pipes.
#[derive(Debug, Default)]
pub(crate) struct Inbound {
    all: usize,
    by_sender: BTreeMap<Author, usize>,
}

/// The receiver's window is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NoCredit;

impl Inbound {
    /// Counts bytes that are sent to the seat.
    pub(crate) fn send(&mut self, sender: Author, bytes: usize) -> Result<(), NoCredit> {
        if bytes > PIPE_WINDOW_BYTES.saturating_sub(self.all) {
            return Err(NoCredit);
        }
        self.all += bytes;
        *self.by_sender.entry(sender).or_default() += bytes;
        Ok(())
    }

    /// Counts bytes that the seat consumed, and returns how many of them really were under way: a
    /// receiver cannot invent credit, and one that reconnected has none left to give.
    pub(crate) fn consume(&mut self, sender: &Author, bytes: usize) -> usize {
        let Some(under_way) = self.by_sender.get_mut(sender) else { return 0 };
        let consumed = bytes.min(*under_way);
        *under_way -= consumed;
        if *under_way == 0 {
            self.by_sender.remove(sender);
        }
        self.all -= consumed;
        consumed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_decides() {
        let mut seat = Seat::default();
        assert!(seat.admits([1; 16]) && seat.admits([1; 16]) && !seat.admits([2; 16]));
        assert!(!format!("{seat:?}").contains("1, 1"));
    }

    #[test]
    fn numbers_are_next_known_or_a_gap() {
        let mut written = Written::default();
        assert_eq!((written.standing(0), written.standing(1)), (Standing::Next, Standing::Gap));
        written.taken(Bytes::from_static(b"a"));
        assert_eq!(written.standing(0), Standing::Pending(Bytes::from_static(b"a")));
        assert_eq!((written.standing(1), written.standing(u32::MAX)), (Standing::Next, Standing::Gap));
        assert_eq!(written.stored(40), 0);
        assert_eq!((written.standing(0), written.standing(1)), (Standing::Stored(40), Standing::Next));
    }

    #[test]
    fn the_window_holds_over_all_senders_and_credit_cannot_be_invented() {
        let mut inbound = Inbound::default();
        assert_eq!(inbound.send([1; 32], PIPE_WINDOW_BYTES - 10), Ok(()));
        assert_eq!(inbound.send([2; 32], 11), Err(NoCredit));
        assert_eq!(inbound.send([2; 32], 10), Ok(()));
        assert_eq!(inbound.consume(&[2; 32], 1 << 30), 10);
        assert_eq!(inbound.consume(&[2; 32], 1), 0);
        assert_eq!(inbound.consume(&[3; 32], 1), 0);
        assert_eq!(inbound.consume(&[1; 32], PIPE_WINDOW_BYTES), PIPE_WINDOW_BYTES - 10);
        assert!(inbound.by_sender.is_empty() && inbound.all == 0);
    }
}
