//! The exact sum by the protocol of the paper, single-round KDK; with a collusion tolerance as many
//! rounds with a key as have links of their own.

use crate::cells::CELLS;
use crate::collusion::{COLLUSION, Collusion, linked};
use crate::group_sum::{Hiding, Method};
use crate::rows::{DECIMALS, MAX, MIN, UNIT};
use crate::service::{Audience, Manifest, Service, Task};
use crate::steps::{Steps, Terms};
use std::sync::OnceLock;
use undertone_machine::Fault;
use undertone_prim::graph::{Graph, Schedule};
use undertone_prim::{Element, Hash, Transcript, kdk_message};
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Kdk = Kdk;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "kdk",
    title: "Sum in a group",
    summary: "The exact sum, hidden in the exponents of a group: the protocol of the paper, for teaching.",
    module: "groups",
    audience: Audience::People,
    method: MethodId::Kdk,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[CELLS, UNIT, DECIMALS, MIN, MAX, COLLUSION],
    outputs: &["sum"],
};

pub(crate) struct Kdk;

impl Service for Kdk {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Steps::prepare(plan, Linked { collusion: Collusion::read(plan)?, found: OnceLock::new() })
    }
}

/// Everyone linked with everyone for one round, or a graph for each round of a key.
struct Linked {
    collusion: Collusion,
    /// The graphs for the number of seats that was asked for first: a search.
    found: OnceLock<(usize, Vec<Graph>)>,
}

impl Linked {
    /// The graphs of a key's rounds; none where everyone is linked with everyone.
    fn graphs(&self, seats: usize) -> Vec<Graph> {
        let (of, found) = self.found.get_or_init(|| (seats, self.search(seats)));
        if *of == seats { found.clone() } else { self.search(seats) }
    }

    /// Graphs that share no link, so that none is used twice; where none are found, one for one round.
    fn search(&self, seats: usize) -> Vec<Graph> {
        let Some(tolerance) = self.collusion.tolerance(seats) else { return Vec::new() };
        Schedule::new(&tolerance).map_or_else(|_| vec![tolerance.graph()], |found| found.rounds().to_vec())
    }
}

impl Method for Linked {
    type Value = Element;

    fn rounds(&self, seats: usize) -> u32 {
        self.graphs(seats).len().max(1) as u32
    }

    fn hide(&self, hiding: Hiding<'_>) -> Option<Element> {
        let (me, graphs) = (hiding.me, self.graphs(hiding.keys.len()));
        let graph = graphs.get(hiding.round as usize);
        // A key has no round beyond its graphs: without a graph everyone is linked, for one round.
        if graph.is_none() && (!graphs.is_empty() || hiding.round > 0) {
            return None;
        }
        let keys = linked(graph, me, &hiding.group()?)?;
        kdk_message(hiding.own.agreement(), me, &keys, hiding.value)
    }
}

impl Terms for Linked {
    const CELLS: bool = true;

    fn admits(&self, seats: usize) -> Result<(), Fault> {
        self.collusion.admits(seats)
    }

    fn hash(&self) -> Hash {
        Transcript::new("kdk-terms/v1").number(self.collusion.number()).hash()
    }
}
