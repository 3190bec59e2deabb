//! The exact sum and number of rows of all seats, and the mean they give.

use crate::masked_sum;
use crate::rows::{PARAMS, Rows};
use crate::service::{Audience, Cost, Input, Manifest, Party, Question, Service, Task};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Figure, Machine, Outcome, Phase};
use undertone_wire::{Plan, limits};

/// The service.
pub(crate) static SERVICE: Mean = Mean;

/// What it says about itself.
const MANIFEST: Manifest = Manifest {
    name: "mean",
    title: "Average",
    summary: "The exact sum and number of everyone's rows, and their average.",
    module: "sums",
    audience: Audience::People,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: PARAMS,
    outputs: &["sum", "count", "mean"],
};

/// Decimals of a mean beyond the declared ones.
const MORE_DECIMALS: u8 = 2;

pub(crate) struct Mean;

impl Service for Mean {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Ok(Box::new(MeanTask { rows: Arc::new(Rows::prepare(plan)?) }))
    }
}

struct MeanTask {
    rows: Arc<Rows>,
}

impl Task for MeanTask {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.rows.read(&mut [text].into_iter())
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        self.rows.read(rows)
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let column = |k: usize| inputs.iter().filter_map(|input| input.values.expose().get(k)).sum::<i128>();
        figures(&self.rows, &[column(0), column(1)], inputs.len())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        Cost { rounds: 1, log_bytes: 2 * self.rows.ring.bytes() as u64, pipe_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let rows = self.rows.clone();
        masked_sum::machine(party, self.rows.ring, 2, Box::new(move |sums, seats| figures(&rows, sums, seats)))
    }
}

fn figures(rows: &Rows, sums: &[i128], seats: usize) -> Result<Outcome, Fault> {
    let out_of_range = || Fault::new(FaultCode::SumOutOfRange).at(Phase::Round);
    let &[sum, count] = sums else { return Err(out_of_range()) };
    let seats = seats as i128;
    let counts = seats..=i128::from(rows.question.rows_max).saturating_mul(seats);
    if !counts.contains(&count) || !rows.allows(sum, count) {
        return Err(out_of_range());
    }
    let total = rows.quantity.decimal(sum);
    let (mean, rounded) = total.divide(count, MORE_DECIMALS).ok_or_else(out_of_range)?;
    let mean = mean.trimmed(rows.quantity.decimals());
    let unit = rows.quantity.unit();
    Ok(Outcome {
        figures: vec![
            Figure::new("sum", total.to_string(), unit),
            Figure::new("count", count.to_string(), ""),
            Figure { rounded, ..Figure::new("mean", mean.to_string(), unit) },
        ],
    })
}
