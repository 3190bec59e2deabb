//! Readings of a series: the host asks for the next when it is due, whatever became of the one before.

use crate::room::{Room, Stage};
use crate::timer::{LOBBY_MS, Waiting};
use undertone_machine::Fault;
use undertone_wire::{Codec, EntryKind, Plan, Series};

impl Room {
    /// The series of the question in force, while it has further readings.
    fn series(&self) -> Option<Series> {
        let series = self.facts.asked.as_ref()?.plan.series;
        series.filter(|series| series.index < series.count)
    }

    /// Host: sets when the next reading is due, unless that is known. The beat begins once everyone has
    /// acknowledged the first, because gathering people takes its time; a host that comes back takes it
    /// up from then.
    pub(crate) fn schedule_reading(&mut self) {
        let begun = self.facts.asked.as_ref().is_some_and(|asked| !asked.plan.is_new());
        match self.series().filter(|_| self.is_host) {
            Some(series) if begun || self.stage != Stage::Agreeing => self.timer.schedule(series.every_ms),
            // The first reading of a new series does not keep the beat of an old one.
            _ => self.timer.unschedule(),
        }
    }

    /// Host: asks for the next reading if it is due. One that is still open is a gap once the log says so, for
    /// the host as for all: until then what is missing may come.
    pub(crate) fn read_on(&mut self) -> Result<(), Fault> {
        let Some(series) = self.series().filter(|_| self.is_host) else { return Ok(()) };
        // Its own computing is no gap, and has an end.
        if self.is_finishing() {
            return Ok(());
        }
        let due = self.timer.is_reading_due(series.every_ms);
        // A relay that is away has not shown the last one yet.
        if !due || self.outbox.has_said(EntryKind::Plan, &self.place()) {
            return Ok(());
        }
        let next = self.facts.asked.as_ref().and_then(|asked| asked.plan.next_reading());
        let Some(next) = next else { return Ok(()) };
        let plan = Plan { fresh_keys: self.lacks_keys(&next)?, ..next };
        self.say(self.place(), EntryKind::Plan, plan.to_bytes())
    }

    /// A question is over: nothing is awaited but, in a series, the next reading, as long as a relay
    /// keeps a room in which nothing is said.
    pub(crate) fn rest(&mut self) {
        match self.series() {
            Some(series) => self.timer.start(Waiting::Reading, series.every_ms.saturating_add(LOBBY_MS)),
            None => self.timer.stop(),
        }
    }
}
