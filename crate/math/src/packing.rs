//! Several small counters in one integer, for sums of one integer a person that cost a search.
//!
//! Each counter has a digit of its own in the base $B = n w + 1$, where n terms of a width w are added: so
//! no digit of the sum carries into the next, whatever is added, and the counters' sums stand side by
//! side in it. Only counters that are all to be shown may be packed. The digits of one number may not:
//! their sums would show more than the sum of the numbers.

/// Counters side by side, with headroom for sums of so many terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packing {
    counters: u32,
    width: u64,
    base: u64,
    /// Of one term, with every counter at its end.
    most: u64,
}

impl Packing {
    /// For so many counters from 0 to `width`, added up over `terms`; `None` if there is none of them,
    /// or their sum could exceed `limit`.
    #[must_use]
    pub fn new(counters: usize, width: u64, terms: u64, limit: u64) -> Option<Self> {
        let base = width.checked_mul(terms)?.checked_add(1)?;
        let counters = u32::try_from(counters).ok().filter(|counters| *counters > 0)?;
        let end = base.checked_pow(counters)?.checked_sub(1).filter(|end| *end <= limit)?;
        Some(Self { counters, width, base, most: end.checked_div(terms)? })
    }

    /// The largest width that so many counters may have; 0 if there is none.
    #[must_use]
    pub fn width_max(counters: usize, terms: u64, limit: u64) -> u64 {
        let (mut fits, mut too_wide) = (0, limit.saturating_add(1));
        while too_wide - fits > 1 {
            let width = fits + (too_wide - fits) / 2;
            match Self::new(counters, width, terms, limit) {
                Some(_) => fits = width,
                None => too_wide = width,
            }
        }
        fits
    }

    /// The largest integer that one term can be.
    #[must_use]
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// One term; `None` for another number of counters, or one that is negative or beyond the width.
    #[must_use]
    pub fn pack(&self, counters: &[i128]) -> Option<u64> {
        let digits = counters.iter().map(|value| u64::try_from(*value).ok().filter(|digit| *digit <= self.width));
        // Stays within `most`.
        let append = |packed: u64, digit: Option<u64>| Some(packed.wrapping_mul(self.base).wrapping_add(digit?));
        let fits = counters.len() == self.counters as usize;
        digits.rev().try_fold(0, append).filter(|_| fits)
    }

    /// The counters' sums in the sum of all terms; `None` for what no terms add up to.
    #[must_use]
    pub fn unpack(&self, sum: u64) -> Option<Vec<u64>> {
        let mut rest = sum;
        let digits = (0..self.counters).map(|_| {
            let digit = rest % self.base;
            rest /= self.base;
            digit
        });
        let digits = digits.collect();
        (rest == 0).then_some(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LIMIT: u64 = 1 << 40;

    #[test]
    fn four_counters_of_ten_bits_fit_and_a_fifth_does_not() {
        assert!(Packing::new(4, 1, 900, LIMIT).is_some());
        assert_eq!(Packing::new(5, 1, 900, LIMIT), None);
        assert_eq!(Packing::new(0, 1, 3, LIMIT), None);
        // One counter has the whole range.
        assert_eq!(Packing::new(1, LIMIT / 4, 4, LIMIT).map(|it| it.most()), Some(LIMIT / 4));
        assert_eq!(Packing::new(1, LIMIT / 4 + 1, 4, LIMIT), None);
        assert_eq!(Packing::new(2, u64::MAX, 2, u64::MAX), None);
    }

    #[test]
    fn the_largest_width_fits_and_one_more_does_not() {
        for (counters, terms) in [(1, 4), (2, 30), (4, 900), (8, 30), (5, 3)] {
            let width = Packing::width_max(counters, terms, LIMIT);
            assert!(width > 0 && Packing::new(counters, width, terms, LIMIT).is_some(), "{counters} of {terms}");
            assert_eq!(Packing::new(counters, width + 1, terms, LIMIT), None);
        }
        assert_eq!([Packing::width_max(5, 900, LIMIT), Packing::width_max(0, 3, LIMIT)], [0, 0]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let packing = Packing::new(2, 3, 5, LIMIT).unwrap();
        assert_eq!(
            [packing.pack(&[3]), packing.pack(&[1, 2, 3]), packing.pack(&[0, 4]), packing.pack(&[-1, 0])],
            [None; 4]
        );
        assert_eq!((packing.pack(&[3, 3]), packing.most()), (Some(51), 51));
        assert_eq!([packing.unpack(5 * 51), packing.unpack(5 * 51 + 1)], [Some(vec![15, 15]), None]);
    }

    proptest! {
        #[test]
        fn sums_of_counters_stand_side_by_side(terms in prop::collection::vec(prop::array::uniform4(0_i128..=3), 1..300)) {
            let packing = Packing::new(4, 3, terms.len() as u64, LIMIT).unwrap();
            let sum = terms.iter().map(|term| packing.pack(term).unwrap()).sum::<u64>();
            prop_assert!(sum <= packing.most() * terms.len() as u64);
            let sums: Vec<u64> = (0..4).map(|at| terms.iter().map(|term| term[at] as u64).sum()).collect();
            prop_assert_eq!(packing.unpack(sum), Some(sums));
        }
    }
}
