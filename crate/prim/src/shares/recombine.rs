//! The sum, from shares of which some may be missing or wrong.

use super::points::{Points, is_in, subsets};
use undertone_math::Field127;

/// A sum and who was wrong about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recombined {
    /// The sums.
    pub sums: Vec<i128>,
    /// Seats whose shares do not fit those of the others, as bits.
    pub wrong: u16,
}

/// The shares do not fit, and are too few to say whose is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

/// Puts shares of sums together, seat by seat; `None` where one is missing.
///
/// Of m shares, (m - threshold) / 2 wrong ones are found and left out, and up to m - threshold are
/// noticed. With no more shares than `threshold` any are believed.
///
/// # Errors
/// [`Unfit`] if no so few seats can be left out that the rest fit, or there are fewer than `threshold`.
pub fn recombine(shares: &[Option<Vec<Field127>>], threshold: usize) -> Result<Recombined, Unfit> {
    let there: Vec<usize> =
        shares.iter().enumerate().filter_map(|(seat, share)| share.is_some().then_some(seat)).collect();
    let length = shares.iter().flatten().map(Vec::len).min().unwrap_or_default();
    let most = there.len().saturating_sub(threshold) / 2;
    let value = |seat: usize, at: usize| shares.get(seat).and_then(|share| share.as_ref()?.get(at).copied());
    for wrong in
        subsets(shares.len(), most).filter(|wrong| (0..16).all(|seat| !is_in(*wrong, seat) || there.contains(&seat)))
    {
        let Some(points) = Points::new(there.iter().copied().filter(|seat| !is_in(wrong, *seat)), threshold) else {
            continue;
        };
        if (0..length).all(|at| points.fit(|seat| value(seat, at))) {
            let sums = (0..length).map(|at| points.secret(|seat| value(seat, at)).to_signed()).collect();
            return Ok(Recombined { sums, wrong });
        }
    }
    Err(Unfit)
}
