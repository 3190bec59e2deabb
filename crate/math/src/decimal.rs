//! Decimal text to integers and back, without a binary fraction in between.

use core::fmt;

/// Most decimals that a quantity may declare.
///
/// Nine reach a billionth of a unit, and leave room in 128 bits for 10,000 seats of a billion rows.
pub const DECIMALS_MAX: u8 = 9;

/// Longest run of significant digits that is read: any more are beyond every range.
const DIGITS_MAX: usize = 30;

/// Why a text is not a decimal that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// Nothing was typed.
    Empty,
    /// Not digits with at most one point.
    NotANumber,
    /// More decimals than declared.
    TooManyDecimals,
    /// `1,234` is one thing to some readers and another to others.
    AmbiguousComma,
    /// More digits than any range holds.
    TooLong,
}

/// A decimal number: `units / 10^decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number in its smallest unit.
    pub units: i128,
    /// How many digits stand behind the point.
    pub decimals: u8,
}

impl Decimal {
    /// Reads text such as `12.5`, `12,5`, `-3` or `+0.25` as a number with `decimals` decimals.
    ///
    /// A single comma counts as the decimal point unless exactly three digits follow it: then it
    /// might separate thousands, and a wrong number is worse than a question.
    ///
    /// # Errors
    /// What is wrong with the text; nothing is rounded.
    pub fn parse(text: &str, decimals: u8) -> Result<Self, DecimalError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(DecimalError::Empty);
        }
        let (negative, digits) = split_sign(text);
        let (whole, fraction) = split_point(digits)?;
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if !all_digits(whole) || !all_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
            return Err(DecimalError::NotANumber);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > usize::from(decimals) {
            return Err(DecimalError::TooManyDecimals);
        }
        let magnitude = read_units(whole.trim_start_matches('0'), fraction, decimals)?;
        Ok(Self { units: if negative { magnitude.wrapping_neg() } else { magnitude }, decimals })
    }

    /// The quotient `units / divisor` with `decimals` more decimals than this number has, rounded
    /// half to even, and whether anything was rounded away. `None` if the divisor is not positive
    /// or the quotient needs more than 128 bits.
    #[must_use]
    pub fn divide(self, divisor: i128, more_decimals: u8) -> Option<(Self, bool)> {
        let decimals = self.decimals.checked_add(more_decimals)?;
        let scaled = self.units.checked_mul(10_i128.checked_pow(u32::from(more_decimals))?)?;
        if divisor <= 0 {
            return None;
        }
        let (floor, rest) = (scaled.div_euclid(divisor), scaled.rem_euclid(divisor));
        let twice = rest.checked_mul(2)?;
        let up = twice > divisor || (twice == divisor && floor % 2 != 0);
        let units = floor.checked_add(i128::from(up))?;
        Some((Self { units, decimals }, rest != 0))
    }

    /// The same number without zeros at its end, but with at least `decimals_min` decimals.
    #[must_use]
    pub fn trimmed(mut self, decimals_min: u8) -> Self {
        while self.decimals > decimals_min && self.units % 10 == 0 {
            self.units /= 10;
            self.decimals = self.decimals.saturating_sub(1);
        }
        self
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let digits = format!("{:0>width$}", self.units.unsigned_abs(), width = usize::from(self.decimals) + 1);
        match digits.split_at_checked(digits.len().saturating_sub(usize::from(self.decimals))) {
            Some((whole, fraction)) if !fraction.is_empty() => write!(f, "{sign}{whole}.{fraction}"),
            _ => write!(f, "{sign}{digits}"),
        }
    }
}

fn split_sign(text: &str) -> (bool, &str) {
    // People paste U+2212 from documents.
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn split_point(digits: &str) -> Result<(&str, &str), DecimalError> {
    if let Some((whole, fraction)) = digits.split_once('.') {
        return Ok((whole, fraction));
    }
    match digits.split_once(',') {
        Some((_, fraction)) if fraction.len() == 3 && fraction.bytes().all(|b| b.is_ascii_digit()) => {
            Err(DecimalError::AmbiguousComma)
        }
        Some(parts) => Ok(parts),
        None => Ok((digits, "")),
    }
}

fn read_units(whole: &str, fraction: &str, decimals: u8) -> Result<i128, DecimalError> {
    if whole.len().saturating_add(usize::from(decimals)) > DIGITS_MAX {
        return Err(DecimalError::TooLong);
    }
    let digits = format!("{whole}{fraction:0<width$}", width = usize::from(decimals));
    if digits.is_empty() { Ok(0) } else { digits.parse().map_err(|_| DecimalError::TooLong) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn units(text: &str, decimals: u8) -> Result<i128, DecimalError> {
        Decimal::parse(text, decimals).map(|decimal| decimal.units)
    }

    #[test]
    fn reads_what_people_type() {
        assert_eq!(units("12.5", 2), Ok(1250));
        assert_eq!(units(" 12,5 ", 2), Ok(1250));
        assert_eq!(units("-0.01", 2), Ok(-1));
        assert_eq!(units("\u{2212}3", 0), Ok(-3));
        assert_eq!(units("+007", 0), Ok(7));
        assert_eq!(units("1.500", 1), Ok(15));
        assert_eq!(units(".5", 1), Ok(5));
        assert_eq!(units("0", 0), Ok(0));
    }

    #[test]
    fn refuses_the_rest() {
        assert_eq!(units("  ", 2), Err(DecimalError::Empty));
        for text in ["NaN", "inf", "1e3", "0x10", "1.2.3", "-", ".", "1 000", "10^400", "twelve", "1,2,3", "--1", "٣"]
        {
            assert_eq!(units(text, 2), Err(DecimalError::NotANumber), "{text}");
        }
        assert_eq!(units("1.234", 2), Err(DecimalError::TooManyDecimals));
        assert_eq!(units("1,234", 3), Err(DecimalError::AmbiguousComma));
        assert_eq!(units(&format!("1{}", "0".repeat(400)), 2), Err(DecimalError::TooLong));
    }

    #[test]
    fn divides_half_to_even() {
        let sum = |units| Decimal { units, decimals: 0 };
        let show = |pair: (Decimal, bool)| (pair.0.to_string(), pair.1);
        assert_eq!(sum(5).divide(2, 0).map(show), Some(("2".into(), true)));
        assert_eq!(sum(7).divide(2, 0).map(show), Some(("4".into(), true)));
        assert_eq!(sum(-5).divide(2, 0).map(show), Some(("-2".into(), true)));
        assert_eq!(sum(1).divide(4, 2).map(show), Some(("0.25".into(), false)));
        assert_eq!(sum(1).divide(0, 2), None);
    }

    #[test]
    fn trims_zeros_down_to_the_declared_decimals() {
        let trimmed = Decimal { units: 125_000, decimals: 4 }.trimmed(2);
        assert_eq!(trimmed.to_string(), "12.50");
    }

    proptest! {
        #[test]
        fn text_round_trips(units in -(1_i128 << 90)..(1_i128 << 90), decimals in 0..=DECIMALS_MAX) {
            let decimal = Decimal { units, decimals };
            prop_assert_eq!(Decimal::parse(&decimal.to_string(), decimals), Ok(decimal));
        }

        #[test]
        fn quotient_is_within_half_a_unit(units in -(1_i128 << 90)..(1_i128 << 90), divisor in 1..1_000_000_i128) {
            let (quotient, rounded) = Decimal { units, decimals: 0 }.divide(divisor, 2).unwrap();
            let error = quotient.units * divisor - units * 100;
            prop_assert!(error.abs() * 2 <= divisor);
            prop_assert_eq!(rounded, error != 0);
        }

        #[test]
        fn never_panics(text in ".*", decimals in 0..=DECIMALS_MAX) {
            let _ = Decimal::parse(&text, decimals);
        }
    }
}
