//! What is known of one room's log without asking the disk.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use undertone_relay_core::{Most, Placed, StoreError};
use undertone_wire::Hash;

/// One room's log: how long it is, and its latest entries. An idle one takes a few hundred bytes.
#[derive(Debug)]
pub(crate) struct Shelf {
    pub(crate) room: Hash,
    /// The number of its entries in the file.
    pub(crate) slot: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Entries that were taken, and those of them that are durable.
    taken: u64,
    kept: u64,
    /// The latest entries, up to the last that was taken: all that are not durable yet, and some
    /// that are, for readers who keep up.
    recent: VecDeque<Placed>,
    removed: bool,
}

/// Where to read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// It is in memory.
    Here(Vec<Placed>),
    /// It is on disk, up to this place.
    Disk(u64),
}

impl Shelf {
    /// A log of so many durable entries.
    pub(crate) fn new(room: Hash, slot: u64, kept: u64) -> Self {
        let state = State { taken: kept, kept, ..State::default() };
        Self { room, slot, state: Mutex::new(state) }
    }

    /// Takes the next entry, if `queue` takes it.
    pub(crate) fn take(
        &self,
        entry: &[u8],
        queue: impl FnOnce(u64, Placed) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        if state.removed {
            return Err(StoreError);
        }
        let placed = Placed::new(state.taken, entry);
        queue(state.taken, placed.clone())?;
        state.taken += 1;
        state.recent.push_back(placed);
        Ok(())
    }

    /// One more entry is durable.
    pub(crate) fn keep(&self) {
        self.state().kept += 1;
    }

    /// Number of durable entries.
    pub(crate) fn kept(&self) -> u64 {
        let state = self.state();
        if state.removed { 0 } else { state.kept }
    }

    /// Forgets the oldest durable entry that is still in memory.
    pub(crate) fn forget_oldest(&self) {
        let mut state = self.state();
        if state.first() < state.kept {
            state.recent.pop_front();
        }
        if state.recent.is_empty() {
            state.recent = VecDeque::new();
        }
    }

    /// Reads durable entries, or says that the disk has to be asked.
    pub(crate) fn read(&self, from: u64, most: Most) -> Read {
        let state = self.state();
        if state.removed || from >= state.kept {
            return Read::Here(Vec::new());
        }
        let Some(skip) = from.checked_sub(state.first()) else { return Read::Disk(state.kept) };
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        let left = usize::try_from(state.kept - from).unwrap_or(usize::MAX);
        let entries = state.recent.iter().skip(skip).take(left).cloned();
        Read::Here(most.fit(entries.map(Ok::<_, StoreError>)).unwrap_or_default())
    }

    /// The room is gone; says whether it ever had an entry.
    pub(crate) fn remove(&self) -> bool {
        let mut state = self.state();
        state.removed = true;
        state.recent = VecDeque::new();
        state.taken > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The place of the oldest entry in memory.
    fn first(&self) -> u64 {
        self.taken - self.recent.len() as u64
    }
}
