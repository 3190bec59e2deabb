//! What the relay takes, each figure with its reason.

use crate::Most;
use undertone_wire::limits::{LOG_FRAME_BYTES_MAX, SEATS_MAX};

/// Most bytes of an entry: with the longest frame around it (one entry, fetched: number, place,
/// count and length) it still fits into a frame of the log.
pub const ENTRY_BYTES_MAX: usize = LOG_FRAME_BYTES_MAX - 15;

/// What an entry costs a room beyond its bytes: its place in two indices and an allocation. Counted,
/// so that a log of tiny entries does not take more memory than a log of large ones.
pub const ENTRY_COST_BYTES: u64 = 96;

/// Most bytes of a room's log: 900 seats that send a full list, reveal and 50 answers each take a
/// fifth of it.
pub const LOG_BYTES_MAX: u64 = 64 << 20;

/// Most bytes of all logs together: what a small server can hold in memory beside its connections.
pub const LOG_BYTES_ALL_MAX: u64 = 512 << 20;

/// Most rooms at a time: a thousand classes.
pub const ROOMS_MAX: usize = 1_000;

/// A room goes when nothing was said in it for two hours: longer than a double lesson with a break.
pub const ROOM_IDLE_MS: u64 = 2 * 3_600_000;

/// A room in which nobody ever said anything and nobody sits goes after a minute: time to reload.
pub const ROOM_UNUSED_MS: u64 = 60_000;

/// Frames of a seat: 20 a second, 40 at once. A seat sends a handful per question; the burst is a
/// page that comes back and asks again for all that it missed.
pub const FRAMES_PER_SEAT: Pace = Pace { units: 20, per_ms: 1_000, burst: 40 };

/// Bytes of a seat on the log: 256 KiB a second, a megabyte at once. Bulk goes through pipes.
pub const LOG_BYTES_PER_SEAT: Pace = Pace { units: 256 << 10, per_ms: 1_000, burst: 1 << 20 };

/// Pipe frames and credits of a seat: the window bounds their bytes, this their number, so that
/// bytes cannot be sent one by one. Full frames at this pace are two gigabytes a second.
pub const PIPE_FRAMES_PER_SEAT: Pace = Pace { units: 2_000, per_ms: 1_000, burst: 1_000 };

/// Rooms opened from one address: ten an hour. A room that people used is given back, because a
/// school is one address and opens one per lesson; see [`SEATS_OF_A_USED_ROOM`].
pub const ROOMS_PER_ADDRESS: Pace = Pace { units: 10, per_ms: 3_600_000, burst: 10 };

/// Seats that must have spoken before a room no longer counts against the address that opened it:
/// three is the smallest group that can compute anything.
pub const SEATS_OF_A_USED_ROOM: usize = 3;

/// Codes of no room, from one address: ten a minute are typing errors, more are guesses.
pub const CODES_MISSED_PER_ADDRESS: Pace = Pace { units: 10, per_ms: 60_000, burst: 10 };

/// Codes of no room, from everywhere: at 100 a second any of a thousand rooms is guessed once in
/// 0.9 years, and a guess leads no further than the lobby.
pub const CODES_MISSED_ALL: Pace = Pace { units: 100, per_ms: 1_000, burst: 100 };

/// Seats taken from one address: a whole school that comes at once stays below it.
pub const JOINS_PER_ADDRESS: Pace = Pace { units: 1_000, per_ms: 60_000, burst: 1_000 };

/// Addresses remembered at a time; the rest share one account, so that memory is bounded.
pub const ADDRESSES_MAX: usize = 16_384;

/// Entries handed to a connection at once: a batch for one flush, and no more than a slow phone
/// takes within seconds.
pub const ENTRIES_BATCH: Most = Most { entries: 32, bytes: 256 << 10 };

/// So many units per time, and so many at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Units that come back in `per_ms`.
    pub units: u64,
    /// The time for that, in milliseconds.
    pub per_ms: u64,
    /// Most units that may be saved up.
    pub burst: u64,
}

impl Pace {
    /// So fast that it never matters.
    pub const UNLIMITED: Self = Self { units: u64::MAX >> 24, per_ms: 1, burst: u64::MAX >> 24 };
}

/// Whether limits per address hold for the machine that the relay itself runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loopback {
    /// They do: a proxy on the same machine stands for the whole world.
    Limited,
    /// They do not: whoever can start programs here can do worse, and tests must not wait.
    Free,
}

/// All limits that a relay's keeper may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most seats of a room.
    pub seats: usize,
    /// Most bytes of a room's log.
    pub log_bytes: u64,
    /// Most bytes of all logs.
    pub log_bytes_all: u64,
    /// Most rooms.
    pub rooms: usize,
    /// How long a silent room stays.
    pub room_idle_ms: u64,
    /// How long a room stays that is empty and in which nobody ever spoke.
    pub room_unused_ms: u64,
    /// Frames of a seat, pipes apart.
    pub frames: Pace,
    /// Bytes of a seat, pipes apart.
    pub bytes: Pace,
    /// Rooms opened from an address.
    pub rooms_opened: Pace,
    /// Wrong codes from an address.
    pub codes_missed: Pace,
    /// Wrong codes from all addresses.
    pub codes_missed_all: Pace,
    /// Seats taken from an address.
    pub joins: Pace,
    /// Whether the limits per address hold on this machine.
    pub loopback: Loopback,
}

impl Limits {
    /// For a relay that is reached without a proxy: this machine's own programs are not counted.
    #[must_use]
    pub fn local() -> Self {
        Self { loopback: Loopback::Free, ..Self::default() }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            seats: SEATS_MAX,
            log_bytes: LOG_BYTES_MAX,
            log_bytes_all: LOG_BYTES_ALL_MAX,
            rooms: ROOMS_MAX,
            room_idle_ms: ROOM_IDLE_MS,
            room_unused_ms: ROOM_UNUSED_MS,
            frames: FRAMES_PER_SEAT,
            bytes: LOG_BYTES_PER_SEAT,
            rooms_opened: ROOMS_PER_ADDRESS,
            codes_missed: CODES_MISSED_PER_ADDRESS,
            codes_missed_all: CODES_MISSED_ALL,
            joins: JOINS_PER_ADDRESS,
            loopback: Loopback::Limited,
        }
    }
}
