//! Values of one polynomial at the points of some seats. Points are public, so inverting them may
//! take what time it likes.

use undertone_math::Field127;

/// Where a seat's share is taken: never at 0, where the secret is.
pub(crate) fn point(computer: usize) -> Field127 {
    Field127::new((computer as u128).saturating_add(1))
}

/// The points of a set of seats, with what follows for polynomials of so many coefficients.
pub(crate) struct Points {
    seats: Vec<usize>,
    /// Weights of the first values in the value at 0.
    at_zero: Vec<Field127>,
    /// Weights of the first values in each further value.
    further: Vec<(usize, Vec<Field127>)>,
}

impl Points {
    /// `None` if the seats are too few to decide a polynomial.
    pub(crate) fn new(seats: impl IntoIterator<Item = usize>, threshold: usize) -> Option<Self> {
        let seats: Vec<_> = seats.into_iter().collect();
        let (first, rest) = seats.split_at_checked(threshold)?;
        let further = rest.iter().map(|seat| (*seat, weights(first, point(*seat)))).collect();
        Some(Self { at_zero: weights(first, Field127::default()), further, seats: first.to_vec() })
    }

    /// Whether all seats' values are of one polynomial.
    pub(crate) fn fit(&self, value: impl Fn(usize) -> Option<Field127>) -> bool {
        self.seats.iter().all(|seat| value(*seat).is_some())
            && self.further.iter().all(|(seat, weights)| value(*seat) == Some(self.combine(weights, &value)))
    }

    /// The polynomial's value at 0.
    pub(crate) fn secret(&self, value: impl Fn(usize) -> Option<Field127>) -> Field127 {
        self.combine(&self.at_zero, value)
    }

    fn combine(&self, weights: &[Field127], value: impl Fn(usize) -> Option<Field127>) -> Field127 {
        let terms = self.seats.iter().zip(weights).map(|(seat, weight)| value(*seat).unwrap_or_default().mul(*weight));
        terms.fold(Field127::default(), Field127::add)
    }
}

/// Lagrange's weights: f(x) = sum_i f(x_i) prod_{j != i} (x - x_j) / (x_i - x_j).
pub(super) fn weights(seats: &[usize], x: Field127) -> Vec<Field127> {
    let weight = |i: &usize| {
        let others = || seats.iter().filter(|j| *j != i).map(|j| point(*j));
        let above = others().fold(Field127::new(1), |product, other| product.mul(x.sub(other)));
        let below = others().fold(Field127::new(1), |product, other| product.mul(point(*i).sub(other)));
        above.mul(below.invert())
    };
    seats.iter().map(weight).collect()
}

/// The sets of up to so many of `count` seats, the smaller ones first, as bits.
pub(crate) fn subsets(count: usize, most: usize) -> impl Iterator<Item = u16> {
    let all = 1_u16.checked_shl(u32::try_from(count).unwrap_or(u32::MAX)).unwrap_or_default();
    (0..=most).flat_map(move |size| (0..all).filter(move |set| set.count_ones() as usize == size))
}

/// Whether a seat is in a set.
pub(crate) fn is_in(set: u16, seat: usize) -> bool {
    u32::try_from(seat).is_ok_and(|seat| set.checked_shr(seat).is_some_and(|bits| bits & 1 == 1))
}
