//! Many runs, on all cores.

use crate::{Scenario, Tally, simulate};
use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::thread::{available_parallelism, scope};
use undertone_machine::Fault;

/// Plays a scenario for each seed and counts what came of them.
///
/// Each run is played by one thread from beginning to end, so the tally does not depend on how many
/// there are; only the order of its broken runs does.
///
/// # Errors
/// As [`simulate`], of any of the scenarios.
pub fn campaign(seeds: Range<u64>, scenario: impl Fn(u64) -> Scenario + Sync) -> Result<Tally, Fault> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(tally);
            }
            tally.add(&simulate(&scenario(seed))?);
        }
    };
    let threads = available_parallelism().map_or(1, usize::from);
    scope(|all| {
        let others: Vec<_> = (1..threads).map(|_| all.spawn(work)).collect();
        let own = work();
        let joined = others.into_iter().filter_map(|other| other.join().ok());
        [own].into_iter().chain(joined).sum()
    })
}
