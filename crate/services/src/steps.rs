//! The task of every service whose values are hidden in a group: one value of one quantity from each
//! seat, or one for each of a few cells, counted in steps above the lowest, because exponents are never
//! negative. Cells share one exponent: how many steps they may have depends on how many people there are.

use crate::bad_plan;
use crate::cells::{self, CELLS};
use crate::group_sum::{self, Hidden, Method};
use crate::rows::Rows;
use crate::service::{Cost, Input, Party, Question, Task};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Machine, Outcome, Phase, Secret};
use undertone_math::Packing;
use undertone_prim::Hash;
use undertone_wire::{Plan, limits};

/// A method together with what a room has to agree on to use it.
pub(crate) trait Terms: Method {
    /// Whether a question may ask for several values, which share an exponent.
    const CELLS: bool;

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

    /// Reads cells, unit, decimals and range.
    pub(crate) fn prepare(plan: &Plan, method: M) -> Result<Box<dyn Task>, Fault> {
        let rows = if M::CELLS { cells::rows(plan)? } else { Rows::of(plan, 1)? };
        let width = rows.quantity.max().checked_sub(rows.quantity.min()).and_then(|width| u64::try_from(width).ok());
        let most = Self::STEPS_MAX;
        let message = || format!("At most {most} steps between lowest and highest value for this kind of sum.");
        let width = width.filter(|width| *width <= most).ok_or_else(|| bad_plan("max", message()))?;
        let steps = Self { rows: Arc::new(rows), width, method };
        // Whatever the group, it has two seats or more.
        steps.fits(2)?;
        Ok(Box::new(steps))
    }

    /// The figures of sums of steps.
    fn figures(rows: &Rows, steps: &[u64], seats: usize) -> Result<Outcome, Fault> {
        let lowest = rows.quantity.min().saturating_mul(seats as i128);
        let sums: Vec<_> = steps.iter().map(|steps| lowest.saturating_add((*steps).into())).collect();
        match sums.as_slice() {
            [sum] => Ok(Outcome { figures: vec![rows.sum_figure(*sum)] }),
            sums if M::CELLS => cells::figures(rows, sums, seats),
            _ => Err(Fault::new(FaultCode::Internal).at(Phase::Round)),
        }
    }

    /// Whether the values of so many seats can share an exponent, where they do that.
    fn fits(&self, seats: usize) -> Result<(), Fault> {
        if M::CELLS { self.packing(seats).map(|_| ()) } else { Ok(()) }
    }

    /// How the values of cells share an exponent among so many seats.
    fn packing(&self, seats: usize) -> Result<Packing, Fault> {
        let (cells, terms) = (self.rows.question.cells.len().max(1), seats as u64);
        let packing = Packing::new(cells, self.width, terms, M::Value::WIDTH_MAX);
        packing.ok_or_else(|| match Packing::width_max(cells, terms, M::Value::WIDTH_MAX) {
            0 => bad_plan(CELLS.name, format!("{cells} cells are too many for this kind of sum among {seats} people.")),
            most => bad_plan(
                "max",
                format!("At most {most} steps between lowest and highest value of {cells} cells among {seats} people."),
            ),
        })
    }
}

impl<M: Terms + 'static> Task for Steps<M> {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        if !M::CELLS {
            return self.read_rows(&mut [text].into_iter());
        }
        self.read_rows(&mut *cells::texts(&self.rows.question.cells, text))
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let single = !M::CELLS || self.rows.question.cells.is_empty();
        let mut input = if single { self.rows.read(rows)? } else { cells::read(&self.rows, rows)? };
        let values = input.values.expose_mut();
        values.truncate(self.rows.question.cells.len().max(1));
        values.iter_mut().for_each(|value| *value = value.wrapping_sub(self.rows.quantity.min()));
        Ok(input)
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let mut sums = vec![0_u64; self.rows.question.cells.len().max(1)];
        for input in inputs {
            let steps = input.values.expose().iter().filter_map(|value| u64::try_from(*value).ok());
            sums.iter_mut().zip(steps).for_each(|(sum, steps)| *sum = sum.saturating_add(steps));
        }
        Self::figures(&self.rows, &sums, inputs.len())
    }

    fn admits(&self, contributors: usize) -> Result<(), Fault> {
        self.fits(contributors)?;
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

    fn machine(&self, mut party: Party) -> Result<Box<dyn Machine>, Fault> {
        let rows = self.rows.clone();
        if !M::CELLS {
            let finish = move |sum, seats| Self::figures(&rows, &[sum], seats);
            return group_sum::machine(&self.method, party, self.width, Box::new(finish));
        }
        let packing = self.packing(party.contributors().len())?;
        party.input = party.input.take().map(|input| packed(&packing, &input)).transpose()?;
        let finish = move |sum, seats| match packing.unpack(sum) {
            Some(sums) => Self::figures(&rows, &sums, seats),
            None => Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round)),
        };
        group_sum::machine(&self.method, party, packing.most(), Box::new(finish))
    }
}

/// All values of a seat as one.
fn packed(packing: &Packing, input: &Input) -> Result<Input, Fault> {
    let packed = packing.pack(input.values.expose());
    let packed = packed.ok_or_else(|| Fault::new(FaultCode::BadInput).in_field("value"))?;
    Ok(Input { values: Secret::new(vec![packed.into()]) })
}
