//! One running program of a seat: room and session, and what its person sees.
//!
//! What the driver in `undertone-net` does with sockets and futures is done here on the virtual
//! clock, with the same waits.

use crate::queue::Time;
use std::collections::BTreeMap;
use std::sync::Arc;
use undertone_net::Session;
use undertone_room::{LedgerKey, Room};
use undertone_services::Task;
use undertone_wire::Hash;

/// Silence on the link after which it is tested.
pub(crate) const QUIET_MS: u64 = 20_000;
/// How long a test may take before the link counts as dead.
pub(crate) const PONG_MS: u64 = 3_000;
/// First wait before connecting again; doubled each time up to the longest.
const RETRY_MS: u64 = 200;
const RETRY_MS_MAX: u64 = 5_000;
/// How long a seat without any deadline tries to reach the relay.
pub(crate) const GIVE_UP_MS: u64 = 20_000;
/// How long a room that is over tries to tell the relay so.
pub(crate) const FAREWELL_MS: u64 = 2_000;

/// How the relay is reached at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Not, until that time of the device's clock.
    Down(Time),
    /// An attempt is under way.
    Dialling,
    /// Over this wire.
    Up(usize),
}

/// Whether the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// It does.
    On,
    /// Its room is over and all is said.
    Done,
    /// It was ended from outside.
    Killed,
}

/// The question that is open on a device.
pub(crate) struct Asked {
    pub(crate) number: u16,
    pub(crate) plan: Hash,
    pub(crate) task: Arc<dyn Task>,
    /// What its person gave last.
    pub(crate) given: Option<String>,
    /// When, on the world's clock, the wait for answers ends.
    pub(crate) answer_by: Option<Time>,
    /// When a result or a fault came.
    pub(crate) ended: Option<Time>,
    /// Whether all seats signed a result, or a fault came: nothing more will come.
    pub(crate) over: bool,
    /// Whether further readings follow without anyone asking.
    pub(crate) goes_on: bool,
}

/// A running program.
pub(crate) struct Device {
    pub(crate) seat: usize,
    /// Its clock ahead of the world's.
    pub(crate) ahead_ms: u64,
    pub(crate) room: Room,
    pub(crate) session: Session,
    pub(crate) life: Life,
    pub(crate) line: Line,
    pub(crate) attempts: u32,
    /// Since when it has not been attached.
    pub(crate) away_since: Option<Time>,
    pub(crate) heard_at: Time,
    pub(crate) pong_by: Option<Time>,
    pub(crate) over_since: Option<Time>,
    /// The one planned wake-up that counts.
    pub(crate) wake_at: Option<Time>,
    pub(crate) asked: Option<Asked>,
    /// Contributing seats that joined, as last told.
    pub(crate) joined: usize,
    /// Whether the relay has its request to join.
    pub(crate) is_in: bool,
    /// Whether its person wants to leave.
    pub(crate) is_leaving: bool,
    /// Whether the list is closed.
    pub(crate) locked: bool,
    /// Name of the last notice.
    pub(crate) last_told: String,
}

impl Device {
    /// A program that starts at a time of its own clock.
    pub(crate) fn new(seat: usize, room: Room, host: bool, ahead_ms: u64, clock: Time) -> Self {
        Self {
            seat,
            ahead_ms,
            session: Session::new(room.identity(), host),
            room,
            life: Life::On,
            line: Line::Down(clock),
            attempts: 0,
            away_since: Some(clock),
            heard_at: clock,
            pong_by: None,
            over_since: None,
            wake_at: None,
            asked: None,
            joined: 0,
            is_in: false,
            is_leaving: false,
            locked: false,
            last_told: "nothing".to_owned(),
        }
    }

    /// Doubling waits, spread by the seat's key.
    pub(crate) fn retry_ms(&self) -> u64 {
        let doubled = RETRY_MS.saturating_mul(1 << self.attempts.min(8)).min(RETRY_MS_MAX);
        let spread = self.room.identity().author().first().map_or(0, |byte| u64::from(*byte));
        doubled.saturating_add(doubled.saturating_mul(spread) / 256)
    }

    /// When, on its own clock, it has something to do without being told.
    pub(crate) fn due(&self) -> Option<Time> {
        let line = match self.line {
            Line::Down(retry_at) => Some(retry_at),
            Line::Dialling => None,
            Line::Up(_) => Some(self.pong_by.unwrap_or_else(|| self.heard_at.saturating_add(QUIET_MS))),
        };
        let farewell = self.over_since.map(|since| since.saturating_add(FAREWELL_MS));
        [line, self.room.wake_at(), farewell].into_iter().flatten().min()
    }

    /// Whether its person has an answer to everything that was asked, or was told that it is over.
    pub(crate) fn is_answered(&self) -> bool {
        let ended = self.asked.as_ref().is_some_and(|asked| asked.ended.is_some());
        self.life == Life::Killed || self.room.is_over() || ended
    }
}

/// How a person comes to the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Opened it.
    Host,
    /// By the link.
    Link,
    /// By four words.
    Code,
}

/// When a reload strikes within the ledger's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// Before the ledger has the entry.
    Before,
    /// After the ledger has it, before it leaves.
    After,
}

/// One person's place: what outlives its programs.
pub(crate) struct Seat {
    pub(crate) way: Way,
    pub(crate) seed: [u8; 32],
    pub(crate) ledger: BTreeMap<LedgerKey, Vec<u8>>,
    /// Its programs, the newest last.
    pub(crate) devices: Vec<usize>,
    /// The clock of the programs that it starts, ahead of the world's.
    pub(crate) ahead_ms: u64,
    /// Base travel time of its messages.
    pub(crate) travel_ms: u64,
    /// Attempts to get in before there was an invite or an answer.
    pub(crate) tries: u32,
    /// Its program ends at a store, after so many more.
    pub(crate) strike: Option<(u64, Strike)>,
}
