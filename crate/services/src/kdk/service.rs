//! The exact sum by the protocol of the paper, single-round KDK.

use crate::rows::{DECIMALS, MAX, MIN, Rows, UNIT};
use crate::service::{Audience, Cost, Input, Manifest, Party, Question, Service, Task};
use crate::{bad_plan, group_sum};
use std::sync::Arc;
use undertone_machine::{Fault, Machine, Outcome};
use undertone_prim::dlog::WIDTH_MAX;
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Kdk = Kdk;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "kdk",
    title: "Sum in a group",
    summary: "The exact sum, hidden in the exponents of a group: the protocol of the paper, for teaching.",
    module: "groups",
    audience: Audience::People,
    method: MethodId::Kdk,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[UNIT, DECIMALS, MIN, MAX],
    outputs: &["sum"],
};

/// Steps between the lowest and the highest value: sums of as many seats as a room may have stay
/// within what is searched.
const STEPS_MAX: u64 = WIDTH_MAX / limits::SEATS_MAX as u64;

pub(crate) struct Kdk;

impl Service for Kdk {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        let rows = Rows::of(plan, 1)?;
        let width = rows.quantity.max().checked_sub(rows.quantity.min()).and_then(|width| u64::try_from(width).ok());
        let width = width.filter(|width| *width <= STEPS_MAX).ok_or_else(|| {
            bad_plan("max", format!("At most {STEPS_MAX} steps between lowest and highest value for this kind of sum."))
        })?;
        Ok(Box::new(KdkTask { rows: Arc::new(rows), width }))
    }
}

struct KdkTask {
    rows: Arc<Rows>,
    /// Steps between the lowest and the highest value.
    width: u64,
}

impl Task for KdkTask {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.read_rows(&mut [text].into_iter())
    }

    /// Reads the value as steps above the lowest: exponents are never negative.
    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let mut input = self.rows.read(rows)?;
        let values = input.values.expose_mut();
        values.truncate(1);
        values.iter_mut().for_each(|value| *value = value.wrapping_sub(self.rows.quantity.min()));
        Ok(input)
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        Ok(figures(&self.rows, inputs.iter().filter_map(|input| input.values.expose().first()).sum(), inputs.len()))
    }

    fn cost(&self, _contributors: usize) -> Cost {
        Cost { rounds: 1, log_bytes: group_sum::MESSAGE_BYTES, pipe_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let rows = self.rows.clone();
        group_sum::machine(party, self.width, Box::new(move |steps, seats| figures(&rows, steps.into(), seats)))
    }
}

/// The figures of a sum of steps, which was looked for in its range only.
fn figures(rows: &Rows, steps: i128, seats: usize) -> Outcome {
    let lowest = rows.quantity.min().saturating_mul(seats as i128);
    Outcome { figures: vec![rows.sum_figure(lowest.saturating_add(steps))] }
}
