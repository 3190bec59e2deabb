//! Keys that serve more than one question: those that are never used up, and those with a graph for each
//! of their rounds.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, small};
use undertone_machine::{FaultCode, RoundKind};
use undertone_prim::OVERHEAD_BYTES;
use undertone_room::{CheckedQuestion, Notice, verify};
use undertone_services::draft;
use undertone_wire::{Codec, EntryKind, MethodId, Plan, Reveal};

const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

fn question(service: &str, text: &str, collusion: &str) -> Plan {
    let mut params = vec![("decimals", "2"), ("max", "50")];
    params.extend((service != "sum").then_some(("collusion", collusion)));
    draft(service, text, &params, "60").unwrap()
}

fn class(service: &str, guests: u8, collusion: &str) -> Class {
    let mut class = Class::open(question(service, "How much?", collusion), guests, 3, small());
    class.lock();
    class
}

fn ask(class: &mut Class, service: &str, text: &str, collusion: &str) {
    class.seats[0].room.ask(question(service, text, collusion)).unwrap();
    class.settle();
}

/// Everyone gives the same value: the sum, confirmed by all, and the bytes of the last message, which are sealed.
fn round(class: &mut Class, value: &str) -> (String, usize) {
    let seats = class.seats.len();
    (0..seats).for_each(|index| class.submit(index, value));
    let (figures, confirmed) = class.seats[seats - 1].result().unwrap();
    assert_eq!(confirmed, seats);
    (figures[0].clone(), class.entries(MASKED).pop().unwrap().payload.len() - OVERHEAD_BYTES)
}

fn sums_of_the_record(class: &Class) -> Vec<String> {
    let verified = verify(&class.seats[0].room.record(true).unwrap().to_bytes()).unwrap();
    let figure = |question: &CheckedQuestion| question.outcome.clone().map(|it| it.figures[0].value.clone());
    verified.questions.iter().filter_map(figure).collect()
}

fn no_fault(class: &Class, index: usize) -> bool {
    class.seats[index].notices.iter().all(|notice| !matches!(notice, Notice::Fault { .. }))
}

#[test]
fn one_key_serves_every_question_on_any_terms() {
    let mut class = class("kdk-pairing", 4, "");
    let rounds = [("1.25", "6.25", ""), ("1.25", "6.25", "1"), ("0", "0.00", "3"), ("50", "250.00", "")];
    for (value, sum, collusion) in rounds {
        assert_eq!(round(&mut class, value), (sum.to_owned(), 288), "{value}");
        ask(&mut class, "kdk-pairing", value, collusion);
    }
    assert_eq!(sums_of_the_record(&class), rounds.map(|(_, sum, _)| sum));
    // Keys are shown once, and equal values of one seat do not look alike.
    let shown = class.entries(EntryKind::Reveal);
    let shown: Vec<_> = shown.iter().map(|entry| Reveal::from_bytes(&entry.payload).unwrap()).collect();
    assert_eq!(shown.len(), 5);
    assert!(shown.iter().all(|it| it.keys[1].method == MethodId::KdkPairing && it.keys[1].key.len() == 96));
    let mut sent: Vec<_> = class.entries(MASKED).into_iter().map(|entry| entry.payload).collect();
    sent.sort();
    sent.dedup();
    assert_eq!(sent.len(), 20);
}

#[test]
fn a_failed_question_and_one_of_another_kind_leave_lasting_keys_as_they_are() {
    let mut class = class("kdk-pairing", 3, "");
    class.submit(1, "1");
    class.wait(70_000);
    assert_eq!(class.seats[0].fault().unwrap().code(), FaultCode::Missing);
    ask(&mut class, "kdk-pairing", "Again?", "1");
    assert_eq!(round(&mut class, "2").0, "8.00");
    ask(&mut class, "sum", "Something else?", "");
    assert_eq!(round(&mut class, "3"), ("12.00".to_owned(), 8));
    class.reload(2, 1);
    class.settle();
    ask(&mut class, "kdk-pairing", "And again?", "");
    assert_eq!(round(&mut class, "4").0, "16.00");
    // What a seat that comes back is told of is the question that failed, and nothing else.
    let faults = class.seats[2].notices.iter().filter_map(|notice| match notice {
        Notice::Fault { fault, .. } => Some(fault.code()),
        _ => None,
    });
    assert_eq!(faults.collect::<Vec<_>>(), [FaultCode::Missing]);
}

#[test]
fn a_seat_that_comes_back_goes_on_with_its_key() {
    let mut class = class("kdk-pairing", 3, "1");
    for value in ["1", "2", "3"] {
        class.reload(2, 1);
        class.settle();
        round(&mut class, value);
        ask(&mut class, "kdk-pairing", value, "1");
    }
    assert!(no_fault(&class, 2));
}

/// What hides a value is bound to its question, and a question gets one value, whatever log is shown.
#[test]
fn a_second_value_for_a_question_is_refused_after_the_log_was_rolled_back() {
    let mut class = class("kdk-pairing", 3, "");
    round(&mut class, "1");
    ask(&mut class, "kdk-pairing", "Second?", "");
    let before = class.log.len();
    class.submit(2, "10");
    class.forget(before);
    class.reload(2, 1);
    class.settle();
    let fault = class.seats[2].room.submit("20").unwrap_err();
    assert_eq!(fault.code(), FaultCode::RoundSpent);
    class.settle();
    // The value that had left is sent again, and no other.
    assert_eq!(class.left.len(), 5);
}

#[test]
fn a_key_has_a_round_for_each_graph_and_the_next_comes_with_the_last() {
    let mut class = class("kdk", 5, "1");
    let rounds = [("1.25", "7.50", 32), ("0", "0.00", 128), ("50", "300.00", 32), ("0.01", "0.06", 128)];
    for (value, sum, bytes) in rounds {
        assert_eq!(round(&mut class, value), (sum.to_owned(), bytes), "{value}");
        ask(&mut class, "kdk", value, "1");
    }
    assert_eq!(sums_of_the_record(&class), rounds.map(|(_, sum, _)| sum));
    // Other terms, other keys: these have one round, so the next travel with its values.
    round(&mut class, "1");
    ask(&mut class, "kdk", "On other terms?", "2");
    assert_eq!(round(&mut class, "2"), ("12.00".to_owned(), 128));
}

#[test]
fn without_graphs_a_key_has_one_round() {
    let mut class = class("kdk", 5, "2");
    assert_eq!(round(&mut class, "1"), ("6.00".to_owned(), 128));
    ask(&mut class, "kdk", "Again?", "2");
    assert_eq!(round(&mut class, "2"), ("12.00".to_owned(), 128));
}

/// After a reload, relay and host hide the second question: its graph was used, so the third would be
/// another value on the same links.
#[test]
fn a_graph_that_the_log_hides_stays_used() {
    let mut shown = class("kdk", 5, "1");
    round(&mut shown, "1");
    ask(&mut shown, "kdk", "Second?", "1");
    shown.submit(1, "10");
    let ledger = shown.seats[1].ledger.clone();

    let mut forked = class("kdk", 5, "1");
    round(&mut forked, "1");
    forked.seats[1].off = true;
    ask(&mut forked, "kdk", "Another second?", "1");
    forked.seats[1].ledger = ledger;
    forked.reload(1, 0);
    forked.seats[1].off = false;
    forked.settle();
    drop(forked.seats[1].room.submit("20"));
    forked.settle();
    assert_eq!(forked.seats[1].fault().unwrap().code(), FaultCode::KeySpent);
}

#[test]
fn more_colluders_than_the_group_can_bear_are_refused_before_anything_leaves() {
    for service in ["kdk", "kdk-pairing"] {
        let class = class(service, 3, "3");
        let fault = class.seats[0].fault().unwrap();
        assert_eq!((fault.code(), fault.field()), (FaultCode::BadPlan, Some("collusion")));
        assert_eq!(fault.message(), "With 4 people at most 2 may collude.");
        assert!(class.entries(MASKED).is_empty());
    }
}
