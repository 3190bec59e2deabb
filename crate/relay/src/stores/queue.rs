//! What waits for the disk. It is bounded: senders are slowed down first, and refused last.

use crate::stores::shelf::Shelf;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use undertone_relay_core::{ENTRY_COST_BYTES, Placed, StoreError};

/// Most entries that wait for the disk. A connection sends one and is paused once there are
/// [`SLOW_ENTRIES`], so that even 12,000 connections fill it only if the disk stands still.
pub const STORE_QUEUE_ENTRIES_MAX: usize = 16_384;

/// Most bytes of those: as much as the relay's connections may hold in buffers.
pub const STORE_QUEUE_BYTES_MAX: usize = 64 << 20;

/// From here on senders are paused: some commits are ahead of them.
const SLOW_ENTRIES: usize = 2_048;

/// The same in bytes.
const SLOW_BYTES: usize = 8 << 20;

/// For how long: a few commits.
const SLOW_MS: u64 = 20;

/// A commit of so many is not held back for more: what it costs per entry hardly falls any further.
const GATHER_ENTRIES: usize = 64;

/// Most that one commit writes, so that the first of a long queue do not wait for the last.
const BATCH_ENTRIES_MAX: usize = 1_024;

/// The same in bytes.
const BATCH_BYTES_MAX: usize = 8 << 20;

/// One thing to make durable.
#[derive(Debug)]
pub(crate) enum Job {
    /// An entry at its place.
    Keep {
        /// Whose.
        shelf: Arc<Shelf>,
        /// Where.
        place: u64,
        /// What.
        placed: Placed,
    },
    /// The end of a room.
    Remove {
        /// Which.
        shelf: Arc<Shelf>,
    },
}

impl Job {
    fn bytes(&self) -> usize {
        match self {
            Self::Keep { placed, .. } => placed.entry_bytes() + COST_BYTES,
            Self::Remove { .. } => COST_BYTES,
        }
    }
}

/// What a job costs beyond its entry's bytes.
const COST_BYTES: usize = ENTRY_COST_BYTES as usize;

/// Jobs in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    filled: Condvar,
}

#[derive(Debug, Default)]
struct State {
    jobs: VecDeque<Job>,
    bytes: usize,
    life: Life,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Life {
    #[default]
    Open,
    /// Takes nothing more; what it has is still made durable.
    Closed,
    /// Nothing more is made durable.
    Failed,
}

impl Queue {
    /// Takes an entry.
    ///
    /// # Errors
    /// [`StoreError`] if the queue is full, closed or has failed.
    pub(crate) fn keep(&self, job: Job) -> Result<(), StoreError> {
        let state = self.state();
        let is_full = state.jobs.len() >= STORE_QUEUE_ENTRIES_MAX || state.bytes >= STORE_QUEUE_BYTES_MAX;
        if is_full { Err(StoreError) } else { self.push(state, job) }
    }

    /// Takes the end of a room, also when it is full: there are no more of them than rooms.
    ///
    /// # Errors
    /// [`StoreError`] if it is closed or has failed.
    pub(crate) fn remove(&self, job: Job) -> Result<(), StoreError> {
        self.push(self.state(), job)
    }

    /// How long senders should wait.
    pub(crate) fn pause_ms(&self) -> u64 {
        let state = self.state();
        if state.jobs.len() >= SLOW_ENTRIES || state.bytes >= SLOW_BYTES { SLOW_MS } else { 0 }
    }

    /// Waits for the next batch: what there is at most so long after the first of it came, or once
    /// there are [`GATHER_ENTRIES`]. `None` when it is closed and empty. If there is something else
    /// to do meanwhile, the batch may be empty.
    pub(crate) fn take(&self, idle: Idle, gather: Duration) -> Option<Vec<Job>> {
        let mut state = self.state();
        while state.jobs.is_empty() {
            match (state.life, idle) {
                (Life::Open, Idle::Wait) => state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner),
                (Life::Open, Idle::Work) => return Some(Vec::new()),
                _ => return None,
            }
        }
        let is_early = |state: &mut State| state.life == Life::Open && state.jobs.len() < GATHER_ENTRIES;
        let gathered = self.filled.wait_timeout_while(state, gather, is_early);
        Some(gathered.unwrap_or_else(PoisonError::into_inner).0.batch())
    }

    /// Takes nothing more.
    pub(crate) fn close(&self) {
        self.end(Life::Closed);
    }

    /// Takes nothing more, and forgets what it has.
    pub(crate) fn fail(&self) {
        self.end(Life::Failed);
        let mut state = self.state();
        (state.jobs, state.bytes) = (VecDeque::new(), 0);
    }

    fn push(&self, mut state: MutexGuard<'_, State>, job: Job) -> Result<(), StoreError> {
        if state.life != Life::Open {
            return Err(StoreError);
        }
        state.bytes += job.bytes();
        state.jobs.push_back(job);
        let is_due = state.jobs.len() == 1 || state.jobs.len() == GATHER_ENTRIES;
        drop(state);
        if is_due {
            self.filled.notify_one();
        }
        Ok(())
    }

    fn end(&self, life: Life) {
        let mut state = self.state();
        if state.life != Life::Failed {
            state.life = life;
        }
        drop(state);
        self.filled.notify_one();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the writer does when nothing waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Idle {
    /// It waits as well.
    Wait,
    /// It has something else to do.
    Work,
}

impl State {
    fn batch(&mut self) -> Vec<Job> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while batch.len() < BATCH_ENTRIES_MAX && bytes < BATCH_BYTES_MAX {
            let Some(job) = self.jobs.pop_front() else { break };
            bytes += job.bytes();
            batch.push(job);
        }
        self.bytes -= bytes;
        batch
    }
}
