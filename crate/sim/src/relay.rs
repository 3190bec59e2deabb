//! The relay's side of the network: the real hub, its disk, its crashes.

use crate::Plant;
use crate::disk::Disk;
use crate::queue::{Happening, Time};
use crate::random::Random;
use crate::wires::State;
use crate::world::World;
use bytes::Bytes;
use std::collections::BTreeMap;
use undertone_machine::{Fault, FaultCode};
use undertone_relay_core::{ConnectionId, ENTRIES_BATCH, Hub, Limits, Output};
use undertone_wire::{Frame, Hash, Header, RoomCode};

/// Everyone sits behind the address of one school.
const SCHOOL: [u8; 4] = [192, 0, 2, 1];
/// How often the relay looks for rooms that are over.
const SWEEP_MS: Time = 60_000;

/// A relay that may be down.
pub(crate) struct Relay {
    pub(crate) hub: Option<Hub>,
    pub(crate) disk: Disk,
    /// Counts its lives.
    pub(crate) life: u64,
    /// How long the disk takes to keep something; 0 if it writes at once.
    lag_ms: Time,
    commit_planned: bool,
    by_id: BTreeMap<ConnectionId, usize>,
    /// What each seat was shown at each place of the log, where that is not the log's own order.
    shown: BTreeMap<(usize, u64), Bytes>,
    /// Whether a room's log was removed because the room was over.
    pub(crate) has_forgotten: bool,
}

impl Relay {
    /// A relay with an empty disk.
    pub(crate) fn start(random: &mut Random) -> Result<Self, Fault> {
        let disk = Disk::default();
        let hub = Some(open(&disk, 0)?);
        let lag_ms = if random.chance(50) { 0 } else { random.between(1, 40) };
        let (by_id, shown) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { hub, disk, life: 0, lag_ms, commit_planned: false, by_id, shown, has_forgotten: false })
    }
}

fn open(disk: &Disk, now: Time) -> Result<Hub, Fault> {
    Hub::new(Box::new(disk.clone()), Limits::default(), now).map_err(|_| Fault::new(FaultCode::StoreFailed))
}

impl World {
    /// A device's connection is there, if the relay is.
    pub(crate) fn accept(&mut self, device: usize) -> Option<usize> {
        let visitor = self.relay.hub.as_ref()?.connect(SCHOOL.into());
        let wire = self.wires.len();
        self.relay.by_id.insert(visitor.id(), wire);
        self.wires.push(crate::wires::Wire::new(device, visitor, self.relay.life));
        Some(wire)
    }

    /// The next message of a wire reaches the relay.
    pub(crate) fn reach_relay(&mut self, index: usize) {
        let Some(wire) = self.wires.get_mut(index).filter(|wire| wire.life == self.relay.life) else { return };
        if wire.paused_until > self.now {
            return self.queue.plan(wire.paused_until, Happening::ToRelay(index));
        }
        let (Some(message), Some(hub)) = (wire.up.arrive(), &self.relay.hub) else { return };
        if wire.state != State::Open {
            return;
        }
        let handled = hub.handle(&wire.visitor, &message, self.now);
        wire.paused_until = self.now.saturating_add(handled.pause_ms);
        self.note(&message);
        self.deliver(handled.outputs);
        self.write();
    }

    /// Look-ups of a code go over a connection of their own, which is not simulated.
    pub(crate) fn find(&self, code: RoomCode) -> Option<Hash> {
        let hub = self.relay.hub.as_ref()?;
        let handled =
            hub.handle(&hub.connect(SCHOOL.into()), &Frame::Find { code: code.number() }.to_message(), self.now);
        handled.outputs.iter().find_map(|output| match output {
            Output::Send { frame, .. } => match Frame::from_message(frame) {
                Ok(Frame::Found { room }) => Some(room),
                _ => None,
            },
            _ => None,
        })
    }

    /// The relay learns that a connection is gone.
    pub(crate) fn relay_misses(&mut self, index: usize) {
        let Some(wire) = self.wires.get_mut(index).filter(|wire| wire.life == self.relay.life) else { return };
        wire.state = State::Gone;
        if let Some(hub) = &self.relay.hub {
            hub.disconnect(&wire.visitor, self.now);
        }
    }

    fn deliver(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            let to = match &output {
                Output::Send { to, .. } | Output::News { to } | Output::Close { to, .. } => *to,
            };
            let Some(wire) = self.relay.by_id.get(&to).copied() else { continue };
            match output {
                Output::Send { frame, .. } => {
                    self.note_stored(wire, &frame);
                    self.send_down(wire, frame);
                }
                Output::News { .. } => self.show_log(wire),
                Output::Close { reason, .. } => self.hang_up(wire, Frame::Refused { reason }.to_message()),
            }
        }
    }

    fn note_stored(&mut self, wire: usize, frame: &Bytes) {
        let Ok(Frame::Stored { own, .. }) = Frame::from_message(frame) else { return };
        let device = self.wires.get(wire).and_then(|wire| self.devices.get(wire.device));
        if let Some(device) = device {
            self.check.acknowledged(device.seat, device.room.identity().author(), own);
        }
    }

    fn hang_up(&mut self, index: usize, last: Bytes) {
        self.send_down(index, last);
        let Some(wire) = self.wires.get_mut(index).filter(|wire| wire.state == State::Open) else { return };
        wire.state = State::Closing;
        if let Some(hub) = &self.relay.hub {
            hub.disconnect(&wire.visitor, self.now);
        }
        let gone = self.now.saturating_add(5_000);
        self.queue.plan(gone, Happening::DeviceMisses(index));
    }

    /// Sends a reader all that is new to it.
    fn show_log(&mut self, index: usize) {
        loop {
            let (Some(wire), Some(hub)) = (self.wires.get(index), &self.relay.hub) else { return };
            let frames = hub.entries(&wire.visitor, ENTRIES_BATCH);
            if frames.is_empty() {
                return;
            }
            let seat = self.devices.get(wire.device).map_or(0, |device| device.seat);
            for frame in self.reordered(seat, frames) {
                self.send_down(index, frame);
            }
        }
    }

    /// Entries of different authors may change places, but a seat always sees the same at one place.
    fn reordered(&mut self, seat: usize, frames: Vec<Bytes>) -> Vec<Bytes> {
        let mut entries: Vec<_> = frames.iter().filter_map(placed).collect();
        let mut at = 0_usize;
        while let Some([(one, first), (two, second)]) = entries.get_mut(at..at.saturating_add(2)) {
            at += 1;
            let known = [*one, *two].iter().any(|place| self.relay.shown.contains_key(&(seat, *place)));
            if self.weather.reorders && !known && may_swap(&self.room, first, second) && self.travel.chance(50) {
                core::mem::swap(first, second);
                self.relay.shown.insert((seat, *one), first.clone());
                self.relay.shown.insert((seat, *two), second.clone());
            }
        }
        let shown = |(place, entry): (u64, Bytes)| {
            let entry = self.relay.shown.get(&(seat, place)).cloned().unwrap_or(entry);
            Frame::Entry { sequence: place, entry }.to_message()
        };
        entries.into_iter().map(shown).collect()
    }

    /// Plans the disk's next write, or makes it.
    fn write(&mut self) {
        if !self.relay.disk.is_behind() || self.relay.commit_planned {
            return;
        }
        if self.relay.lag_ms == 0 {
            return self.commit(self.relay.life);
        }
        self.relay.commit_planned = true;
        let at = self.now.saturating_add(self.relay.lag_ms);
        self.queue.plan(at, Happening::Commit(self.relay.life));
    }

    /// The disk has it.
    pub(crate) fn commit(&mut self, life: u64) {
        if life != self.relay.life {
            return;
        }
        self.relay.commit_planned = false;
        self.relay.disk.commit();
        let Ok(rooms) = undertone_relay_core::Store::rooms(&self.relay.disk) else { return };
        let outputs = self.relay.hub.iter().flat_map(|hub| rooms.iter().flat_map(|room| hub.settle(room)));
        let outputs = outputs.collect();
        self.deliver(outputs);
    }

    /// Rooms that are over go.
    pub(crate) fn sweep(&mut self, life: u64) {
        if life != self.relay.life {
            return;
        }
        let outputs = self.relay.hub.as_ref().map(|hub| hub.sweep(self.now)).unwrap_or_default();
        self.relay.has_forgotten |= !outputs.is_empty();
        self.deliver(outputs);
        self.queue.plan(self.now.saturating_add(SWEEP_MS), Happening::Sweep(life));
    }

    /// The relay dies: all connections with it, and what its disk had not kept.
    pub(crate) fn crash_relay(&mut self) {
        self.relay.hub = None;
        self.relay.life += 1;
        self.relay.commit_planned = false;
        self.relay.by_id.clear();
        self.relay.disk.crash(usize::from(self.scenario.plant == Some(Plant::DiskLies)));
        for index in 0..self.wires.len() {
            let Some(wire) = self.wires.get_mut(index).filter(|wire| wire.state != State::Gone) else { continue };
            wire.cut(State::Gone);
            let after = self.travel.between(1, 200);
            self.queue.plan(self.now.saturating_add(after), Happening::DeviceMisses(index));
        }
    }

    /// The relay comes back with what its disk kept.
    pub(crate) fn restart_relay(&mut self) {
        if self.relay.hub.is_none() {
            self.relay.hub = open(&self.relay.disk, self.now).ok();
            self.queue.plan(self.now.saturating_add(SWEEP_MS), Happening::Sweep(self.relay.life));
        }
    }
}

fn placed(frame: &Bytes) -> Option<(u64, Bytes)> {
    match Frame::from_message(frame) {
        Ok(Frame::Entry { sequence, entry }) => Some((sequence, entry)),
        _ => None,
    }
}

/// The order of one author's entries is signed; across authors no rule depends on it.
fn may_swap(room: &Hash, one: &Bytes, other: &Bytes) -> bool {
    match (Header::peek_in(room, one), Header::peek_in(room, other)) {
        (Ok(one), Ok(other)) => one.author != other.author,
        _ => false,
    }
}
