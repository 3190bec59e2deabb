//! Seats vanish for good, any of them at any message.

use crate::seeds;
use undertone_sim::{Scenario, campaign};

/// Each run ends at each seat that is left, before its deadline, in the right sum of those included or in a
/// fault that says why; the checks of the simulator see to all of that.
#[test]
fn whoever_vanishes_at_whatever_message_everyone_else_ends_in_time() {
    let tally = campaign(0..seeds(1_000), |seed| Scenario::vanishing(seed).modelled()).unwrap();
    println!("{tally}");
    assert_eq!(tally.broken, Vec::<String>::new(), "{tally}");
    // Most runs spare those who vanish; in some too many do, or the host.
    assert!(tally.with_result * 100 >= tally.runs * 60, "{tally}");
    for code in ["missing", "host-silent"] {
        assert!(tally.faults.contains_key(code), "{tally}");
    }
}

#[test]
fn the_same_on_the_real_curve() {
    let tally = campaign(0..seeds(20), Scenario::vanishing).unwrap();
    assert_eq!(tally.broken, Vec::<String>::new(), "{tally}");
}
