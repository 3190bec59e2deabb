//! What the relay wants its caller to do.

use bytes::Bytes;
use undertone_wire::{Codec, Frame, Refusal};

/// Names a connection. The hub numbers them; a number is never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub(crate) u64);

impl ConnectionId {
    /// The number, for a tap.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

/// Which budget of a connection's queue a frame counts against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Answers: few and small.
    Log,
    /// Pipes: bounded by the receiver's window.
    Pipe,
}

/// One thing for the caller to do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Send a frame.
    Send {
        /// To whom.
        to: ConnectionId,
        /// One WebSocket message.
        frame: Bytes,
        /// What it counts against.
        part: Part,
    },
    /// Its log has something to read: call [`Hub::entries`](crate::Hub::entries) until it is empty.
    News {
        /// For whom.
        to: ConnectionId,
    },
    /// Send a last `Refused` frame and hang up.
    Close {
        /// On whom.
        to: ConnectionId,
        /// Why.
        reason: Refusal,
    },
}

/// What a message led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handled {
    /// What to do, in order.
    pub outputs: Vec<Output>,
    /// How long not to read from the sender, in milliseconds: it is faster than its limits, and
    /// waiting loses nothing.
    pub pause_ms: u64,
}

/// A no, and whether the connection survives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum No {
    /// The sender may go on.
    Stay(Refusal),
    /// The sender broke a rule, or has nothing more to do here.
    Leave(Refusal),
}

impl No {
    pub(crate) fn to(self, to: ConnectionId) -> Output {
        match self {
            Self::Stay(reason) => answer(to, &Frame::Refused { reason }),
            Self::Leave(reason) => Output::Close { to, reason },
        }
    }
}

/// An answer, which counts against the log part of the queue.
pub(crate) fn answer(to: ConnectionId, frame: &Frame) -> Output {
    Output::Send { to, frame: Bytes::from(frame.to_bytes()), part: Part::Log }
}
