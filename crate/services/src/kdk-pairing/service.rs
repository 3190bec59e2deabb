//! Any number of exact sums under one key each: multi-round KDK, with one pairing a message.

use crate::collusion::COLLUSION;
use crate::rows::{DECIMALS, MAX, MIN, UNIT};
use crate::service::{Audience, Manifest};
use undertone_wire::{MethodId, limits};

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "kdk-pairing",
    title: "Sums in a group, without end",
    summary: "The exact sum, as often as you like under one key, by a pairing.",
    module: "pairing",
    audience: Audience::Developers,
    method: MethodId::KdkPairing,
    seats_min: 2,
    seats_max: limits::SEATS_MAX,
    params: &[UNIT, DECIMALS, MIN, MAX, COLLUSION],
    outputs: &["sum"],
};

#[cfg(feature = "pairing")]
pub(crate) use paired::SERVICE;

/// All that needs the curve, which other builds do not have.
#[cfg(feature = "pairing")]
mod paired {
    use super::MANIFEST;
    use crate::collusion::{Collusion, linked};
    use crate::group_sum::{Hidden, Hiding, Method, UNBOUNDED};
    use crate::service::{Manifest, Service, Task};
    use crate::steps::{Steps, Terms};
    use undertone_machine::Fault;
    use undertone_prim::Hash;
    use undertone_prim::codec::Codec;
    use undertone_prim::graph::Tolerance;
    use undertone_prim::pairing::{RoundPoint, TARGET_BYTES, TARGET_WIDTH_MAX, TargetElement};
    use undertone_wire::Plan;

    /// The service.
    pub(crate) static SERVICE: KdkPairing = KdkPairing;

    pub(crate) struct KdkPairing;

    impl Service for KdkPairing {
        fn manifest(&self) -> &'static Manifest {
            &MANIFEST
        }

        fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
            Steps::prepare(plan, Paired(Collusion::read(plan)?))
        }
    }

    /// Masks that are new in each round, between those who are linked.
    struct Paired(Collusion);

    impl Method for Paired {
        type Value = TargetElement;

        fn rounds(&self, _seats: usize) -> u32 {
            UNBOUNDED
        }

        fn hide(&self, hiding: Hiding<'_>) -> Option<TargetElement> {
            let Hiding { own, memory, keys, me, round, context, value } = hiding;
            let keys: Vec<_> = keys.iter().map(|(seat, key)| Some((*seat, key.pairing()?))).collect::<Option<_>>()?;
            let graph = self.0.tolerance(keys.len()).as_ref().map(Tolerance::graph);
            let keys = linked(graph.as_ref(), me, &keys)?;
            let point = RoundPoint::new(&context, round.into(), 0);
            Some(memory.with_neighbourhood(&own, me, &keys, |neighbourhood| neighbourhood.message(&point, value)))
        }
    }

    impl Terms for Paired {
        /// Their code does not fit into the module.
        const CELLS: bool = false;

        fn admits(&self, seats: usize) -> Result<(), Fault> {
            self.0.admits(seats)
        }

        /// A round's masks tell nothing about those of another, so a key serves questions on any terms.
        fn hash(&self) -> Hash {
            [0; 32]
        }
    }

    impl Hidden for TargetElement {
        const BYTES: usize = TARGET_BYTES;
        const WIDTH_MAX: u64 = TARGET_WIDTH_MAX;
        const LOOK_UPS: u32 = 1 << 11;

        fn neutral() -> Self {
            Self::identity()
        }

        fn plus(self, other: Self) -> Self {
            self * other
        }

        fn encoded(&self) -> Vec<u8> {
            self.to_bytes()
        }

        fn read(bytes: &[u8]) -> Option<Self> {
            Self::from_bytes(bytes).ok().filter(|value| *value != Self::identity())
        }
    }
}
