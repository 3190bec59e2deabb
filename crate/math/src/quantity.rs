//! What an input means: unit, decimals and range, each checked once.

use crate::{DECIMALS_MAX, Decimal, DecimalError};

/// Longest unit, in characters: enough for `µg/m³ per year`, too short for a sentence.
pub const UNIT_CHARS_MAX: usize = 24;

/// Largest magnitude of a bound in its smallest unit, so that 10,000 seats of a billion rows stay
/// below 2^107, well inside 128 bits.
pub const MAGNITUDE_MAX: i128 = 1 << 62;

/// Most rows that one seat may stand for.
pub const ROWS_MAX: u64 = 1_000_000_000;

/// Why a quantity or a value of it is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuantityError {
    /// The field to mend: `unit`, `decimals`, `min`, `max` or `value`.
    pub field: &'static str,
    /// A sentence that names the allowed range.
    pub message: String,
}

/// A unit, a number of decimals and a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    unit: String,
    decimals: u8,
    min: i128,
    max: i128,
}

impl Quantity {
    /// Reads a declaration from text.
    ///
    /// # Errors
    /// The field that cannot be used and what it may hold.
    pub fn parse(unit: &str, decimals: &str, min: &str, max: &str) -> Result<Self, QuantityError> {
        let unit = unit.trim();
        if !is_label(unit, UNIT_CHARS_MAX) {
            return Err(refuse("unit", format!("The unit may have at most {UNIT_CHARS_MAX} characters.")));
        }
        let decimals = match decimals.trim().parse::<u8>() {
            Ok(decimals) if decimals <= DECIMALS_MAX => decimals,
            _ => return Err(refuse("decimals", format!("Decimals: a whole number from 0 to {DECIMALS_MAX}."))),
        };
        let min = parse_bound("min", "lowest", min, decimals)?;
        let max = parse_bound("max", "highest", max, decimals)?;
        if min >= max {
            return Err(refuse("max", "The highest value must be above the lowest value.".into()));
        }
        Ok(Self { unit: unit.to_owned(), decimals, min, max })
    }

    /// The unit, possibly empty.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Digits behind the point.
    #[must_use]
    pub const fn decimals(&self) -> u8 {
        self.decimals
    }

    /// Lowest value in smallest units.
    #[must_use]
    pub const fn min(&self) -> i128 {
        self.min
    }

    /// Highest value in smallest units.
    #[must_use]
    pub const fn max(&self) -> i128 {
        self.max
    }

    /// The largest magnitude of a value.
    #[must_use]
    pub fn magnitude(&self) -> u128 {
        self.min.unsigned_abs().max(self.max.unsigned_abs())
    }

    /// An amount of smallest units as a decimal of this quantity.
    #[must_use]
    pub const fn decimal(&self, units: i128) -> Decimal {
        Decimal { units, decimals: self.decimals }
    }

    /// Reads one value within the range, in smallest units.
    ///
    /// # Errors
    /// One sentence that says what is wrong and names the allowed range.
    pub fn value(&self, text: &str) -> Result<i128, QuantityError> {
        match Decimal::parse(text, self.decimals) {
            Ok(Decimal { units, .. }) if self.min <= units && units <= self.max => Ok(units),
            Ok(_) | Err(DecimalError::TooLong) => Err(self.refuse_value("This value is out of range.")),
            Err(DecimalError::Empty) => Err(self.refuse_value("Please enter a number.")),
            Err(DecimalError::NotANumber) => Err(self.refuse_value("This is not a number.")),
            Err(DecimalError::TooManyDecimals) => Err(self.refuse_value("This number has too many decimals.")),
            Err(DecimalError::AmbiguousComma) => {
                Err(self
                    .refuse_value("Does this comma separate thousands or decimals? Please use a point for decimals."))
            }
        }
    }

    /// `0.00 to 50.00 EUR, at most 2 decimals`.
    #[must_use]
    pub fn range_sentence(&self) -> String {
        let space = if self.unit.is_empty() { "" } else { " " };
        let decimals = match self.decimals {
            0 => "whole numbers only".to_owned(),
            1 => "at most 1 decimal".to_owned(),
            more => format!("at most {more} decimals"),
        };
        format!("{} to {}{space}{}, {decimals}", self.decimal(self.min), self.decimal(self.max), self.unit)
    }

    fn refuse_value(&self, problem: &str) -> QuantityError {
        refuse("value", format!("{problem} Allowed: {}.", self.range_sentence()))
    }
}

/// Whether a text can stand beside a number: so many characters at most, none of which controls.
#[must_use]
pub fn is_label(text: &str, chars_max: usize) -> bool {
    text.chars().enumerate().all(|(index, sign)| index < chars_max && !sign.is_control())
}

fn parse_bound(field: &'static str, which: &str, text: &str, decimals: u8) -> Result<i128, QuantityError> {
    match Decimal::parse(text, decimals) {
        Ok(Decimal { units, .. }) if units.abs() <= MAGNITUDE_MAX => Ok(units),
        _ => {
            let limit = Decimal { units: MAGNITUDE_MAX, decimals };
            let message = format!(
                "The {which} value must be a number from -{limit} to {limit} with at most {decimals} decimals."
            );
            Err(refuse(field, message))
        }
    }
}

const fn refuse(field: &'static str, message: String) -> QuantityError {
    QuantityError { field, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euros() -> Quantity {
        Quantity::parse("EUR", "2", "0", "50").unwrap()
    }

    #[test]
    fn every_refusal_names_the_range() {
        for text in ["", "abc", "NaN", "50.01", "-1", "1.234", "10^400", &"9".repeat(400), "1,234"] {
            let error = euros().value(text).unwrap_err();
            assert!(
                error.message.ends_with("Allowed: 0.00 to 50.00 EUR, at most 2 decimals."),
                "{text}: {}",
                error.message
            );
        }
    }

    #[test]
    fn bounds_belong_to_the_range() {
        assert_eq!(euros().value("0"), Ok(0));
        assert_eq!(euros().value("50.00"), Ok(5000));
    }

    #[test]
    fn declarations_are_checked_field_by_field() {
        let field = |unit, decimals, min, max| Quantity::parse(unit, decimals, min, max).unwrap_err().field;
        assert_eq!(field("a unit that is far too long to be one", "0", "0", "1"), "unit");
        assert_eq!(field("EUR", "10", "0", "1"), "decimals");
        assert_eq!(field("EUR", "-1", "0", "1"), "decimals");
        assert_eq!(field("EUR", "0", "x", "1"), "min");
        assert_eq!(field("EUR", "0", "0", "10000000000000000000000"), "max");
        assert_eq!(field("EUR", "0", "1", "1"), "max");
    }
}
