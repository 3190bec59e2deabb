//! Finds a connection's mailbox by its number.

use crate::mailbox::Mailbox;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use undertone_relay_core::{ConnectionId, Output};
use undertone_wire::Refusal;

type Shelf = HashMap<ConnectionId, Arc<Mailbox>>;

/// All mailboxes, on shelves with a lock each: delivering to a room never holds up the others.
#[derive(Debug)]
pub(crate) struct Switchboard {
    shelves: Vec<Mutex<Shelf>>,
    stopping: AtomicBool,
}

/// Enough that two threads seldom want the same one.
const SHELVES: usize = 64;

impl Switchboard {
    pub(crate) fn new() -> Self {
        let shelves = (0..SHELVES).map(|_| Mutex::default()).collect();
        Self { shelves, stopping: AtomicBool::new(false) }
    }

    /// A new connection's mailbox.
    pub(crate) fn open(&self, id: ConnectionId) -> Arc<Mailbox> {
        let mailbox = Arc::new(Mailbox::default());
        if let Some(mut shelf) = self.shelf(id) {
            shelf.insert(id, Arc::clone(&mailbox));
        }
        // Whoever comes in while the doors close is told at once.
        if self.stopping.load(Ordering::SeqCst) {
            mailbox.close(Refusal::Restarting);
        }
        mailbox
    }

    /// A connection is gone.
    pub(crate) fn forget(&self, id: ConnectionId) {
        if let Some(mut shelf) = self.shelf(id) {
            shelf.remove(&id);
        }
    }

    /// How many connections there are.
    pub(crate) fn count(&self) -> usize {
        self.shelves.iter().map(|shelf| shelf.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }

    /// Brings outputs to their mailboxes. What is for connections that are gone is dropped.
    pub(crate) fn deliver(&self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send { to, frame, part } => self.with(to, |mailbox| mailbox.post(frame, part)),
                Output::News { to } => self.with(to, Mailbox::ring),
                Output::Close { to, reason } => self.with(to, |mailbox| mailbox.close(reason)),
            }
        }
    }

    /// Ends all connections, also those to come.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        for shelf in &self.shelves {
            let shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
            shelf.values().for_each(|mailbox| mailbox.close(Refusal::Restarting));
        }
    }

    fn with(&self, id: ConnectionId, act: impl FnOnce(&Mailbox)) {
        let mailbox = self.shelf(id).and_then(|shelf| shelf.get(&id).cloned());
        if let Some(mailbox) = mailbox {
            act(&mailbox);
        }
    }

    fn shelf(&self, id: ConnectionId) -> Option<MutexGuard<'_, Shelf>> {
        let index = usize::try_from(id.number()).unwrap_or_default() % SHELVES;
        let shelf = self.shelves.get(index)?;
        Some(shelf.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
