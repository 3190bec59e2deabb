//! The search for a sum in the exponent, in steps short enough for whoever has to answer in between.

use crate::Element;
use crate::dlog::{Progress, Solver, SumRange, Table};
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

/// An element that may have a sum in its exponent.
pub trait Searchable {
    /// Baby steps, the same for every sum.
    type Table;
    /// A search under way.
    type Solver;

    /// The table that this process keeps, or how far it is after about `budget` more baby steps.
    ///
    /// # Errors
    /// How far it is, while it is not there.
    fn table(range: SumRange, budget: u32) -> Result<Arc<Self::Table>, Working>;

    /// The baby steps of a table, and one more.
    fn steps(table: &Self::Table) -> u64;

    /// Begins a search for this element's exponent.
    fn solver(&self, table: &Arc<Self::Table>, range: SumRange) -> Option<Self::Solver>;

    /// Searches on for about `budget` look-ups.
    fn step(solver: &mut Self::Solver, budget: u32) -> Progress;

    /// Whether a model stands for the group on this thread, which needs no table.
    #[cfg(feature = "model")]
    fn is_modelled() -> bool {
        false
    }

    /// What a model finds at once, if this is an element of one.
    #[cfg(feature = "model")]
    fn modelled(&self, _range: SumRange) -> Option<Search> {
        None
    }
}

/// The search for the s of `s G` in a range, with the table that this process keeps.
///
/// # Security
/// In time that depends on s: only for what is public.
pub struct Logarithm<E: Searchable> {
    range: SumRange,
    table: Option<Arc<E::Table>>,
    solver: Option<E::Solver>,
}

impl<E: Searchable> Logarithm<E> {
    /// Nothing is done yet.
    #[must_use]
    pub const fn new(range: SumRange) -> Self {
        Self { range, table: None, solver: None }
    }

    /// Works on the table, which does not depend on the sum, for about `budget` look-ups; `None` once it
    /// is there.
    ///
    /// # Cost
    /// Nothing but once per process and size: of the tables of a group there is one at a time.
    pub fn prepare(&mut self, budget: u32) -> Option<Working> {
        #[cfg(feature = "model")]
        if E::is_modelled() {
            return None;
        }
        if self.table.is_some() {
            return None;
        }
        match E::table(self.range, budget) {
            Ok(table) => {
                self.table = Some(table);
                None
            }
            Err(Working { done, of: steps }) => Some(self.working(done, steps)),
        }
    }

    /// Searches for about `budget` look-ups. The element is the same each time.
    ///
    /// # Cost
    /// A table, unless there is one, and at most the width of the range over three times the table's
    /// baby steps look-ups; half of that on average.
    pub fn step(&mut self, sum: &E, budget: u32) -> Search {
        #[cfg(feature = "model")]
        if let Some(search) = sum.modelled(self.range) {
            return search;
        }
        if let Some(working) = self.prepare(budget) {
            return Search::Working(working);
        }
        let Some(table) = &self.table else { return Search::NotInRange };
        if self.solver.is_none() {
            self.solver = sum.solver(table, self.range);
        }
        let steps = E::steps(table);
        match self.solver.as_mut().map(|solver| E::step(solver, budget)) {
            Some(Progress::Searching(searched)) => {
                Search::Working(self.working(steps + searched / at_once(steps), steps))
            }
            Some(Progress::Found(sum)) => Search::Found(sum),
            Some(Progress::NotInRange) | None => Search::NotInRange,
        }
    }

    /// All steps in one go.
    pub(crate) fn run(mut self, sum: &E) -> Option<i64> {
        loop {
            match self.step(sum, u32::MAX) {
                Search::Working(_) => {}
                Search::Found(sum) => return Some(sum),
                Search::NotInRange => return None,
            }
        }
    }

    /// How far it is, with so many steps in the table.
    const fn working(&self, done: u64, steps: u64) -> Working {
        Working { done, of: steps + self.range.width() / at_once(steps) + 1 }
    }
}

/// Sums that a look-up rules out: its middle, and as many on each side as there are baby steps.
const fn at_once(steps: u64) -> u64 {
    2 * steps - 1
}

impl Searchable for Element {
    type Table = Table;
    type Solver = Solver;

    fn table(range: SumRange, budget: u32) -> Result<Arc<Table>, Working> {
        Table::kept(range, budget)
    }

    fn steps(table: &Table) -> u64 {
        table.count()
    }

    fn solver(&self, table: &Arc<Table>, range: SumRange) -> Option<Solver> {
        // An element's own encoding is one that can be read.
        Solver::new(Arc::clone(table), &self.encode(), range).ok()
    }

    fn step(solver: &mut Solver, budget: u32) -> Progress {
        solver.step(budget)
    }

    #[cfg(feature = "model")]
    fn is_modelled() -> bool {
        crate::model::is_active()
    }

    #[cfg(feature = "model")]
    fn modelled(&self, range: SumRange) -> Option<Search> {
        let found = |a| crate::model::small(&a, range).map_or(Search::NotInRange, Search::Found);
        self.line().map(found)
    }
}

impl<E: Searchable> core::fmt::Debug for Logarithm<E> {
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

    fn wide<E: Searchable>() -> Logarithm<E> {
        Logarithm::new(SumRange::new(-WIDE, WIDE).unwrap())
    }

    /// All that a search says until its end, and how often it went on.
    fn search<E: Searchable>(sum: &E, budget: u32) -> (Search, usize) {
        let (mut search, mut before, mut steps) = (wide(), None, 0);
        loop {
            match search.step(sum, budget) {
                Search::Working(Working { done, of }) => {
                    let (done_before, of_before) = before.unwrap_or((0, of));
                    assert!(done_before < done && done < of && of == of_before, "{done} of {of} after {before:?}");
                    (before, steps) = (Some((done, of)), steps + 1);
                }
                end => return (end, steps),
            }
        }
    }

    fn is_found_in_steps<E: Searchable>(times: fn(i64) -> E) {
        for sum in [-WIDE, 0, 77, WIDE, WIDE + 1] {
            let end = if sum > WIDE { Search::NotInRange } else { Search::Found(sum) };
            assert_eq!(search(&times(sum), u32::MAX).0, end);
            let (stepwise, steps) = search(&times(sum), 1);
            assert!(stepwise == end && (sum < WIDE || steps > 0), "{sum}: {stepwise:?} after {steps}");
            assert_eq!(wide().run(&times(sum)), (sum <= WIDE).then_some(sum));
        }
    }

    /// Whatever other tests of this process do meanwhile, what is prepared is there.
    fn is_prepared_once<E: Searchable>(times: fn(i64) -> E) {
        let mut first = wide();
        while first.prepare(1 << 12).is_some() {}
        let Search::Working(working) = first.step(&times(WIDE), 1) else { panic!("too fast") };
        assert!(working.done > E::steps(&first.table.unwrap()));
    }

    #[test]
    fn says_how_far_it_is_and_finds_what_one_step_finds() {
        is_found_in_steps(times_base);
        #[cfg(feature = "pairing")]
        is_found_in_steps(crate::pairing::TargetElement::power_vartime);
    }

    #[test]
    fn what_is_prepared_is_not_made_again() {
        is_prepared_once(times_base);
        #[cfg(feature = "pairing")]
        is_prepared_once(crate::pairing::TargetElement::power_vartime);
    }

    #[cfg(feature = "model")]
    #[test]
    fn a_model_needs_no_table() {
        crate::model::within(|| {
            assert_eq!(wide::<Element>().prepare(1), None);
            assert_eq!(wide().step(&times_base(77), 1), Search::Found(77));
            assert_eq!(wide().step(&times_base(WIDE + 1), 1), Search::NotInRange);
        });
    }
}
