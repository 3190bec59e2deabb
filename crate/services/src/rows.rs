//! Inputs that are one value or a column of values of one quantity.
//!
//! A seat may stand for many rows: it adds its own rows and gives their sum and number. Bounds hold
//! per row, and the plan says how many rows a seat may have at most.

use crate::bad_plan;
use crate::service::{Input, Param, ParamKind, Question};
use undertone_machine::{Fault, FaultCode, Figure, Secret};
use undertone_math::{Quantity, QuantityError, ROWS_MAX, Ring};
use undertone_wire::{Plan, limits};

/// What is measured.
pub(crate) const UNIT: Param = Param::new("unit", "Unit", "", ParamKind::Text).hint("EUR, minutes, kg");
/// Digits behind the point.
pub(crate) const DECIMALS: Param = Param::new("decimals", "Decimals", "0", ParamKind::Whole).hint("After the point");
/// The lowest value.
pub(crate) const MIN: Param = Param::new("min", "Lowest value", "0", ParamKind::Number);
/// The highest value.
pub(crate) const MAX: Param = Param::new("max", "Highest value", "100", ParamKind::Number);
/// How many rows a seat may stand for.
pub(crate) const ROWS: Param = Param::new("rows_max", "Most values per person", "1", ParamKind::Whole)
    .hint("1 for people. More when someone answers for many rows, out of a file.")
    .rare();

/// A checked question about one quantity.
pub(crate) struct Rows {
    pub(crate) question: Question,
    pub(crate) quantity: Quantity,
    /// Wide enough for the sum of all rows of as many seats as a room may have.
    pub(crate) ring: Ring,
}

impl Rows {
    /// Reads the parameters.
    pub(crate) fn prepare(plan: &Plan) -> Result<Self, Fault> {
        let rows_max = param(plan, &ROWS).parse().ok().filter(|rows| (1..=ROWS_MAX).contains(rows));
        let message = || format!("Rows of one seat: a whole number from 1 to {ROWS_MAX}.");
        Self::of(plan, rows_max.ok_or_else(|| bad_plan("rows_max", message()))?)
    }

    /// Reads unit, decimals and range, for so many rows.
    pub(crate) fn of(plan: &Plan, rows_max: u64) -> Result<Self, Fault> {
        let param = |known| param(plan, known);
        let quantity = Quantity::parse(param(&UNIT), param(&DECIMALS), param(&MIN), param(&MAX))
            .map_err(|error| bad_plan(error.field, error.message))?;
        let magnitude =
            quantity.magnitude().max(1).saturating_mul(u128::from(rows_max)).saturating_mul(limits::SEATS_MAX as u128);
        let ring = Ring::holding(magnitude)
            .ok_or_else(|| bad_plan("max", "The range is too wide for an exact sum.".into()))?;
        let question = Question { quantity: Some(quantity.clone()), rows_max, cells: Vec::new() };
        Ok(Self { question, quantity, ring })
    }

    /// Reads rows into (sum, count).
    pub(crate) fn read(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let mut values = Secret::new(vec![0_i128, 0]);
        for (number, row) in (1_u64..).zip(rows) {
            if number > self.question.rows_max {
                return Err(self.refuse_count());
            }
            let value = self.quantity.value(row).map_err(|error| refuse(error, &self.place(number)))?;
            if let [sum, count] = values.expose_mut().as_mut_slice() {
                // Both stay below 2^107 by the limits of `Quantity` and `ROWS_MAX`.
                *sum = sum.wrapping_add(value);
                *count = count.wrapping_add(1);
            }
        }
        match values.expose().as_slice() {
            [_, 0] => Err(self.refuse_count()),
            _ => Ok(Input { values }),
        }
    }

    fn refuse_count(&self) -> Fault {
        let message = match self.question.rows_max {
            1 => "This question takes exactly one value from each seat.".to_owned(),
            max => format!("This question takes 1 to {max} rows from each seat."),
        };
        Fault::new(FaultCode::BadInput).in_field("rows").saying(message)
    }

    /// What stands in front of a refusal: nothing for a single value, in a column the row.
    fn place(&self, number: u64) -> String {
        if self.question.rows_max == 1 { String::new() } else { format!("Row {number}: ") }
    }

    /// Whether a sum of `count` rows is one that honest seats can give.
    pub(crate) fn allows(&self, sum: i128, count: i128) -> bool {
        let within = |bound: i128| bound.checked_mul(count);
        count >= 1
            && within(self.quantity.min()).is_some_and(|low| low <= sum)
            && within(self.quantity.max()).is_some_and(|high| sum <= high)
    }

    /// A sum as a figure.
    pub(crate) fn sum_figure(&self, sum: i128) -> Figure {
        Figure::new("sum", self.quantity.decimal(sum).to_string(), self.quantity.unit())
    }
}

/// A refusal of one value, behind its place.
pub(crate) fn refuse(error: QuantityError, place: &str) -> Fault {
    Fault::new(FaultCode::BadInput).in_field(error.field).saying(format!("{place}{}", error.message))
}

/// What the plan says, or the default.
pub(crate) fn param<'a>(plan: &'a Plan, known: &'a Param) -> &'a str {
    match plan.param(known.name) {
        "" => known.default,
        given => given,
    }
}
