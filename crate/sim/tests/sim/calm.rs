//! Nothing goes wrong: everyone gets the right result, signed by all.

use crate::seeds;
use undertone_services::{SERVICES, draft, prepare};
use undertone_sim::{Report, Scenario, simulate};

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

fn assert_all_signed(report: &Report) {
    let seats = report.scenario.seats;
    assert_eq!(report.violations, [], "{report}");
    assert!(report.questions > 0 && report.faults.is_empty() && report.gave_up == 0, "{report}");
    assert_eq!(report.results.len(), seats * report.questions, "{report}");
    assert!(report.results.iter().all(|result| result.confirmed == result.of && result.of == seats), "{report}");
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
