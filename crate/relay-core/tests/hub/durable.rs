//! A store that keeps entries later than it takes them, as one with a group commit does.

use crate::device::{HOST, Relay, entry, generous, refused, room};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use undertone_relay_core::{Log, Most, Placed, Store, StoreError};
use undertone_wire::{Frame, Hash, Refusal};

const GUEST: [u8; 32] = [2; 32];

#[derive(Default)]
struct Disk {
    entries: Vec<Placed>,
    kept: u64,
}

/// Keeps what it took when [`LateStore::commit`] is called, and survives its relay.
#[derive(Clone, Default)]
struct LateStore {
    disks: Arc<Mutex<BTreeMap<Hash, Arc<Mutex<Disk>>>>>,
}

struct LateLog(Arc<Mutex<Disk>>);

impl LateStore {
    fn commit(&self) {
        for disk in self.disks.lock().unwrap().values() {
            let mut disk = disk.lock().unwrap();
            disk.kept = disk.entries.len() as u64;
        }
    }

    /// What a crash leaves.
    fn crash(&self) {
        for disk in self.disks.lock().unwrap().values() {
            let mut disk = disk.lock().unwrap();
            let kept = disk.kept as usize;
            disk.entries.truncate(kept);
        }
    }
}

impl Store for LateStore {
    fn open(&self, room: &Hash) -> Result<Box<dyn Log>, StoreError> {
        Ok(Box::new(LateLog(Arc::clone(self.disks.lock().unwrap().entry(*room).or_default()))))
    }

    fn rooms(&self) -> Result<Vec<Hash>, StoreError> {
        Ok(self.disks.lock().unwrap().keys().copied().collect())
    }

    fn remove(&self, room: &Hash) -> Result<(), StoreError> {
        self.disks.lock().unwrap().remove(room);
        Ok(())
    }

    fn pause_ms(&self) -> u64 {
        let is_behind = |disk: &Disk| disk.entries.len() as u64 > disk.kept + 2;
        self.disks.lock().unwrap().values().map(|disk| 7 * u64::from(is_behind(&disk.lock().unwrap()))).sum()
    }
}

impl Log for LateLog {
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError> {
        if entry.ends_with(b"disk full") {
            return Err(StoreError);
        }
        let mut disk = self.0.lock().unwrap();
        let place = disk.entries.len() as u64;
        disk.entries.push(Placed::new(place, entry));
        Ok(())
    }

    fn head(&self) -> u64 {
        self.0.lock().unwrap().kept
    }

    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let disk = self.0.lock().unwrap();
        Ok(disk.entries.iter().skip(from as usize).take(most.entries).cloned().collect())
    }
}

#[test]
fn nothing_is_acknowledged_or_shown_before_it_is_kept() {
    let store = LateStore::default();
    let mut relay = Relay::with(Box::new(store.clone()), generous());
    let (host, guest) = (relay.seated(HOST), relay.seated(GUEST));
    assert!(relay.read(&guest).is_empty());
    assert_eq!(relay.append(&host, HOST, 0, b"a"), []);
    assert_eq!(relay.append(&guest, GUEST, 0, b"b"), []);
    assert_eq!(relay.append(&host, HOST, 0, b"a"), [], "again, while it waits");
    assert_eq!(relay.append(&host, HOST, 0, b"other"), refused(Refusal::BadSequence));
    assert_eq!(relay.append(&host, HOST, 1, b"c"), []);
    assert_eq!(relay.send(&guest, &Frame::Fetch { from: 0, count: 9 }), [Frame::Fetched { from: 0, entries: vec![] }]);
    store.commit();
    let outputs = relay.hub.settle(&room());
    relay.deliver(outputs);
    assert_eq!(
        relay.inbox(&host).drain(..).collect::<Vec<_>>(),
        [Frame::Stored { own: 0, sequence: 0 }, Frame::Stored { own: 1, sequence: 2 }]
    );
    assert_eq!(relay.read(&guest).len(), 3);
    assert!(relay.hub.settle(&room()).is_empty());
}

#[test]
fn after_a_crash_nothing_acknowledged_is_lost_and_the_rest_is_sent_again() {
    let store = LateStore::default();
    let mut relay = Relay::with(Box::new(store.clone()), generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"a");
    store.commit();
    let kept = relay.hub.settle(&room());
    relay.deliver(kept);
    relay.append(&host, HOST, 1, b"lost");
    store.crash();

    let mut relay = Relay::with(Box::new(store.clone()), generous());
    assert_eq!((relay.hub.totals().rooms(), relay.hub.totals().entries()), (1, 1));
    assert!(relay.hub.totals().log_bytes() > 0);
    let host = relay.connect();
    assert_eq!(relay.attach(&host, HOST, 0), [Frame::Attached { head: 1 }]);
    assert_eq!(relay.append(&host, HOST, 0, b"a"), [Frame::Stored { own: 0, sequence: 0 }]);
    assert_eq!(relay.append(&host, HOST, 1, b"lost"), []);
    store.commit();
    let outputs = relay.hub.settle(&room());
    relay.deliver(outputs);
    assert_eq!(relay.read(&host), [(0, entry(HOST, 0, b"a")), (1, entry(HOST, 1, b"lost"))]);
}

#[test]
fn a_store_that_fails_ends_the_connection_and_nothing_else() {
    let store = LateStore::default();
    let mut relay = Relay::with(Box::new(store.clone()), generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"disk full");
    assert_eq!(relay.closed(&host), Some(Refusal::Restarting));
    let host = relay.seated(HOST);
    assert_eq!(relay.append(&host, HOST, 0, b"fits"), []);
}

#[test]
fn a_store_that_falls_behind_slows_its_senders_down() {
    let store = LateStore::default();
    let mut relay = Relay::with(Box::new(store.clone()), generous());
    let host = relay.seated(HOST);
    let mut pauses = Vec::new();
    for number in 0..3 {
        relay.append(&host, HOST, number, b"fast");
        pauses.push(relay.pause_ms);
    }
    assert_eq!(pauses, [0, 0, 7]);
    store.commit();
    relay.append(&host, HOST, 3, b"fast");
    assert_eq!(relay.pause_ms, 0);
}
