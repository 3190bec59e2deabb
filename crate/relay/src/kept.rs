//! From a store that keeps entries on its own time to the rooms that wait for it.

use crate::accept::Stop;
use crate::relay::Shared;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Notify;
use undertone_relay_core::{StoreNews, Tell};
use undertone_wire::Hash;

/// Rooms of which the store kept more, each once, and whether it failed.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    rooms: Mutex<BTreeSet<Hash>>,
    failed: AtomicBool,
    news: Notify,
    failure: Notify,
}

impl Kept {
    /// For the store: notes its news and waits for nothing.
    pub(crate) fn teller(self: &Arc<Self>) -> Tell {
        let kept = Arc::clone(self);
        Box::new(move |news| kept.note(news))
    }

    /// Waits until the store failed.
    pub(crate) async fn failed(&self) {
        let failure = self.failure.notified();
        let mut failure = core::pin::pin!(failure);
        failure.as_mut().enable();
        if !self.failed.load(Ordering::SeqCst) {
            failure.await;
        }
    }

    fn note(&self, news: StoreNews) {
        match news {
            StoreNews::Kept(room) => drop(self.rooms.lock().unwrap_or_else(PoisonError::into_inner).insert(room)),
            StoreNews::Failed => {
                self.failed.store(true, Ordering::SeqCst);
                self.failure.notify_waiters();
            }
        }
        self.news.notify_one();
    }

    fn take(&self) -> BTreeSet<Hash> {
        core::mem::take(&mut *self.rooms.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Acknowledges and shows what the store kept, until the relay stops or the store fails. Then all
/// connections end: what was not acknowledged will be sent again, to whoever comes next.
pub(crate) async fn settle(shared: Arc<Shared>, kept: Arc<Kept>, mut stop: Stop) {
    loop {
        tokio::select! {
            () = kept.news.notified() => {}
            _ = stop.changed() => return,
        }
        for room in kept.take() {
            shared.switchboard.deliver(shared.hub.settle(&room));
        }
        if kept.failed.load(Ordering::SeqCst) {
            return shared.switchboard.stop();
        }
    }
}
