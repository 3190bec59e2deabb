//! Series: readings come by themselves, whatever goes wrong, and no sum is wrong.

use crate::seeds;
use std::collections::BTreeSet;
use undertone_sim::{Report, Scenario, Tally, Troubles, simulate};

const READINGS: u16 = 6;

/// Readings of which somebody was shown a result, from 1.
fn computed(report: &Report) -> BTreeSet<u16> {
    report.results.iter().map(|signed| signed.question).collect()
}

#[test]
fn without_trouble_every_reading_is_right_and_signed_by_all() {
    for (service, seats) in [("sum", 3), ("mean", 5), ("kdk", 4), ("pcl", 6)] {
        for seed in 0..seeds(3) {
            let report = simulate(&Scenario::calm(service, seats, seed).as_series(READINGS).modelled()).unwrap();
            assert!(report.violations.is_empty(), "{report}");
            assert_eq!(computed(&report), (1..=READINGS).collect(), "{report}");
            assert!(report.results.iter().all(|signed| signed.confirmed == signed.of), "{report}");
        }
    }
}

/// Two and a half hours of readings: longer than anything else that a room waits for.
#[test]
fn a_long_series_is_played_to_its_end() {
    let report = simulate(&Scenario::calm("pcl", 6, 1).as_series(300).modelled()).unwrap();
    assert!(report.violations.is_empty(), "{report}");
    assert_eq!(computed(&report), (1..=300).collect(), "{report}");
}

#[test]
fn whatever_goes_wrong_no_sum_is_wrong_no_seat_hangs_and_series_go_on_after_gaps() {
    let (mut tally, mut recovered) = (Tally::default(), 0);
    for seed in 0..seeds(300) {
        let (service, seats) = [("sum", 5), ("kdk", 4), ("pcl", 6)][(seed % 3) as usize];
        let troubles = if seed % 2 == 0 { Troubles::drawn(seed) } else { Troubles::all() };
        let calm = Scenario { troubles, ..Scenario::calm(service, seats, seed).as_series(READINGS) };
        let report = simulate(&if seed % 10 == 0 { calm } else { calm.modelled() }).unwrap();
        let computed = computed(&report);
        let last = computed.last().copied().unwrap_or_default();
        recovered += usize::from(usize::from(last) > computed.len());
        tally.add(&report);
    }
    println!("{tally}, {recovered} series went on after a gap");
    assert_eq!(tally.broken, Vec::<String>::new(), "{tally}");
    assert!(tally.with_result * 100 >= tally.runs * 60, "{tally}");
    // Who is shown a broken log is gone for good, and a sum needs everyone.
    assert!(recovered * 100 >= tally.runs * 5, "{recovered} of {tally}");
}
