//! What people do: come, answer, and for one of them, ask.

use crate::device::{Asked, Device, Life, Seat, Way};
use crate::line::valued;
use crate::queue::{Deed, Happening, Time};
use crate::random::Random;
use crate::world::World;
use crate::{Plant, Scenario, Violation};
use std::collections::BTreeMap;
use undertone_machine::{Fault, FaultCode, Outcome, Phase, Role, Secret};
use undertone_room::{ClientPolicy, HostOptions, Notice, Room};
use undertone_services::{Task, draft, find, prepare, series};
use undertone_wire::{Hash, Invitation, Plan, RoomCode};

/// What a room adds to the time to answer.
const GRACE_MS: Time = 2_000;
/// What it adds for each step of those who add up, once the time to answer is over.
const OVERDUE_MS: Time = 5_000;
/// How long a host waits for everyone to come.
const PATIENCE_MS: Time = 60_000;
/// How long a host waits for signatures on a result.
const SIGNED_MS: Time = 12_000;
/// How often the host looks at the room.
const LOOK_MS: Time = 500;
/// How long someone looks at a page that shows no question, or does not let them in.
const GIVES_UP_MS: Time = 180_000;
/// Time from one reading to the next.
pub(crate) const EVERY_MS: Time = 30_000;
/// How often, and how many times, someone tries to get in.
const TRY_MS: Time = 500;
const TRIES_MAX: u32 = 200;

/// What the host has in mind.
#[derive(Debug)]
pub(crate) struct HostPerson {
    /// All seats: people first, then those who add up for them.
    pub(crate) seats: usize,
    people: usize,
    /// Seats that add up, and of these, those that are needed.
    computers: usize,
    needed: usize,
    plans: Vec<Plan>,
    contributes: bool,
    group_min: u16,
    policy: ClientPolicy,
    /// How long after a result it asks on.
    pause_ms: Time,
    /// Room and secret, as the link has them.
    pub(crate) invite: Option<(Hash, [u8; 16])>,
    /// Questions asked so far.
    pub(crate) asked: usize,
    /// Whether none of its programs works any more.
    pub(crate) gone: bool,
}

impl HostPerson {
    pub(crate) fn new(scenario: &Scenario, people: &mut Random) -> Result<Self, Fault> {
        let manifest = find(&scenario.service)?.manifest();
        let fitting = (manifest.seats_min..=manifest.seats_max).contains(&scenario.seats);
        if !fitting {
            let message = format!("This service takes {} to {} seats.", manifest.seats_min, manifest.seats_max);
            return Err(Fault::new(FaultCode::BadPlan).in_field("seats").saying(message));
        }
        let contributes = scenario.seats < 4 || people.chance(85);
        let contributors = scenario.seats.saturating_sub(usize::from(!contributes));
        let pairs = contributors < 3;
        let questions = if people.chance(35) && scenario.readings == 0 { 2 } else { 1 };
        let plans = (0..questions).map(|_| question(scenario, people)).collect::<Result<Vec<_>, _>>()?;
        let computers = plans.first().map(prepare).transpose()?.map_or(0, |task| task.computers());
        let needed = plans.first().filter(|plan| plan.param("scheme") == "shamir").map_or(computers, |_| 2);
        // A host that gives no value adds up itself.
        let adding = computers.saturating_sub(usize::from(!contributes));
        let pause_ms = if scenario.troubles.0.is_empty() { SIGNED_MS } else { people.between(500, SIGNED_MS) };
        Ok(Self {
            seats: scenario.seats.saturating_add(adding),
            people: scenario.seats,
            computers,
            needed,
            plans,
            contributes,
            group_min: u16::try_from(contributors.clamp(2, 4)).unwrap_or(2),
            policy: ClientPolicy { small_group: true, pairs, ..ClientPolicy::default() },
            pause_ms,
            invite: None,
            asked: 0,
            gone: false,
        })
    }

    /// Seats of people; those after them add up.
    pub(crate) const fn people(&self) -> usize {
        self.people
    }

    /// Seats that add up for the others.
    pub(crate) const fn computers(&self) -> usize {
        self.computers
    }

    /// Whether one of those can be missing: a quorum signs without it.
    pub(crate) const fn has_spare(&self) -> bool {
        self.computers.saturating_sub(self.needed) >= 2
    }

    /// How much longer those who add up are waited for: as many steps as they are, and five. Where some may
    /// vanish, it is five.
    fn overtime_ms(&self) -> Time {
        let spares = self.plans.iter().any(|plan| !matches!(plan.param("drops"), "" | "0"));
        match self.computers as Time {
            0 if spares => OVERDUE_MS.saturating_mul(5),
            0 => 0,
            more => more.saturating_add(5).saturating_mul(OVERDUE_MS),
        }
    }

    /// What a seat is for.
    fn role(&self, seat: usize) -> Role {
        if seat < self.people { Role::Contributor } else { Role::Compute }
    }

    /// Contributing seats that are to come.
    fn expected(&self) -> usize {
        self.people.saturating_sub(usize::from(!self.contributes))
    }

    fn options(&self) -> Option<HostOptions> {
        let (plan, policy) = (self.plans.first()?.clone(), self.policy);
        Some(HostOptions { plan, group_min: self.group_min, contribute: self.contributes, policy })
    }
}

/// A question with as many decimals and bytes as chance wants, where the service has such.
fn question(scenario: &Scenario, people: &mut Random) -> Result<Plan, Fault> {
    let decimals = people.below(4).to_string();
    let seconds = people.between(20, 60).to_string();
    // Mostly little: a run is about the order of events, and a megabyte costs as much as fifty rooms.
    let bytes = [1, 1_000, 70_000, if people.chance(3) { 1_000_000 } else { 10_000 }];
    let bytes = bytes.get(people.index(bytes.len())).unwrap_or(&1).to_string();
    let known = find(&scenario.service)?.manifest().params;
    // One of four that add up can be spared, or none of two. Drawn only where it counts: what was found
    // by a seed is found by it still.
    let is_shared = known.iter().any(|param| param.name == "scheme");
    let (scheme, computers) = if is_shared && people.chance(60) { ("shamir", "4") } else { ("additive", "2") };
    let drops = scenario.drops.to_string();
    let drawn = [
        ("decimals", decimals.as_str()),
        ("bytes", bytes.as_str()),
        ("scheme", scheme),
        ("computers", computers),
        ("drops", &drops),
    ];
    let params: Vec<_> = drawn.into_iter().filter(|(name, _)| known.iter().any(|param| param.name == *name)).collect();
    let plan = draft(&scenario.service, "How much?", &params, &seconds)?;
    if scenario.readings == 0 { Ok(plan) } else { series(plan, EVERY_MS, scenario.readings.into()) }
}

impl Seat {
    pub(crate) fn drawn(index: usize, people: &mut Random) -> Self {
        let by_code = people.chance(25);
        Self {
            way: if index == 0 {
                Way::Host
            } else if by_code {
                Way::Code
            } else {
                Way::Link
            },
            seed: people.seed(),
            ledger: BTreeMap::new(),
            devices: Vec::new(),
            ahead_ms: 0,
            travel_ms: people.between(5, 80),
            tries: 0,
            strike: None,
        }
    }
}

impl World {
    /// Somebody does something.
    pub(crate) fn deed(&mut self, deed: Deed) {
        match deed {
            Deed::Start(seat) => self.start(seat),
            Deed::TakePart(device) => self.take_part(device),
            Deed::Submit(device, number) => self.submit(device, number),
            Deed::GiveUp(device) => self.give_up(device),
            Deed::Look => self.look(),
        }
    }

    /// A seat's program starts, if there is a way into the room yet.
    fn start(&mut self, index: usize) {
        self.starting = self.starting.saturating_sub(1);
        let never_came_back = self.scenario.drops > 0 || index >= self.host.people();
        if never_came_back && self.gone.contains(&index) {
            return;
        }
        let Some(way) = self.seats.get(index).map(|seat| seat.way) else { return };
        let Some(room) = self.enter(index, way) else { return self.try_later(index) };
        match room {
            Ok(room) => {
                let device = self.devices.len();
                let ahead_ms = self.seats.get(index).map_or(0, |seat| seat.ahead_ms);
                self.devices.push(Device::new(index, room, way == Way::Host, ahead_ms, self.clock(ahead_ms)));
                if let Some(seat) = self.seats.get_mut(index) {
                    seat.devices.push(device);
                }
                let gives_up = self.now.saturating_add(GIVES_UP_MS);
                self.queue.plan(gives_up, Happening::Deed(Deed::GiveUp(device)));
                self.turn(device);
            }
            Err(fault) => {
                self.report.violations.push(Violation::Refused { seat: index, code: fault.code().as_str() });
            }
        }
    }

    fn enter(&mut self, index: usize, way: Way) -> Option<Result<Room, Fault>> {
        let invite = self.host.invite;
        let opened = invite.map(|(room, _)| room);
        let seat = self.seats.get_mut(index)?;
        let returns = !seat.devices.is_empty();
        if returns && self.scenario.plant == Some(Plant::LedgerForgets) {
            seat.ledger.retain(|_, entry| valued(entry).is_none());
        }
        let (seed, records) = (Secret::new(seat.seed), seat.ledger.values().cloned().collect());
        let policy = self.host.policy;
        match way {
            Way::Host => Some(Room::host(seed, self.host.options()?, records)),
            Way::Link => {
                let (room, secret) = invite?;
                Some(Room::guest(seed, room, Some(Secret::new(secret)), policy, records))
            }
            Way::Code => {
                let room = if returns { opened? } else { self.find(RoomCode::of(&opened?))? };
                Some(Room::guest(seed, room, None, policy, records))
            }
        }
    }

    /// Nobody showed an invite yet, or the relay did not answer.
    fn try_later(&mut self, index: usize) {
        let gone = self.host.gone;
        let Some(seat) = self.seats.get_mut(index) else { return };
        seat.tries += 1;
        if seat.tries < TRIES_MAX && !gone {
            self.start_seat(index, TRY_MS);
        } else {
            self.report.count(FaultCode::NoSuchRoom);
        }
    }

    fn take_part(&mut self, index: usize) {
        let role = self.devices.get(index).map(|device| self.host.role(device.seat));
        let (Some(device), Some(role)) = (self.running(index), role) else { return };
        // A seat that came back has asked already.
        drop(device.room.take_part_as(role, true));
        self.turn(index);
    }

    /// A person who sees no question for minutes, or does not get in, closes the page.
    fn give_up(&mut self, index: usize) {
        let gets_nowhere = |device: &&mut Device| {
            let outside = device.seat != 0 && !device.is_in;
            !device.room.is_over() && (device.asked.is_none() || outside)
        };
        if self.running(index).filter(gets_nowhere).is_some() {
            self.report.gave_up += 1;
            self.end(index, Life::Killed);
        }
    }

    /// Draws a value and gives it. Whoever comes back after a reload may well give another one.
    fn submit(&mut self, index: usize, number: u16) {
        let task = self.running(index).and_then(|device| device.asked.as_ref()).map(|asked| asked.task.clone());
        let Some(text) = task.and_then(|task| self.value(task.as_ref())) else { return };
        let people = self.host.people();
        let Some(device) = self.running(index).filter(|device| device.seat < people) else { return };
        let Some(asked) = device.asked.as_mut().filter(|asked| asked.number == number && !asked.over) else { return };
        match device.room.submit(&text) {
            Ok(()) => asked.given = Some(text),
            // Its value of before the reload is on its way, or the question ended.
            Err(fault) if matches!(fault.code(), FaultCode::RoundSpent | FaultCode::BadCall) => {}
            Err(fault) => {
                let (seat, code) = (device.seat, fault.code().as_str());
                self.report.violations.push(Violation::Refused { seat, code });
            }
        }
        self.turn(index);
    }

    /// A value, or one for each cell.
    fn value(&mut self, task: &dyn Task) -> Option<String> {
        let cells = task.question().cells.len().max(1);
        let values: Option<Vec<_>> = (0..cells).map(|_| self.cell(task)).collect();
        Some(values?.join(";"))
    }

    fn cell(&mut self, task: &dyn Task) -> Option<String> {
        let quantity = task.question().quantity.as_ref()?;
        let span = quantity.max().abs_diff(quantity.min());
        let above = i128::try_from(u128::from(self.people.number()) % span.saturating_add(1)).ok()?;
        Some(quantity.decimal(quantity.min().saturating_add(above)).to_string())
    }

    /// The host looks at its room and does what is next, with whichever of its programs works.
    fn look(&mut self) {
        let newest = self.newest(0);
        self.host.gone = newest.is_none() && self.starting == 0;
        let after = if self.host.gone { LOOK_MS * 10 } else { LOOK_MS };
        if let Some(device) = newest {
            self.lead(device);
        }
        self.queue.plan(self.now.saturating_add(after), Happening::Deed(Deed::Look));
    }

    fn lead(&mut self, index: usize) {
        let (now, expected) = (self.now, self.host.expected());
        let group_min = usize::from(self.host.group_min);
        let Some(device) = self.running(index) else { return };
        if !device.locked {
            let impatient = now >= PATIENCE_MS;
            if now >= PATIENCE_MS.saturating_mul(2) {
                return self.leave(index);
            }
            if device.joined == expected || (impatient && device.joined >= group_min) {
                // A count that no longer fits is taken again at the next look.
                drop(device.room.lock(device.joined));
            }
            return self.turn(index);
        }
        let Some(asked) = &device.asked else { return };
        let (number, over) = (asked.number, asked.over);
        let Some(ended) = asked.ended.filter(|_| !asked.goes_on) else { return };
        let waited = now.saturating_sub(ended);
        if waited >= self.host.pause_ms || (over && waited >= 1_000) {
            self.go_on(index, usize::from(number), waited);
        }
    }

    /// Asks the next question, or leaves after the last.
    fn go_on(&mut self, index: usize, asked: usize, waited: Time) {
        self.host.asked = self.host.asked.max(asked);
        let next = self.host.plans.get(asked).cloned();
        match (next, self.running(index)) {
            (Some(plan), Some(device)) => {
                // It may still be under way, or the room may wait for signatures.
                drop(device.room.ask(plan));
                self.turn(index);
            }
            (None, _) if waited >= SIGNED_MS => self.leave(index),
            _ => {}
        }
    }

    fn leave(&mut self, index: usize) {
        let staying = self.running(index).filter(|device| !device.is_leaving);
        if let Some(device) = staying {
            device.is_leaving = true;
            device.room.leave();
        }
        self.turn(index);
    }

    /// A room told its person something.
    pub(crate) fn told(&mut self, index: usize, notice: &Notice) {
        let Some(device) = self.devices.get_mut(index) else { return };
        device.last_told = format!("{notice:?}");
        match notice {
            Notice::Opened { invite, .. } => {
                if let Ok(Invitation::Link(invite)) = Invitation::from_text(invite) {
                    self.host.invite = Some((invite.room, *invite.secret.expose()));
                }
            }
            Notice::Question { plan, task, .. } => self.asked(index, plan, task),
            Notice::Lobby { joined, .. } => device.joined = *joined,
            Notice::Joined => device.is_in = true,
            Notice::Locked { .. } => {
                device.locked = true;
                // Under a list that replaces another one the wait for signatures begins again.
                device.asked.iter_mut().for_each(|asked| asked.answer_by = None);
            }
            Notice::Ready { remaining_ms, .. } => self.ready(index, *remaining_ms),
            Notice::Result { outcome, included, confirmed, seats, .. } => {
                self.result(index, outcome, *included, (*confirmed, *seats));
            }
            Notice::Fault { fault, .. } => self.fault(index, fault),
            Notice::Sent { .. } => self.go_if_meant_to(index),
            Notice::Progress { .. }
            | Notice::Working { .. }
            | Notice::Closed
            | Notice::Computers { .. }
            | Notice::LeftOut { .. } => {}
        }
    }

    /// The relay has this seat's value: whoever does not want to stay goes now.
    fn go_if_meant_to(&mut self, index: usize) {
        let seat = self.devices.get(index).map(|device| device.seat);
        if seat.is_some_and(|seat| seat > 0 && self.gone.contains(&seat)) {
            self.end(index, Life::Killed);
        }
    }

    fn asked(&mut self, index: usize, plan: &Plan, task: &std::sync::Arc<dyn Task>) {
        let (soon, early) = (self.people.between(100, 3_000), self.people.chance(30));
        let Some(device) = self.devices.get_mut(index) else { return };
        let hash = plan.hash(&device.room.identity().room());
        let (number, task, goes_on) = (plan.number, task.clone(), plan.next_reading().is_some());
        let (given, answer_by, ended) = (None, None, None);
        device.asked = Some(Asked { number, plan: hash, task, given, answer_by, ended, over: false, goes_on });
        let is_guest = device.seat != 0;
        if is_guest && number == 1 {
            self.queue.plan(self.now.saturating_add(soon), Happening::Deed(Deed::TakePart(index)));
        }
        if early {
            let at = self.now.saturating_add(soon.saturating_mul(2));
            self.queue.plan(at, Happening::Deed(Deed::Submit(index, number)));
        }
    }

    /// Everyone has signed: the wait for answers begins, and so does this person's thinking.
    fn ready(&mut self, index: usize, remaining_ms: Time) {
        let think = self.people.between(100, (remaining_ms / 2).min(12_000));
        let now = self.now;
        let Some(asked) = self.devices.get_mut(index).and_then(|device| device.asked.as_mut()) else { return };
        asked.answer_by = Some(now.saturating_add(remaining_ms).saturating_add(GRACE_MS));
        if asked.given.is_none() {
            self.queue.plan(now.saturating_add(think), Happening::Deed(Deed::Submit(index, asked.number)));
        }
    }

    fn result(&mut self, index: usize, outcome: &Outcome, included: usize, (confirmed, seats): (usize, usize)) {
        let (now, more) = (self.now, self.host.overtime_ms());
        let mut shown = outcome.clone();
        if self.scenario.plant == Some(Plant::WrongFigure)
            && let Some(figure) = shown.figures.first_mut()
        {
            figure.value.push('1');
        }
        let Some(device) = self.devices.get_mut(index) else { return };
        self.check.result(device, &shown, included, (confirmed, seats));
        let Some(asked) = &mut device.asked else { return };
        if let Some(by) = asked.answer_by.take().filter(|by| now > by.saturating_add(more)) {
            self.report.violations.push(Violation::TooLate { seat: device.seat, by_ms: now.saturating_sub(by) });
        }
        asked.ended = asked.ended.or(Some(now));
        asked.over |= confirmed == seats;
    }

    fn fault(&mut self, index: usize, fault: &Fault) {
        let (now, more, readings) = (self.now, self.host.overtime_ms(), self.scenario.readings);
        let (left, plans) = (self.host.asked, self.host.plans.len());
        self.report.count(fault.code());
        let Some(device) = self.devices.get_mut(index) else { return };
        let Some(asked) = &mut device.asked else { return };
        // A question is over when the host asks the next; readings its room asks for by itself.
        let number = usize::from(asked.number);
        let went_on = readings > 0 || (number <= left && number < plans);
        let waited_out = fault.code() == FaultCode::Missing && fault.phase() == Phase::Round;
        if let Some(by) = asked.answer_by.take() {
            if now > by.saturating_add(more) {
                self.report.violations.push(Violation::TooLate { seat: device.seat, by_ms: now.saturating_sub(by) });
            } else if waited_out && now < by && !went_on {
                self.report.violations.push(Violation::TooEarly { seat: device.seat, by_ms: by.saturating_sub(now) });
            }
        }
        asked.ended = asked.ended.or(Some(now));
        asked.over = true;
    }
}
