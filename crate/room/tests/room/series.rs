//! Series: one question, asked again on a schedule; what fails is a gap.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, small};
use crate::doubles::Participant;
use undertone_machine::FaultCode;
use undertone_room::{KeyMeter, Notice, verify};
use undertone_services::{draft, series};
use undertone_wire::{Codec, EntryKind, Plan, Series};

fn question(service: &str, readings: u64) -> Plan {
    let plan = draft(service, "How much?", &[("max", "50")], "60").unwrap();
    series(plan, 10_000, readings).unwrap()
}

/// A room of six at its first reading, one every ten seconds.
fn class(service: &str, readings: u64) -> Class {
    let mut class = Class::open(question(service, readings), 5, 3, small());
    class.lock();
    class
}

/// The reading that a seat was asked for last, and its question.
fn asked(class: &Class, index: usize) -> (u16, u16) {
    let question = class.seats[index].notices.iter().rev().find_map(|notice| match notice {
        Notice::Question { plan, .. } => Some((plan.series.unwrap().index, plan.number)),
        _ => None,
    });
    question.unwrap()
}

/// Everyone but those who are away gives a value in the reading in force.
fn answer(class: &mut Class, value: u16, away: &[usize]) {
    for index in (0..class.seats.len()).filter(|index| !away.contains(index)) {
        let (_, number) = asked(class, index);
        class.seats[index].room.submit_to(Some(number), &value.to_string()).unwrap();
    }
    class.settle();
}

/// What became of each question for a seat: a figure, or a gap.
fn readings(class: &Class, index: usize) -> Vec<Option<String>> {
    let mut all: Vec<Option<String>> = Vec::new();
    for notice in &class.seats[index].notices {
        match notice {
            Notice::Question { .. } => all.push(None),
            Notice::Result { outcome, .. } => *all.last_mut().unwrap() = Some(outcome.figures[0].value.clone()),
            Notice::Fault { fault, number, room_goes_on, .. } => {
                assert_eq!((fault.code(), usize::from(*number), *room_goes_on), (FaultCode::Missing, all.len(), true));
            }
            _ => {}
        }
    }
    all
}

#[test]
fn readings_come_by_themselves_and_every_sum_is_right() {
    for service in ["sum", "kdk", "pcl"] {
        let mut class = class(service, 7);
        for reading in 1..=7 {
            assert_eq!(asked(&class, 3), (reading, reading), "{service}");
            answer(&mut class, reading, &[]);
            class.wait(10_000);
        }
        class.wait(60_000);
        let sums: Vec<_> = (1..=7).map(|reading| Some((6 * reading).to_string())).collect();
        assert!((0..6).all(|index| readings(&class, index) == sums), "{service}");
        // The keys of the first reading are shown with the others, and the rest ride on values.
        assert!(class.entries(EntryKind::Rekey).is_empty());
        let verified = verify(&class.seats[2].room.record(true).unwrap().to_bytes()).unwrap();
        assert_eq!(verified.questions.len(), 7);
        assert!(verified.questions.iter().all(|question| question.confirmed == 6 && question.outcome.is_some()));
    }
}

#[test]
fn a_reading_that_fails_is_a_gap_and_the_series_goes_on() {
    for service in ["sum", "kdk", "pcl"] {
        let mut class = class(service, 6);
        for reading in 1..=6 {
            let away: &[usize] = if matches!(reading, 1 | 4) { &[2] } else { &[] };
            answer(&mut class, reading, away);
            class.wait(10_000);
        }
        let sums = [None, Some("12"), Some("18"), None, Some("30"), Some("36")].map(|sum| sum.map(str::to_owned));
        class.wait(10_000);
        assert!((0..6).all(|index| readings(&class, index) == sums), "{service}: {:?}", readings(&class, 0));
    }
}

/// The next reading is due for the host before it has read the last values, which stand in the log before
/// its question: all see the same.
#[test]
fn a_value_that_is_in_the_log_before_the_next_reading_counts_for_the_host_too() {
    for service in ["sum", "kdk", "pcl"] {
        let mut class = class(service, 3);
        for reading in 1..=3 {
            class.seats[0].room.submit_to(Some(reading), "1").unwrap();
            class.settle();
            class.seats[0].off = true;
            for index in 1..6 {
                class.seats[index].room.submit_to(Some(reading), "1").unwrap();
            }
            class.settle();
            class.now += 10_000;
            class.seats[0].off = false;
            class.settle();
        }
        let sums = vec![Some("6".to_owned()); 3];
        assert!((0..6).all(|index| readings(&class, index) == sums), "{service}: {:?}", readings(&class, 0));
    }
}

#[test]
fn a_seat_that_is_away_misses_its_readings_and_comes_back() {
    let mut class = class("pcl", 8);
    for reading in 1..=8_u16 {
        class.seats[4].off = matches!(reading, 3..=5);
        class.settle();
        let away: Vec<_> = (0..6).filter(|index| class.seats[*index].off).collect();
        answer(&mut class, reading, &away);
        class.wait(10_000);
    }
    let sums = [Some("6"), Some("12"), None, None, None, Some("36"), Some("42"), Some("48")];
    let sums = sums.map(|sum| sum.map(str::to_owned));
    class.wait(10_000);
    for index in 0..6 {
        assert_eq!(readings(&class, index), sums, "seat {index}");
    }
}

#[test]
fn the_meter_says_how_much_of_the_keys_is_used() {
    let mut class = class("pcl", 5);
    for reading in 1..=5 {
        answer(&mut class, reading, &[]);
        class.wait(10_000);
    }
    let keys = |notice: &Notice| match notice {
        Notice::Ready { keys, .. } => *keys,
        _ => None,
    };
    let told: Vec<_> = class.seats[1].notices.iter().filter_map(keys).collect();
    assert_eq!(told, [1, 2, 1, 2, 1].map(|round| KeyMeter { round, rounds: 2 }));
}

#[test]
fn a_value_for_one_reading_never_goes_into_the_next() {
    let mut class = class("sum", 3);
    answer(&mut class, 1, &[2]);
    class.wait(10_000);
    let fault = class.seats[2].room.submit_to(Some(1), "1").unwrap_err();
    assert_eq!((fault.code(), fault.message()), (FaultCode::BadCall, "That question is over."));
    assert_eq!(asked(&class, 2), (2, 2));
    answer(&mut class, 2, &[]);
    assert_eq!(readings(&class, 2)[1], Some("12".to_owned()));
}

#[test]
fn a_host_that_slept_goes_on_without_what_nobody_could_answer() {
    let mut class = class("sum", 5);
    answer(&mut class, 1, &[]);
    class.now += 37_000;
    class.wait(100);
    assert_eq!(asked(&class, 1), (2, 2));
    answer(&mut class, 2, &[]);
    class.wait(9_000);
    assert_eq!(asked(&class, 1), (2, 2));
    class.wait(1_000);
    assert_eq!(asked(&class, 1), (3, 3));
}

#[test]
fn a_guest_that_comes_back_is_asked_what_is_in_force() {
    let mut class = class("pcl", 5);
    for reading in 1..=5 {
        if reading > 2 {
            class.reload(3, 2);
            class.settle();
        }
        assert_eq!(asked(&class, 3), (reading, reading));
        answer(&mut class, reading, &[]);
        class.wait(10_000);
    }
    assert_eq!(readings(&class, 1), [6, 12, 18, 24, 30].map(|sum| Some(sum.to_string())));
}

#[test]
fn a_host_that_is_gone_ends_the_wait_for_a_reading() {
    let mut class = class("sum", 5);
    answer(&mut class, 1, &[]);
    class.seats[0].off = true;
    class.wait(60_000);
    assert!(class.seats[1].fault().is_none());
    class.now += 2 * 3_600_000;
    class.settle();
    assert_eq!(class.seats[1].fault().unwrap().code(), FaultCode::HostSilent);
    assert!(class.seats[1].room.is_over());
}

#[test]
fn a_host_may_ask_something_else_in_between_and_the_series_ends() {
    let mut class = class("sum", 5);
    answer(&mut class, 1, &[]);
    class.seats[0].room.ask(draft("sum", "Something else?", &[], "60").unwrap()).unwrap();
    class.wait(30_000);
    let last = class.seats[1].notices.iter().rev().find_map(|notice| match notice {
        Notice::Question { plan, .. } => Some(plan.clone()),
        _ => None,
    });
    assert_eq!(last.map(|plan| (plan.number, plan.series)), Some((2, None)));
    (0..6).for_each(|index| class.submit(index, "1"));
    // Another series begins with its own first reading, and its own beat.
    class.seats[0].room.ask(question("kdk", 2)).unwrap();
    class.settle();
    assert_eq!(asked(&class, 1), (1, 3));
    answer(&mut class, 3, &[]);
    class.wait(10_000);
    assert_eq!(asked(&class, 1), (2, 4));
    answer(&mut class, 4, &[]);
    assert_eq!(class.seats[5].result().unwrap(), (vec!["24".to_owned()], 6));
}

/// People agreed to one question on one schedule: what is not the next reading of it ends the room.
#[test]
fn a_host_cannot_slip_another_question_into_a_series() {
    type Bend = fn(&mut Plan);
    let rows: &[(&str, Bend)] = &[
        ("another question", |plan| plan.question = "And your salary?".into()),
        ("another kind", |plan| plan.service = "mean".into()),
        ("another range", |plan| plan.params = vec![("max".into(), "51".into())]),
        ("a reading left out", |plan| plan.series = plan.series.map(|it| Series { index: 3, ..it })),
        ("more readings", |plan| plan.series = plan.series.map(|it| Series { count: 500, ..it })),
        ("faster", |plan| plan.series = plan.series.map(|it| Series { every_ms: 60_000, ..it })),
        ("less time", |plan| plan.deadline_ms = 5_000),
        ("a number left out", |plan| plan.number = 3),
    ];
    for (what, bend) in rows {
        let mut class = class("sum", 5);
        answer(&mut class, 1, &[]);
        let mut host = Participant::taking_over(&mut class, 0, 200);
        let mut next = question("sum", 5).next_reading().unwrap();
        bend(&mut next);
        let entry = host.write(class.place(&host.author()), EntryKind::Plan, next.to_bytes());
        class.push(&entry);
        assert!(class.seats[1..].iter().all(|seat| seat.fault().unwrap().code() == FaultCode::Malformed), "{what}");
    }
}
