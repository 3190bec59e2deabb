//! The exact sum of what people give who need not stay: each cuts its numbers into shares for a few
//! seats that add up.

use crate::bad_plan;
use crate::cells::{self, CELLS};
use crate::columns::{Columns, Figures, Read};
use crate::rows::{DECIMALS, MAX, MIN, Rows, UNIT, param};
use crate::service::{Audience, Cost, Input, Manifest, Param, ParamKind, Party, Question, Service, Task};
use crate::shared_sum::{self, Scheme, Terms};
use crate::sum;
use std::ops::RangeInclusive;
use std::sync::Arc;
use undertone_machine::{Fault, Figure, Machine, Outcome};
use undertone_prim::shares::COMPUTERS_MAX;
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Shares = Shares;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "shares",
    title: "Sum by shares",
    summary: "The exact sum of everyone's numbers; whoever has answered may go, and a few seats add up.",
    module: "shares",
    audience: Audience::People,
    method: MethodId::Masks,
    seats_min: 2,
    seats_max: limits::SEATS_MAX - COMPUTERS_MAX,
    params: &[CELLS, UNIT, DECIMALS, MIN, MAX, COMPUTERS, SCHEME, THRESHOLD],
    outputs: &["sum", "people"],
};

/// How many seats add up.
const COMPUTERS: Param = Param::new("computers", "Seats that add up", "3", ParamKind::Whole);
/// How values are cut.
const SCHEME: Param =
    Param::new("scheme", "How numbers are cut", "additive", ParamKind::Text).hint("additive or shamir").rare();
/// How many of them open the sum.
const THRESHOLD: Param = Param::new("threshold", "Seats that are enough", "2", ParamKind::Whole)
    .hint("With shamir: so many seats give the sum, and so many could read a number")
    .rare();

pub(crate) struct Shares;

impl Service for Shares {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        let (rows, columns) = (cells::rows(plan)?, shape(plan));
        let computers = whole(plan, &COMPUTERS, 2..=COMPUTERS_MAX)?;
        let scheme = match param(plan, &SCHEME) {
            "additive" => Scheme::Additive(rows.ring),
            "shamir" => Scheme::Shamir(whole(plan, &THRESHOLD, 2..=computers)?),
            _ => return Err(bad_plan(SCHEME.name, "Numbers are cut as additive or as shamir.".into())),
        };
        let length = rows.question.cells.len().max(1);
        let terms = Terms { scheme, computers, length };
        let oracle = Columns::task(cells::rows(plan)?, length, columns.read, columns.figures);
        Ok(Box::new(SharesTask { plain: oracle, rows: Arc::new(rows), figures: columns.figures, terms }))
    }
}

/// How an input is read, and what its sums are.
struct Shape {
    read: Read,
    figures: Figures,
}

/// One number, or one for each cell.
fn shape(plan: &Plan) -> Shape {
    match param(plan, &CELLS) {
        "" => Shape { read: sum::read, figures: sum::figures },
        _ => Shape { read: cells::read, figures: cells::figures },
    }
}

/// A whole number within bounds.
fn whole(plan: &Plan, known: &'static Param, bounds: RangeInclusive<usize>) -> Result<usize, Fault> {
    let number = param(plan, known).parse().ok().filter(|number| bounds.contains(number));
    let message = || format!("{}: a whole number from {} to {}.", known.title, bounds.start(), bounds.end());
    number.ok_or_else(|| bad_plan(known.name, message()))
}

struct SharesTask {
    /// The same question asked of everyone under masks: how it is read and what comes out do not differ.
    plain: Box<dyn Task>,
    rows: Arc<Rows>,
    figures: Figures,
    terms: Terms,
}

impl Task for SharesTask {
    fn question(&self) -> &Question {
        self.plain.question()
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.plain.read(text)
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        self.plain.read_rows(rows)
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        self.plain.oracle(inputs).map(|outcome| with_people(outcome, inputs.len()))
    }

    fn computers(&self) -> usize {
        self.terms.computers
    }

    fn cost(&self, contributors: usize) -> Cost {
        Cost {
            rounds: 5,
            log_bytes: self.terms.deal_bytes() as u64,
            deal_bytes: 0,
            pipe_bytes: 0,
            compute_bytes: self.terms.compute_bytes(contributors) as u64,
        }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let (rows, figures) = (self.rows.clone(), self.figures);
        let finish = move |sums: &[i128], people| figures(&rows, sums, people).map(|it| with_people(it, people));
        shared_sum::machine(&party, self.terms, Box::new(finish))
    }
}

/// The figures, and of how many people they are: some may have been left out.
fn with_people(mut outcome: Outcome, people: usize) -> Outcome {
    outcome.figures.push(Figure::new("people", people.to_string(), ""));
    outcome
}
