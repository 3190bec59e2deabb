//! The exact sum of what all seats give.

use crate::masked_sum;
use crate::rows::{PARAMS, Rows};
use crate::service::{Audience, Cost, Input, Manifest, Party, Question, Service, Task};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Machine, Outcome, Phase, Secret};
use undertone_wire::{Plan, limits};

/// The service.
pub(crate) static SERVICE: Sum = Sum;

/// What it says about itself.
const MANIFEST: Manifest = Manifest {
    name: "sum",
    title: "Sum",
    summary: "The exact sum of everyone's numbers, and nothing else.",
    module: "sums",
    audience: Audience::People,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: PARAMS,
    outputs: &["sum"],
};

pub(crate) struct Sum;

impl Service for Sum {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Ok(Box::new(SumTask { rows: Arc::new(Rows::prepare(plan)?) }))
    }
}

struct SumTask {
    rows: Arc<Rows>,
}

impl Task for SumTask {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.read_rows(&mut [text].into_iter())
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let both = self.rows.read(rows)?;
        // The number of rows was checked and stays here: only the sum is asked for.
        Ok(Input { values: Secret::new(both.values.expose().first().copied().into_iter().collect()) })
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let sum = inputs.iter().filter_map(|input| input.values.expose().first()).sum();
        figures(&self.rows, sum, inputs.len())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        Cost { rounds: 1, log_bytes: self.rows.ring.bytes() as u64, pipe_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let rows = self.rows.clone();
        let finish = move |sums: &[i128], seats| figures(&rows, sums.first().copied().unwrap_or_default(), seats);
        masked_sum::machine(party, self.rows.ring, 1, Box::new(finish))
    }
}

fn figures(rows: &Rows, sum: i128, seats: usize) -> Result<Outcome, Fault> {
    if !possible(rows, sum, seats as i128) {
        return Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round));
    }
    Ok(Outcome { figures: vec![rows.sum_figure(sum)] })
}

/// Whether the seats can have given this sum with one number of rows or another.
fn possible(rows: &Rows, sum: i128, seats: i128) -> bool {
    let most = i128::from(rows.question.rows_max).saturating_mul(seats);
    let [low, high] = [rows.quantity.min(), rows.quantity.max()].map(|bound| [seats, most].map(|count| bound.saturating_mul(count)));
    low.iter().min().is_some_and(|low| *low <= sum) && high.iter().max().is_some_and(|high| sum <= *high)
}
