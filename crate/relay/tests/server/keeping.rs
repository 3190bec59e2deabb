//! A store that keeps entries on its own time, and one that breaks.

use crate::client::{Client, GUEST, HOST, config, entry};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::timeout;
use undertone_relay::{Config, EmbeddedStore, Running, start};
use undertone_relay_core::{Log, Most, Placed, Store, StoreError, StoreNews, Tell};
use undertone_wire::{Frame, Hash, Refusal};

/// One room, whose entries are kept when the test says so.
#[derive(Clone, Default)]
struct Held(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    entries: Vec<Placed>,
    kept: u64,
    tell: Option<Tell>,
}

impl Held {
    fn keep(&self) {
        let mut inner = self.0.lock().unwrap();
        inner.kept = inner.entries.len() as u64;
        (inner.tell.as_ref().unwrap())(StoreNews::Kept(crate::client::room()));
    }

    fn fail(&self) {
        (self.0.lock().unwrap().tell.as_ref().unwrap())(StoreNews::Failed);
    }
}

impl Store for Held {
    fn open(&self, _room: &Hash) -> Result<Box<dyn Log>, StoreError> {
        Ok(Box::new(self.clone()))
    }

    fn rooms(&self) -> Result<Vec<Hash>, StoreError> {
        Ok(Vec::new())
    }

    fn remove(&self, _room: &Hash) -> Result<(), StoreError> {
        Ok(())
    }

    fn watch(&self, tell: Tell) {
        self.0.lock().unwrap().tell = Some(tell);
    }
}

impl Log for Held {
    fn append(&mut self, entry: &[u8]) -> Result<(), StoreError> {
        let entries = &mut self.0.lock().unwrap().entries;
        let place = entries.len() as u64;
        entries.push(Placed::new(place, entry));
        Ok(())
    }

    fn head(&self) -> u64 {
        self.0.lock().unwrap().kept
    }

    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let inner = self.0.lock().unwrap();
        Ok(inner.entries.iter().skip(from as usize).take(most.entries).cloned().collect())
    }
}

async fn relay(store: impl Store + 'static) -> Running {
    start(Config { store: Box::new(store), ..config() }).await.unwrap()
}

/// Nothing but the answer to a ping is under way to it.
async fn hears_nothing(client: &mut Client) {
    client.send(&Frame::Ping { nonce: 9 }).await;
    assert_eq!(client.next().await, Frame::Pong { nonce: 9 });
}

#[tokio::test]
async fn the_acknowledgement_waits_for_the_disk_and_so_do_all_readers() {
    let store = Held::default();
    let relay = relay(store.clone()).await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    host.append(HOST, 0, b"waits").await;
    hears_nothing(&mut host).await;
    hears_nothing(&mut guest).await;
    store.keep();
    assert_eq!(host.next_stored().await, (0, 0));
    assert_eq!(guest.next_entry().await, (0, entry(HOST, 0, b"waits")));
}

#[tokio::test]
async fn a_broken_store_ends_in_a_refusal_and_never_in_an_acknowledgement() {
    let store = Held::default();
    let relay = relay(store.clone()).await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    host.append(HOST, 0, b"never kept").await;
    hears_nothing(&mut host).await;
    store.fail();
    timeout(Duration::from_secs(20), relay.store_failed()).await.unwrap();
    assert_eq!(host.next_or_close().await, Ok(Frame::Refused { reason: Refusal::Restarting }));
    let mut late = Client::connect(relay.local_addr()).await;
    assert_eq!(late.next_or_close().await, Ok(Frame::Refused { reason: Refusal::Restarting }));
}

#[tokio::test]
async fn a_relay_that_stops_in_order_takes_up_its_rooms_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms");
    for number in 0..3 {
        let relay = relay(open_again(&path).await).await;
        let mut host = Client::connect(relay.local_addr()).await;
        assert_eq!(host.attach(HOST, 0).await, u64::from(number));
        host.append(HOST, number, b"said").await;
        assert_eq!(host.next_stored().await, (number, u64::from(number)));
        relay.shutdown().await;
    }
}

/// The last connection's task may hold the file for a moment longer than the relay.
async fn open_again(path: &std::path::Path) -> EmbeddedStore {
    let open = async {
        loop {
            match EmbeddedStore::open(path) {
                Ok(store) => return store,
                Err(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    timeout(Duration::from_secs(20), open).await.unwrap()
}
