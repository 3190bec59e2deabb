//! The task of every service that adds columns of integers under masks.
//!
//! Such services differ in three things only: how many columns there are, how an input is read into
//! them, and which figures their sums make.

use crate::cells;
use crate::masked_sum;
use crate::rows::Rows;
use crate::service::{Cost, Input, Party, Question, Task};
use std::sync::Arc;
use undertone_machine::{Fault, Machine, Outcome};

/// Reads rows into one integer for each column.
pub(crate) type Read = fn(&Rows, &mut dyn Iterator<Item = &str>) -> Result<Input, Fault>;

/// Turns the sums of all columns into figures, or says that no honest seats could have given them.
pub(crate) type Figures = fn(&Rows, &[i128], usize) -> Result<Outcome, Fault>;

/// A question answered by sums of columns.
pub(crate) struct Columns {
    rows: Arc<Rows>,
    length: usize,
    read: Read,
    figures: Figures,
}

impl Columns {
    /// The task of `length` columns.
    pub(crate) fn task(rows: Rows, length: usize, read: Read, figures: Figures) -> Box<dyn Task> {
        Box::new(Self { rows: Arc::new(rows), length, read, figures })
    }
}

impl Task for Columns {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.read_rows(&mut *cells::texts(&self.rows.question.cells, text))
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        (self.read)(&self.rows, rows)
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let mut sums = vec![0_i128; self.length];
        for input in inputs {
            // Inputs stay below 2^107, so 900 of them stay below 2^117.
            sums.iter_mut().zip(input.values.expose()).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
        }
        (self.figures)(&self.rows, &sums, inputs.len())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        Cost { rounds: 1, log_bytes: (self.length * self.rows.ring.bytes()) as u64, pipe_bytes: 0, compute_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let (rows, figures) = (self.rows.clone(), self.figures);
        let finish = move |sums: &[i128], seats| figures(&rows, sums, seats);
        masked_sum::machine(party, self.rows.ring, self.length, Box::new(finish))
    }
}

/// The parts of a text between signs of one byte: what `str::split` gives, in a fraction of the code.
pub(crate) fn parts(text: &str, apart: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let whole = rest?;
        let at = whole.bytes().position(|byte| byte == apart);
        rest = at.and_then(|at| whole.get(at.wrapping_add(1)..));
        at.map_or(Some(whole), |at| whole.get(..at))
    })
}
