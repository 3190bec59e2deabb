//! The exact sum by the protocol of the paper, single-round KDK.

use crate::group_sum::{Hiding, Method};
use crate::rows::{DECIMALS, MAX, MIN, UNIT};
use crate::service::{Audience, Manifest, Service, Task};
use crate::steps::{Steps, Terms};
use undertone_machine::Fault;
use undertone_prim::{Element, Hash, kdk_message};
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
    params: &[UNIT, DECIMALS, MIN, MAX],
    outputs: &["sum"],
};

pub(crate) struct Kdk;

impl Service for Kdk {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Steps::prepare(plan, Single)
    }
}

/// One round with each key, everyone linked with everyone.
struct Single;

impl Method for Single {
    fn rounds(&self, _seats: usize) -> u32 {
        1
    }

    fn hide(&self, hiding: Hiding<'_>) -> Option<Element> {
        Some(kdk_message(hiding.key, hiding.me, hiding.keys, hiding.value))
    }
}

impl Terms for Single {
    fn admits(&self, _seats: usize) -> Result<(), Fault> {
        Ok(())
    }

    fn hash(&self) -> Hash {
        [0; 32]
    }
}
