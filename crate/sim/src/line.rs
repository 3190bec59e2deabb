//! A device's side of the network: what the driver in `undertone-net` does, on the virtual clock.

use crate::Plant;
use crate::device::{Device, FAREWELL_MS, GIVE_UP_MS, Life, Line, PONG_MS, QUIET_MS, Strike};
use crate::queue::{Happening, Time};
use crate::wires::State;
use crate::world::World;
use bytes::Bytes;
use undertone_net::Incoming;
use undertone_room::{Action, Event, LedgerKey};
use undertone_wire::{Codec, Entry, EntryKind, Frame, Hash, Refusal};

/// Clocks of devices start here, so that one may be a day behind.
const CLOCK_START: Time = 48 * 3600 * 1000;

/// The plan for which an entry is a value, if it is one.
pub(crate) fn valued(entry: &[u8]) -> Option<Hash> {
    let entry = Entry::from_bytes(entry).ok()?;
    matches!(entry.kind, EntryKind::Round(_)).then_some(entry.place.plan)
}

impl World {
    /// A device, while it runs.
    pub(crate) fn running(&mut self, index: usize) -> Option<&mut Device> {
        self.devices.get_mut(index).filter(|device| device.life == Life::On)
    }

    /// What a clock shows that is so far ahead.
    pub(crate) fn clock(&self, ahead_ms: u64) -> Time {
        CLOCK_START.saturating_add(ahead_ms).saturating_add(self.now)
    }

    fn clock_of(&self, index: usize) -> Time {
        self.clock(self.devices.get(index).map_or(0, |device| device.ahead_ms))
    }

    /// A planned look at the clock.
    pub(crate) fn wake(&mut self, index: usize) {
        let now = self.now;
        let Some(device) = self.running(index).filter(|device| device.wake_at == Some(now)) else { return };
        device.wake_at = None;
        self.turn(index);
    }

    /// Does everything that a device can do now.
    pub(crate) fn turn(&mut self, index: usize) {
        self.tell_time(index);
        self.keep_line(index);
        self.act(index);
        self.flush(index);
        self.rest(index);
    }

    fn tell_time(&mut self, index: usize) {
        let clock = self.clock_of(index);
        let stands = self.scenario.plant == Some(Plant::DeadClock);
        if let Some(device) = self.running(index).filter(|_| !stands) {
            device.room.handle(Event::Clock(clock));
        }
    }

    fn keep_line(&mut self, index: usize) {
        let clock = self.clock_of(index);
        let Some(device) = self.running(index) else { return };
        if device.pong_by.is_some_and(|by| by <= clock) {
            self.lose_line(index);
        }
        let Some(device) = self.running(index) else { return };
        match device.line {
            Line::Up(_) if device.pong_by.is_none() && clock >= device.heard_at.saturating_add(QUIET_MS) => {
                device.session.send(&Frame::Ping { nonce: clock });
                device.pong_by = Some(clock.saturating_add(PONG_MS));
            }
            Line::Down(retry_at) if retry_at <= clock => self.dial(index),
            _ => {}
        }
        let Some(device) = self.running(index) else { return };
        let waited = device.away_since.is_some_and(|since| clock.saturating_sub(since) >= GIVE_UP_MS);
        if waited && !device.room.has_deadline() {
            device.room.handle(Event::LinkLost);
        }
    }

    fn dial(&mut self, index: usize) {
        let Some(device) = self.running(index) else { return };
        device.line = Line::Dialling;
        let seat = device.seat;
        let after = self.travel_ms(seat).saturating_mul(2);
        self.queue.plan(self.now.saturating_add(after), Happening::Dialled(index));
    }

    /// An attempt to connect comes to its end.
    pub(crate) fn dialled(&mut self, index: usize) {
        let clock = self.clock_of(index);
        let Some(device) = self.running(index).filter(|device| device.line == Line::Dialling) else { return };
        let seat = device.seat;
        let wire = if self.weather.is_cut_off(seat) { None } else { self.accept(index) };
        match (wire, self.running(index)) {
            (Some(wire), Some(device)) => {
                device.line = Line::Up(wire);
                device.heard_at = clock;
                device.session.connected();
            }
            _ => self.lose_line(index),
        }
        self.turn(index);
    }

    /// The connection is gone, or did not come up.
    fn lose_line(&mut self, index: usize) {
        let clock = self.clock_of(index);
        let Some(device) = self.running(index) else { return };
        let lost = device.line;
        device.away_since = device.away_since.or(Some(clock));
        device.line = Line::Down(clock.saturating_add(device.retry_ms()));
        device.attempts = device.attempts.saturating_add(1);
        device.pong_by = None;
        device.session.disconnected();
        if let Line::Up(wire) = lost {
            self.cut(wire);
        }
    }

    /// Ends a wire from the device's side; the relay learns of it sooner or later.
    pub(crate) fn cut(&mut self, index: usize) {
        let after =
            if self.travel.chance(70) { self.travel.between(5, 200) } else { self.travel.between(1_000, 45_000) };
        let Some(wire) = self.wires.get_mut(index).filter(|wire| wire.state != State::Gone) else { return };
        wire.cut(State::Dead);
        self.queue.plan(self.now.saturating_add(after), Happening::RelayMisses(index));
    }

    /// A device learns that its wire is gone.
    pub(crate) fn device_misses(&mut self, wire: usize) {
        let Some(device) = self.wires.get(wire).map(|wire| wire.device) else { return };
        if self.running(device).is_some_and(|device| device.line == Line::Up(wire)) {
            self.lose_line(device);
            self.turn(device);
        }
    }

    /// Stores, sends and tells what the room wants, in its order.
    fn act(&mut self, index: usize) {
        while let Some(action) = self.running(index).and_then(|device| device.room.poll()) {
            let Some(device) = self.running(index) else { return };
            match action {
                Action::Store { key, bytes } => self.store(index, key, bytes),
                Action::Append(entry) => device.session.append(entry),
                Action::Pipe { to, bytes } => device.session.send(&Frame::Pipe { to, bytes: bytes.into() }),
                Action::Credit { to, bytes } => device.session.send(&Frame::Credit { to, bytes }),
                Action::Notice(notice) => self.told(index, &notice),
            }
        }
    }

    /// Puts an entry into the seat's ledger, unless the seat's program ends over it.
    fn store(&mut self, index: usize, key: LedgerKey, bytes: Vec<u8>) {
        let Some(device) = self.devices.get_mut(index) else { return };
        let Some(seat) = self.seats.get_mut(device.seat) else { return };
        let strike = seat.strike.and_then(|(left, strike)| (left == 0).then_some(strike));
        seat.strike = seat.strike.filter(|_| strike.is_none()).map(|(left, strike)| (left.saturating_sub(1), strike));
        if strike == Some(Strike::Before) {
            return self.reload(index);
        }
        // The first of a value's places to hold it makes it this seat's value.
        if let Some(plan) = valued(&bytes).filter(|_| !seat.ledger.contains_key(&key)) {
            let given = device.asked.as_ref().and_then(|asked| asked.given.clone());
            self.check.gave(device.room.identity().author(), plan, given);
        }
        let bytes = seat.ledger.entry(key.clone()).or_insert(bytes).clone();
        if strike == Some(Strike::After) {
            return self.reload(index);
        }
        device.room.handle(Event::Stored { key, bytes });
    }

    /// Hands what the session wants sent to the wire.
    fn flush(&mut self, index: usize) {
        let Some(Line::Up(wire)) = self.running(index).map(|device| device.line) else { return };
        while let Some((seat, message)) =
            self.running(index).and_then(|device| Some((device.seat, device.session.next_out()?)))
        {
            if self.vanishes(seat, &message) {
                return self.end(index, Life::Killed);
            }
            let masked = self.check.left(seat, &self.room, &message);
            if masked && self.forgets(seat) {
                return self.reload(index);
            }
            self.send_up(wire, message);
        }
    }

    /// Whether a seat's program is to end just after its value left, with the value lost on the way
    /// and in its ledger: a disk that said too early that it had it.
    fn forgets(&self, seat: usize) -> bool {
        let first = self.seats.get(seat).is_some_and(|seat| seat.devices.len() == 1);
        first && seat == 1 && self.scenario.plant == Some(Plant::LedgerForgets)
    }

    /// Plans the next look at the clock, or ends the program when all is said.
    fn rest(&mut self, index: usize) {
        let (clock, now) = (self.clock_of(index), self.now);
        let Some(device) = self.running(index) else { return };
        if device.room.is_over() {
            let since = *device.over_since.get_or_insert(clock);
            if device.session.is_settled() || clock >= since.saturating_add(FAREWELL_MS) {
                return self.end(index, Life::Done);
            }
        }
        let goes_on = device.room.is_working().then_some(clock.saturating_add(1));
        let due = goes_on.or_else(|| device.due().filter(|due| *due > clock));
        let Some(at) = due.map(|due| now.saturating_add(due.saturating_sub(clock))) else { return };
        if device.wake_at.is_none_or(|planned| planned > at) {
            device.wake_at = Some(at);
            self.queue.plan(at, Happening::Wake(index));
        }
    }

    /// Ends a program.
    pub(crate) fn end(&mut self, index: usize, life: Life) {
        let Some(device) = self.running(index) else { return };
        device.life = life;
        if let Line::Up(wire) = device.line {
            // A program that ends in order has its last words sent by the system.
            match life {
                Life::Done => self.queue.plan(self.now.saturating_add(1_000), Happening::RelayMisses(wire)),
                Life::On | Life::Killed => self.cut(wire),
            }
        }
    }

    /// The next message of a wire reaches its device.
    pub(crate) fn reach_device(&mut self, index: usize) {
        let Some(wire) = self.wires.get_mut(index) else { return };
        let Some(message) = wire.down.arrive() else { return };
        let device = wire.device;
        if !self.running(device).is_some_and(|device| device.line == Line::Up(index)) {
            return;
        }
        self.note(&message);
        if self.scenario.plant != Some(Plant::StaleClock) {
            self.tell_time(device);
        }
        self.hear(device, &message);
        self.turn(device);
    }

    fn hear(&mut self, index: usize, message: &Bytes) {
        let clock = self.clock_of(index);
        let Some(device) = self.devices.get_mut(index).filter(|device| device.life == Life::On) else { return };
        device.heard_at = clock;
        let seat = device.seat;
        match device.session.receive(message) {
            Incoming::Attached => device.away_since = None,
            Incoming::Entry(entry) => {
                self.check.showed(seat, &entry);
                device.attempts = 0;
                device.room.handle(Event::Entry(&entry));
            }
            Incoming::Piped(from, bytes) => device.room.handle(Event::Piped { from, bytes: &bytes }),
            Incoming::Credited(from, bytes) => device.room.handle(Event::Credited { from, bytes }),
            Incoming::Pong => (device.attempts, device.pong_by) = (0, None),
            Incoming::Nothing | Incoming::Fetched(..) | Incoming::Refused(Refusal::PeerAway) => {}
            Incoming::Refused(reason) if !reason.may_retry() => {
                device.room.handle(Event::Refused(reason));
            }
            Incoming::Refused(_) | Incoming::Nonsense => self.lose_line(index),
        }
    }
}
