//! The exact sum of each named cell over all seats.

use crate::bad_plan;
use crate::columns::{Columns, parts};
use crate::resilient_sum::{DROPS, drops};
use crate::rows::{DECIMALS, MAX, MIN, Rows, UNIT, param, refuse};
use crate::service::{Audience, Input, Manifest, Param, ParamKind, Service, Task};
use undertone_machine::{Fault, FaultCode, Outcome, Phase, Secret};
use undertone_math::is_label;
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: VectorSum = VectorSum;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "vector-sum",
    title: "Sums by cell",
    summary: "The exact sum of each of several named numbers.",
    module: "sums",
    audience: Audience::People,
    method: MethodId::Masks,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[CELLS, UNIT, DECIMALS, MIN, MAX, DROPS],
    outputs: &["sum"],
};

/// What the numbers are about.
const CELLS: Param =
    Param::new("cells", "Cells", "Yes, No", ParamKind::Text).hint("Names with commas between them");

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
        let cells = cells(param(plan, &CELLS))?;
        let (mut rows, length) = (Rows::of(plan, 1)?, cells.len());
        rows.question.cells = cells;
        Ok(Columns::resilient(rows, length, read, figures, drops(plan)?))
    }
}

/// Reads the names of the cells.
pub(crate) fn cells(text: &str) -> Result<Vec<String>, Fault> {
    let mut cells: Vec<String> = Vec::new();
    for name in parts(text, b',').map(str::trim) {
        if name.is_empty() || !is_label(name, CELL_CHARS_MAX) || cells.len() == CELLS_MAX {
            return Err(refuse_cells());
        }
        if cells.iter().any(|other| other == name) {
            return Err(bad_plan(CELLS.name, format!("Two cells have the name \"{name}\".")));
        }
        cells.push(name.to_owned());
    }
    if cells.len() < 2 { Err(refuse_cells()) } else { Ok(cells) }
}

/// One sentence for both limits above.
fn refuse_cells() -> Fault {
    bad_plan(CELLS.name, "Name from 2 to 1000 cells with commas between them, each in 1 to 40 characters.".into())
}

/// Reads one value for each cell, in their order.
pub(crate) fn read(rows: &Rows, texts: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
    let cells = &rows.question.cells;
    // All of it at once: a vector that grows would leave copies behind.
    let mut values = Secret::new(vec![0_i128; cells.len()]);
    let mut slots = cells.iter().zip(values.expose_mut());
    for text in texts {
        let (cell, slot) = slots.next().ok_or_else(|| refuse_count(rows))?;
        *slot = rows.quantity.value(text).map_err(|error| refuse(error, &format!("{cell}: ")))?;
    }
    if slots.next().is_some() {
        return Err(refuse_count(rows));
    }
    Ok(Input { values })
}

fn refuse_count(rows: &Rows) -> Fault {
    let message = format!("This question takes {} values, one for each cell.", rows.question.cells.len());
    Fault::new(FaultCode::BadInput).in_field("rows").saying(message)
}

/// One figure for each cell, if honest seats can have given its sum.
pub(crate) fn figures(rows: &Rows, sums: &[i128], seats: usize) -> Result<Outcome, Fault> {
    let mut outcome = Outcome::default();
    for (cell, sum) in rows.question.cells.iter().zip(sums) {
        if !rows.allows(*sum, seats as i128) {
            return Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round));
        }
        let mut figure = rows.sum_figure(*sum);
        figure.label.clone_from(cell);
        outcome.figures.push(figure);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Question, draft, prepare};

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
        for text in ["1;2.5;0", "1\n2,5\n0\n", " 1 ; 2.50 \r\n; 0"] {
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
