//! What a run came to.

use crate::Scenario;
use core::fmt;
use std::collections::BTreeMap;
use undertone_machine::FaultCode;
use undertone_prim::Hash;

/// A promise that was not kept. Seats are numbered as in the scenario, the host first.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// A seat was shown something else than the answer on plain numbers.
    WrongResult {
        /// Who saw it.
        seat: usize,
        /// What it saw.
        shown: String,
        /// What is right.
        right: String,
    },
    /// Two seats hold different results that everyone signed.
    ResultsDiffer {
        /// The later of the two.
        seat: usize,
    },
    /// A masked value left before its device saw acknowledgements of all seats.
    MaskedTooSoon {
        /// Whose it is.
        seat: usize,
        /// Acknowledgements seen.
        seen: usize,
        /// Seats on the list.
        of: usize,
    },
    /// Two different entries left for one place.
    SaidTwice {
        /// Who said it.
        seat: usize,
        /// What both are.
        kind: &'static str,
    },
    /// An entry that the relay acknowledged is not in its store.
    Lost {
        /// Who wrote it.
        seat: usize,
        /// The author's count of it.
        sequence: u32,
    },
    /// A seat ended in neither a result nor a fault.
    Hangs {
        /// Which.
        seat: usize,
        /// What it was last told.
        after: String,
    },
    /// A question went on beyond its time.
    TooLate {
        /// Where.
        seat: usize,
        /// By how many milliseconds.
        by_ms: u64,
    },
    /// A question was given up before its time.
    TooEarly {
        /// Where.
        seat: usize,
        /// By how many milliseconds.
        by_ms: u64,
    },
    /// More happened than ever should.
    Endless,
    /// A call that must work did not.
    Refused {
        /// Who called.
        seat: usize,
        /// What came of it.
        code: &'static str,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongResult { seat, shown, right } => write!(f, "seat {seat} was shown {shown}, right is {right}"),
            Self::ResultsDiffer { seat } => write!(f, "seat {seat} holds another signed result than others"),
            Self::MaskedTooSoon { seat, seen, of } => {
                write!(f, "seat {seat} sent its masked value after {seen} of {of} acknowledgements")
            }
            Self::SaidTwice { seat, kind } => {
                write!(f, "seat {seat} sent two different entries ({kind}) for one place")
            }
            Self::Lost { seat, sequence } => write!(f, "entry {sequence} of seat {seat} was acknowledged and is lost"),
            Self::Hangs { seat, after } => write!(f, "seat {seat} hangs after {after}"),
            Self::TooLate { seat, by_ms } => write!(f, "seat {seat} waited {by_ms} ms too long for answers"),
            Self::TooEarly { seat, by_ms } => write!(f, "seat {seat} gave up waiting for answers {by_ms} ms too early"),
            Self::Endless => f.write_str("too many events"),
            Self::Refused { seat, code } => write!(f, "a call of seat {seat} was refused with {code}"),
        }
    }
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was run.
    pub scenario: Scenario,
    /// Hash over everything that happened: the same scenario has the same.
    pub trace: Hash,
    /// How many things happened.
    pub events: u64,
    /// How long it took, on the virtual clock.
    pub virtual_ms: u64,
    /// Questions that were asked.
    pub questions: usize,
    /// For each question and seat that was shown a result, how many seats had signed it in the end.
    pub results: Vec<Signed>,
    /// Faults that seats were told, by code.
    pub faults: BTreeMap<&'static str, usize>,
    /// People who closed a page that for minutes showed no question, or did not let them in, and told
    /// them no fault either.
    pub gave_up: usize,
    /// Promises that were not kept: none, or there is a bug.
    pub violations: Vec<Violation>,
}

/// A result that a seat was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signed {
    /// Number of the question.
    pub question: u16,
    /// Who saw it.
    pub seat: usize,
    /// Seats that signed it.
    pub confirmed: usize,
    /// All seats of the room.
    pub of: usize,
}

impl Report {
    /// Whether anyone got a result.
    #[must_use]
    pub const fn has_result(&self) -> bool {
        !self.results.is_empty()
    }

    pub(crate) fn count(&mut self, code: FaultCode) {
        *self.faults.entry(code.as_str()).or_default() += 1;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trace: String = self.trace.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let Scenario { service, seats, seed, troubles, .. } = &self.scenario;
        writeln!(f, "seed {seed}: {service}, {seats} seats, faults: {troubles}")?;
        writeln!(f, "{} events in {} virtual ms, trace {trace}", self.events, self.virtual_ms)?;
        let signed = self.results.iter().filter(|result| result.confirmed == result.of).count();
        writeln!(f, "{} results shown, {signed} of them signed by all", self.results.len())?;
        write_counts(f, &self.faults)?;
        if self.gave_up > 0 {
            writeln!(f, "{} people got nowhere and gave up", self.gave_up)?;
        }
        for violation in &self.violations {
            writeln!(f, "BROKEN: {violation}")?;
        }
        if self.violations.is_empty() { Ok(()) } else { writeln!(f, "again: {}", self.scenario.command()) }
    }
}

/// Counts over many runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Runs.
    pub runs: usize,
    /// Runs in which someone got a result.
    pub with_result: usize,
    /// Results shown, over all seats and questions.
    pub results: usize,
    /// Faults told, by code.
    pub faults: BTreeMap<&'static str, usize>,
    /// Runs in which people got nowhere, without a fault, and gave up, each with the command that shows
    /// it again.
    pub gave_up: Vec<String>,
    /// All events.
    pub events: u64,
    /// Runs with a broken promise, each with the command that shows it again.
    pub broken: Vec<String>,
}

impl Tally {
    /// Adds a run.
    pub fn add(&mut self, report: &Report) {
        self.runs += 1;
        self.with_result += usize::from(report.has_result());
        self.results += report.results.len();
        if report.gave_up > 0 {
            self.gave_up.push(report.scenario.command());
        }
        self.events = self.events.saturating_add(report.events);
        report.faults.iter().for_each(|(code, count)| *self.faults.entry(code).or_default() += count);
        if let Some(violation) = report.violations.first() {
            self.broken.push(format!("{}  # {violation}", report.scenario.command()));
        }
    }
}

impl core::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |mut all, part| {
            all.runs += part.runs;
            all.with_result += part.with_result;
            all.results += part.results;
            all.gave_up.extend(part.gave_up);
            all.events = all.events.saturating_add(part.events);
            part.faults.iter().for_each(|(code, count)| *all.faults.entry(code).or_default() += count);
            all.broken.extend(part.broken);
            all
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, with_result, results, gave_up, events, .. } = self;
        writeln!(f, "{runs} runs, {with_result} with a result, {results} results shown, {events} events")?;
        write_counts(f, &self.faults)?;
        gave_up.iter().try_for_each(|line| writeln!(f, "people got nowhere and gave up: {line}"))?;
        self.broken.iter().try_for_each(|line| writeln!(f, "BROKEN: {line}"))
    }
}

fn write_counts(f: &mut fmt::Formatter<'_>, faults: &BTreeMap<&'static str, usize>) -> fmt::Result {
    let counts: Vec<_> = faults.iter().map(|(code, count)| format!("{code} {count}")).collect();
    writeln!(f, "faults told: {}", if counts.is_empty() { "none".to_owned() } else { counts.join(", ") })
}
