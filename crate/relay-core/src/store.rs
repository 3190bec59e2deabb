//! Where logs are kept.
//!
//! A log takes entries at once and says later, by its [`Log::head`], which of them would survive a
//! crash. Nothing is acknowledged or shown to anyone before. So a store that writes many rooms with
//! one fsync fits behind the same two traits as one that only remembers.

use bytes::Bytes;
use core::fmt;
use undertone_wire::{Codec, Frame, Hash};

/// The store failed: a full or broken disk, an engine out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreError;

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the store failed")
    }
}

impl std::error::Error for StoreError {}

/// Keeps logs, one per room.
pub trait Store: Send + Sync {
    /// Opens a room's log, a new one if there is none.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read or made.
    fn open(&self, room: &Hash) -> Result<Box<dyn Log>, StoreError>;

    /// Rooms with a log, for a relay that comes back after a restart.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    fn rooms(&self) -> Result<Vec<Hash>, StoreError>;

    /// Forgets a room's log, and soon after also on disk.
    ///
    /// # Errors
    /// [`StoreError`] if it will still be there after a restart.
    fn remove(&self, room: &Hash) -> Result<(), StoreError>;

    /// Takes whom to tell of what happens outside of any call. To be called once, before the first
    /// log is opened.
    ///
    /// A store that keeps entries before `append` returns has nothing to tell.
    fn watch(&self, _tell: Tell) {}

    /// How long a sender should wait before its next entry, in milliseconds, because the store has
    /// not kept up; waiting loses nothing.
    fn pause_ms(&self) -> u64 {
        0
    }
}

/// What a store says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreNews {
    /// It keeps more of a room's entries: [`Hub::settle`](crate::Hub::settle) is to be called.
    Kept(Hash),
    /// It will keep nothing more. What it took and did not keep is not acknowledged, ever.
    Failed,
}

/// Whom a store tells its news. It must not wait for anything, least of all for a room.
pub type Tell = Box<dyn Fn(StoreNews) + Send + Sync>;

/// One room's log. It belongs to its room, so it needs no lock of its own.
pub trait Log: Send {
    /// Takes an entry. It is stored once it is below [`Log::head`], which may move later and at
    /// once for many entries; whoever moves it outside of `append` makes
    /// [`Hub::settle`](crate::Hub::settle) be called.
    ///
    /// # Errors
    /// [`StoreError`] if it will not be stored.
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError>;

    /// Number of entries that would survive a crash.
    fn head(&self) -> u64;

    /// Reads stored entries: those from a place on, at least one if there is any, at most so many.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError>;
}

/// How much to read at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most {
    /// Most entries.
    pub entries: usize,
    /// Most bytes of all entries; the first may be larger.
    pub bytes: usize,
}

impl Most {
    /// One entry of any size.
    pub const ONE: Self = Self { entries: 1, bytes: 0 };

    /// Those of the entries that fit, and the first in any case.
    ///
    /// # Errors
    /// The first that stands before an entry that fits.
    pub fn fit<E>(self, entries: impl Iterator<Item = Result<Placed, E>>) -> Result<Vec<Placed>, E> {
        let (mut fitting, mut bytes) = (Vec::new(), 0_usize);
        for placed in entries.take(self.entries) {
            let placed = placed?;
            bytes = bytes.saturating_add(placed.entry_bytes().max(1));
            if bytes > self.bytes && !fitting.is_empty() {
                break;
            }
            fitting.push(placed);
        }
        Ok(fitting)
    }
}

/// An entry at its place, encoded once as the frame that every reader gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    frame: Bytes,
}

impl Placed {
    /// Gives an entry its place.
    #[must_use]
    pub fn new(place: u64, entry: &[u8]) -> Self {
        let entry = Bytes::copy_from_slice(entry);
        Self { frame: Bytes::from(Frame::Entry { sequence: place, entry }.to_bytes()) }
    }

    /// The frame, shared.
    #[must_use]
    pub fn frame(&self) -> Bytes {
        self.frame.clone()
    }

    /// The entry in it, shared.
    #[must_use]
    pub fn entry(&self) -> Bytes {
        self.frame.slice(FRAME_HEAD_BYTES.min(self.frame.len())..)
    }

    /// How long the entry is.
    #[must_use]
    pub fn entry_bytes(&self) -> usize {
        self.frame.len().saturating_sub(FRAME_HEAD_BYTES)
    }
}

/// An entry frame's number and place.
const FRAME_HEAD_BYTES: usize = 9;

/// Keeps logs in memory: what is appended is stored, until the relay ends.
#[derive(Debug, Default)]
pub struct MemoryStore;

impl Store for MemoryStore {
    fn open(&self, _room: &Hash) -> Result<Box<dyn Log>, StoreError> {
        Ok(Box::<MemoryLog>::default())
    }

    fn rooms(&self) -> Result<Vec<Hash>, StoreError> {
        Ok(Vec::new())
    }

    fn remove(&self, _room: &Hash) -> Result<(), StoreError> {
        Ok(())
    }
}

#[derive(Debug, Default)]
struct MemoryLog {
    entries: Vec<Placed>,
}

impl Log for MemoryLog {
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError> {
        self.entries.push(Placed::new(self.head(), entry));
        Ok(())
    }

    fn head(&self) -> u64 {
        self.entries.len() as u64
    }

    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let rest = self.entries.get(from..).unwrap_or_default();
        most.fit(rest.iter().cloned().map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(entries: &[&[u8]]) -> Box<dyn Log> {
        let mut log = MemoryStore.open(&[0; 32]).unwrap();
        entries.iter().for_each(|entry| log.append(entry).unwrap());
        log
    }

    #[test]
    fn an_entry_is_encoded_once_and_shared() {
        let log = log(&[b"first", b"second"]);
        let (one, two) = (log.read(1, Most::ONE).unwrap(), log.read(1, Most::ONE).unwrap());
        assert_eq!(one[0].frame().as_ptr(), two[0].frame().as_ptr());
        assert_eq!(Frame::from_message(&one[0].frame()), Ok(Frame::Entry { sequence: 1, entry: one[0].entry() }));
        assert_eq!((&one[0].entry()[..], one[0].entry_bytes()), (&b"second"[..], 6));
    }

    #[test]
    fn reading_keeps_to_both_limits_and_always_goes_on() {
        let log = log(&[b"aaaa", b"", b"bb", b"cccccc"]);
        let count = |from, entries, bytes| log.read(from, Most { entries, bytes }).unwrap().len();
        assert_eq!(count(0, 2, 100), 2);
        assert_eq!(count(0, 9, 7), 3);
        assert_eq!(count(0, 9, 6), 2);
        assert_eq!(count(3, 9, 1), 1);
        assert_eq!(count(4, 9, 100), 0);
        assert_eq!(count(u64::MAX, 9, 100), 0);
    }
}
