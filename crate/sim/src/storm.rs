//! The weather of a run: which troubles come when, to whom, and what they do.

use crate::device::{Life, Line, Strike};
use crate::queue::{Happening, Time};
use crate::random::Random;
use crate::wires::State;
use crate::world::World;
use crate::{Scenario, Trouble};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use undertone_wire::Frame;

/// Troubles begin within this time: by then most rooms have their first result.
const BEGINS_MS_MAX: Time = 32_000;
/// How much later they may begin for each reading of a series.
const READING_MS: Time = 30_000;
/// A day.
const DAY_MS: u64 = 24 * 3600 * 1000;
/// Most bouts of each kind.
const BOUTS_MAX: u64 = 2;

/// One trouble, from a time to a time.
#[derive(Clone, Debug)]
pub(crate) struct Bout {
    pub(crate) kind: Trouble,
    /// The seats that it strikes, where it strikes seats.
    pub(crate) seats: BTreeSet<usize>,
    pub(crate) from: Time,
    pub(crate) until: Time,
    /// What else has to be drawn.
    pub(crate) dice: u64,
}

/// What troubles the world now, and what is still to come.
#[derive(Debug, Default)]
pub(crate) struct Weather {
    pub(crate) bouts: Vec<Bout>,
    pub(crate) ends_at: Time,
    /// Whether readers are shown the log in orders of their own, all the time.
    pub(crate) reorders: bool,
    /// Extra travel time, by seat.
    slow: BTreeMap<usize, Time>,
    cut_off: BTreeMap<usize, Time>,
    doubled: BTreeSet<usize>,
    /// Frames to spoil, by seat.
    spoil: BTreeMap<usize, u64>,
}

impl Weather {
    pub(crate) fn drawn(scenario: &Scenario, random: &mut Random) -> Self {
        let Scenario { troubles, seats, readings, .. } = scenario;
        let begins_by = BEGINS_MS_MAX.saturating_add(READING_MS.saturating_mul((*readings).into()));
        let mut weather = Self { reorders: troubles.0.contains(&Trouble::Reorder), ..Self::default() };
        for kind in &troubles.0 {
            for _ in 0..random.between(1, BOUTS_MAX) {
                weather.bouts.push(Bout::drawn(*kind, *seats, begins_by, random));
            }
        }
        weather.ends_at = weather.bouts.iter().map(|bout| bout.until).max().unwrap_or(0);
        weather
    }

    pub(crate) fn is_cut_off(&self, seat: usize) -> bool {
        self.cut_off.contains_key(&seat)
    }
}

impl Bout {
    fn drawn(kind: Trouble, seats: usize, begins_by: Time, random: &mut Random) -> Self {
        let from = random.between(0, begins_by);
        let lasts = match kind {
            Trouble::Delay | Trouble::Duplicate | Trouble::Reorder => random.between(1_000, 20_000),
            Trouble::Partition => random.between(500, 12_000),
            Trouble::RelayCrash => random.between(100, 6_000),
            _ => 0,
        };
        let many = matches!(kind, Trouble::Delay | Trouble::Partition | Trouble::Duplicate);
        let count = if many { random.between(1, (seats as u64).div_ceil(2)) } else { 1 };
        let seats = (0..count).map(|_| random.index(seats)).collect();
        Self { kind, seats, from, until: from.saturating_add(lasts), dice: random.number() }
    }
}

/// Who vanishes, and after how many entries: mostly as few as may, at times more, or the host.
pub(crate) fn vanishing(scenario: &Scenario) -> BTreeMap<usize, u64> {
    let mut random = Random::new(scenario.seed, "vanishing");
    if scenario.drops == 0 {
        return BTreeMap::new();
    }
    let most = if random.chance(75) { scenario.drops } else { scenario.seats };
    let count = random.between(0, most as u64);
    let first = usize::from(random.chance(80));
    // A seat says eight things: join, reveal, deal, ack, value, set, opening and confirm; the host two more.
    let seats = (0..count).map(|_| first + random.index(scenario.seats.saturating_sub(first)));
    seats.collect::<Vec<_>>().into_iter().map(|seat| (seat, random.between(0, 9))).collect()
}

impl World {
    /// Whether a seat vanishes for good instead of saying this.
    pub(crate) fn vanishes(&mut self, seat: usize, message: &Bytes) -> bool {
        let Some(left) = self.vanishing.get_mut(&seat) else { return false };
        if !matches!(Frame::from_message(message), Ok(Frame::Append { .. })) {
            return false;
        }
        if *left == 0 {
            self.gone.insert(seat);
            return true;
        }
        *left -= 1;
        false
    }

    /// A trouble begins.
    pub(crate) fn begin_bout(&mut self, index: usize) {
        let Some(bout) = self.weather.bouts.get(index).cloned() else { return };
        if bout.kind == Trouble::RelayCrash {
            return self.crash_relay();
        }
        for seat in &bout.seats {
            self.strike(*seat, &bout);
        }
    }

    fn strike(&mut self, seat: usize, bout: &Bout) {
        match bout.kind {
            Trouble::Delay => {
                self.weather.slow.insert(seat, 200 + bout.dice % 4_000);
            }
            Trouble::Drop => self.break_line(seat),
            Trouble::Duplicate => {
                self.weather.doubled.insert(seat);
            }
            Trouble::Corrupt => *self.weather.spoil.entry(seat).or_default() += 1,
            Trouble::Partition => self.cut_off(seat, bout),
            Trouble::SeatReload => self.crash_seat(seat, bout.dice),
            Trouble::SecondInstance => self.start_seat(seat, 0),
            Trouble::ClockSkew => self.skew(seat, bout.dice),
            Trouble::SeatGone => self.lose(seat),
            Trouble::Reorder | Trouble::RelayCrash => {}
        }
    }

    /// A trouble ends.
    pub(crate) fn end_bout(&mut self, index: usize) {
        let Some(bout) = self.weather.bouts.get(index).cloned() else { return };
        if bout.kind == Trouble::RelayCrash {
            self.restart_relay();
        }
        for seat in &bout.seats {
            match bout.kind {
                Trouble::Delay => drop(self.weather.slow.remove(seat)),
                Trouble::Duplicate => drop(self.weather.doubled.remove(seat)),
                Trouble::Partition => drop(self.weather.cut_off.remove(seat)),
                _ => {}
            }
        }
    }

    /// The program of a seat that its person looks at: the newest that is not over.
    pub(crate) fn newest(&self, seat: usize) -> Option<usize> {
        let works = |index: &&usize| {
            let device = self.devices.get(**index);
            device.is_some_and(|device| device.life == Life::On && !device.room.is_over())
        };
        self.seats.get(seat)?.devices.iter().rev().find(works).copied()
    }

    fn wire_of(&mut self, seat: usize) -> Option<usize> {
        let newest = self.newest(seat)?;
        match self.running(newest)?.line {
            Line::Up(wire) => Some(wire),
            Line::Down(_) | Line::Dialling => None,
        }
    }

    /// The connection breaks; both ends learn of it, sometimes only by silence.
    fn break_line(&mut self, seat: usize) {
        let Some(wire) = self.wire_of(seat) else { return };
        self.cut(wire);
        if self.travel.chance(70) {
            let after = self.travel.between(1, 300);
            self.queue.plan(self.now.saturating_add(after), Happening::DeviceMisses(wire));
        }
    }

    /// No way to the relay: connections stall until it is over, or are dead and nobody knows.
    fn cut_off(&mut self, seat: usize, bout: &Bout) {
        self.weather.cut_off.insert(seat, bout.until);
        if bout.dice.is_multiple_of(2)
            && let Some(wire) = self.wire_of(seat)
        {
            self.cut(wire);
        }
    }

    /// The program ends now, or at one of the next stores, and comes back.
    fn crash_seat(&mut self, seat: usize, dice: u64) {
        let strike = if dice.is_multiple_of(2) { Strike::Before } else { Strike::After };
        match dice / 2 % 3 {
            0 => {
                if let Some(newest) = self.newest(seat) {
                    self.reload(newest);
                }
            }
            _ => {
                if let Some(seat) = self.seats.get_mut(seat) {
                    seat.strike = Some((dice / 6 % 3, strike));
                }
            }
        }
    }

    /// A seat that can be done without is gone for good: now, or once its value is acknowledged.
    fn lose(&mut self, seat: usize) {
        if seat >= self.host.people()
            && self.host.has_spare()
            && self.gone.iter().all(|other| *other < self.host.people())
        {
            self.gone.insert(seat);
            let devices = self.seats.get(seat).map(|seat| seat.devices.clone()).unwrap_or_default();
            devices.into_iter().for_each(|device| self.end(device, Life::Killed));
        } else if seat > 0 && seat < self.host.people() && self.host.computers() > 0 {
            self.gone.insert(seat);
        }
    }

    /// Ends a program at once and starts it again.
    pub(crate) fn reload(&mut self, index: usize) {
        let Some(seat) = self.running(index).map(|device| device.seat) else { return };
        self.end(index, Life::Killed);
        let after = self.travel.between(50, 4_000);
        self.start_seat(seat, after);
    }

    /// The clock is a day off. It jumps ahead; back it goes only for a program that starts anew, because
    /// clocks that devices use for waits never go back.
    fn skew(&mut self, seat: usize, dice: u64) {
        let Some(place) = self.seats.get_mut(seat) else { return };
        let devices = place.devices.clone();
        if dice.is_multiple_of(4) {
            place.ahead_ms = 0;
            return self.newest(seat).into_iter().for_each(|newest| self.reload(newest));
        }
        place.ahead_ms = place.ahead_ms.saturating_add(DAY_MS);
        for index in devices {
            let Some(device) = self.running(index) else { continue };
            device.ahead_ms = device.ahead_ms.saturating_add(DAY_MS);
            if let Some(asked) = &mut device.asked {
                asked.answer_by = None;
            }
            self.turn(index);
        }
    }

    /// How long a message of a seat travels now.
    pub(crate) fn travel_ms(&mut self, seat: usize) -> Time {
        let base = self.seats.get(seat).map_or(0, |seat| seat.travel_ms);
        let slow = self.weather.slow.get(&seat).copied().unwrap_or(0);
        let jitter = if self.weather.reorders { 1_500 } else { 20 };
        base.saturating_add(slow).saturating_add(self.travel.below(jitter))
    }

    /// Puts a message on its way to the relay.
    pub(crate) fn send_up(&mut self, wire: usize, message: Bytes) {
        self.send(wire, message, Way::Up);
    }

    /// Puts a message on its way to the device.
    pub(crate) fn send_down(&mut self, wire: usize, message: Bytes) {
        self.send(wire, message, Way::Down);
    }

    fn send(&mut self, index: usize, message: Bytes, way: Way) {
        let owner = self.wires.get(index).filter(|wire| wire.state == State::Open).map(|wire| wire.device);
        let Some(seat) = owner.and_then(|device| self.devices.get(device)).map(|device| device.seat) else { return };
        let copies = if self.weather.doubled.contains(&seat) && may_double(&message) { 2 } else { 1 };
        for _ in 0..copies {
            let message = self.spoilt(seat, message.clone());
            let travels = self.now.saturating_add(self.travel_ms(seat));
            let at = self.weather.cut_off.get(&seat).map_or(travels, |until| travels.max(until.saturating_add(10)));
            let Some(wire) = self.wires.get_mut(index) else { return };
            match way {
                Way::Up => self.queue.plan(wire.up.send(message, at), Happening::ToRelay(index)),
                Way::Down => self.queue.plan(wire.down.send(message, at), Happening::ToDevice(index)),
            }
        }
    }

    /// Flips a byte, if it is time for that.
    fn spoilt(&mut self, seat: usize, message: Bytes) -> Bytes {
        let Some(left) = self.weather.spoil.get_mut(&seat).filter(|left| **left > 0) else { return message };
        if !self.travel.chance(50) {
            return message;
        }
        *left -= 1;
        let mut bytes = message.to_vec();
        let at = self.travel.index(bytes.len());
        let mask = u8::try_from(self.travel.between(1, 255)).unwrap_or(1);
        bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= mask);
        bytes.into()
    }
}

#[derive(Clone, Copy)]
enum Way {
    Up,
    Down,
}

/// A client sends entries again until they are acknowledged; the rest is said once per connection.
fn may_double(message: &Bytes) -> bool {
    matches!(Frame::from_message(message), Ok(Frame::Append { .. } | Frame::Entry { .. } | Frame::Stored { .. }))
}
