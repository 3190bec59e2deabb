//! Nothing goes wrong: everyone gets the right result, signed by all.

use crate::seeds;
use undertone_services::{SERVICES, draft, prepare};
use undertone_sim::{Report, Scenario, Trouble, Troubles, simulate};

/// Whether seats of a service send each other bytes beside the log.
fn uses_pipes(service: &str) -> bool {
    prepare(&draft(service, "", &[], "60").unwrap()).unwrap().cost(2).pipe_bytes > 0
}

fn calm_runs(pipes: bool, count: u64) -> Vec<Report> {
    let services = SERVICES.iter().map(|service| service.manifest());
    let chosen: Vec<_> = services.filter(|service| uses_pipes(service.name) == pipes).collect();
    let run = |seed: u64| {
        let service = chosen[usize::try_from(seed).unwrap() % chosen.len()];
        // One more than the fewest: the host may only look on.
        let seats = usize::try_from(3 + seed % 6).unwrap().max(service.seats_min + 1).min(service.seats_max);
        simulate(&Scenario::calm(service.name, seats, seed)).unwrap()
    };
    (0..count).map(run).collect()
}

/// Whether a few seats add up for the others, and sign.
fn adding(report: &Report) -> bool {
    prepare(&draft(&report.scenario.service, "", &[], "60").unwrap()).unwrap().computers() > 0
}

fn assert_all_signed(report: &Report) {
    let adding = adding(report);
    let seats = report.scenario.seats;
    assert_eq!(report.violations, [], "{report}");
    assert!(report.questions > 0 && report.faults.is_empty() && report.gave_up == 0, "{report}");
    let by_all = |of: usize| if adding { of >= 2 } else { of == seats };
    assert!(report.results.len() >= seats * report.questions, "{report}");
    assert!(report.results.iter().all(|result| result.confirmed == result.of && by_all(result.of)), "{report}");
}

#[test]
fn without_trouble_all_get_every_result_signed_by_all() {
    calm_runs(false, seeds(60)).iter().for_each(assert_all_signed);
}

/// With links of different length, bytes of a pipe reach a seat before its own machine runs in one of
/// fifteen rooms.
#[test]
fn without_trouble_pipes_carry_too() {
    calm_runs(true, seeds(60)).iter().for_each(assert_all_signed);
}

#[test]
fn a_scenario_that_cannot_be_played_is_refused() {
    assert!(simulate(&Scenario::calm("nothing", 3, 1)).is_err());
    assert!(simulate(&Scenario::calm("sum", 1, 1)).is_err());
}

/// People close their program as soon as their value is acknowledged, and one that adds up vanishes.
#[test]
fn people_and_one_that_adds_up_go_and_results_still_come() {
    let mut with_result = 0;
    for seed in 0..seeds(40) {
        let calm = Scenario::calm("shares", 6, seed);
        let report = simulate(&Scenario { troubles: Troubles([Trouble::SeatGone].into()), ..calm }).unwrap();
        assert_eq!((&report.violations[..], report.gave_up), (&[][..], 0), "{report}");
        with_result += u64::from(!report.results.is_empty());
    }
    // One that goes before the list is closed leaves a room without enough that add up: no result, a fault.
    println!("{with_result} of {} with a result", seeds(40));
    assert!(with_result * 100 >= seeds(40) * 60, "{with_result}");
}
