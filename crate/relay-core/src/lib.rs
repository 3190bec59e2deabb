//! The relay without input and output.
//!
//! A room is a log: the relay keeps one ordered list of entries per room, gives it to whoever sits
//! in the room, and forwards bytes between two seats. It reads nothing of an entry but whose it is
//! and which of theirs. What it must never do is learn, so it is built to need nothing: no keys, no
//! kinds, no protocol.
//!
//! [`Hub`] holds all rooms behind a lock each. Its caller owns sockets and the clock: it passes
//! messages to [`Hub::handle`], delivers the [`Output`]s, and reads a room's log with
//! [`Hub::entries`] as fast as each socket drains. So a slow reader costs a number, not a queue: the
//! log itself is the queue, and a late joiner is a reader like any other.
//!
//! The same code runs in the server and, on a virtual clock, in the simulator.

mod bucket;
mod hub;
mod limits;
mod lobby;
mod output;
mod room;
mod seat;
mod store;
mod totals;

pub use hub::{Hub, Visitor};
pub use limits::{
    ADDRESSES_MAX, CODES_MISSED_ALL, CODES_MISSED_PER_ADDRESS, ENTRIES_BATCH, ENTRY_BYTES_MAX, ENTRY_COST_BYTES,
    FRAMES_PER_SEAT, JOINS_PER_ADDRESS, LOG_BYTES_ALL_MAX, LOG_BYTES_MAX, LOG_BYTES_PER_SEAT, Limits, Loopback,
    PIPE_FRAMES_PER_SEAT, Pace, ROOM_IDLE_MS, ROOM_UNUSED_MS, ROOMS_MAX, ROOMS_PER_ADDRESS, SEATS_OF_A_USED_ROOM,
};
pub use output::{ConnectionId, Handled, Output, Part};
pub use store::{Log, MemoryStore, Most, Placed, Store, StoreError, StoreNews, Tell};
pub use totals::Totals;
