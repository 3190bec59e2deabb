//! The limits that both ends of a link keep, each with its reason.

/// Most bytes of a frame on the log: room for 900 seats on one list, small enough that a slow
/// phone on school Wi-Fi gets a whole one within its first seconds.
pub const LOG_FRAME_BYTES_MAX: usize = 64 << 10;

/// Most bytes of a frame on a pipe: large enough that frames cost nothing beside garbled tables,
/// small enough that four fit into a seat's window.
pub const PIPE_FRAME_BYTES_MAX: usize = 1 << 20;

/// Bytes that may be under way to one seat on all its pipes together, and be buffered for it.
pub const PIPE_WINDOW_BYTES: usize = 4 << 20;

/// Most seats of a room: a list of that many fits into one log frame.
pub const SEATS_MAX: usize = 900;

/// Most lists of one room. Each list gives an attacker one more try at colliding the check that
/// people compare, so the number is small.
pub const LISTS_MAX: u8 = 3;

/// Most questions of one room: a school day of one a minute. A series counts once.
pub const PLANS_MAX: u16 = 500;

/// Most readings of a series: what five people say in as many still fits into the log that a relay keeps.
pub const READINGS_MAX: u16 = 10_000;

/// Shortest time between two readings: a seat says at most four things in each, and a relay takes
/// twenty a second from it.
pub const EVERY_MS_MIN: u64 = 250;

/// Longest time between two readings: a relay forgets a room that is silent for two hours.
pub const EVERY_MS_MAX: u64 = 3_600_000;

/// Longest service name.
pub const NAME_BYTES_MAX: usize = 32;

/// Longest question.
pub const QUESTION_BYTES_MAX: usize = 500;

/// Most parameters of a plan.
pub const PARAMS_MAX: usize = 32;
/// Longest parameter value: a thousand names of cells.
pub const PARAM_BYTES_MAX: usize = 24 << 10;
/// Longest plan: half of a frame on the log.
pub const PLAN_BYTES_MAX: usize = 32 << 10;

/// Most methods for which a seat shows a key.
pub const METHODS_MAX: usize = 8;
/// Longest key of a method: a BLS12-381 point of G2 takes 96 bytes.
pub const KEY_BYTES_MAX: usize = 192;

/// Most rounds of one plan.
pub const ROUNDS_MAX: u32 = 100_000;

/// Longest wait for an answer: a study of thirty days.
pub const DEADLINE_MS_MAX: u64 = 30 * 24 * 3600 * 1000;

/// Most bytes of an exported record: a relay keeps no longer log of a room, and counts more for each
/// entry than a record adds to it.
pub const RECORD_BYTES_MAX: usize = (64 << 20) + 1024;
