//! Logs in one file on this machine.

use crate::stores::disk::{Cut, Disk, Found, Inventory};
use crate::stores::queue::Job;
use crate::stores::shelf::{Read, Shelf};
use crate::stores::writer::{Desk, Writer};
use core::fmt;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use undertone_relay_core::{Log, Most, Placed, Store, StoreError, Tell};
use undertone_wire::Hash;

/// Keeps logs in one file, which no other process may open meanwhile.
///
/// `append` only queues. A thread writes what waits in one transaction and tells the relay which
/// rooms have more; only then is anything acknowledged or shown. When the file cannot be written the
/// store ends for good, and the relay with it: a new one finds in the file all that was acknowledged.
///
/// # Security
/// The file holds what the relay sees: sealed entries, and who wrote how much. It is readable by its
/// owner only. Removed entries are gone from the logs within moments; their sealed bytes stay in
/// unused pages of the file until others are written there.
///
/// # Cost
/// An fsync per commit. In memory a few hundred bytes per room, a queue of at most
/// [`STORE_QUEUE_BYTES_MAX`](crate::STORE_QUEUE_BYTES_MAX), and 32 MiB for pages and latest entries of all rooms.
pub struct EmbeddedStore {
    desk: Arc<Desk>,
    disk: Arc<Disk>,
    shelves: Mutex<BTreeMap<Hash, Arc<Shelf>>>,
    next_slot: AtomicU64,
    cut: Cut,
    writer: Option<JoinHandle<()>>,
}

impl EmbeddedStore {
    /// Opens the file, or makes one, and checks every entry in it.
    ///
    /// # Errors
    /// It is no such file, cannot be read or written, or another process has it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (disk, inventory) = Disk::open(path)?;
        Self::over(disk, inventory)
    }

    pub(crate) fn over(disk: Disk, inventory: Inventory) -> io::Result<Self> {
        let shelve = |found: Found| (found.room, Arc::new(Shelf::new(found.room, found.slot, found.kept)));
        let shelves = inventory.logs.into_iter().map(shelve).collect();
        let (desk, disk) = (Arc::<Desk>::default(), Arc::new(disk));
        let writer = Writer::new(Arc::clone(&desk), Arc::clone(&disk), inventory.garbage);
        let writer = Builder::new().name("store".into()).spawn(move || writer.run())?;
        Ok(Self {
            desk,
            disk,
            shelves: Mutex::new(shelves),
            next_slot: AtomicU64::new(inventory.next_slot),
            cut: inventory.cut,
            writer: Some(writer),
        })
    }

    /// What was damaged when the file was opened, and is lost. Nothing, unless the disk is failing.
    #[must_use]
    pub fn cut(&self) -> Cut {
        self.cut
    }

    /// Commits since it was opened: entries divided by this is how many shared an fsync.
    #[must_use]
    pub fn commits(&self) -> u64 {
        self.desk.commits.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn disk(&self) -> &Disk {
        &self.disk
    }

    fn shelves(&self) -> MutexGuard<'_, BTreeMap<Hash, Arc<Shelf>>> {
        self.shelves.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fresh(&self, room: Hash) -> Arc<Shelf> {
        Arc::new(Shelf::new(room, self.next_slot.fetch_add(1, Ordering::Relaxed), 0))
    }
}

impl Store for EmbeddedStore {
    fn open(&self, room: &Hash) -> Result<Box<dyn Log>, StoreError> {
        let shelf = Arc::clone(self.shelves().entry(*room).or_insert_with(|| self.fresh(*room)));
        Ok(Box::new(EmbeddedLog { shelf, desk: Arc::clone(&self.desk), disk: Arc::clone(&self.disk) }))
    }

    fn rooms(&self) -> Result<Vec<Hash>, StoreError> {
        let shelves = self.shelves();
        Ok(shelves.values().filter(|shelf| shelf.kept() > 0).map(|shelf| shelf.room).collect())
    }

    fn remove(&self, room: &Hash) -> Result<(), StoreError> {
        let Some(shelf) = self.shelves().remove(room) else { return Ok(()) };
        if shelf.remove() { self.desk.queue.remove(Job::Remove { shelf }) } else { Ok(()) }
    }

    fn watch(&self, tell: Tell) {
        // Only the first is told, as the trait says.
        drop(self.desk.tell.set(tell));
    }

    fn pause_ms(&self) -> u64 {
        self.desk.queue.pause_ms()
    }
}

impl Drop for EmbeddedStore {
    /// What was taken is made durable before the file is closed.
    fn drop(&mut self) {
        self.desk.queue.close();
        if let Some(writer) = self.writer.take() {
            drop(writer.join());
        }
    }
}

impl fmt::Debug for EmbeddedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedStore").field("cut", &self.cut).finish_non_exhaustive()
    }
}

struct EmbeddedLog {
    shelf: Arc<Shelf>,
    desk: Arc<Desk>,
    disk: Arc<Disk>,
}

impl Log for EmbeddedLog {
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError> {
        let shelf = &self.shelf;
        let queue = |place, placed| self.desk.queue.keep(Job::Keep { shelf: Arc::clone(shelf), place, placed });
        shelf.take(entry, queue)
    }

    fn head(&self) -> u64 {
        self.shelf.kept()
    }

    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let kept = match self.shelf.read(from, most) {
            Read::Here(entries) => return Ok(entries),
            Read::Disk(kept) => kept,
        };
        let found = Found { room: self.shelf.room, slot: self.shelf.slot, kept };
        // A disk that does not return what it holds ends the store, as one that does not take it.
        self.disk.read(found, from, most).inspect_err(|_| self.desk.fail())
    }
}
