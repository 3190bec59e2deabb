//! The task of every service whose values are hidden in a group: one value of one quantity from each
//! seat, counted in steps above the lowest, because exponents are never negative.

use crate::bad_plan;
use crate::group_sum::{self, Hidden, Method};
use crate::rows::Rows;
use crate::service::{Cost, Input, Party, Question, Task};
use std::sync::Arc;
use undertone_machine::{Fault, Machine, Outcome};
use undertone_prim::Hash;
use undertone_wire::{Plan, limits};

/// A method together with what a room has to agree on to use it.
pub(crate) trait Terms: Method {
    /// As [`Task::admits`].
    fn admits(&self, seats: usize) -> Result<(), Fault>;

    /// As [`Task::key_terms`].
    fn hash(&self) -> Hash;
}

/// A question about one value in a range.
pub(crate) struct Steps<M> {
    rows: Arc<Rows>,
    /// Steps between the lowest and the highest value.
    width: u64,
    method: M,
}

impl<M: Terms + 'static> Steps<M> {
    /// Steps between the lowest and the highest value: sums of as many seats as a room may have stay
    /// within what is searched.
    const STEPS_MAX: u64 = M::Value::WIDTH_MAX / limits::SEATS_MAX as u64;

    /// Reads unit, decimals and range.
    pub(crate) fn prepare(plan: &Plan, method: M) -> Result<Box<dyn Task>, Fault> {
        let rows = Rows::of(plan, 1)?;
        let width = rows.quantity.max().checked_sub(rows.quantity.min()).and_then(|width| u64::try_from(width).ok());
        let most = Self::STEPS_MAX;
        let message = || format!("At most {most} steps between lowest and highest value for this kind of sum.");
        let width = width.filter(|width| *width <= most).ok_or_else(|| bad_plan("max", message()))?;
        Ok(Box::new(Self { rows: Arc::new(rows), width, method }))
    }
}

impl<M: Terms> Task for Steps<M> {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.read_rows(&mut [text].into_iter())
    }

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

    fn admits(&self, contributors: usize) -> Result<(), Fault> {
        self.method.admits(contributors)
    }

    fn key_terms(&self) -> Hash {
        self.method.hash()
    }

    fn key_rounds(&self, contributors: usize) -> u32 {
        self.method.rounds(contributors)
    }

    /// Of the first round of a key.
    fn cost(&self, contributors: usize) -> Cost {
        let log_bytes = group_sum::message_bytes::<M::Value>(0, self.method.rounds(contributors));
        Cost { rounds: 1, log_bytes, deal_bytes: 0, pipe_bytes: 0, compute_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let rows = self.rows.clone();
        let finish = move |steps: i64, seats| figures(&rows, steps.into(), seats);
        group_sum::machine(&self.method, party, self.width, Box::new(finish))
    }
}

/// The figures of a sum of steps, which was looked for in its range only.
fn figures(rows: &Rows, steps: i128, seats: usize) -> Outcome {
    let lowest = rows.quantity.min().saturating_mul(seats as i128);
    Outcome { figures: vec![rows.sum_figure(lowest.saturating_add(steps))] }
}
