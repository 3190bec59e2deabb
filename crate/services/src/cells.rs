//! Questions that ask for a number for each of several named cells.

use crate::bad_plan;
use crate::columns::parts;
use crate::rows::{Rows, param, refuse};
use crate::service::{Input, Param, ParamKind};
use undertone_machine::{Fault, FaultCode, Outcome, Phase, Secret};
use undertone_math::is_label;
use undertone_wire::Plan;

/// What the numbers are about, where each seat gives several.
pub(crate) const CELLS: Param = Param::new("cells", "Cells", "", ParamKind::Text)
    .hint("Names with commas between them; empty for one number")
    .rare();

/// Most cells. Each costs every seat 16 bytes at most, so an entry stays far below the log's limit,
/// and a page can still show them all.
pub(crate) const CELLS_MAX: usize = 1000;

/// Longest name of a cell, in characters: a label beside a field, not a sentence.
const CELL_CHARS_MAX: usize = 40;

/// The question of the plan, about one number or one for each cell.
pub(crate) fn rows(plan: &Plan) -> Result<Rows, Fault> {
    let mut rows = Rows::of(plan, 1)?;
    if !param(plan, &CELLS).is_empty() {
        rows.question.cells = names(param(plan, &CELLS))?;
    }
    Ok(rows)
}

/// What a person typed, cut where there are cells.
pub(crate) fn texts<'a>(cells: &[String], text: &'a str) -> Box<dyn Iterator<Item = &'a str> + 'a> {
    if cells.is_empty() {
        return Box::new(core::iter::once(text));
    }
    let apart = if text.as_bytes().contains(&b';') { b';' } else { b'\n' };
    Box::new(parts(text.trim(), apart))
}

/// Reads the names of the cells.
pub(crate) fn names(text: &str) -> Result<Vec<String>, Fault> {
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
    use crate::{Question, draft};

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
