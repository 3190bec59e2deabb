//! Bugs put in on purpose are found.

use undertone_sim::{Plant, Scenario, Trouble, Troubles, Violation, simulate};

/// The first violation that a planted bug leads to, over some seeds.
fn found(plant: Plant, troubles: &[Trouble], is_it: fn(&Violation) -> bool) -> bool {
    (0..30).any(|seed| {
        let troubles = Troubles(troubles.iter().copied().collect());
        let calm = Scenario::calm("sum", 4, seed);
        let healthy = simulate(&Scenario { troubles: troubles.clone(), ..calm.clone() }).unwrap();
        assert_eq!(healthy.violations, [], "{healthy}");
        let report = simulate(&Scenario { troubles, plant: Some(plant), ..calm }).unwrap();
        report.violations.iter().any(is_it)
    })
}

#[test]
fn a_ledger_that_forgets() {
    let said_twice = |it: &Violation| matches!(it, Violation::SaidTwice { .. });
    assert!(found(Plant::LedgerForgets, &[], said_twice));
}

#[test]
fn a_disk_that_loses_what_was_acknowledged() {
    assert!(found(Plant::DiskLies, &[Trouble::RelayCrash], |it| matches!(it, Violation::Lost { .. })));
}

#[test]
fn a_wrong_figure() {
    assert!(found(Plant::WrongFigure, &[], |it| matches!(it, Violation::WrongResult { .. })));
}

#[test]
fn a_value_that_leaves_before_the_acknowledgements() {
    assert!(found(Plant::AckUnseen, &[], |it| matches!(it, Violation::MaskedTooSoon { .. })));
}

#[test]
fn a_clock_that_stands_still() {
    let troubles = [Trouble::Partition, Trouble::Corrupt];
    assert!(found(Plant::DeadClock, &troubles, |it| matches!(it, Violation::Hangs { .. })));
}

#[test]
fn a_wait_that_is_counted_from_the_message_before() {
    let troubles = [Trouble::Delay, Trouble::Corrupt];
    assert!(found(Plant::StaleClock, &troubles, |it| matches!(it, Violation::TooEarly { .. })));
}
