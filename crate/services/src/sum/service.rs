//! The exact sum of what all seats give.

use crate::columns::Columns;
use crate::resilient_sum::{DROPS, drops};
use crate::rows::{DECIMALS, MAX, MIN, ROWS, Rows, UNIT};
use crate::service::{Audience, Input, Manifest, Service, Task};
use undertone_machine::{Fault, FaultCode, Outcome, Phase};
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Sum = Sum;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "sum",
    title: "Sum",
    summary: "The exact sum of everyone's numbers, and nothing else.",
    module: "sums",
    audience: Audience::People,
    method: MethodId::Masks,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[UNIT, DECIMALS, MIN, MAX, ROWS, DROPS],
    outputs: &["sum"],
};

pub(crate) struct Sum;

impl Service for Sum {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Ok(Columns::resilient(Rows::prepare(plan)?, 1, read, figures, drops(plan)?))
    }
}

/// The number of rows was checked and stays here: only the sum is asked for.
pub(crate) fn read(rows: &Rows, texts: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
    let mut input = rows.read(texts)?;
    input.values.expose_mut().truncate(1);
    Ok(input)
}

pub(crate) fn figures(rows: &Rows, sums: &[i128], seats: usize) -> Result<Outcome, Fault> {
    let sum = sums.first().copied().unwrap_or_default();
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
