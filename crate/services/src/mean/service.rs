//! The exact sum and number of rows of all seats, and the mean they give.

use crate::columns::Columns;
use crate::resilient_sum::{DROPS, drops};
use crate::rows::{DECIMALS, MAX, MIN, ROWS, Rows, UNIT};
use crate::service::{Audience, Manifest, Service, Task};
use undertone_machine::{Fault, FaultCode, Figure, Outcome, Phase};
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Mean = Mean;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "mean",
    title: "Average",
    summary: "The exact sum and number of everyone's rows, and their average.",
    module: "sums",
    audience: Audience::People,
    method: MethodId::Masks,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[UNIT, DECIMALS, MIN, MAX, ROWS, DROPS],
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
        Ok(Columns::resilient(Rows::prepare(plan)?, 2, Rows::read, figures, drops(plan)?))
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
