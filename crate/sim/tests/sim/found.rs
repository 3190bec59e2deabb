//! Seeds that showed a bug once.

use undertone_sim::{Report, Scenario, simulate};

fn run(service: &str, seats: usize, seed: u64, troubles: &str) -> Report {
    let calm = Scenario::calm(service, seats, seed);
    simulate(&Scenario { troubles: troubles.parse().unwrap(), ..calm }).unwrap()
}

/// The first entry of a room comes to a seat with a flipped byte. A host that was not bound to its
/// chain from the start was then passed over for good: no question, not even a fault.
#[test]
fn a_garbled_first_entry_ends_in_a_fault() {
    let host = run("sum", 3, 106, "drop,reorder,corrupt,partition,second-instance,clock-skew");
    assert_eq!((host.gave_up, &host.violations[..]), (0, &[][..]), "{host}");
    for seed in 0..60 {
        let report = run("sum", 5, seed, "corrupt");
        assert_eq!((report.gave_up, &report.violations[..]), (0, &[][..]), "{report}");
    }
}

/// The host was refused before its question was stored, or its question never came: whoever looked into
/// the room saw nothing, without end.
#[test]
fn a_room_in_which_nothing_is_asked_ends_in_a_fault() {
    let rooms = [
        ("mean", 6, 12160, "delay,reorder,corrupt,partition,relay-crash"),
        ("sum", 5, 15848, "drop,corrupt,partition,relay-crash,seat-reload,second-instance"),
    ];
    for (service, seats, seed, troubles) in rooms {
        let scenario = Scenario::calm(service, seats, seed).modelled();
        let report = simulate(&Scenario { troubles: troubles.parse().unwrap(), ..scenario }).unwrap();
        assert_eq!((report.gave_up, &report.violations[..]), (0, &[][..]), "{report}");
        assert!(report.faults.contains_key("host-silent"), "{report}");
    }
}
