//! Inputs that are one value or a column of values of one quantity.
//!
//! A seat may stand for many rows: it adds its own rows and gives their sum and number. Bounds hold
//! per row, and the plan says how many rows a seat may have at most.

use crate::bad_plan;
use crate::service::{Input, Param, ParamKind, Question};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_math::{Quantity, QuantityError, ROWS_MAX, Ring};
use undertone_wire::{Plan, limits};

/// The parameters of a question about one quantity.
pub(crate) const PARAMS: &[Param] = &[
    Param::new("unit", "Unit", "", ParamKind::Text).hint("EUR, minutes, kg"),
    Param::new("decimals", "Decimals", "0", ParamKind::Whole).hint("After the point"),
    Param::new("min", "Lowest value", "0", ParamKind::Number),
    Param::new("max", "Highest value", "100", ParamKind::Number),
    Param::new("rows_max", "Most values per person", "1", ParamKind::Whole)
        .hint("1 for people. More when someone answers for many rows, out of a file.")
        .rare(),
];

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
        let param = |name: &str| match plan.param(name) {
            "" => PARAMS.iter().find(|param| param.name == name).map_or("", |param| param.default),
            given => given,
        };
        let quantity = Quantity::parse(param("unit"), param("decimals"), param("min"), param("max"))
            .map_err(|error| bad_plan(error.field, error.message))?;
        let rows_max =
            param("rows_max").parse().ok().filter(|rows| (1..=ROWS_MAX).contains(rows)).ok_or_else(|| {
                bad_plan("rows_max", format!("Rows of one seat: a whole number from 1 to {ROWS_MAX}."))
            })?;
        let magnitude =
            quantity.magnitude().max(1).saturating_mul(u128::from(rows_max)).saturating_mul(limits::SEATS_MAX as u128);
        let ring = Ring::holding(magnitude)
            .ok_or_else(|| bad_plan("max", "The range is too wide for an exact sum.".into()))?;
        Ok(Self { question: Question { quantity: Some(quantity.clone()), rows_max }, quantity, ring })
    }

    /// Reads rows into (sum, count).
    pub(crate) fn read(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        let mut values = Secret::new(vec![0_i128, 0]);
        for (number, row) in (1_u64..).zip(rows) {
            if number > self.question.rows_max {
                return Err(self.refuse_count());
            }
            let value = self.quantity.value(row).map_err(|error| self.refuse_row(number, error))?;
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

    /// For a single value the field's own sentence; in a column, the row in front of it.
    fn refuse_row(&self, number: u64, error: QuantityError) -> Fault {
        let message =
            if self.question.rows_max == 1 { error.message } else { format!("Row {number}: {}", error.message) };
        Fault::new(FaultCode::BadInput).in_field(error.field).saying(message)
    }

    /// Whether a sum of `count` rows is one that honest seats can give.
    pub(crate) fn allows(&self, sum: i128, count: i128) -> bool {
        let within = |bound: i128| bound.checked_mul(count);
        count >= 1
            && within(self.quantity.min()).is_some_and(|low| low <= sum)
            && within(self.quantity.max()).is_some_and(|high| sum <= high)
    }
}
