//! Whole rooms on a perfect log: what honest seats get.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros, small};
use undertone_machine::{FaultCode, RoundKind, Secret};
use undertone_room::{Action, ClientPolicy, HostOptions, Notice, Room, Tier};
use undertone_services::draft;
use undertone_wire::EntryKind;

const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

fn answer_all(class: &mut Class, values: &[&str]) {
    for (index, value) in values.iter().enumerate() {
        class.submit(index, value);
    }
}

fn assert_all(class: &Class, figures: &[&str]) {
    for (index, seat) in class.seats.iter().enumerate() {
        let (values, confirmed) = seat.result().unwrap_or_else(|| panic!("seat {index}: {:?}", seat.notices));
        assert_eq!(values, figures, "seat {index}");
        assert_eq!(confirmed, class.seats.len(), "seat {index}");
    }
}

#[test]
fn seven_seats_get_the_exact_sum_and_mean_and_ask_again() {
    let mut class = Class::open(euros("mean"), 6, 5, ClientPolicy::default());
    class.lock();
    assert!(class.seats.iter().all(|seat| seat.was_told("Ready") == 1));
    answer_all(&mut class, &["12.5", "0", "50", "7.25", "3.01", "9,99", "1"]);
    assert_all(&class, &["83.75", "7", "11.9643"]);
    assert_eq!((class.entries(EntryKind::Reveal).len(), class.entries(MASKED).len()), (7, 7));

    let again = draft("sum", "And in cents?", &[("min", "-100"), ("max", "5000")], "60").unwrap();
    class.seats[0].room.ask(again).unwrap();
    class.settle();
    answer_all(&mut class, &["-100", "1", "2", "3", "4", "5", "6"]);
    assert_all(&class, &["-79"]);
    // The same people and keys: new acknowledgements, no new reveals.
    assert_eq!((class.entries(EntryKind::Reveal).len(), class.entries(EntryKind::Ack).len()), (7, 14));
}

#[test]
fn values_given_before_the_lock_wait_on_the_device() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    answer_all(&mut class, &["1", "2", "3", "4", "5"]);
    assert!(class.entries(MASKED).is_empty());
    class.lock();
    assert_all(&class, &["15.00"]);
}

#[test]
fn a_site_stands_for_its_rows() {
    let mut class = Class::open(euros("mean"), 2, 3, small());
    class.lock();
    class.seats[0].room.submit_rows(&mut ["1", "2", "3"].into_iter()).unwrap();
    answer_all(&mut class, &[]);
    class.submit(1, "4");
    class.submit(2, "5.5");
    assert_all(&class, &["15.50", "5", "3.10"]);
}

#[test]
fn a_host_may_ask_without_answering() {
    use undertone_room::{HostOptions, Room};
    let mut class = Class::open(euros("sum"), 0, 3, small());
    let options = HostOptions { plan: euros("sum"), group_min: 3, contribute: false, policy: small() };
    let seed = || undertone_machine::Secret::new([201; 32]);
    class.seats[0] = crate::class::Seated::new(Room::host(seed(), options, Vec::new()).unwrap());
    class.log.clear();
    class.settle();
    for guest in 0..3 {
        class.add(guest, true, small());
    }
    class.settle();
    class.seats[0].room.lock(3).unwrap();
    class.settle();
    for guest in 1..4 {
        class.submit(guest, "10");
    }
    assert_all(&class, &["30.00"]);
    assert_eq!(class.entries(MASKED).len(), 3);
}

#[test]
fn a_seat_by_code_gets_the_room_key_after_everyone_acknowledged() {
    let mut class = Class::open(euros("sum"), 3, 3, small());
    let by_code = class.add(77, false, small());
    class.settle();
    class.lock();
    answer_all(&mut class, &["1", "2", "3", "4", "5"]);
    assert_all(&class, &["15.00"]);
    assert_eq!(class.entries(EntryKind::Envelope).len(), 1);
    for index in [0, by_code] {
        let tier = class.seats[index].notices.iter().find_map(|notice| match notice {
            Notice::Ready { tier, .. } => Some(*tier),
            _ => None,
        });
        assert_eq!(tier, Some(Tier::Unverified));
    }
}

#[test]
fn small_groups_need_consent_and_pairs_more_than_that() {
    let mut class = Class::open(euros("sum"), 2, 3, small());
    class.add(50, true, ClientPolicy::default());
    class.settle();
    class.lock();
    assert_eq!(class.assert_fault(3, FaultCode::GroupTooSmall), 0);

    let options = undertone_room::HostOptions { plan: euros("sum"), group_min: 2, contribute: true, policy: small() };
    let refused = undertone_room::Room::host(undertone_machine::Secret::new([1; 32]), options, Vec::new());
    assert_eq!(refused.unwrap_err().code(), FaultCode::GroupTooSmall);
}

#[test]
fn the_head_count_must_fit() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    let fault = class.seats[0].room.lock(4).unwrap_err();
    assert_eq!((fault.code(), fault.field()), (FaultCode::HeadCount, Some("heads")));
    class.lock();
    assert_eq!(class.seats[0].room.lock(5).unwrap_err().code(), FaultCode::BadCall);
}

#[test]
fn who_falls_silent_before_the_acknowledgements_is_left_out() {
    let mut class = Class::open(euros("sum"), 5, 3, small());
    class.seats[4].off = true;
    class.lock();
    class.wait(21_000);
    assert_eq!(class.entries(EntryKind::List).len(), 2);
    for index in [0, 1, 2, 3, 5] {
        class.submit(index, "2");
        assert_eq!(class.seats[index].was_told("Locked"), 2);
    }
    for index in [0, 1, 2, 3, 5] {
        assert_eq!(class.seats[index].result(), Some((vec!["10.00".to_owned()], 5)));
    }
}

#[test]
fn who_falls_silent_after_them_ends_the_question_but_not_the_room() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    class.lock();
    for index in 0..4 {
        class.submit(index, "2");
    }
    class.wait(63_000);
    for index in 0..5 {
        let fault = class.seats[index].fault().unwrap();
        assert_eq!((fault.code(), fault.culprits().len()), (FaultCode::Missing, 1));
    }
    class.seats[0].room.ask(euros("sum")).unwrap();
    class.settle();
    answer_all(&mut class, &["1", "1", "1", "1", "1"]);
    assert_all(&class, &["5.00"]);
}

#[test]
fn a_silent_host_ends_the_wait() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    class.seats[0].off = true;
    class.now += 2 * 3600 * 1000 + 1;
    class.settle();
    assert_eq!(class.assert_fault(1, FaultCode::HostSilent), 0);
}

#[test]
fn bad_input_is_refused_in_the_words_of_the_field_and_nothing_is_sent() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    class.lock();
    for text in ["abc", "NaN", "", "50.01", "1.234", &format!("1{}", "0".repeat(400))] {
        let (checked, given) = (class.seats[1].room.check_input(text), class.seats[1].room.submit(text));
        let (checked, given) = (checked.unwrap_err(), given.unwrap_err());
        assert_eq!(checked.message(), given.message());
        assert!(given.message().contains("Allowed: 0.00 to 50.00 EUR, at most 2 decimals."), "{given}");
    }
    class.settle();
    assert!(class.entries(MASKED).is_empty());
}

#[test]
fn a_reloaded_seat_says_the_same_again_in_every_state() {
    for stop in 0..4 {
        let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
        if stop >= 1 {
            class.lock();
        }
        if stop >= 2 {
            class.submit(3, "7");
        }
        if stop >= 3 {
            for index in [0, 1, 2, 4] {
                class.submit(index, "1");
            }
        }
        let before = class.log.clone();
        class.reload(3, 2);
        class.settle();
        assert_eq!(class.log, before, "a reload wrote something new in state {stop}");
        if stop < 1 {
            class.lock();
        }
        if stop < 3 {
            for (index, value) in [(0, "1"), (1, "1"), (2, "1"), (4, "1")] {
                class.submit(index, value);
            }
        }
        if stop < 2 {
            class.submit(3, "7");
        } else {
            let fault = class.seats[3].room.submit("8").unwrap_err();
            assert_eq!(
                fault.code(),
                FaultCode::RoundSpent,
                "{stop} {fault} {:?} {:?}",
                class.seats[3].room,
                class.seats[3].notices
            );
        }
        class.settle();
        assert_all(&class, &["11.00"]);
    }
}

#[test]
fn a_reloaded_seat_still_shows_what_it_sent() {
    let mut class = Class::open(euros("sum"), 4, 5, ClientPolicy::default());
    class.lock();
    class.submit(3, "7");
    let sent = |class: &Class| {
        class.seats[3].notices.iter().find_map(|notice| match notice {
            Notice::Sent { masked, receipt, .. } => Some((masked.clone(), *receipt)),
            _ => None,
        })
    };
    let before = sent(&class).unwrap();
    class.reload(3, 2);
    class.settle();
    assert!(!before.0.is_empty());
    assert_eq!(sent(&class), Some(before));
}

#[test]
fn a_host_that_went_between_its_first_two_entries_asks_after_all() {
    let stored = |records: &[Vec<u8>]| {
        let policy = ClientPolicy::default();
        let options = HostOptions { plan: euros("sum"), group_min: 5, contribute: true, policy };
        let mut room = Room::host(Secret::new([1; 32]), options, records.to_vec()).unwrap();
        let mut stored = Vec::new();
        while let Some(action) = room.poll() {
            if let Action::Store { bytes, .. } = action {
                stored.push(bytes);
            }
        }
        stored
    };
    let all = stored(&[]);
    assert_eq!(all.len(), 2);
    assert_eq!(stored(&all[..1]), all[1..]);
    assert!(stored(&all).is_empty());
}

#[test]
fn a_pipe_echoes_ten_megabytes() {
    let pairs = ClientPolicy { pairs: true, ..ClientPolicy::default() };
    let plan = draft("echo", "Are you there?", &[("bytes", "10000000"), ("chunk", "900000")], "60").unwrap();
    let mut class = Class::open(plan, 1, 2, pairs);
    class.lock();
    assert_all(&class, &["10000000"]);
}

#[test]
fn leaving_is_free_before_the_lock_and_closing_ends_it_for_all() {
    let mut class = Class::open(euros("sum"), 6, 5, ClientPolicy::default());
    class.seats[6].room.leave();
    class.settle();
    assert!(class.seats[6].room.is_over());
    class.seats[0].room.lock(6).unwrap();
    class.settle();
    assert_eq!(class.seats[1].was_told("Ready"), 1);
    class.seats[0].room.leave();
    class.settle();
    assert!(class.seats.iter().all(|seat| seat.room.is_over()));
}
