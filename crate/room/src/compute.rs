//! Rooms in which a few seats add up for the others, who may go once they have answered: whom such a
//! room waits for, which sums it opens, and what ends its questions.
//!
//! Builds without a service of that kind hold none of this: [`Room::computers`] is 0 there.

use crate::Notice;
use crate::facts::Joined;
use crate::room::Room;
use crate::roster::Member;
use crate::timer::Waiting;
use undertone_machine::{Fault, FaultCode, LeftOut, Phase, Role, Seat};
use undertone_services::{GOES_ON_WITHOUT, HOLDS_SHARES};
use undertone_wire::{Author, Hash, Listed};

/// How long those who add up have for each step that does not wait for people.
const OVERDUE_MS: u64 = 5_000;

/// What a room remembers of those who add up.
#[derive(Default)]
pub(crate) struct Compute {
    /// Sums that this device took part in opening, or saw: of which question, under which plan, of whom.
    opened: Vec<Opened>,
    /// The time to answer the current question is over.
    pub(crate) is_late: bool,
}

/// Whose values a sum is of.
struct Opened {
    question: String,
    plan: Hash,
    seats: Vec<Seat>,
}

impl Room {
    /// Seats that add up in the question in force; 0 where everyone does.
    pub(crate) fn computers(&self) -> usize {
        self.task().filter(|_| HOLDS_SHARES).map_or(0, |task| task.computers())
    }

    /// What a host is for who gives no value: it adds up, if somebody has to.
    pub(crate) fn idle_role(computers: usize) -> Role {
        if HOLDS_SHARES && computers > 0 { Role::Compute } else { Role::Researcher }
    }

    /// Guest: offers to add up for the others, without giving a value. `small_group` is the person's
    /// consent to a group of three or four.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] as [`take_part`](Self::take_part), or if nobody adds up for others here.
    pub fn take_part_as(&mut self, role: Role, small_group: bool) -> Result<(), Fault> {
        let fits = role == Role::Contributor || (role == Role::Compute && self.computers() > 0);
        if fits { self.ask_for_seat(role, small_group) } else { Err(Fault::new(FaultCode::BadCall)) }
    }

    /// Whether this device and all who add up signed the same: then it does not matter who else did.
    pub(crate) fn computers_agree(&self) -> bool {
        let (Some(roster), Some((own, agreement))) = (&self.roster, self.own_ack) else { return false };
        let Some(acks) = self.facts.acks.get(&agreement).filter(|_| self.computers() > 0) else { return false };
        let needed = |member: &&Member| member.role == Role::Compute || member.author == self.identity.author();
        roster.members.iter().filter(needed).all(|member| acks.get(&member.author) == Some(&own))
    }

    /// Whether as many seats add up as the question says.
    ///
    /// # Errors
    /// [`FaultCode::BadPlan`].
    pub(crate) fn check_computers(&self) -> Result<(), Fault> {
        let (Some(roster), wanted) = (&self.roster, self.computers()) else { return Ok(()) };
        let there = roster.members.iter().filter(|member| member.role == Role::Compute).count();
        if wanted == 0 || there == wanted {
            return Ok(());
        }
        let message = format!("This question takes {wanted} seats that add up; the list has {there}.");
        Err(Fault::new(FaultCode::BadPlan).at(Phase::Acknowledge).in_field("computers").saying(message))
    }

    /// Host: whether a request for a seat is listed, if these were chosen to add up; none were if all
    /// who offered are wanted.
    pub(crate) fn is_chosen(&self, author: &Author, joined: &Joined, chosen: &[Author]) -> bool {
        let adds = joined.join.role == Role::Compute && self.computers() > 0;
        !adds || chosen.is_empty() || chosen.contains(author) || *author == self.identity.author()
    }

    /// How many of these seats add up.
    pub(crate) fn adding(&self, seats: &[Listed]) -> usize {
        let role = |seat: &Listed| self.facts.joins.get(&seat.author).map(|joined| joined.join.role);
        seats.iter().filter(|seat| role(seat) == Some(Role::Compute)).count()
    }

    /// Host: whether a list of so many who add up can be closed.
    ///
    /// # Errors
    /// [`FaultCode::HeadCount`] naming how many are wanted.
    pub(crate) fn check_offered(&self, offered: usize) -> Result<(), Fault> {
        let wanted = self.computers();
        if wanted == 0 || offered == wanted {
            return Ok(());
        }
        let message = if offered < wanted {
            format!("{offered} of the {wanted} seats that add up have joined.")
        } else {
            format!("{offered} seats offer to add up: choose {wanted} of them.")
        };
        Err(Fault::new(FaultCode::HeadCount).in_field("computers").saying(message))
    }

    /// Tells who offers to add up.
    pub(crate) fn tell_computers(&mut self) {
        let wanted = self.computers();
        if wanted == 0 {
            return;
        }
        let offers = |(author, joined): (&Author, &Joined)| (joined.join.role == Role::Compute).then_some(*author);
        let offered = self.facts.joins.iter().filter_map(offers).collect();
        self.tell(Notice::Computers { offered, wanted });
    }

    /// The time to answer is over. `true` if the question goes on without those who are missing.
    pub(crate) fn is_overdue(&mut self) -> Result<bool, Fault> {
        if self.computers() == 0 && !self.spares() {
            return Ok(false);
        }
        // Whoever gave nothing can still look on.
        self.compute.is_late = true;
        self.start_run()?;
        let Some(run) = &mut self.run else { return Ok(false) };
        match run.overdue() {
            Ok(false) => return Ok(false),
            Ok(true) => self.timer.start(Waiting::Answers, OVERDUE_MS),
            Err(fault) => {
                self.end_question(fault);
                return Ok(true);
            }
        }
        self.progress()?;
        Ok(true)
    }

    /// An observer has read everything: whoever is missing stays so.
    pub(crate) fn do_without_missing(&mut self) {
        let waits = |room: &Self| room.run.as_ref().is_some_and(|run| run.outcome.is_none());
        while waits(self) && self.is_overdue().is_ok_and(|goes_on| goes_on) {}
        self.actions.clear();
    }

    /// Why the sum that was agreed on must not be opened. Every device asks this for itself, and those who
    /// add up before they say anything of the sum.
    pub(crate) fn refuses_to_open(&self) -> Option<Fault> {
        let goes_on = self.computers() > 0 || self.spares();
        let (Some(run), Some((open, _)), true) = (&self.run, self.facts.open, goes_on) else {
            return None;
        };
        let (included, floor) = (run.agreed_set()?, open.policy.group_min.max(self.policy.floor()));
        let few = self.policy.check_group(open.policy, included.len());
        let refused = few.and_then(|()| self.keep_apart(&included, floor));
        refused.err().map(|fault| fault.at(Phase::Round))
    }

    /// Whether a sum of everybody differs by enough people from earlier ones of the same question, from which
    /// some were left out.
    ///
    /// # Errors
    /// [`FaultCode::GroupTooSmall`].
    pub(crate) fn check_apart(&self) -> Result<(), Fault> {
        let everyone = GOES_ON_WITHOUT && self.computers() == 0 && !self.spares();
        let (Some((open, _)), true) = (self.facts.open, everyone) else { return Ok(()) };
        self.keep_apart(&self.contributing(), open.policy.group_min.max(self.policy.floor()))
    }

    fn keep_apart(&self, included: &[Seat], floor: u16) -> Result<(), Fault> {
        // Of whatever can be told apart, three are honest.
        let floor = self.colluders().map_or(0, |t| t.saturating_add(3)).max(floor.into());
        if self.is_apart(included, floor) {
            return Ok(());
        }
        let message = "Too few people differ from an earlier sum of this question, so this one is not opened.";
        Err(Fault::new(FaultCode::GroupTooSmall).at(Phase::Acknowledge).saying(message))
    }

    fn contributing(&self) -> Vec<Seat> {
        let seats = self.roster.iter().flat_map(crate::Roster::seats);
        seats.filter(|(_, member)| member.role.contributes()).map(|(seat, _)| seat).collect()
    }

    /// Whether whatever can be told apart by this sum and the earlier ones of the same question is a group
    /// of that size: differences of sums are sums too.
    fn is_apart(&self, included: &[Seat], floor: usize) -> bool {
        let Some(asked) = &self.facts.asked else { return false };
        let same = |opened: &&Opened| opened.question == asked.plan.question && opened.plan != asked.hash;
        let sets = self.compute.opened.iter().filter(same).map(|opened| opened.seats.as_slice());
        let sets: Vec<&[Seat]> = sets.chain([included]).collect();
        let mut groups: Vec<(Vec<bool>, usize)> = Vec::new();
        let seats = self.roster.iter().flat_map(|roster| roster.seats().map(|(seat, _)| seat));
        for seat in seats {
            let within: Vec<bool> = sets.iter().map(|set| set.contains(&seat)).collect();
            match groups.iter_mut().find(|(other, _)| *other == within) {
                Some((_, count)) => *count = count.saturating_add(1),
                None => groups.push((within, 1)),
            }
        }
        groups.iter().all(|(within, count)| !within.contains(&true) || *count >= floor)
    }

    /// Remembers whose sum may be out: those who were agreed on, or where nobody can be left out, everyone.
    pub(crate) fn remember_opened(&mut self) {
        let (Some(asked), Some(run), true) = (&self.facts.asked, &self.run, GOES_ON_WITHOUT) else { return };
        let everyone = || (self.computers() == 0 && !self.spares()).then(|| self.contributing());
        let Some(seats) = run.agreed_set().or_else(everyone) else { return };
        if self.compute.opened.iter().all(|opened| opened.plan != asked.hash) {
            let question = asked.plan.question.clone();
            self.compute.opened.push(Opened { question, plan: asked.hash, seats });
        }
    }

    /// Whether a seat is one of those whose signatures on the result are waited for.
    pub(crate) fn is_confirming(&self, seat: Seat) -> bool {
        if self.computers() == 0 {
            let said = |roster: &crate::Roster| roster.member(seat).is_some_and(|it| self.has_said_set(&it.author));
            return !self.spares() || self.roster.as_ref().is_some_and(said);
        }
        let role = self.roster.as_ref().and_then(|roster| roster.member(seat)).map(|member| member.role);
        let LeftOut { wrong, missing } = self.run.as_ref().map(crate::run::Run::left_out).unwrap_or_default();
        role == Some(Role::Compute) && !wrong.contains(&seat) && !missing.contains(&seat)
    }

    /// Tells, once, without whom the result came about.
    pub(crate) fn tell_left_out(&mut self) {
        let goes_on = self.computers() > 0 || self.spares();
        let Some(run) = self.run.as_ref().filter(|_| goes_on && self.told.confirmed.is_none()) else { return };
        let LeftOut { wrong, missing } = run.left_out();
        if !wrong.is_empty() || !missing.is_empty() {
            self.tell(Notice::LeftOut { wrong, missing });
        }
    }
}
