//! The exact sum of each named cell over all seats.

use crate::rows::{DECIMALS, MAX, MIN, Rows, UNIT};
use crate::service::{Audience, Cost, Input, Manifest, Param, ParamKind, Party, Question, Service, Task};
use crate::{bad_plan, masked_sum};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Figure, Machine, Outcome, Phase, Secret};
use undertone_wire::{Plan, limits};

/// The service.
pub(crate) static SERVICE: VectorSum = VectorSum;

/// What it says about itself.
const MANIFEST: Manifest = Manifest {
    name: "vector-sum",
    title: "Sums by cell",
    summary: "The exact sum of each named cell, from one number per cell and person.",
    module: "sums",
    audience: Audience::People,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[CELLS, UNIT, DECIMALS, MIN, MAX],
    outputs: &["sum"],
};

/// What the numbers are about.
const CELLS: Param =
    Param::new("cells", "Cells", "", ParamKind::Text).hint("Names with commas between them: tea, coffee, water");

/// Most cells. Each costs every seat 16 bytes at most, so an entry stays far below the log's limit,
/// and a page can still show them all.
const CELLS_MAX: usize = 1000;

/// Longest name of a cell, in characters: a label beside a field, not a sentence.
const CELL_CHARS_MAX: usize = 40;

pub(crate) struct VectorSum;

impl Service for VectorSum {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        let cells = cells(plan.param(CELLS.name))?;
        let mut rows = Rows::of(plan, 1)?;
        rows.question.cells = cells;
        Ok(Box::new(VectorTask { rows: Arc::new(rows) }))
    }
}

/// Reads the names of the cells.
fn cells(text: &str) -> Result<Vec<String>, Fault> {
    let cells: Vec<_> = text.split(',').map(|name| name.trim().to_owned()).collect();
    let refuse = |message: String| Err(bad_plan(CELLS.name, message));
    if !(2..=CELLS_MAX).contains(&cells.len()) {
        return refuse(format!("Name from 2 to {CELLS_MAX} cells, with commas between them."));
    }
    for (name, others) in cells.iter().zip(1..).filter_map(|(name, next)| Some((name, cells.get(next..)?))) {
        if name.is_empty() || name.chars().count() > CELL_CHARS_MAX || name.chars().any(char::is_control) {
            return refuse(format!("The name of a cell has from 1 to {CELL_CHARS_MAX} characters."));
        }
        if others.contains(name) {
            return refuse(format!("Two cells have the name \"{name}\"."));
        }
    }
    Ok(cells)
}

struct VectorTask {
    rows: Arc<Rows>,
}

impl VectorTask {
    fn refuse_count(&self) -> Fault {
        let message = format!("This question takes {} values, one for each cell.", self.rows.question.cells.len());
        Fault::new(FaultCode::BadInput).in_field("rows").saying(message)
    }
}

impl Task for VectorTask {
    fn question(&self) -> &Question {
        &self.rows.question
    }

    fn read(&self, text: &str) -> Result<Input, Fault> {
        self.read_rows(&mut text.trim().split([';', '\n']))
    }

    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let cells = &self.rows.question.cells;
        // All of it at once: a vector that grows would leave copies behind.
        let mut values = Secret::new(Vec::with_capacity(cells.len()));
        for row in rows {
            let cell = cells.get(values.expose().len()).ok_or_else(|| self.refuse_count())?;
            let value = self.rows.quantity.value(row).map_err(|error| {
                Fault::new(FaultCode::BadInput).in_field(error.field).saying(format!("{cell}: {}", error.message))
            })?;
            values.expose_mut().push(value);
        }
        if values.expose().len() == cells.len() { Ok(Input { values }) } else { Err(self.refuse_count()) }
    }

    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault> {
        let column = |k: usize| inputs.iter().filter_map(|input| input.values.expose().get(k)).sum::<i128>();
        let sums: Vec<_> = (0..self.rows.question.cells.len()).map(column).collect();
        figures(&self.rows, &sums, inputs.len())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        let length = self.rows.question.cells.len() as u64;
        Cost { rounds: 1, log_bytes: length * self.rows.ring.bytes() as u64, pipe_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let (rows, length) = (self.rows.clone(), self.rows.question.cells.len());
        masked_sum::machine(party, self.rows.ring, length, Box::new(move |sums, seats| figures(&rows, sums, seats)))
    }
}

/// One figure for each cell, if honest seats can have given its sum.
fn figures(rows: &Rows, sums: &[i128], seats: usize) -> Result<Outcome, Fault> {
    let figure = |(cell, sum): (&String, &i128)| -> Option<Figure> {
        rows.allows(*sum, seats as i128).then(|| rows.sum_figure(*sum).labelled(cell))
    };
    let all: Option<Vec<_>> = rows.question.cells.iter().zip(sums).map(figure).collect();
    all.map(|figures| Outcome { figures }).ok_or_else(|| Fault::new(FaultCode::SumOutOfRange).at(Phase::Round))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{draft, prepare};

    fn task(cells: &str) -> Result<Box<dyn Task>, Fault> {
        prepare(&draft("vector-sum", "?", &[("cells", cells), ("decimals", "1")], "60")?)
    }

    fn refusal(text: &str) -> String {
        task("tea, coffee").unwrap().read(text).unwrap_err().message().to_owned()
    }

    #[test]
    fn reads_values_in_the_order_of_cells() {
        let task = task(" tea,coffee , green tea").unwrap();
        assert_eq!(task.question().cells, ["tea", "coffee", "green tea"]);
        for text in ["1;2.5;0", "1\n2,5\n0\n", " 1 ; 2.50\r\n0"] {
            assert_eq!(task.read(text).unwrap().values.expose(), &[10, 25, 0], "{text:?}");
        }
    }

    #[test]
    fn a_refusal_names_the_cell() {
        assert!(refusal("1;x").starts_with("coffee: This is not a number."));
        assert!(refusal(";1").starts_with("tea: Please enter a number."));
        assert!(refusal("101;1").starts_with("tea: This value is out of range."));
        assert_eq!(refusal("1"), "This question takes 2 values, one for each cell.");
        assert_eq!(refusal("1;2;3"), refusal("1;2;"));
    }

    #[test]
    fn as_many_cells_as_a_plan_may_name_and_no_more() {
        let names = |n: usize| (1..=n).map(|cell| format!("cell {cell}")).collect::<Vec<_>>().join(",");
        assert_eq!(task(&names(CELLS_MAX)).unwrap().cost(30).log_bytes, 8 * CELLS_MAX as u64);
        for wrong in [names(CELLS_MAX + 1), "one".into(), "a,,b".into(), "a,b,a".into(), format!("a,{:41}b", "c")] {
            assert_eq!(task(&wrong).err().and_then(|fault| fault.field()), Some("cells"), "{wrong}");
        }
    }

    #[test]
    fn every_cell_has_to_be_one_that_honest_seats_can_give() {
        let rows = Rows { question: Question { cells: vec!["a".into(), "b".into()], ..rows().question }, ..rows() };
        assert!(figures(&rows, &[0, 300], 3).is_ok());
        for sums in [[0, 301], [-1, 0]] {
            assert_eq!(figures(&rows, &sums, 3).unwrap_err().code(), FaultCode::SumOutOfRange);
        }
    }

    fn rows() -> Rows {
        Rows::of(&draft("sum", "?", &[], "60").unwrap(), 1).unwrap()
    }
}
