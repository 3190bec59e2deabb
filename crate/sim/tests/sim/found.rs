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
        ("mean", 6, 75, "delay,reorder,corrupt,partition,relay-crash"),
        ("sum", 5, 15848, "drop,corrupt,partition,relay-crash,seat-reload,second-instance"),
    ];
    for (service, seats, seed, troubles) in rooms {
        let scenario = Scenario::calm(service, seats, seed).modelled();
        let report = simulate(&Scenario { troubles: troubles.parse().unwrap(), ..scenario }).unwrap();
        assert_eq!((report.gave_up, &report.violations[..]), (0, &[][..]), "{report}");
        assert!(report.faults.contains_key("host-silent"), "{report}");
    }
}

/// Two programs of one seat went apart: the one had its value stored as the part of a round, the other
/// something else as the entry of the same number, and both left.
#[test]
fn two_programs_of_a_seat_never_say_two_things_under_one_number() {
    assert_kept(&[
        ("vector-sum", 6, 72909, "delay,drop,duplicate,partition,second-instance,clock-skew"),
        ("pcl", 5, 106864, "duplicate,reorder,partition,seat-reload,second-instance,clock-skew"),
        ("mean", 5, 20483, "duplicate,reorder,corrupt,relay-crash,seat-reload,second-instance,clock-skew"),
    ]);
}

/// The host did not see all signatures in time and closed a shorter list, which came to seats that had
/// seen them: they wait for signatures again, and were taken to wait too long for answers.
#[test]
fn a_shorter_list_begins_another_wait() {
    assert_kept(&[
        ("vector-sum", 5, 91896, "duplicate,reorder,partition,relay-crash,seat-reload,second-instance"),
        ("sum", 5, 134_049, "drop,duplicate,reorder,relay-crash,seat-reload,clock-skew"),
        ("vector-sum", 7, 135_415, "delay,drop,duplicate,reorder,partition,relay-crash,second-instance,clock-skew"),
    ]);
}

/// A seat's own request came back with a flipped byte, in the name of somebody who is not there: it was
/// stored and never seen.
#[test]
fn an_own_entry_that_comes_back_garbled_is_read_again() {
    assert_kept(&[("pcl", 5, 79712, "reorder,corrupt,partition,seat-reload,second-instance")]);
}

/// A seat had two programs, and one began anew with the clock set right: the other's clock went back a day,
/// which no clock does that waits are counted on, and it waited for a day.
#[test]
fn only_a_program_that_starts_anew_has_its_clock_set_back() {
    assert_kept(&[("kdk", 3, 152_542, "drop,reorder,partition,second-instance,clock-skew")]);
}

fn assert_kept(rooms: &[(&str, usize, u64, &str)]) {
    for (service, seats, seed, troubles) in rooms {
        let scenario = Scenario::calm(service, *seats, *seed).modelled();
        let report = simulate(&Scenario { troubles: troubles.parse().unwrap(), ..scenario }).unwrap();
        assert_eq!((report.gave_up, &report.violations[..]), (0, &[][..]), "{report}");
    }
}
