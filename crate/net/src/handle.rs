//! Calls into a driven room, and what it tells.

use bytes::Bytes;
use core::fmt;
use core::pin::Pin;
use core::task::{Context, Poll};
use futures_channel::{mpsc, oneshot};
use undertone_machine::{Fault, FaultCode, Role, Secret};
use undertone_room::Notice;
use undertone_wire::{Author, Codec, Entry, Plan, without_room};

/// What a driven room tells its person.
#[derive(Debug)]
pub enum Told {
    /// The link to the relay came up or went down.
    Link(bool),
    /// Something in the room.
    Room(Notice),
}

/// An entry as the relay stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its place in the log.
    pub sequence: u64,
    /// What it is; empty if it cannot be read.
    pub kind: &'static str,
    /// Who wrote it.
    pub author: Author,
    /// Its bytes, without the room that it is in.
    pub bytes: Vec<u8>,
}

impl StoredEntry {
    pub(crate) fn read(sequence: u64, bytes: &Bytes) -> Self {
        let entry = Entry::from_bytes(bytes).ok();
        Self {
            sequence,
            kind: entry.as_ref().map_or("", |entry| entry.kind.as_str()),
            author: entry.map_or([0; 32], |entry| entry.header.author),
            bytes: without_room(bytes).to_vec(),
        }
    }
}

type Answer<T> = oneshot::Sender<Result<T, Fault>>;

/// One call, with the way to answer it.
pub(crate) enum Call {
    TakePart(Role, bool, Answer<()>),
    CheckInput(Secret<String>, Answer<()>),
    Submit(Secret<String>, Option<u16>, Answer<()>),
    SubmitRows(Secret<Vec<String>>, Answer<()>),
    Lock(usize, Vec<Author>, Answer<()>),
    Ask(Plan, Answer<()>),
    Stored(u64, Answer<Vec<Bytes>>),
    Record(bool, Answer<Vec<Bytes>>),
    Wake,
    Leave,
}

/// The driver's end of the calls.
pub struct Calls(pub(crate) mpsc::UnboundedReceiver<Call>);

impl fmt::Debug for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Calls").finish_non_exhaustive()
    }
}

/// A person's hold on a driven room. Cloning gives another hold on the same room; when the last is
/// dropped, the seat leaves.
#[derive(Clone)]
pub struct Handle {
    calls: mpsc::UnboundedSender<Call>,
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle").finish_non_exhaustive()
    }
}

/// What a call comes to: a future of its answer. The call is under way also if nobody waits for it.
#[derive(Debug)]
#[must_use = "what was called may be refused"]
pub struct Reply<T>(oneshot::Receiver<Result<T, Fault>>);

impl<T> Future for Reply<T> {
    type Output = Result<T, Fault>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answered = Pin::new(&mut self.0).poll(context);
        answered.map(|answer| answer.unwrap_or_else(|_| Err(Fault::new(FaultCode::Closed))))
    }
}

/// A handle and the end that the driver takes.
#[must_use]
pub fn channel() -> (Handle, Calls) {
    let (calls, receiver) = mpsc::unbounded();
    (Handle { calls }, Calls(receiver))
}

impl Handle {
    fn call<T>(&self, call: impl FnOnce(Answer<T>) -> Call) -> Reply<T> {
        let (answer, answered) = oneshot::channel();
        // If nobody takes calls any more the answer's other end is gone, which the reply tells.
        let _ = self.calls.unbounded_send(call(answer));
        Reply(answered)
    }

    /// Asks for a seat; `small_group` is consent to a group of three or four.
    ///
    /// # Errors
    /// As [`Room::take_part`](undertone_room::Room::take_part).
    pub fn take_part(&self, small_group: bool) -> Reply<()> {
        self.take_part_as(Role::Contributor, small_group)
    }

    /// The same, for whatever a guest can be.
    ///
    /// # Errors
    /// As [`Room::take_part_as`](undertone_room::Room::take_part_as).
    pub fn take_part_as(&self, role: Role, small_group: bool) -> Reply<()> {
        self.call(|answer| Call::TakePart(role, small_group, answer))
    }

    /// Checks a typed value; nothing is kept or sent.
    ///
    /// # Errors
    /// As [`Room::check_input`](undertone_room::Room::check_input).
    pub fn check_input(&self, text: Secret<String>) -> Reply<()> {
        self.call(|answer| Call::CheckInput(text, answer))
    }

    /// Takes the person's value, for the question of that number or for the current one.
    ///
    /// # Errors
    /// As [`Room::submit_to`](undertone_room::Room::submit_to).
    pub fn submit(&self, text: Secret<String>, number: Option<u16>) -> Reply<()> {
        self.call(|answer| Call::Submit(text, number, answer))
    }

    /// Takes a column of rows.
    ///
    /// # Errors
    /// As [`Room::submit_rows`](undertone_room::Room::submit_rows).
    pub fn submit_rows(&self, rows: Secret<Vec<String>>) -> Reply<()> {
        self.call(|answer| Call::SubmitRows(rows, answer))
    }

    /// Host: closes the list.
    ///
    /// # Errors
    /// As [`Room::lock`](undertone_room::Room::lock).
    pub fn lock(&self, heads: usize) -> Reply<()> {
        self.lock_with(heads, Vec::new())
    }

    /// Host: the same, with these of the seats that offer to add up.
    ///
    /// # Errors
    /// As [`Room::lock_with`](undertone_room::Room::lock_with).
    pub fn lock_with(&self, heads: usize, computers: Vec<Author>) -> Reply<()> {
        self.call(|answer| Call::Lock(heads, computers, answer))
    }

    /// Host: asks the same people something new.
    ///
    /// # Errors
    /// As [`Room::ask`](undertone_room::Room::ask).
    pub fn ask(&self, plan: Plan) -> Reply<()> {
        self.call(|answer| Call::Ask(plan, answer))
    }

    /// Reads what the relay stores, from a place in the log on; as much as fits into one frame.
    ///
    /// # Errors
    /// [`FaultCode::Closed`] if the room ends before the relay answers.
    pub async fn stored(&self, from: u64) -> Result<Vec<StoredEntry>, Fault> {
        let entries = self.call(|answer| Call::Stored(from, answer)).await?;
        Ok(entries.iter().zip(from..).map(|(bytes, sequence)| StoredEntry::read(sequence, bytes)).collect())
    }

    /// Exports what the room said so far as the bytes of a record, in one piece, with the key to its
    /// results or without.
    ///
    /// # Errors
    /// As [`Room::record`](undertone_room::Room::record); [`FaultCode::Closed`] once the room is over:
    /// then [`drive`](crate::drive) has returned it, for
    /// [`export`](crate::export).
    pub fn record(&self, with_key: bool) -> Reply<Vec<Bytes>> {
        self.call(|answer| Call::Record(with_key, answer))
    }

    /// The device woke up: finds out at once whether the link still works.
    pub fn wake(&self) {
        let _ = self.calls.unbounded_send(Call::Wake);
    }

    /// Goes; a host closes the room.
    pub fn leave(&self) {
        let _ = self.calls.unbounded_send(Call::Leave);
    }
}
