//! What a machine is told, and what it wants next.

use crate::{Fault, Outcome, Seat};

/// What a round's entries carry. The number is its wire form and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum RoundKind {
    /// A person's values: under masks that cancel in the sum, or cut into shares.
    Masked = 1,
    /// What opens masks of those who are missing.
    Opening = 2,
    /// What a seat that adds up says of the shares it holds.
    Share = 3,
    /// An encryption under a key of the room.
    Ciphertext = 4,
}

impl RoundKind {
    /// Reads the wire form.
    #[must_use]
    pub const fn from_wire(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Masked,
            2 => Self::Opening,
            3 => Self::Share,
            4 => Self::Ciphertext,
            _ => return None,
        })
    }
}

/// Most bytes that one [`Step::Send`] may carry: with seal and frame it stays below the relay's limit
/// of 1 MiB a frame.
pub const CHUNK_BYTES_MAX: usize = (1 << 20) - 1024;

/// What a machine wants next.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// Append an entry to the room's log. The room signs it, seals it to the room, stores it and
    /// only then sends it.
    Append {
        /// Round of the run that the entry belongs to.
        round: u32,
        /// What it carries.
        kind: RoundKind,
        /// The machine's own encoding.
        payload: Vec<u8>,
    },
    /// Send bytes to one seat, sealed between the two, in order, with backpressure.
    Send {
        /// The other end of the pipe.
        to: Seat,
        /// At most [`CHUNK_BYTES_MAX`] bytes.
        chunk: Vec<u8>,
    },
    /// Nothing to do until this many more bytes have come through a pipe.
    Need {
        /// The other end of the pipe.
        from: Seat,
        /// Bytes that the next [`Mail::Chunk`] must hold.
        bytes: usize,
    },
    /// Nothing to do until mail comes; the plan's deadline bounds the wait.
    Wait,
    /// There is more to compute. Asked again, the machine goes on; in between its device can do
    /// something else. A machine that says this comes to an end by itself.
    Working {
        /// How much is done.
        done: u64,
        /// How much there is at most.
        of: u64,
    },
    /// The run is over.
    Done(Outcome),
}

/// What a machine is told.
#[derive(Debug, PartialEq, Eq)]
pub enum Mail<'a> {
    /// An entry of this run, its signature checked and its seal opened. Own entries come too.
    Entry {
        /// Its author.
        from: Seat,
        /// Round of the run.
        round: u32,
        /// What it carries.
        kind: RoundKind,
        /// The machine's own encoding.
        payload: &'a [u8],
    },
    /// Exactly the bytes that [`Step::Need`] asked for.
    Chunk {
        /// The other end of the pipe.
        from: Seat,
        /// The bytes.
        bytes: &'a [u8],
    },
}

/// A party's side of a run.
///
/// The driver alternates: [`poll`](Self::poll) until it answers `Wait`, `Need` or `Done`, then
/// [`handle`](Self::handle) what arrived.
pub trait Machine: Send {
    /// Takes one piece of mail.
    ///
    /// # Errors
    /// A fault that ends the run; it names the author of mail that no honest seat would send.
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault>;

    /// Says what to do next. Asking again without new mail gives the next wish, or the same wait.
    ///
    /// # Errors
    /// A fault that ends the run.
    fn poll(&mut self) -> Result<Step, Fault>;

    /// What the run leaves of the keys that it was given.
    fn keys_after(&self) -> KeysAfter {
        KeysAfter::None
    }

    /// The time to answer is over; told again every few seconds while the run goes on. Whether it does,
    /// without those who are missing.
    ///
    /// # Errors
    /// A fault that ends the run, such as one that names who is missing.
    fn overdue(&mut self) -> Result<bool, Fault> {
        Ok(false)
    }

    /// Whose values are added, once that is agreed on; `None` before, and where nobody can be missing.
    fn included(&self) -> Option<Vec<Seat>> {
        None
    }

    /// Seats without whose part the run came to its end.
    fn left_out(&self) -> LeftOut {
        LeftOut::default()
    }
}

/// Seats that a run did without.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// What they said does not fit what the others said.
    pub wrong: Vec<Seat>,
    /// They did not say what they were to say, or it could not be used.
    pub missing: Vec<Seat>,
}

/// What a run leaves of the keys that it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysAfter {
    /// Nothing: it is not over, or its method takes no keys.
    None,
    /// The same keys, with one more of their rounds used.
    Same,
    /// Public keys of all seats, in order, that came with the values, checked.
    Next(Vec<Vec<u8>>),
}
