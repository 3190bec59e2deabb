//! The exact sum of each named cell over all seats.

use crate::cells;
use crate::columns::Columns;
use crate::resilient_sum::{DROPS, drops};
use crate::rows::{DECIMALS, MAX, MIN, Rows, UNIT, param};
use crate::service::{Audience, Manifest, Param, ParamKind, Service, Task};
use undertone_machine::Fault;
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

pub(crate) struct VectorSum;

impl Service for VectorSum {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        let mut rows = Rows::of(plan, 1)?;
        rows.question.cells = cells::names(param(plan, &CELLS))?;
        let length = rows.question.cells.len();
        Ok(Columns::resilient(rows, length, cells::read, cells::figures, drops(plan)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::CELLS_MAX;
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
}
