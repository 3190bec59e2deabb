//! What goes into a room and what comes out.

use crate::Tier;
use core::fmt;
use std::sync::Arc;
use undertone_machine::{Fault, Outcome, RoundKind, Seat};
use undertone_services::Task;
use undertone_wire::{Author, Hash, Plan, Refusal};

/// Where the ledger keeps an entry.
///
/// The place is unique: a second, different entry for one place must be refused by the store.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LedgerKey {
    /// The seat's entry of that number.
    Entry(u32),
    /// The seat's part of a round, whatever its number: a round is spent once.
    Round {
        /// The plan.
        plan: Hash,
        /// Its round.
        round: u32,
        /// The part.
        kind: RoundKind,
    },
}

impl fmt::Display for LedgerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(number) => write!(f, "entry/{number:08}"),
            Self::Round { plan, round, kind } => {
                f.write_str("round/")?;
                plan.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
                write!(f, "/{round:08}/{}", *kind as u8)
            }
        }
    }
}

/// What a room is told.
#[derive(Debug)]
pub enum Event<'a> {
    /// The next entry of the log.
    Entry(&'a [u8]),
    /// What the ledger holds under a key after it was asked to add something there.
    Stored {
        /// The key.
        key: LedgerKey,
        /// The bytes read back.
        bytes: Vec<u8>,
    },
    /// The ledger could not add or read back.
    StoreFailed,
    /// Bytes of a pipe.
    Piped {
        /// Who sent them.
        from: Author,
        /// Sealed between the two seats.
        bytes: &'a [u8],
    },
    /// The other end of a pipe consumed bytes.
    Credited {
        /// The other end.
        from: Author,
        /// How many.
        bytes: u32,
    },
    /// Milliseconds on a clock that never goes back.
    Clock(u64),
    /// The relay will not serve this seat any more.
    Refused(Refusal),
    /// The relay cannot be reached, and nobody waits for a deadline.
    LinkLost,
}

/// What a room wants done.
#[derive(Debug)]
pub enum Action {
    /// Add this under a key that must be empty, make it durable, read it back, and answer with
    /// [`Event::Stored`].
    Store {
        /// The key.
        key: LedgerKey,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Append this entry to the log; repeat until the relay has it.
    Append(Vec<u8>),
    /// Send bytes through a pipe.
    Pipe {
        /// The receiver.
        to: Author,
        /// Sealed between the two seats.
        bytes: Vec<u8>,
    },
    /// Tell the sender of a pipe that bytes were consumed.
    Credit {
        /// The sender.
        to: Author,
        /// How many.
        bytes: u32,
    },
    /// Tell the person.
    Notice(Notice),
}

/// How much of its keys a question leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyMeter {
    /// The round that it uses, from 1.
    pub round: u32,
    /// Rounds that these keys are good for.
    pub rounds: u32,
}

/// What a person may want to know. Each is a fact, never a question.
#[derive(Clone)]
pub enum Notice {
    /// The room is open: what to show to those who are to come.
    Opened {
        /// Text of the invite, for the fragment of a link. Holds the room's secret.
        invite: String,
        /// Four words that lead to the lobby.
        code: String,
    },
    /// The host asks.
    Question {
        /// The plan.
        plan: Plan,
        /// The plan as its service read it.
        task: Arc<dyn Task>,
        /// Fewest contributing seats, as the host declared.
        group_min: u16,
        /// Whether that is fewer than this device accepts without consent.
        small_group: bool,
    },
    /// Someone came or went before the list was closed.
    Lobby {
        /// Contributing seats so far.
        joined: usize,
        /// Of all seats, those with the invite's secret.
        by_link: usize,
        /// Those without.
        by_code: usize,
    },
    /// Who offers to add up for the others, before the list was closed.
    Computers {
        /// Their keys.
        offered: Vec<Author>,
        /// How many the question takes.
        wanted: usize,
    },
    /// The relay has this seat's request to join.
    Joined,
    /// The host closed the list.
    Locked {
        /// Number of the list.
        number: u8,
        /// Seats on it.
        seats: usize,
    },
    /// Everyone signed the same people and the same question: values may leave.
    Ready {
        /// All seats.
        seats: usize,
        /// Those who give a value.
        contributors: usize,
        /// How many of those would have to work together to read one of the others' values.
        breakers: usize,
        /// How well the roster is verified.
        tier: Tier,
        /// Time to answer.
        remaining_ms: u64,
        /// Which round of its keys the question uses up, if its method does so.
        keys: Option<KeyMeter>,
    },
    /// How far the room is.
    Progress {
        /// Seats that acknowledged.
        acknowledged: usize,
        /// Contributing seats whose value is in the log.
        sent: usize,
        /// Contributing seats.
        of: usize,
    },
    /// This device has more to compute before it can show a result.
    Working {
        /// How much is done.
        done: u64,
        /// How much there is at most.
        of: u64,
    },
    /// This seat's masked value is in the log.
    Sent {
        /// The seat's count of that entry.
        sequence: u32,
        /// Hash of the entry: the receipt.
        receipt: Hash,
        /// The masked value.
        masked: Vec<u8>,
    },
    /// The result came about without some of those who add up.
    LeftOut {
        /// What they said does not fit what the others said.
        wrong: Vec<Seat>,
        /// They were silent, or what they said could not be used.
        missing: Vec<Seat>,
    },
    /// The result, and how many seats signed the same one so far.
    Result {
        /// The figures.
        outcome: Outcome,
        /// Values that were added.
        included: usize,
        /// Seats that signed this result.
        confirmed: usize,
        /// Seats that sign it: all, or those who added up.
        seats: usize,
        /// Whether this seat's own entry is among those added.
        contribution_in: bool,
        /// How well the roster is verified.
        tier: Tier,
    },
    /// The run or the room ended early.
    Fault {
        /// Why.
        fault: Fault,
        /// Whether this seat's masked value had left the device.
        sent: bool,
        /// Whether the room can go on with another question.
        room_goes_on: bool,
        /// Number of the question that it ended; 0 before the first. A reading that ended is a gap.
        number: u16,
    },
    /// The room is over.
    Closed,
}

impl fmt::Debug for Notice {
    // An opened notice holds the invite's secret and a question a trait object: names must do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Opened { .. } => "Opened",
            Self::Question { .. } => "Question",
            Self::Lobby { .. } => "Lobby",
            Self::Computers { .. } => "Computers",
            Self::Joined => "Joined",
            Self::Locked { .. } => "Locked",
            Self::Ready { .. } => "Ready",
            Self::Progress { .. } => "Progress",
            Self::Working { .. } => "Working",
            Self::Sent { .. } => "Sent",
            Self::LeftOut { .. } => "LeftOut",
            Self::Result { .. } => "Result",
            Self::Fault { fault, .. } => return write!(f, "Fault({})", fault.code()),
            Self::Closed => "Closed",
        })
    }
}
