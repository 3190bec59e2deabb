//! One room: its log, its seats and the pipes between them.

use crate::output::{No, answer};
use crate::seat::{Seat, Standing};
use crate::{
    ConnectionId, ENTRIES_BATCH, ENTRY_BYTES_MAX, ENTRY_COST_BYTES, Limits, Log, Most, Output, PIPE_FRAMES_PER_SEAT,
    Part, Placed, SEATS_OF_A_USED_ROOM, Totals,
};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use undertone_wire::limits::LOG_FRAME_BYTES_MAX;
use undertone_wire::{Author, Codec, Frame, Hash, Header, Refusal, room_of};

/// A room's state. Its order is the log's; seats are kept sorted, so that the same messages always
/// lead to the same outputs.
pub(crate) struct Room {
    id: Hash,
    log: Box<dyn Log>,
    seats: BTreeMap<Author, Seat>,
    /// Entries that are stored and were shown: the log's head, as far as anyone was told.
    settled: u64,
    /// What the log takes, with what the store has not kept yet.
    bytes: u64,
    /// Seats that have an entry in the log.
    spoken: usize,
    active_ms: u64,
    life: Life,
    opener: Option<IpAddr>,
    limits: Arc<Limits>,
    totals: Arc<Totals>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Open,
    Over,
}

/// Who asks for which seat, and where in the log to go on.
pub(crate) struct Attach {
    pub(crate) author: Author,
    pub(crate) token: [u8; 16],
    pub(crate) from: u64,
}

/// A connection that sits on a seat.
#[derive(Clone, Copy)]
pub(crate) struct Sender {
    pub(crate) author: Author,
    pub(crate) connection: ConnectionId,
}

impl Room {
    /// A room around a log, which may hold entries from before a restart.
    pub(crate) fn new(id: Hash, log: Box<dyn Log>, limits: Arc<Limits>, totals: Arc<Totals>, now_ms: u64) -> Self {
        let seats = BTreeMap::new();
        let (settled, bytes, spoken, opener) = (0, 0, 0, None);
        let life = Life::Open;
        let mut room = Self { id, log, seats, settled, bytes, spoken, active_ms: now_ms, life, opener, limits, totals };
        room.settle(&mut Vec::new());
        room
    }

    /// Remembers the address that the room counts against.
    pub(crate) fn opened_by(mut self, address: IpAddr) -> Self {
        self.opener = Some(address);
        self
    }

    /// Gives a connection a seat; an older connection of the same device has to go.
    pub(crate) fn attach(
        &mut self,
        wish: &Attach,
        id: ConnectionId,
        now_ms: u64,
        out: &mut Vec<Output>,
    ) -> Result<(), No> {
        if self.is_full() && !self.seats.contains_key(&wish.author) && !self.is_host(&wish.author) {
            return Err(No::Leave(Refusal::RoomFull));
        }
        let seat = self.seats.entry(wish.author).or_default();
        if !seat.admits(wish.token) {
            return Err(No::Leave(Refusal::WrongToken));
        }
        match seat.sit(id, wish.from) {
            Some(older) => out.push(Output::Close { to: older, reason: Refusal::Displaced }),
            None => self.totals.seat_taken(),
        }
        self.active_ms = now_ms;
        out.push(answer(id, &Frame::Attached { head: self.settled }));
        out.push(Output::News { to: id });
        Ok(())
    }

    /// Takes a connection off its seat. The seat stays, unless nobody would miss it.
    pub(crate) fn leave(&mut self, sender: &Sender, now_ms: u64) {
        let Ok(seat) = self.seat(sender) else { return };
        seat.connection = None;
        let is_blank = seat.is_blank();
        if is_blank && !self.is_host(&sender.author) {
            self.seats.remove(&sender.author);
        }
        self.active_ms = now_ms;
        self.totals.seats_left(1);
    }

    /// Charges a frame to its seat and says how long to wait, in milliseconds, before the next.
    pub(crate) fn admit(&mut self, sender: &Sender, part: Part, bytes: usize, now_ms: u64) -> Result<u64, No> {
        let limits = Arc::clone(&self.limits);
        let seat = self.seat(sender)?;
        Ok(match part {
            Part::Pipe => seat.pipes.charge(PIPE_FRAMES_PER_SEAT, 1, now_ms),
            Part::Log => {
                let frames = seat.frames.charge(limits.frames, 1, now_ms);
                frames.max(seat.bytes.charge(limits.bytes, bytes as u64, now_ms))
            }
        })
    }

    /// Appends an entry, exactly once however often it comes.
    pub(crate) fn append(
        &mut self,
        sender: &Sender,
        entry: &Bytes,
        now_ms: u64,
        out: &mut Vec<Output>,
    ) -> Result<(), No> {
        let header = self.check(sender, entry)?;
        self.active_ms = now_ms;
        match self.seat(sender)?.written.standing(header.sequence) {
            Standing::Next => self.append_next(sender, entry, out),
            Standing::Stored(place) => self.acknowledge_again(sender, header.sequence, place, entry, out),
            // It is acknowledged when the store has it.
            Standing::Pending(known) if known == *entry => Ok(()),
            Standing::Pending(_) | Standing::Gap => Err(No::Stay(Refusal::BadSequence)),
        }
    }

    /// Answers with as many stored entries as fit into one frame.
    pub(crate) fn fetch(&self, to: ConnectionId, from: u64, count: u16, out: &mut Vec<Output>) -> Result<(), No> {
        let most = Most { entries: usize::from(count).min(FETCHED_MAX), bytes: ENTRY_BYTES_MAX };
        let mut left = LOG_FRAME_BYTES_MAX - FETCHED_HEAD_BYTES;
        let fitting = self.read(from, most)?.into_iter().map_while(|placed| {
            left = left.checked_sub(placed.entry_bytes() + LENGTH_BYTES)?;
            Some(placed.entry())
        });
        out.push(answer(to, &Frame::Fetched { from, entries: fitting.collect() }));
        Ok(())
    }

    /// Forwards bytes to another seat, if its window has room for them.
    pub(crate) fn pipe(
        &mut self,
        sender: &Sender,
        to: &Author,
        bytes: Bytes,
        now_ms: u64,
        out: &mut Vec<Output>,
    ) -> Result<(), No> {
        let receiver = self.seats.get_mut(to).and_then(|seat| Some((seat.connection?, &mut seat.inbound)));
        let (connection, inbound) = receiver.ok_or(No::Stay(Refusal::PeerAway))?;
        inbound.send(sender.author, bytes.len()).map_err(|_| No::Leave(Refusal::NoCredit))?;
        self.active_ms = now_ms;
        self.totals.piped(bytes.len());
        out.push(piped(connection, &Frame::Piped { from: sender.author, bytes }));
        Ok(())
    }

    /// Gives credit back to a sender, as far as its bytes really were under way.
    pub(crate) fn credit(
        &mut self,
        receiver: &Sender,
        to: &Author,
        bytes: u32,
        out: &mut Vec<Output>,
    ) -> Result<(), No> {
        let claimed = usize::try_from(bytes).unwrap_or(usize::MAX);
        let consumed = self.seat(receiver)?.inbound.consume(to, claimed);
        let sender = self.seats.get(to).and_then(|seat| seat.connection);
        if let (Some(sender), 1..) = (sender, consumed) {
            let bytes = u32::try_from(consumed).unwrap_or(u32::MAX);
            out.push(piped(sender, &Frame::Credited { from: receiver.author, bytes }));
        }
        Ok(())
    }

    /// The next entries for a reader, as frames; none if it has all.
    pub(crate) fn entries(&mut self, reader: &Sender, most: Most) -> Vec<Bytes> {
        let Ok(next) = self.seat(reader).map(|seat| seat.cursor.next) else { return Vec::new() };
        let frames: Vec<_> = self.read(next, most).unwrap_or_default().iter().map(Placed::frame).collect();
        let settled = self.settled;
        if let Ok(seat) = self.seat(reader) {
            seat.cursor.next += frames.len() as u64;
            seat.cursor.waits = seat.cursor.next >= settled;
        }
        frames
    }

    /// Shows what the store has kept since the last time: acknowledges it to its authors and tells
    /// the readers.
    pub(crate) fn settle(&mut self, out: &mut Vec<Output>) {
        let before = self.settled;
        while self.settled < self.log.head() {
            let batch = self.log.read(self.settled, ENTRIES_BATCH).unwrap_or_default();
            if batch.is_empty() {
                break;
            }
            batch.iter().for_each(|placed| self.place(placed, out));
        }
        if self.settled > before {
            self.tell_readers(out);
        }
    }

    /// The address that this room should no longer count against, once.
    pub(crate) fn proves_use(&mut self) -> Option<IpAddr> {
        if self.spoken >= SEATS_OF_A_USED_ROOM { self.opener.take() } else { None }
    }

    /// Whether it takes no more seats.
    pub(crate) fn is_full(&self) -> bool {
        self.seats.len() >= self.limits.seats
    }

    /// Whether nobody said anything for too long.
    pub(crate) fn is_expired(&self, now_ms: u64) -> bool {
        let silent_ms = now_ms.saturating_sub(self.active_ms);
        silent_ms >= self.limits.room_idle_ms || (silent_ms >= self.limits.room_unused_ms && self.is_unused())
    }

    /// Ends the room for everyone in it.
    pub(crate) fn end(&mut self, out: &mut Vec<Output>) {
        self.life = Life::Over;
        let here: Vec<_> = self.seats.values().filter_map(|seat| seat.connection).collect();
        self.totals.seats_left(here.len() as u64);
        self.totals.log_went(self.bytes);
        out.extend(here.into_iter().map(|to| Output::Close { to, reason: Refusal::NoSuchRoom }));
        self.seats.clear();
    }

    fn is_unused(&self) -> bool {
        self.bytes == 0 && self.seats.values().all(|seat| seat.connection.is_none())
    }

    fn is_host(&self, author: &Author) -> bool {
        room_of(author) == self.id
    }

    /// The seat that a connection sits on.
    fn seat(&mut self, sender: &Sender) -> Result<&mut Seat, No> {
        if self.life == Life::Over {
            return Err(No::Leave(Refusal::NoSuchRoom));
        }
        let seat = self.seats.get_mut(&sender.author).filter(|seat| seat.connection == Some(sender.connection));
        seat.ok_or(No::Leave(Refusal::Displaced))
    }

    /// Whether an entry is this author's: all that the relay can know of it.
    fn check(&self, sender: &Sender, entry: &Bytes) -> Result<Header, No> {
        if entry.len() > ENTRY_BYTES_MAX {
            return Err(No::Leave(Refusal::TooLarge));
        }
        let header = Header::peek_in(&self.id, entry).ok().filter(|header| header.author == sender.author);
        header.ok_or(No::Leave(Refusal::BadFrame))
    }

    fn append_next(&mut self, sender: &Sender, entry: &Bytes, out: &mut Vec<Output>) -> Result<(), No> {
        let cost = cost(entry.len());
        let is_full = self.bytes + cost > self.limits.log_bytes;
        if is_full || self.totals.log_bytes() + cost > self.limits.log_bytes_all {
            return Err(No::Stay(Refusal::LogFull));
        }
        // What the store did not take may be sent again, once the store or another relay is there.
        self.log.append(entry).map_err(|_| No::Leave(Refusal::Restarting))?;
        self.seat(sender)?.written.taken(entry.clone());
        self.grow(cost);
        self.settle(out);
        Ok(())
    }

    fn acknowledge_again(
        &self,
        sender: &Sender,
        own: u32,
        place: u64,
        entry: &Bytes,
        out: &mut Vec<Output>,
    ) -> Result<(), No> {
        let stored = self.read(place, Most::ONE)?;
        if stored.first().map(Placed::entry).as_ref() != Some(entry) {
            return Err(No::Stay(Refusal::BadSequence));
        }
        out.push(answer(sender.connection, &Frame::Stored { own, sequence: place }));
        Ok(())
    }

    /// Notes the next stored entry and acknowledges it.
    fn place(&mut self, placed: &Placed, out: &mut Vec<Output>) {
        let place = self.settled;
        self.settled += 1;
        self.totals.entry_stored();
        let Ok(header) = Header::peek_in(&self.id, &placed.entry()) else { return };
        let seat = self.seats.entry(header.author).or_default();
        // Entries from before a restart, or of another relay, were not counted when they came.
        let uncounted = if seat.written.has_pending() { 0 } else { cost(placed.entry_bytes()) };
        let own = seat.written.stored(place);
        out.extend(seat.connection.map(|to| answer(to, &Frame::Stored { own, sequence: place })));
        self.spoken += usize::from(own == 0);
        self.grow(uncounted);
    }

    fn tell_readers(&mut self, out: &mut Vec<Output>) {
        for seat in self.seats.values_mut().filter(|seat| seat.cursor.waits) {
            seat.cursor.waits = false;
            out.extend(seat.connection.map(|to| Output::News { to }));
        }
    }

    /// Reads only what is settled.
    fn read(&self, from: u64, most: Most) -> Result<Vec<Placed>, No> {
        let left = usize::try_from(self.settled.saturating_sub(from)).unwrap_or(usize::MAX);
        let most = Most { entries: most.entries.min(left), ..most };
        self.log.read(from, most).map_err(|_| No::Leave(Refusal::Restarting))
    }

    fn grow(&mut self, bytes: u64) {
        self.bytes += bytes;
        self.totals.log_grew(bytes);
    }
}

/// Most entries of one answer: what the frame's decoder takes.
const FETCHED_MAX: usize = 1024;
/// Number, place and count of a `Fetched` frame.
const FETCHED_HEAD_BYTES: usize = 11;
/// The length in front of each entry.
const LENGTH_BYTES: usize = 4;

fn cost(entry_bytes: usize) -> u64 {
    entry_bytes as u64 + ENTRY_COST_BYTES
}

fn piped(to: ConnectionId, frame: &Frame) -> Output {
    Output::Send { to, frame: Bytes::from(frame.to_bytes()), part: Part::Pipe }
}
