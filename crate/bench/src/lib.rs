//! What is measured, the same natively and in wasm.
//!
//! A [`Bench`] is a list of [`Row`]s; a row is work to repeat, and where there is something to compare
//! with, the baseline's work: both are timed in the same run, because machines are shared and noisy
//! and only ratios carry over. Who times decides how; nothing here reads a clock.

#[cfg(target_arch = "wasm32")]
pub mod js;
mod kdk;
mod masks;
mod pairing;
mod paper;
mod pcl;
mod recovery;
mod row;
mod stream;

pub use row::{Baseline, Row, Work};

/// A named list of rows.
#[derive(Clone, Copy)]
pub struct Bench {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is measured, in one sentence.
    pub about: &'static str,
    /// Its rows.
    pub rows: fn() -> Vec<Row>,
}

impl core::fmt::Debug for Bench {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bench").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All benches, by name.
pub static BENCHES: &[Bench] =
    &[kdk::BENCH, masks::BENCH, stream::BENCH, pcl::BENCH, recovery::BENCH, pairing::BENCH, paper::BENCH];

/// The bench of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Bench> {
    BENCHES.iter().find(|bench| bench.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_run_and_has_a_name_of_its_own() {
        for bench in BENCHES {
            let rows = (bench.rows)();
            assert!(!rows.is_empty() && find(bench.name).is_some());
            let mut names: Vec<_> = rows.iter().map(|row| (row.name, row.n.clone())).collect();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), rows.len(), "{}", bench.name);
            for row in rows.iter().filter(|row| row.is_small) {
                let works = [Some((row.work)()), row.baseline.as_ref().map(|baseline| (baseline.work)())];
                works.into_iter().flatten().for_each(|mut work| work());
            }
        }
    }
}
