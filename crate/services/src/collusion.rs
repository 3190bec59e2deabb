//! How many seats may pool what they know, and whom each is linked with so that they learn nothing.
//!
//! Where nothing is said everyone is linked with everyone, and all but two may collude. A smaller
//! number needs fewer links: a ring in which each seat has t + 1 neighbours stays in one piece without
//! any t of them.

use crate::bad_plan;
use crate::rows::param;
use crate::service::{Param, ParamKind};
use undertone_machine::{Fault, Seat};
use undertone_prim::graph::{Graph, Tolerance};
use undertone_wire::{Plan, limits};

/// t, or nothing for all but two.
pub(crate) const COLLUSION: Param =
    Param::new("collusion", "How many may collude", "", ParamKind::Whole).hint("Empty: all but two").rare();

/// The most that a plan may say.
const COLLUDERS_MAX: usize = limits::SEATS_MAX - 3;

/// Reads t.
pub(crate) fn colluders(plan: &Plan, known: &Param) -> Result<u16, Fault> {
    let colluders = param(plan, known).parse().ok().filter(|t| usize::from(*t) <= COLLUDERS_MAX);
    let message = || format!("How many may collude: a whole number from 0 to {COLLUDERS_MAX}.");
    colluders.ok_or_else(|| bad_plan("collusion", message()))
}

/// What refuses a t that so many seats cannot bear.
pub(crate) fn too_many(seats: usize, most: usize) -> Fault {
    bad_plan("collusion", format!("With {seats} people at most {most} may collude."))
}

/// t where one was chosen.
#[derive(Clone, Copy)]
pub(crate) struct Collusion(Option<u16>);

impl Collusion {
    pub(crate) fn read(plan: &Plan) -> Result<Self, Fault> {
        let all_but_two = param(plan, &COLLUSION).is_empty();
        Ok(Self(if all_but_two { None } else { Some(colluders(plan, &COLLUSION)?) }))
    }

    /// Whether so many seats can bear it.
    pub(crate) fn admits(self, seats: usize) -> Result<(), Fault> {
        match self.0 {
            Some(_) if self.tolerance(seats).is_none() => Err(too_many(seats, seats.saturating_sub(2))),
            _ => Ok(()),
        }
    }

    /// What a graph has to bear; `None` where everyone is linked with everyone, or where it cannot.
    pub(crate) fn tolerance(self, seats: usize) -> Option<Tolerance> {
        Tolerance::new(u16::try_from(seats).ok()?, self.0?, 0).ok()
    }

    /// t as a number for hashes, none below all of them.
    pub(crate) fn number(self) -> u64 {
        self.0.map_or(0, |t| u64::from(t) + 1)
    }
}

/// The keys of those whom the graph links with a seat; all keys where there is none.
pub(crate) fn linked<K: Copy>(graph: Option<&Graph>, me: Seat, keys: &[(Seat, K)]) -> Option<Vec<(Seat, K)>> {
    let Some(graph) = graph else { return Some(keys.to_vec()) };
    let place = keys.iter().position(|(seat, _)| *seat == me)?;
    let neighbours = graph.neighbours(u16::try_from(place).ok()?);
    neighbours.into_iter().map(|place| keys.get(usize::from(place)).copied()).collect()
}
