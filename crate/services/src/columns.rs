//! The task of every service that adds columns of integers under masks.
//!
//! Such services differ in three things only: how many columns there are, how an input is read into
//! them, and which figures their sums make.

use crate::cells;
use crate::resilient_sum::{self, DROPS, Terms};
use crate::rows::Rows;
use crate::service::{Cost, Input, Party, Question, Task};
use crate::{SPARES, bad_plan, masked_sum};
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
    /// People who may vanish.
    drops: usize,
}

impl Columns {
    /// The task of `length` columns.
    pub(crate) fn task(rows: Rows, length: usize, read: Read, figures: Figures) -> Box<dyn Task> {
        Self::resilient(rows, length, read, figures, 0)
    }

    /// The same where so many people may vanish.
    pub(crate) fn resilient(rows: Rows, length: usize, read: Read, figures: Figures, drops: usize) -> Box<dyn Task> {
        Box::new(Self { rows: Arc::new(rows), length, read, figures, drops })
    }

    /// What a room of so many people keeps to; `None` where nobody may vanish.
    fn terms(&self, people: usize) -> Option<Terms> {
        if SPARES { Terms::new(people, self.drops) } else { None }
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

    fn admits(&self, contributors: usize) -> Result<(), Fault> {
        if self.drops == 0 || self.terms(contributors).is_some() {
            return Ok(());
        }
        let most = resilient_sum::most_drops(contributors);
        Err(bad_plan(DROPS.name, format!("With {contributors} people at most {most} may vanish.")))
    }

    fn drops(&self) -> usize {
        self.drops
    }

    fn colluders(&self, contributors: usize) -> Option<usize> {
        self.terms(contributors).map(|terms| terms.colluders)
    }

    fn deal(&self, party: &Party) -> Result<Option<Vec<u8>>, Fault> {
        self.terms(party.contributors().len()).map_or(Ok(None), |terms| resilient_sum::deal(party, &terms))
    }

    fn is_deal(&self, contributors: usize, place: usize, deal: &[u8]) -> bool {
        self.terms(contributors).is_some_and(|terms| resilient_sum::is_deal(&terms, place, deal))
    }

    fn cost(&self, contributors: usize) -> Cost {
        let masked = self.length * self.rows.ring.bytes();
        let (rounds, deal_bytes, words) = match self.terms(contributors) {
            None => (1, 0, 0),
            Some(terms) => (4, resilient_sum::deal_bytes(&terms), resilient_sum::words_bytes(&terms)),
        };
        let log_bytes = (masked + words) as u64;
        Cost { rounds, log_bytes, deal_bytes: deal_bytes as u64, pipe_bytes: 0, compute_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let (rows, figures) = (self.rows.clone(), self.figures);
        let finish = move |sums: &[i128], seats| figures(&rows, sums, seats);
        let (ring, finish) = (self.rows.ring, Box::new(finish));
        match self.terms(party.contributors().len()) {
            None => masked_sum::machine(party, ring, self.length, finish),
            Some(terms) => resilient_sum::machine(party, terms, ring, self.length, finish),
        }
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
