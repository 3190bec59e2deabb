//! The exact sum by the protocol of the paper, single-round KDK.

use crate::rows::{PARAMS, Rows};
use crate::service::{Audience, Cost, Input, Manifest, Party, Question, Service, Task};
use crate::{bad_plan, group_sum};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Figure, Machine, Outcome, Phase, Secret};
use undertone_math::Quantity;
use undertone_prim::dlog::WIDTH_MAX;
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Kdk = Kdk;

/// What it says about itself.
const MANIFEST: Manifest = Manifest {
    name: "kdk",
    title: "Sum in a group",
    summary: "The exact sum, hidden in the exponents of a group: the protocol of the paper, for teaching.",
    module: "sums",
    audience: Audience::People,
    method: MethodId::Kdk,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    // One value of one quantity: no rows.
    params: PARAMS.split_at(4).0,
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
        let Rows { question, quantity, .. } = Rows::prepare(plan)?;
        let width = quantity.max().checked_sub(quantity.min()).and_then(|width| u64::try_from(width).ok());
        let width = width.filter(|width| *width <= STEPS_MAX).ok_or_else(|| {
            bad_plan("max", format!("At most {STEPS_MAX} steps between lowest and highest value for this kind of sum."))
        })?;
        Ok(Box::new(KdkTask { question, quantity: Arc::new(quantity), width }))
    }
}

struct KdkTask {
    question: Question,
    quantity: Arc<Quantity>,
    width: u64,
}

impl Task for KdkTask {
    fn question(&self) -> &Question {
        &self.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        let value = self.quantity.value(text);
        let value = value.map_err(|error| Fault::new(FaultCode::BadInput).in_field(error.field).saying(error.message))?;
        Ok(Input { values: Secret::new(vec![value.wrapping_sub(self.quantity.min())]) })
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        match (rows.next(), rows.next()) {
            (Some(row), None) => self.read(row),
            _ => {
                let message = "This question takes exactly one value from each seat.";
                Err(Fault::new(FaultCode::BadInput).in_field("rows").saying(message))
            }
        }
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let sum: i128 = inputs.iter().filter_map(|input| input.values.expose().first()).sum();
        figures(&self.quantity, i64::try_from(sum).unwrap_or(-1), inputs.len())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        Cost { rounds: 1, log_bytes: group_sum::MESSAGE_BYTES, pipe_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let quantity = self.quantity.clone();
        let finish = move |sum, seats| figures(&quantity, sum, seats);
        group_sum::machine(party, self.width, Box::new(finish))
    }
}

/// The figures of a sum of values, each less the lowest.
fn figures(quantity: &Quantity, sum: i64, seats: usize) -> Result<Outcome, Fault> {
    let [low, high] = [quantity.min(), quantity.max()].map(|bound| bound.saturating_mul(seats as i128));
    let sum = low.saturating_add(sum.into());
    if !(low..=high).contains(&sum) {
        return Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round));
    }
    let value = quantity.decimal(sum).to_string();
    Ok(Outcome { figures: vec![Figure { name: "sum", value, unit: quantity.unit().to_owned(), rounded: false }] })
}
