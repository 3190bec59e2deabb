//! The search for a sum in the exponent, in steps short enough for whoever has to answer in between.

use crate::Element;
use crate::dlog::{Progress, Solver, SumRange, Table, kept_table};
use std::sync::Arc;

/// How far a search is, in look-ups; a baby step of the table counts as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Working {
    /// So many are done.
    pub done: u64,
    /// Most that there can be.
    pub of: u64,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The search goes on.
    Working(Working),
    /// The sum.
    Found(i64),
    /// The element is no sum of the range.
    NotInRange,
}

/// The search for the s of `s G` in a range, with the table that this process keeps.
///
/// # Security
/// In time that depends on s: only for what is public.
pub struct Logarithm {
    range: SumRange,
    table: Option<Arc<Table>>,
    solver: Option<Solver>,
}

impl Logarithm {
    /// Nothing is done yet.
    #[must_use]
    pub const fn new(range: SumRange) -> Self {
        Self { range, table: None, solver: None }
    }

    /// Works on the table, which does not depend on the sum, for about `budget` look-ups; `None` once it
    /// is there.
    ///
    /// # Cost
    /// Nothing but once per process and size: see [`Table::for_width`], of which there is one at a time.
    pub fn prepare(&mut self, budget: u32) -> Option<Working> {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return None;
        }
        if self.table.is_some() {
            return None;
        }
        match kept_table(self.range, budget) {
            Ok(table) => {
                self.table = Some(table);
                None
            }
            Err(made) => {
                let found_at_once = made.of.saturating_mul(2);
                Some(Working { done: made.done, of: made.of + self.range.width() / found_at_once + 1 })
            }
        }
    }

    /// Searches for about `budget` look-ups. The element is the same each time.
    ///
    /// # Cost
    /// All steps together as [`recover_vartime`](crate::dlog::recover_vartime).
    pub fn step(&mut self, sum: &Element, budget: u32) -> Search {
        #[cfg(feature = "model")]
        if let Some(a) = sum.line() {
            return crate::model::small(&a, self.range).map_or(Search::NotInRange, Search::Found);
        }
        if let Some(working) = self.prepare(budget) {
            return Search::Working(working);
        }
        let Some(table) = &self.table else { return Search::NotInRange };
        if self.solver.is_none() {
            // An element's own encoding is one that can be read.
            self.solver = Solver::new(Arc::clone(table), &sum.encode(), self.range).ok();
        }
        let (steps, at_once) = (table.count(), table.block() as u64);
        match self.solver.as_mut().map(|solver| solver.step(budget)) {
            Some(Progress::Searching(searched)) => {
                let of = steps + self.range.width() / at_once + 1;
                Search::Working(Working { done: steps + searched / at_once, of })
            }
            Some(Progress::Found(sum)) => Search::Found(sum),
            Some(Progress::NotInRange) | None => Search::NotInRange,
        }
    }
}

impl core::fmt::Debug for Logarithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Logarithm").field("range", &self.range).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use curve25519_dalek::scalar::Scalar;

    const WIDE: i64 = 1 << 24;

    fn times_base(s: i64) -> Element {
        let scalar = Scalar::from(s.unsigned_abs());
        Element::base_times(&if s < 0 { -scalar } else { scalar })
    }

    /// All that a search says until its end, and how often it went on.
    fn search(sum: i64, budget: u32) -> (Search, usize) {
        let mut search = Logarithm::new(SumRange::new(-WIDE, WIDE).unwrap());
        let (mut before, mut steps) = (Working { done: 0, of: u64::MAX }, 0);
        loop {
            match search.step(&times_base(sum), budget) {
                Search::Working(now) => {
                    assert!(now.done > before.done && now.done < now.of && now.of <= before.of, "{before:?} {now:?}");
                    (before, steps) = (now, steps + 1);
                }
                end => return (end, steps),
            }
        }
    }

    #[test]
    fn says_how_far_it_is_and_finds_what_one_step_finds() {
        for sum in [-WIDE, 0, 77, WIDE, WIDE + 1] {
            let end = if sum > WIDE { Search::NotInRange } else { Search::Found(sum) };
            assert_eq!(search(sum, u32::MAX).0, end);
            let (stepwise, steps) = search(sum, 1);
            assert!(stepwise == end && (sum < 0 || steps > 2), "{sum}: {stepwise:?} after {steps}");
        }
    }

    #[test]
    fn what_is_prepared_is_not_made_again() {
        let mut first = Logarithm::new(SumRange::new(0, WIDE).unwrap());
        while first.prepare(1 << 12).is_some() {}
        // Whatever other tests of this process do meanwhile, this one's table is there.
        let Search::Working(working) = first.step(&times_base(WIDE), 1) else { panic!("too fast") };
        assert!(working.done > first.table.unwrap().count());
    }
}
