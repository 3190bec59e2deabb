//! Many exact sums under one key each, with a collusion tolerance that the room chooses: PCL.

use crate::bad_plan;
use crate::cells::CELLS;
use crate::collusion::{colluders, too_many};
use crate::group_sum::{Hiding, Method};
use crate::method_keys::TablesFor;
use crate::rows::{DECIMALS, MAX, MIN, UNIT, param};
use crate::service::{Audience, Manifest, Param, ParamKind, Service, Task};
use crate::steps::{Steps, Terms};
use undertone_machine::Fault;
use undertone_prim::graph::{BoundedGraph, Margin, Tolerance};
use undertone_prim::pcl::{Coefficients, KeyLife, KeyTables};
use undertone_prim::{Element, Hash, Transcript};
use undertone_wire::{MethodId, Plan, limits};

/// The service.
pub(crate) static SERVICE: Pcl = Pcl;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "pcl",
    title: "Sums in a group, many rounds",
    summary: "The exact sum, again and again under one key, against as many colluders as you choose.",
    module: "groups",
    audience: Audience::People,
    method: MethodId::Pcl,
    seats_min: 4,
    seats_max: limits::SEATS_MAX,
    params: &[CELLS, UNIT, DECIMALS, MIN, MAX, COLLUSION, EXPONENTS, BUDGET],
    outputs: &["sum"],
};

/// t.
const COLLUSION: Param =
    Param::new("collusion", "How many may collude", "1", ParamKind::Whole).hint("More means fewer rounds with a key");
/// From how many numbers coefficients are taken.
const EXPONENTS: Param =
    Param::new("exponents", "Coefficients", "128", ParamKind::Text).hint("128 bits, or full as in the paper").rare();
/// How close to the bound the number of rounds may come.
const BUDGET: Param =
    Param::new("budget", "Rounds with a key", "spare", ParamKind::Text).hint("spare, or exact as in the paper").rare();

pub(crate) struct Pcl;

impl Service for Pcl {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Steps::prepare(plan, Bounded::read(plan)?)
    }
}

/// As many rounds with each key as are safe against so many colluders.
struct Bounded {
    colluders: u16,
    coefficients: Coefficients,
    margin: Margin,
}

impl Bounded {
    fn read(plan: &Plan) -> Result<Self, Fault> {
        let colluders = colluders(plan, &COLLUSION)?;
        let coefficients = match param(plan, &EXPONENTS) {
            "128" => Coefficients::Short,
            "full" => Coefficients::Full,
            _ => return Err(bad_plan("exponents", "Coefficients: 128 or full.".into())),
        };
        let margin = match param(plan, &BUDGET) {
            "spare" => Margin::Spare,
            "exact" => Margin::Exact,
            _ => return Err(bad_plan("budget", "Rounds with a key: spare or exact.".into())),
        };
        Ok(Self { colluders, coefficients, margin })
    }

    /// The graph for the most rounds; `None` where not one is safe.
    fn graph(&self, seats: usize) -> Option<BoundedGraph> {
        let tolerance = Tolerance::new(u16::try_from(seats).ok()?, self.colluders, 0).ok()?;
        tolerance.graph_for_rounds(tolerance.budget(self.margin).ok()?, self.margin).ok()
    }
}

impl Method for Bounded {
    type Value = Element;

    fn rounds(&self, seats: usize) -> u32 {
        self.graph(seats).map_or(1, |graph| graph.rounds())
    }

    fn hide(&self, hiding: Hiding<'_>) -> Option<Element> {
        let (keys, Hiding { own, memory, me, round, context, value, .. }) = (hiding.group()?, hiding);
        let place = keys.iter().position(|(seat, _)| *seat == me).and_then(|place| u16::try_from(place).ok())?;
        let keys: Vec<_> = keys.iter().map(|(_, key)| *key).collect();
        let make = |it: &TablesFor| KeyTables::new(place, &it.keys, &self.graph(it.keys.len())?, self.coefficients).ok();
        let tables = memory.tables(TablesFor { place, keys, terms: self.hash() }, make)?;
        let mut life = KeyLife::new(own.agreement(), tables).ok()?;
        life.resume(round);
        life.message(&context, round, value).ok()
    }
}

impl Terms for Bounded {
    const CELLS: bool = true;

    fn admits(&self, seats: usize) -> Result<(), Fault> {
        let spare = if self.margin == Margin::Spare { 3 } else { 2 };
        let most = seats.saturating_sub(spare);
        self.graph(seats).map(|_| ()).ok_or_else(|| too_many(seats, most))
    }

    fn hash(&self) -> Hash {
        let terms = [self.coefficients == Coefficients::Full, self.margin == Margin::Exact].map(u64::from);
        let start = Transcript::new("pcl-terms/v1").number(self.colluders.into());
        terms.into_iter().fold(start, Transcript::number).hash()
    }
}
