//! Running steps one after the other: a header, the time, and the table at the end.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// What a step that did not fail has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Done {
    /// It did its work.
    Ran,
    /// Its inputs are those of the last good run, so there was nothing to do.
    Unchanged,
    /// It cannot run here; why.
    Skipped(String),
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Without a failure.
    Done(Done),
    /// It failed; why.
    Failed(String),
}

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The step's name.
    pub(crate) name: &'static str,
    /// How long it took.
    pub(crate) took: Duration,
    /// How it ended.
    pub(crate) verdict: Verdict,
}

/// The steps so far.
#[derive(Debug)]
pub(crate) struct Report {
    started: Instant,
    rows: Vec<Row>,
}

impl Report {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), rows: Vec::new() }
    }

    /// Runs a step that the next ones need.
    ///
    /// # Errors
    /// The step's own.
    pub(crate) fn must(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<Done, Failure>,
    ) -> Result<(), Failure> {
        match self.run(name, step) {
            Verdict::Done(_) => Ok(()),
            Verdict::Failed(why) => Err(Failure::new(format!("{name}: {why}"))),
        }
    }

    /// Runs a step and notes how it ended.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<Done, Failure>) -> Verdict {
        println!("\n=== {name}");
        let started = Instant::now();
        let verdict = match step() {
            Ok(done) => Verdict::Done(done),
            Err(failure) => Verdict::Failed(failure.message),
        };
        let took = started.elapsed();
        println!("=== {name}: {} in {}", verdict.line(), seconds(took));
        self.note(name, took, verdict.clone());
        verdict
    }

    /// Notes a step that was not started.
    pub(crate) fn note(&mut self, name: &'static str, took: Duration, verdict: Verdict) {
        self.rows.push(Row { name, took, verdict });
    }

    /// How the step of this name ended, if it was run.
    pub(crate) fn verdict(&self, name: &str) -> Option<&Verdict> {
        let row = self.rows.iter().find(|row| row.name == name)?;
        Some(&row.verdict)
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The table, with the total.
    pub(crate) fn table(&self) -> String {
        let mut lines = vec![format!("{:<20} {:>9}  result", "step", "time")];
        lines.extend(self.rows.iter().map(|row| {
            let time = seconds(row.took);
            format!("{:<20} {time:>9}  {}", row.name, row.verdict.line())
        }));
        lines.push(format!("{:<20} {:>9}", "total", seconds(self.elapsed())));
        lines.join("\n")
    }

    /// How many steps ended how.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for row in &self.rows {
            match row.verdict {
                Verdict::Done(Done::Skipped(_)) => tally.skipped += 1,
                Verdict::Done(_) => tally.passed += 1,
                Verdict::Failed(_) => tally.failed += 1,
            }
        }
        tally
    }
}

/// Steps counted by how they ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Steps that did their work or found it done.
    pub(crate) passed: usize,
    /// Steps that failed, or could not start because one they need failed.
    pub(crate) failed: usize,
    /// Steps that cannot run on this machine.
    pub(crate) skipped: usize,
}

impl Tally {
    /// `12 passed, 0 failed`; skipped ones are named only if there are any.
    pub(crate) fn line(&self) -> String {
        let line = format!("{} passed, {} failed", self.passed, self.failed);
        match self.skipped {
            0 => line,
            skipped => format!("{line}, {skipped} SKIPPED"),
        }
    }
}

impl Verdict {
    fn line(&self) -> String {
        match self {
            Self::Done(Done::Ran) => "ok".into(),
            Self::Done(Done::Unchanged) => "ok, unchanged".into(),
            Self::Done(Done::Skipped(why)) => format!("SKIPPED: {why}"),
            Self::Failed(why) => format!("FAILED: {why}"),
        }
    }
}

/// `75.3 s`.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_noted_and_counted() {
        let mut report = Report::start();
        report.run("a", || Ok(Done::Ran));
        report.run("b", || Ok(Done::Unchanged));
        report.run("c", || Err(Failure::new("no")));
        report.run("d", || Ok(Done::Skipped("not here".into())));
        assert_eq!(report.tally().line(), "2 passed, 1 failed, 1 SKIPPED");
        assert_eq!(report.verdict("c"), Some(&Verdict::Failed("no".into())));
        assert_eq!(report.verdict("e"), None);
        let table = report.table();
        assert!(table.contains("FAILED: no") && table.contains("SKIPPED: not here"));
    }

    #[test]
    fn must_stops_at_a_failure() {
        let mut report = Report::start();
        assert!(report.must("a", || Ok(Done::Unchanged)).is_ok());
        let failure = report.must("b", || Err(Failure::new("no"))).unwrap_err();
        assert_eq!(failure.message, "b: no");
    }
}
