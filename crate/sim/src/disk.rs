//! The relay's disk: a store that keeps entries later than it takes them, and survives its relay.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use undertone_relay_core::{Log, Most, Placed, Store, StoreError};
use undertone_wire::Hash;

/// All logs of one relay. Clones are the same disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    logs: Arc<Mutex<BTreeMap<Hash, Kept>>>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<Placed>,
    /// How many of them would survive a crash.
    durable: usize,
}

impl Disk {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Hash, Kept>> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is something to write.
    pub(crate) fn is_behind(&self) -> bool {
        self.lock().values().any(|log| log.durable < log.entries.len())
    }

    /// Everything taken so far is durable.
    pub(crate) fn commit(&self) {
        self.lock().values_mut().for_each(|log| log.durable = log.entries.len());
    }

    /// What a crash leaves; `lost` more entries of each log go with it on a disk that lies.
    pub(crate) fn crash(&self, lost: usize) {
        for log in self.lock().values_mut() {
            log.durable = log.durable.saturating_sub(lost);
            log.entries.truncate(log.durable);
        }
    }

    /// Entries of a room that would survive a crash.
    pub(crate) fn durable(&self, room: &Hash) -> Vec<Vec<u8>> {
        let logs = self.lock();
        let log = logs.get(room).map(|log| log.entries.iter().take(log.durable));
        log.into_iter().flatten().map(|placed| placed.entry().to_vec()).collect()
    }
}

impl Store for Disk {
    fn open(&self, room: &Hash) -> Result<Box<dyn Log>, StoreError> {
        self.lock().entry(*room).or_default();
        Ok(Box::new(OneLog { disk: self.clone(), room: *room }))
    }

    fn rooms(&self) -> Result<Vec<Hash>, StoreError> {
        let logs = self.lock();
        Ok(logs.iter().filter(|(_, log)| log.durable > 0).map(|(room, _)| *room).collect())
    }

    fn remove(&self, room: &Hash) -> Result<(), StoreError> {
        self.lock().remove(room);
        Ok(())
    }
}

struct OneLog {
    disk: Disk,
    room: Hash,
}

impl Log for OneLog {
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError> {
        let mut logs = self.disk.lock();
        let log = logs.get_mut(&self.room).ok_or(StoreError)?;
        let place = log.entries.len() as u64;
        log.entries.push(Placed::new(place, entry));
        Ok(())
    }

    fn head(&self) -> u64 {
        self.disk.lock().get(&self.room).map_or(0, |log| log.durable as u64)
    }

    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let logs = self.disk.lock();
        let log = logs.get(&self.room).ok_or(StoreError)?;
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let durable = log.entries.get(from..log.durable).unwrap_or_default();
        most.fit(durable.iter().cloned().map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_leaves_what_was_committed() {
        let disk = Disk::default();
        let mut log = disk.open(&[1; 32]).unwrap();
        log.append(b"a").unwrap();
        assert!(disk.is_behind() && log.head() == 0 && disk.rooms().unwrap().is_empty());
        disk.commit();
        log.append(b"b").unwrap();
        disk.crash(0);
        assert_eq!((log.head(), disk.durable(&[1; 32])), (1, vec![b"a".to_vec()]));
        disk.crash(1);
        assert_eq!(log.head(), 0);
    }
}
