//! How many may vanish, and what that asks of everyone else.

use crate::rows::param;
use crate::service::{Param, ParamKind};
use crate::{SPARES, bad_plan};
use undertone_machine::{Fault, FaultCode};
use undertone_prim::graph::{Graph, Tolerance};
use undertone_wire::Plan;

/// How many people may vanish after the acknowledgements.
pub(crate) const DROPS: Param = Param::new("drops", "How many may vanish", "0", ParamKind::Whole)
    .hint("People whose device falls silent before the result; 0: all have to stay")
    .rare();

/// The most that a plan may say: a sixth of as many seats as a room may have.
const DROPS_MAX: usize = 150;

/// Up to so many people everyone masks with everyone.
const COMPLETE_MAX: usize = 2 * REACH + 1;

/// In larger rooms each seat masks with so many on either side, in an order that is drawn after all keys
/// were committed to.
const REACH: usize = 64;

/// Of so many next to each other, how many have to be added: if a sixth of all seats collude, so many are
/// together nowhere but with a chance below 2^-26 in a room of 900, so they cut no part of it off.
const WINDOW_MIN: usize = 36;

/// One in so many may collude in larger rooms, and one in so many may vanish.
const PART: usize = 6;

/// The module that holds what it needs: with it, `sums` would be larger than a first visit should wait for.
pub(crate) const MODULE: &str = "drops";

/// Reads how many may vanish.
pub(crate) fn drops(plan: &Plan) -> Result<usize, Fault> {
    if !SPARES && !matches!(param(plan, &DROPS), "0") {
        return Err(Fault::new(FaultCode::OtherModule).in_field(MODULE));
    }
    let drops = param(plan, &DROPS).parse().ok().filter(|drops| *drops <= DROPS_MAX);
    drops.ok_or_else(|| bad_plan(DROPS.name, format!("How many may vanish: a whole number from 0 to {DROPS_MAX}.")))
}

/// The most of so many people that may vanish while one who is curious learns nothing more.
pub(crate) const fn most_drops(people: usize) -> usize {
    if people > COMPLETE_MAX {
        return people / PART;
    }
    let (by_quorum, by_margin) = (people.saturating_sub(2) / 2, people.saturating_sub(4));
    if by_quorum < by_margin { by_quorum } else { by_margin }
}

/// What a room of so many people keeps to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    /// n, those who give a value.
    pub(crate) people: usize,
    /// d, those of them who may vanish.
    pub(crate) drops: usize,
    /// t, those who may pool what they know.
    pub(crate) colluders: usize,
    /// q, those who have to sign one set. Any two quorums share more than t seats, so one at least that
    /// signs once, and no two sets are ever opened.
    pub(crate) quorum: usize,
    /// Shares that open a seed; any fewer say nothing of it.
    pub(crate) threshold: usize,
    graph: Graph,
}

impl Terms {
    /// Of so many people so many may vanish; `None` if that is nobody, or too many.
    pub(crate) fn new(people: usize, drops: usize) -> Option<Self> {
        if drops == 0 || drops > most_drops(people) {
            return None;
        }
        let seats = u16::try_from(people).ok()?;
        let absent = people.checked_sub(drops)?;
        if people > COMPLETE_MAX {
            let colluders = people / PART;
            // A ring in which each has REACH neighbours on either side.
            let tolerance = Tolerance::new(seats, REACH as u16, REACH as u16 - 1).ok()?;
            let (quorum, threshold) = (quorum(people, colluders), REACH + 1);
            return Some(Self { people, drops, colluders, quorum, threshold, graph: tolerance.graph() });
        }
        // The most that floor((n + t) / 2) + 1 <= n - d allows, with three honest seats in every sum.
        let colluders = absent.checked_sub(drops + 1)?.min(absent.checked_sub(3)?);
        let quorum = quorum(people, colluders);
        let graph = Graph::complete(seats).ok()?;
        Some(Self { people, drops, colluders, quorum, threshold: quorum, graph })
    }

    /// The fewest that are added.
    pub(crate) const fn included_min(&self) -> usize {
        self.people.saturating_sub(self.drops)
    }

    /// Places of those whom a seat masks with.
    pub(crate) fn neighbours(&self, place: usize) -> Vec<usize> {
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        self.graph.neighbours(place).into_iter().map(usize::from).collect()
    }

    /// Places of those who hold a seat's shares: the same, and the seat itself.
    pub(crate) fn holders(&self, place: usize) -> Vec<usize> {
        let neighbours = self.neighbours(place);
        (0..self.people).filter(|other| *other == place || neighbours.contains(other)).collect()
    }

    /// How many those are.
    pub(crate) fn holder_count(&self) -> usize {
        usize::from(self.graph.degree()).saturating_add(1)
    }

    /// Whether these may be added: they are enough, and masks hold them together whoever colludes.
    pub(crate) fn admits(&self, included: &[bool]) -> bool {
        let count = |seats: &mut dyn Iterator<Item = &bool>| seats.filter(|included| **included).count();
        let is_whole = self.graph.is_complete()
            || (0..self.people).all(|from| count(&mut included.iter().cycle().skip(from).take(REACH)) >= WINDOW_MIN);
        included.len() == self.people && count(&mut included.iter()) >= self.included_min() && is_whole
    }
}

const fn quorum(people: usize, colluders: usize) -> usize {
    people.saturating_add(colluders) / 2 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_thirty_that_can_spare_six_bears_seventeen() {
        let terms = Terms::new(30, 6).unwrap();
        assert_eq!((terms.colluders, terms.quorum, terms.threshold, terms.included_min()), (17, 24, 24, 24));
        assert_eq!((terms.holder_count(), most_drops(30)), (30, 14));
    }

    /// Rule 9 and 10 of the protocol, for every room that can be asked.
    #[test]
    fn two_quorums_share_an_honest_seat_and_every_sum_hides_three() {
        for people in 2..=900_usize {
            for drops in 0..=most_drops(people) + 2 {
                let Some(terms) = Terms::new(people, drops) else {
                    assert!(drops == 0 || drops > most_drops(people), "{people} {drops}");
                    continue;
                };
                let t = terms.colluders;
                assert!(t >= 1 && 2 * terms.quorum - people > t, "{people} {drops}: quorums share too few");
                assert!(terms.quorum <= people - drops && terms.included_min() >= t + 3, "{people} {drops}");
                assert!(terms.threshold > t.min(terms.holder_count() / 2), "{people} {drops}");
                assert!(terms.threshold <= terms.holder_count() - drops.min(REACH), "{people} {drops}");
            }
        }
        for people in [0, 1, 2, 3, 4] {
            assert_eq!(most_drops(people), 0);
        }
    }

    #[test]
    fn everyone_masks_with_everyone_in_a_class_and_with_a_ring_beyond() {
        assert_eq!(Terms::new(64, 12).unwrap().holder_count(), 64);
        assert_eq!(Terms::new(129, 20).unwrap().holder_count(), 129);
        for people in [130, 1_000, 10_000] {
            let terms = Terms::new(people, people / PART).unwrap();
            assert_eq!((terms.holder_count(), terms.threshold), (129, 65));
            assert_eq!(terms.holders(0).len(), 129);
            assert!(terms.holders(5).contains(&5) && !terms.neighbours(5).contains(&5));
        }
    }

    /// A relay that drops a stretch of seats would leave one alone with those who collude.
    #[test]
    fn a_ring_that_could_be_cut_is_not_opened() {
        let terms = Terms::new(300, 50).unwrap();
        let mut included = vec![true; 300];
        assert!(terms.admits(&included));
        included[100..128].fill(false);
        assert!(terms.admits(&included));
        included[128] = false;
        assert!(!terms.admits(&included), "35 of 64 are left");
        let mut spread = vec![true; 300];
        spread.iter_mut().step_by(6).for_each(|one| *one = false);
        assert!(terms.admits(&spread));
        spread[1] = false;
        assert!(!terms.admits(&spread), "51 are missing");
        assert!(!terms.admits(&[true; 299]));
    }

    /// The chance that so many of a window collude, summed over all windows: exact, from the
    /// hypergeometric law.
    #[test]
    fn a_sixth_that_colludes_fills_no_window() {
        let choose = |n: usize, k: usize| (0..k).map(|i| (((n - i) as f64) / ((k - i) as f64)).log2()).sum::<f64>();
        for people in [130, 300, 900] {
            let bad = people / PART;
            let tail: f64 = (WINDOW_MIN..=REACH.min(bad))
                .map(|k| (choose(bad, k) + choose(people - bad, REACH - k) - choose(people, REACH)).exp2())
                .sum();
            assert!((tail * people as f64).log2() < -26.0, "{people}: {}", (tail * people as f64).log2());
        }
    }
}
