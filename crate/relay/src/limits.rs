//! What one connection may cost, each figure with its reason.

use undertone_relay_core::Most;
use undertone_wire::limits::PIPE_FRAME_BYTES_MAX;

/// Most connections at a time: ten thousand seats, and the pages that they load.
pub const CONNECTIONS_MAX: usize = 12_000;

/// Longest head of a request: a handshake takes a tenth of it.
pub const HEADER_BYTES_MAX: usize = 8 << 10;

/// Most headers of a request.
pub const HEADERS_MAX: usize = 64;

/// How long a request's head may take: a slow phone needs one second, a half-open attacker all day.
pub const HEADER_READ_MS: u64 = 10_000;

/// How long a connection may take to its first frame.
pub const FIRST_FRAME_MS: u64 = 10_000;

/// How often an idle connection is asked whether it is there: below the 30 s after which home
/// routers and proxies begin to forget it.
pub const PING_MS: u64 = 25_000;

/// After this long without any sign, a connection is dead: three pings. Its seat stays.
pub const SILENCE_MS: u64 = 75_000;

/// How long a connection may not take anything while something waits for it. What is dropped is the
/// connection, never an entry: it can come back and read on.
pub const STALL_MS: u64 = 30_000;

/// How long a connection that is being closed has for its last frames.
pub const CLOSING_MS: u64 = 2_000;

/// How long all connections together have for them when the relay stops.
pub const STOP_MS: u64 = 5_000;

/// What is read from a socket at once. The default of 128 KiB per connection takes over a gigabyte
/// for ten thousand of them, and is slower.
pub const READ_BUFFER_BYTES: usize = 4 << 10;

/// What is gathered before a socket is written to: about one batch of small entries.
pub const WRITE_BUFFER_BYTES: usize = 8 << 10;

/// Most that may wait in a socket's write buffer: the largest frame, and a batch beside it.
pub const WRITE_BUFFER_BYTES_MAX: usize = MESSAGE_BYTES_MAX + (256 << 10);

/// Longest message: a full pipe frame and its head.
pub const MESSAGE_BYTES_MAX: usize = PIPE_FRAME_BYTES_MAX + 64;

/// Most answers that wait for a connection, entries of the log apart: those wait in the log.
pub const QUEUE_FRAMES_MAX: usize = 64;

/// Most bytes of those answers.
pub const QUEUE_BYTES_MAX: usize = 1 << 20;

/// Most pipe frames that wait for a connection. Their bytes are bounded by the receiver's window of
/// 4 MiB; this bounds what their number costs.
pub const QUEUE_PIPE_FRAMES_MAX: usize = 4_096;

/// A connection is not read from while so many of its answers wait: it slows itself down before it
/// could overflow its queue.
pub const ANSWERS_WAITING_MAX: usize = 16;

/// What is sent before a flush.
pub(crate) const BATCH: Most = Most { entries: 32, bytes: 256 << 10 };

/// The limits of a connection that a relay's keeper, or a test, may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLimits {
    /// Most connections at a time.
    pub connections: usize,
    /// How long a request's head may take.
    pub header_read_ms: u64,
    /// How long a connection may take to its first frame.
    pub first_frame_ms: u64,
    /// How often an idle connection is asked whether it is there.
    pub ping_ms: u64,
    /// After how long without any sign it is dead.
    pub silence_ms: u64,
    /// How long it may not take anything that waits for it.
    pub stall_ms: u64,
}

impl Default for LinkLimits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS_MAX,
            header_read_ms: HEADER_READ_MS,
            first_frame_ms: FIRST_FRAME_MS,
            ping_ms: PING_MS,
            silence_ms: SILENCE_MS,
            stall_ms: STALL_MS,
        }
    }
}
