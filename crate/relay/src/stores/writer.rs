//! The thread that writes: everything that waits, in one transaction, with one fsync.

use crate::stores::disk::Disk;
use crate::stores::queue::{Idle, Job, Queue};
use crate::stores::shelf::Shelf;
use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use undertone_relay_core::{ENTRY_COST_BYTES, StoreNews, Tell};

/// Durable entries of all rooms that stay in memory, for readers who keep up.
const RECENT_BYTES_MAX: u64 = 16 << 20;

/// A commit is held back for a quarter of what the last one took: people answer a question at the
/// same time, and whoever misses a commit waits for two.
const GATHER_PART: u32 = 4;

/// And never for longer.
const GATHER_MAX: Duration = Duration::from_millis(5);

/// What writer and store share.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) queue: Queue,
    pub(crate) tell: OnceLock<Tell>,
    /// Commits since the start, for measurements.
    pub(crate) commits: AtomicU64,
}

impl Desk {
    /// Nothing more is kept, and whoever wants to know is told.
    pub(crate) fn fail(&self) {
        self.queue.fail();
        self.tell(StoreNews::Failed);
    }

    fn tell(&self, news: StoreNews) {
        if let Some(tell) = self.tell.get() {
            tell(news);
        }
    }
}

/// Writes until the queue is closed and empty, or the disk fails.
pub(crate) struct Writer {
    desk: Arc<Desk>,
    disk: Arc<Disk>,
    garbage: Vec<u64>,
    recent: Recent,
    gather: Duration,
    is_done: bool,
}

impl Writer {
    pub(crate) fn new(desk: Arc<Desk>, disk: Arc<Disk>, garbage: Vec<u64>) -> Self {
        Self { desk, disk, garbage, recent: Recent::default(), gather: Duration::ZERO, is_done: false }
    }

    /// The thread's whole life. A disk that failed once is not tried again: what its cache says
    /// after a failed fsync is not what it holds.
    pub(crate) fn run(mut self) {
        while let Some(jobs) = self.desk.queue.take(self.idle(), self.gather) {
            let start = Instant::now();
            if self.disk.commit(&jobs, &mut self.garbage).is_err() {
                return;
            }
            self.gather = (start.elapsed() / GATHER_PART).min(GATHER_MAX);
            self.desk.commits.fetch_add(1, Ordering::Relaxed);
            self.settle(jobs);
        }
        self.is_done = true;
    }

    fn idle(&self) -> Idle {
        if self.garbage.is_empty() { Idle::Wait } else { Idle::Work }
    }

    /// All of it is durable: says so.
    fn settle(&mut self, jobs: Vec<Job>) {
        let mut rooms = BTreeSet::new();
        for job in jobs {
            if let Job::Keep { shelf, placed, .. } = job {
                shelf.keep();
                rooms.insert(shelf.room);
                self.recent.add(shelf, placed.entry_bytes());
            }
        }
        rooms.into_iter().for_each(|room| self.desk.tell(StoreNews::Kept(room)));
    }
}

impl Drop for Writer {
    /// However the thread ends, a panic included, nobody waits for it in vain.
    fn drop(&mut self) {
        if !self.is_done {
            self.desk.fail();
        }
    }
}

/// Durable entries that are in memory, the oldest first.
#[derive(Default)]
struct Recent {
    entries: VecDeque<(Arc<Shelf>, u64)>,
    bytes: u64,
}

impl Recent {
    fn add(&mut self, shelf: Arc<Shelf>, entry_bytes: usize) {
        let cost = entry_bytes as u64 + ENTRY_COST_BYTES;
        self.entries.push_back((shelf, cost));
        self.bytes += cost;
        while self.bytes > RECENT_BYTES_MAX {
            let Some((shelf, cost)) = self.entries.pop_front() else { break };
            shelf.forget_oldest();
            self.bytes -= cost;
        }
    }
}
