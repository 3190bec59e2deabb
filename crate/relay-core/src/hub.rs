//! All rooms of a relay, and the way in.

use crate::bucket::Bucket;
use crate::lobby::Lobby;
use crate::output::{No, answer};
use crate::room::{Attach, Room, Sender};
use crate::{ConnectionId, Handled, Limits, Most, Output, Part, Store, StoreError, Totals};
use bytes::Bytes;
use core::fmt;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use undertone_wire::limits::{LOG_FRAME_BYTES_MAX, PIPE_FRAME_BYTES_MAX};
use undertone_wire::{Author, Frame, Hash, Refusal, room_of};

/// All rooms, each behind its own lock.
///
/// No lock is held when a call returns, and none over more than one room. The list of rooms is only
/// locked for looking one up.
pub struct Hub {
    store: Box<dyn Store>,
    limits: Arc<Limits>,
    totals: Arc<Totals>,
    rooms: RwLock<BTreeMap<Hash, Arc<Mutex<Room>>>>,
    lobby: Mutex<Lobby>,
    connections: AtomicU64,
}

/// One connection, from the moment it is there; it may take one seat.
///
/// Its reading and its writing half may use it at once.
pub struct Visitor {
    id: ConnectionId,
    address: IpAddr,
    frames: Mutex<Bucket>,
    attached: OnceLock<Attached>,
}

struct Attached {
    room: Arc<Mutex<Room>>,
    sender: Sender,
}

impl Visitor {
    /// Its name in [`Output`]s.
    #[must_use]
    pub const fn id(&self) -> ConnectionId {
        self.id
    }

    /// Whether it has a seat.
    #[must_use]
    pub fn is_attached(&self) -> bool {
        self.attached.get().is_some()
    }
}

impl fmt::Debug for Visitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visitor").field("id", &self.id).finish_non_exhaustive()
    }
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("totals", &self.totals).finish_non_exhaustive()
    }
}

impl Hub {
    /// Takes a store, with the rooms that it has from before.
    ///
    /// # Errors
    /// [`StoreError`] if those cannot be read.
    pub fn new(store: Box<dyn Store>, limits: Limits, now_ms: u64) -> Result<Self, StoreError> {
        let (limits, totals) = (Arc::new(limits), Arc::new(Totals::default()));
        let (rooms, lobby) = (RwLock::default(), Mutex::default());
        let hub = Self { store, limits, totals, rooms, lobby, connections: AtomicU64::new(0) };
        for room in hub.store.rooms()? {
            let restored = hub.load(room, now_ms)?;
            hub.insert(&mut rooms_of(&hub), room, restored);
        }
        Ok(hub)
    }

    /// Counts over all rooms.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// A new connection from an address.
    #[must_use]
    pub fn connect(&self, address: IpAddr) -> Visitor {
        let id = ConnectionId(self.connections.fetch_add(1, Ordering::Relaxed) + 1);
        Visitor { id, address, frames: Mutex::default(), attached: OnceLock::new() }
    }

    /// A message came. Whatever it is, the answer is in the outputs.
    pub fn handle(&self, visitor: &Visitor, message: &Bytes, now_ms: u64) -> Handled {
        let mut handled = Handled::default();
        if let Err(no) = self.try_handle(visitor, message, now_ms, &mut handled) {
            handled.outputs.push(no.to(visitor.id));
        }
        handled
    }

    /// The next entries of the visitor's room, as frames, in order and without gaps or repeats.
    ///
    /// Empty if it has all of them: then [`Output::News`] says when there is more.
    #[must_use]
    pub fn entries(&self, visitor: &Visitor, most: Most) -> Vec<Bytes> {
        let read = |attached: &Attached| lock(&attached.room).entries(&attached.sender, most);
        visitor.attached.get().map(read).unwrap_or_default()
    }

    /// The connection is gone; its seat stays for the next one.
    pub fn disconnect(&self, visitor: &Visitor, now_ms: u64) {
        if let Some(attached) = visitor.attached.get() {
            lock(&attached.room).leave(&attached.sender, now_ms);
        }
    }

    /// The store kept more of a room's entries: acknowledges them and tells the readers.
    ///
    /// A store that keeps entries before `append` returns never needs it.
    #[must_use]
    pub fn settle(&self, room: &Hash) -> Vec<Output> {
        let mut outputs = Vec::new();
        if let Some(room) = self.room(room) {
            lock(&room).settle(&mut outputs);
        }
        outputs
    }

    /// Ends rooms in which nobody said anything for too long. To be called every few seconds.
    #[must_use]
    pub fn sweep(&self, now_ms: u64) -> Vec<Output> {
        lock(&self.lobby).sweep(now_ms);
        let mut outputs = Vec::new();
        for room in self.expired(now_ms) {
            self.end(&room, now_ms, &mut outputs);
        }
        outputs
    }

    fn try_handle(&self, visitor: &Visitor, message: &Bytes, now_ms: u64, handled: &mut Handled) -> Result<(), No> {
        let part = part_of(message);
        if message.len() > longest(part) {
            return Err(No::Leave(Refusal::TooLarge));
        }
        let frame = Frame::from_message(message).map_err(|_| No::Leave(Refusal::BadFrame))?;
        let Some(attached) = visitor.attached.get() else {
            handled.pause_ms = lock(&visitor.frames).charge(self.limits.frames, 1, now_ms);
            return self.at_the_door(visitor, frame, now_ms, &mut handled.outputs);
        };
        let mut room = lock(&attached.room);
        handled.pause_ms = room.admit(&attached.sender, part, message.len(), now_ms)?;
        in_room(&mut room, &attached.sender, frame, now_ms, &mut handled.outputs)?;
        let used = room.proves_use();
        drop(room);
        if part == Part::Log {
            handled.pause_ms = handled.pause_ms.max(self.store.pause_ms());
        }
        if let Some(opener) = used {
            lock(&self.lobby).used(&self.limits, opener);
        }
        Ok(())
    }

    fn at_the_door(&self, visitor: &Visitor, frame: Frame, now_ms: u64, out: &mut Vec<Output>) -> Result<(), No> {
        match frame {
            Frame::Attach { room, author, token, from, open } => {
                lock(&self.lobby).join(&self.limits, visitor.address, now_ms)?;
                if open && room == room_of(&author) {
                    self.open(room, visitor.address, now_ms)?;
                }
                self.attach(visitor, room, &Attach { author, token: token.0, from }, now_ms, out)
            }
            Frame::Find { code } => self.find(visitor, code, now_ms, out),
            Frame::Ping { nonce } => {
                out.push(answer(visitor.id, &Frame::Pong { nonce }));
                Ok(())
            }
            _ => Err(No::Leave(Refusal::BadFrame)),
        }
    }

    fn attach(&self, visitor: &Visitor, id: Hash, wish: &Attach, now_ms: u64, out: &mut Vec<Output>) -> Result<(), No> {
        // The list stays locked for reading, so that the room cannot end in between.
        let rooms = self.rooms.read().unwrap_or_else(PoisonError::into_inner);
        let room = rooms.get(&id).ok_or(No::Leave(Refusal::NoSuchRoom))?;
        lock(room).attach(wish, visitor.id, now_ms, out)?;
        let sender = Sender { author: wish.author, connection: visitor.id };
        let attached = Attached { room: Arc::clone(room), sender };
        visitor.attached.set(attached).map_err(|_| No::Leave(Refusal::BadFrame))
    }

    /// Opens a room, unless it is.
    fn open(&self, id: Hash, address: IpAddr, now_ms: u64) -> Result<(), No> {
        let mut rooms = rooms_of(self);
        if rooms.contains_key(&id) {
            return Ok(());
        }
        if rooms.len() >= self.limits.rooms {
            return Err(No::Leave(Refusal::TooManyRooms));
        }
        lock(&self.lobby).open(&self.limits, address, now_ms)?;
        let room = self.load(id, now_ms).map_err(|_| No::Leave(Refusal::Restarting))?;
        self.insert(&mut rooms, id, room.opened_by(address));
        Ok(())
    }

    fn load(&self, id: Hash, now_ms: u64) -> Result<Room, StoreError> {
        let log = self.store.open(&id)?;
        Ok(Room::new(id, log, Arc::clone(&self.limits), Arc::clone(&self.totals), now_ms))
    }

    fn insert(&self, rooms: &mut BTreeMap<Hash, Arc<Mutex<Room>>>, id: Hash, room: Room) {
        rooms.insert(id, Arc::new(Mutex::new(room)));
        self.totals.set_rooms(rooms.len());
        lock(&self.lobby).announce(id);
    }

    /// Looks a code up. One answer for a room that is absent, full or over: a guess learns nothing.
    fn find(&self, visitor: &Visitor, code: u64, now_ms: u64, out: &mut Vec<Output>) -> Result<(), No> {
        lock(&self.lobby).try_code(&self.limits, visitor.address, now_ms)?;
        let known = lock(&self.lobby).room(code);
        let Some(room) = known.filter(|id| self.room(id).is_some_and(|room| !lock(&room).is_full())) else {
            lock(&self.lobby).missed(&self.limits, visitor.address, now_ms);
            return Err(No::Stay(Refusal::NoSuchRoom));
        };
        out.push(answer(visitor.id, &Frame::Found { room }));
        Ok(())
    }

    fn room(&self, id: &Hash) -> Option<Arc<Mutex<Room>>> {
        self.rooms.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    fn expired(&self, now_ms: u64) -> Vec<Hash> {
        let rooms = self.rooms.read().unwrap_or_else(PoisonError::into_inner);
        rooms.iter().filter(|(_, room)| lock(room).is_expired(now_ms)).map(|(id, _)| *id).collect()
    }

    fn end(&self, id: &Hash, now_ms: u64, out: &mut Vec<Output>) {
        let mut rooms = rooms_of(self);
        // Someone may have come since.
        let Some(room) = rooms.get(id).filter(|room| lock(room).is_expired(now_ms)).cloned() else { return };
        lock(&room).end(out);
        rooms.remove(id);
        self.totals.set_rooms(rooms.len());
        drop(rooms);
        lock(&self.lobby).withdraw(id);
        // A log that could not be removed is found again after a restart, and expires again.
        self.store.remove(id).unwrap_or_default();
    }
}

fn in_room(room: &mut Room, sender: &Sender, frame: Frame, now_ms: u64, out: &mut Vec<Output>) -> Result<(), No> {
    match frame {
        Frame::Append { entry } => room.append(sender, &entry, now_ms, out),
        Frame::Fetch { from, count } => room.fetch(sender.connection, from, count, out),
        Frame::Pipe { to, bytes } => room.pipe(sender, &to, bytes, now_ms, out),
        Frame::Credit { to, bytes } => room.credit(sender, &to, bytes, out),
        Frame::Ping { nonce } => {
            out.push(answer(sender.connection, &Frame::Pong { nonce }));
            Ok(())
        }
        _ => Err(No::Leave(Refusal::BadFrame)),
    }
}

/// Frames of a pipe keep their own limits; all others are the log's.
fn part_of(message: &Bytes) -> Part {
    match message.first() {
        Some(0x04 | 0x05) => Part::Pipe,
        _ => Part::Log,
    }
}

fn longest(part: Part) -> usize {
    match part {
        Part::Log => LOG_FRAME_BYTES_MAX,
        Part::Pipe => PIPE_FRAME_BYTES_MAX + PIPE_HEAD_BYTES,
    }
}

/// A pipe frame's number and receiver.
const PIPE_HEAD_BYTES: usize = 1 + size_of::<Author>();

fn rooms_of(hub: &Hub) -> std::sync::RwLockWriteGuard<'_, BTreeMap<Hash, Arc<Mutex<Room>>>> {
    hub.rooms.write().unwrap_or_else(PoisonError::into_inner)
}

/// A panic of one caller must not end the relay for all: every state between two statements of a
/// room is a valid one.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
