//! Methods that use keys up: which keys are used, renewed and refused.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, small};
use undertone_machine::{FaultCode, RoundKind};
use undertone_prim::OVERHEAD_BYTES;
use undertone_room::{CheckedQuestion, Notice, verify};
use undertone_services::draft;
use undertone_wire::{Codec, EntryKind, MethodId, Plan, Reveal};

const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

fn question(service: &str, text: &str) -> Plan {
    draft(service, text, &[("decimals", "2"), ("max", "50")], "60").unwrap()
}

fn class(service: &str) -> Class {
    let mut class = Class::open(question(service, "How much?"), 3, 3, small());
    class.lock();
    class
}

fn answer(class: &mut Class, values: [&str; 4]) {
    (0..4).zip(values).for_each(|(index, value)| class.submit(index, value));
}

fn ask(class: &mut Class, service: &str, text: &str) {
    class.seats[0].room.ask(question(service, text)).unwrap();
    class.settle();
}

fn assert_result(class: &Class, figure: &str) {
    assert!(class.seats.iter().all(|seat| seat.result() == Some((vec![figure.to_owned()], 4))), "{figure}");
}

#[test]
fn each_value_carries_the_key_of_the_next_question() {
    let mut class = class("kdk");
    for (value, sum) in [("1.25", "5.00"), ("0", "0.00"), ("50", "200.00")] {
        answer(&mut class, [value; 4]);
        assert_result(&class, sum);
        ask(&mut class, "kdk", value);
    }
    let verified = verify(&class.seats[0].room.record(true).unwrap().to_bytes()).unwrap();
    let again = |question: &CheckedQuestion| question.outcome.clone().map(|it| it.figures[0].value.clone());
    let sums: Vec<_> = verified.questions.iter().filter_map(again).collect();
    assert_eq!(sums, ["5.00", "0.00", "200.00"]);
    let shown: Vec<_> =
        class.entries(EntryKind::Reveal).iter().map(|entry| Reveal::from_bytes(&entry.payload).unwrap()).collect();
    assert!(shown.len() == 4 && shown.iter().all(|reveal| reveal.keys.len() == 2));
    // Equal inputs of one seat under three keys: nothing repeats.
    let mut sent: Vec<_> = class.entries(MASKED).into_iter().map(|entry| entry.payload).collect();
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), 12);
}

/// Thousands of millions of possible sums: the table is made in steps while others type, and the search
/// says how far it is; a verifier does the same at once.
#[test]
fn a_sum_of_a_wide_range_is_read_in_steps_that_are_told() {
    let wide = |text| draft("kdk", text, &[("max", "600000000")], "60").unwrap();
    let mut class = Class::open(wide("How many?"), 3, 3, small());
    class.lock();
    class.submit(0, "600000000");
    let told = |class: &Class| {
        let how_far = |notice: &Notice| match notice {
            Notice::Working { done, of } => Some((*done, *of)),
            _ => None,
        };
        class.seats[0].notices.iter().filter_map(how_far).collect::<Vec<_>>()
    };
    // Alone with its value, a device has made its table already.
    let prepared = told(&class);
    assert!(prepared.len() > 2, "{prepared:?}");
    (1..4).for_each(|index| class.submit(index, "599999999"));
    assert_result(&class, "2399999997");
    let told = told(&class);
    assert!(told.is_sorted() && told.iter().all(|(done, of)| done < of), "{told:?}");
    assert!(told.len() - prepared.len() < prepared.len(), "{told:?}");
    // The second sum of the process needs no table.
    class.seats[0].room.ask(wide("Again?")).unwrap();
    class.settle();
    class.seats[0].notices.clear();
    (0..4).for_each(|index| class.submit(index, "1"));
    assert_result(&class, "4");
    assert_eq!(class.seats[0].was_told("Working"), 0);
    let verified = verify(&class.seats[0].room.record(true).unwrap().to_bytes()).unwrap();
    let again = |question: &CheckedQuestion| question.outcome.clone().map(|it| it.figures[0].value.clone());
    assert_eq!(verified.questions.iter().filter_map(again).collect::<Vec<_>>(), ["2399999997", "4"]);
}

#[test]
fn a_room_that_began_otherwise_has_no_keys_for_it() {
    let mut class = class("sum");
    answer(&mut class, ["1"; 4]);
    let fault = class.seats[0].room.ask(question("kdk", "?")).unwrap_err();
    assert_eq!((fault.code(), fault.field()), (FaultCode::KeySpent, Some("service")));
    ask(&mut class, "sum", "The room goes on.");
    answer(&mut class, ["2"; 4]);
    assert_result(&class, "8.00");
    assert!(
        class
            .entries(EntryKind::Reveal)
            .iter()
            .all(|entry| Reveal::from_bytes(&entry.payload).unwrap().keys[0].method == MethodId::Masks)
    );
}

#[test]
fn another_method_or_a_failure_in_between_uses_the_keys_up() {
    let mut other = class("kdk");
    answer(&mut other, ["1"; 4]);
    ask(&mut other, "sum", "Something else?");
    answer(&mut other, ["1"; 4]);
    assert_eq!(other.seats[0].room.ask(question("kdk", "?")).unwrap_err().code(), FaultCode::KeySpent);

    let mut failed = class("kdk");
    failed.submit(1, "1");
    failed.wait(70_000);
    assert_eq!(failed.seats[0].fault().unwrap().code(), FaultCode::Missing);
    assert_eq!(failed.seats[0].room.ask(question("kdk", "?")).unwrap_err().code(), FaultCode::KeySpent);
    ask(&mut failed, "sum", "The room goes on.");
    answer(&mut failed, ["2"; 4]);
    assert_result(&failed, "8.00");
}

/// After a reload, relay and host show a log in which the first question was another one, with the
/// same keys: answering it would give away the difference of two values.
#[test]
fn a_key_is_not_used_again_for_a_log_that_was_rolled_back() {
    let mut class = class("kdk");
    class.submit(1, "10");
    let ledger = class.seats[1].ledger.clone();

    let mut forked = Class::open(question("kdk", "Something else?"), 3, 3, small());
    forked.seats[1].off = true;
    forked.lock();
    forked.seats[1].ledger = ledger;
    forked.reload(1, 0);
    forked.seats[1].off = false;
    forked.settle();
    // Everyone acknowledged, this seat too: only its own ledger stands against the second value.
    assert_eq!(forked.seats[1].was_told("Ready"), 1);
    forked.seats[1].room.submit("20").unwrap();
    forked.settle();
    assert_eq!(forked.seats[1].fault().unwrap().code(), FaultCode::KeySpent);
    assert_eq!(forked.entries(MASKED), class.entries(MASKED));
}

#[test]
fn after_a_reload_a_seat_has_the_same_keys_and_uses_none_twice() {
    let mut class = class("kdk");
    answer(&mut class, ["1"; 4]);
    class.reload(2, 1);
    class.settle();
    ask(&mut class, "kdk", "Again?");
    answer(&mut class, ["3"; 4]);
    assert_result(&class, "12.00");
    assert!(class.seats[2].notices.iter().all(|notice| !matches!(notice, Notice::Fault { .. })));
}

/// A question to six people of whom one may collude: two rounds with each key.
fn meters(text: &str, collusion: &str) -> Plan {
    draft("pcl", text, &[("decimals", "2"), ("max", "50"), ("collusion", collusion)], "60").unwrap()
}

fn six() -> Class {
    let mut class = Class::open(meters("How much?", "1"), 5, 3, small());
    class.lock();
    class
}

/// Everyone gives the same value: the sum, and the bytes of a message, which are sealed.
fn round(class: &mut Class, value: &str) -> (String, usize) {
    (0..6).for_each(|index| class.submit(index, value));
    let (figures, confirmed) = class.seats[4].result().unwrap();
    assert_eq!(confirmed, 6);
    (figures[0].clone(), class.entries(MASKED).pop().unwrap().payload.len() - OVERHEAD_BYTES)
}

#[test]
fn a_key_of_several_rounds_serves_as_many_questions_and_brings_the_next() {
    let mut class = six();
    let rounds =
        [("1.25", "7.50", 32), ("0", "0.00", 128), ("50", "300.00", 32), ("0.01", "0.06", 128), ("2", "12.00", 32)];
    for (value, sum, bytes) in rounds {
        assert_eq!(round(&mut class, value), (sum.to_owned(), bytes), "{value}");
        class.seats[0].room.ask(meters(value, "1")).unwrap();
        class.settle();
    }
    let verified = verify(&class.seats[0].room.record(true).unwrap().to_bytes()).unwrap();
    let again = |question: &CheckedQuestion| question.outcome.clone().map(|it| it.figures[0].value.clone());
    let sums: Vec<_> = verified.questions.iter().filter_map(again).collect();
    assert_eq!(sums, rounds.map(|(_, sum, _)| sum));
}

#[test]
fn other_terms_or_another_kind_of_question_need_other_keys() {
    let mut class = six();
    round(&mut class, "1");
    assert_eq!(class.seats[0].room.ask(meters("?", "2")).unwrap_err().code(), FaultCode::KeySpent);
    let kdk = draft("kdk", "?", &[("max", "50")], "60").unwrap();
    assert_eq!(class.seats[0].room.ask(kdk).unwrap_err().code(), FaultCode::KeySpent);
    class.seats[0].room.ask(meters("The room goes on.", "1")).unwrap();
    class.settle();
    assert_eq!(round(&mut class, "3").0, "18.00");
}

#[test]
fn more_colluders_than_the_group_can_bear_are_refused_before_anything_leaves() {
    let mut class = Class::open(meters("How much?", "4"), 5, 3, small());
    class.lock();
    let fault = class.seats[0].fault().unwrap();
    assert_eq!((fault.code(), fault.field()), (FaultCode::BadPlan, Some("collusion")));
    assert_eq!(fault.message(), "With 6 people at most 3 may collude.");
    assert!(class.entries(MASKED).is_empty());
}

/// After a reload, relay and host hide the second question: the key has one round more behind it than
/// the log shows, so the third would be another value in the second round.
#[test]
fn a_round_that_the_log_hides_stays_spent() {
    let mut class = six();
    round(&mut class, "1");
    class.seats[0].room.ask(meters("Second?", "1")).unwrap();
    class.settle();
    class.submit(1, "10");
    let ledger = class.seats[1].ledger.clone();

    let mut forked = six();
    round(&mut forked, "1");
    forked.seats[1].off = true;
    forked.seats[0].room.ask(meters("Another second?", "1")).unwrap();
    forked.settle();
    forked.seats[1].ledger = ledger;
    forked.reload(1, 0);
    forked.seats[1].off = false;
    forked.settle();
    drop(forked.seats[1].room.submit("20"));
    forked.settle();
    assert_eq!(forked.seats[1].fault().unwrap().code(), FaultCode::KeySpent);
}

#[test]
fn a_seat_that_comes_back_knows_how_many_rounds_are_behind_it() {
    let mut class = six();
    for value in ["1", "2", "3"] {
        class.reload(3, 2);
        class.settle();
        round(&mut class, value);
        class.seats[0].room.ask(meters(value, "1")).unwrap();
        class.settle();
    }
    assert!(class.seats[3].notices.iter().all(|notice| !matches!(notice, Notice::Fault { .. })));
}
