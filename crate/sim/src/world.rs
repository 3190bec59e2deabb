//! All of one run, and the loop that makes it happen.

use crate::check::Check;
use crate::device::{Device, Seat};
use crate::person::{EVERY_MS, HostPerson};
use crate::queue::{Deed, Happening, Queue, Time};
use crate::random::Random;
use crate::relay::Relay;
use crate::storm::Weather;
use crate::wires::Wire;
use crate::{Cryptography, Plant, Report, Scenario, Violation};
use std::collections::{BTreeMap, BTreeSet};
use undertone_machine::{Fault, Secret};
use undertone_prim::{Hash, Transcript, model};
use undertone_room::Identity;

/// Longest run: the longest wait of a room is two hours in the lobby; the rest is for what follows.
const VIRTUAL_MS_MAX: Time = 2 * 3600 * 1000 + 600_000;
/// Most events of a run: a quiet room of seven needs some thousand, one with every trouble some
/// ten thousand.
const EVENTS_MAX: u64 = 400_000;
/// How many more for each reading of a series, of which a quiet room of seven needs 300.
const EVENTS_PER_READING: u64 = 3_000;

/// Everything there is.
pub(crate) struct World {
    pub(crate) scenario: Scenario,
    pub(crate) now: Time,
    pub(crate) queue: Queue,
    /// Chance of the network, of people and of the weather, apart from each other.
    pub(crate) travel: Random,
    pub(crate) people: Random,
    pub(crate) seats: Vec<Seat>,
    pub(crate) devices: Vec<Device>,
    pub(crate) wires: Vec<Wire>,
    pub(crate) relay: Relay,
    pub(crate) weather: Weather,
    pub(crate) host: HostPerson,
    /// The host's key decides it.
    pub(crate) room: Hash,
    /// Seats that are gone for good, or will be once their value is acknowledged.
    pub(crate) gone: BTreeSet<usize>,
    /// Who vanishes at which of its entries: how many of them still leave.
    pub(crate) vanishing: BTreeMap<usize, u64>,
    pub(crate) check: Check,
    pub(crate) report: Report,
    /// Over everything that happens.
    trace: Transcript,
    /// Programs that are about to start.
    pub(crate) starting: usize,
}

/// Runs a scenario to its end.
///
/// It is a pure function: the same scenario gives the same report, trace included, on any machine.
///
/// # Errors
/// `UnknownService` or `BadPlan` if no room can be opened with it. What goes wrong in the room is in
/// the report.
pub fn simulate(scenario: &Scenario) -> Result<Report, Fault> {
    let play = || {
        let mut world = World::new(scenario)?;
        world.run();
        Ok(world.finish())
    };
    match scenario.cryptography {
        Cryptography::Curve => play(),
        Cryptography::Model => model::within(play),
    }
}

impl World {
    fn new(scenario: &Scenario) -> Result<Self, Fault> {
        let mut people = Random::new(scenario.seed, "people");
        let mut storm = Random::new(scenario.seed, "weather");
        let host = HostPerson::new(scenario, &mut people)?;
        let seats: Vec<_> = (0..host.seats).map(|index| Seat::drawn(index, &mut people)).collect();
        let room = Identity::host(Secret::new(seats.first().map_or([0; 32], |seat| seat.seed))).room();
        let weather = Weather::drawn(scenario, &mut storm);
        let relay = Relay::start(&mut storm)?;
        let report = Report {
            scenario: scenario.clone(),
            trace: [0; 32],
            events: 0,
            virtual_ms: 0,
            questions: 0,
            results: Vec::new(),
            faults: BTreeMap::new(),
            gave_up: 0,
            violations: Vec::new(),
        };
        let mut world = Self {
            scenario: scenario.clone(),
            now: 0,
            queue: Queue::default(),
            travel: Random::new(scenario.seed, "travel"),
            people,
            seats,
            devices: Vec::new(),
            wires: Vec::new(),
            relay,
            weather,
            gone: BTreeSet::new(),
            vanishing: crate::storm::vanishing(scenario),
            host,
            room,
            check: Check::new(scenario.plant == Some(Plant::AckUnseen)),
            report,
            trace: Transcript::new("simulation-trace/v1"),
            starting: 0,
        };
        world.begin();
        Ok(world)
    }

    fn begin(&mut self) {
        for (index, bout) in self.weather.bouts.iter().enumerate() {
            self.queue.plan(bout.from, Happening::Begin(index));
            self.queue.plan(bout.until, Happening::End(index));
        }
        for seat in 0..self.seats.len() {
            let after = if seat == 0 { 0 } else { self.people.between(500, 10_000) };
            self.start_seat(seat, after);
        }
        self.queue.plan(1_000, Happening::Deed(Deed::Look));
        self.queue.plan(60_000, Happening::Sweep(0));
    }

    /// Starts a seat's program after a while.
    pub(crate) fn start_seat(&mut self, seat: usize, after: Time) {
        self.starting += 1;
        self.queue.plan(self.now.saturating_add(after), Happening::Deed(Deed::Start(seat)));
    }

    fn run(&mut self) {
        let readings = u64::from(self.scenario.readings);
        let ends_at = EVERY_MS.saturating_mul(readings).saturating_add(VIRTUAL_MS_MAX);
        let most = EVENTS_PER_READING.saturating_mul(readings).saturating_add(EVENTS_MAX);
        while let Some((at, what)) = self.queue.next() {
            if at > ends_at || self.is_finished() {
                return;
            }
            self.now = at;
            self.report.events += 1;
            if self.report.events > most {
                return self.report.violations.push(Violation::Endless);
            }
            self.note(format!("{what:?}").as_bytes());
            self.happen(what);
        }
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::ToRelay(wire) => self.reach_relay(wire),
            Happening::ToDevice(wire) => self.reach_device(wire),
            Happening::RelayMisses(wire) => self.relay_misses(wire),
            Happening::DeviceMisses(wire) => self.device_misses(wire),
            Happening::Dialled(device) => self.dialled(device),
            Happening::Wake(device) => self.wake(device),
            Happening::Commit(life) => self.commit(life),
            Happening::Sweep(life) => self.sweep(life),
            Happening::Deed(deed) => self.deed(deed),
            Happening::Begin(bout) => self.begin_bout(bout),
            Happening::End(bout) => self.end_bout(bout),
        }
    }

    /// Adds to the trace.
    pub(crate) fn note(&mut self, bytes: &[u8]) {
        self.trace = self.trace.clone().number(self.now).field(bytes);
    }

    /// Whether nothing of interest can happen any more.
    fn is_finished(&self) -> bool {
        let calm = self.now > self.weather.ends_at && self.starting == 0;
        calm && self.host.gone && self.devices.iter().all(Device::is_answered)
    }

    /// Looks at what is left, and writes the report.
    fn finish(mut self) -> Report {
        self.report.virtual_ms = self.now;
        self.report.trace = self.trace.clone().hash();
        for device in self.devices.iter().filter(|device| !device.is_answered()) {
            self.report.violations.push(Violation::Hangs { seat: device.seat, after: device.last_told.clone() });
        }
        let log = self.relay.disk.durable(&self.room);
        if !self.relay.has_forgotten {
            self.report.violations.extend(self.check.lost(&self.room, &log));
        }
        self.report.violations.append(&mut self.check.violations);
        self.report.results = self.check.results();
        self.report.questions = self.host.asked;
        self.report
    }
}
