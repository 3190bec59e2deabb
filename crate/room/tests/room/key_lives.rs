//! Methods that use keys up: which keys are used, renewed and refused.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, small};
use crate::doubles::Participant;
use undertone_machine::{FaultCode, RoundKind, Secret};
use undertone_prim::{AgreementKey, OVERHEAD_BYTES, Transcript};
use undertone_room::{Action, CheckedQuestion, Event, Notice, verify};
use undertone_services::draft;
use undertone_wire::{Codec, EntryKind, Hash, KeyOffer, MethodId, Plan, Reveal};

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

/// Fresh keys that were shown, for how many questions.
fn shown(class: &Class, seats: usize) -> usize {
    let entries = class.entries(EntryKind::Rekey);
    assert_eq!(entries.len() % seats, 0);
    let mut plans: Vec<_> = entries.iter().map(|entry| entry.place.plan).collect();
    plans.sort_unstable();
    plans.dedup();
    assert_eq!(plans.len() * seats, entries.len());
    plans.len()
}

/// A question with so many possible sums that the table for them is made in steps.
fn wide(service: &str, most: u64, text: &str) -> Plan {
    draft(service, text, &[("max", &most.to_string())], "60").unwrap()
}

/// What the host was told of its device's work.
fn told(class: &Class) -> Vec<(u64, u64)> {
    told_to(class, 0)
}

fn told_to(class: &Class, index: usize) -> Vec<(u64, u64)> {
    let how_far = |notice: &Notice| match notice {
        Notice::Working { done, of } => Some((*done, *of)),
        _ => None,
    };
    class.seats[index].notices.iter().filter_map(how_far).collect()
}

/// The table is made while others type. A verifier does the same at once.
fn assert_made_in_steps(service: &str, most: u64) {
    let mut class = Class::open(wide(service, most, "How many?"), 3, 3, small());
    class.lock();
    class.submit(0, &most.to_string());
    let prepared = told(&class);
    assert!(prepared.first().is_some_and(|(done, of)| done * 2 < *of), "{service}: {prepared:?}");
    assert!(prepared.is_sorted() && prepared.iter().all(|(done, of)| done < of), "{service}: {prepared:?}");
    (1..4).for_each(|index| class.submit(index, &(most - 1).to_string()));
    let sum = (4 * most - 3).to_string();
    assert_result(&class, &sum);
    assert_eq!(told(&class), prepared, "{service}: one step is enough once there is a table");
    // The second sum of the process needs no table.
    class.seats[0].room.ask(wide(service, most, "Again?")).unwrap();
    class.settle();
    (0..4).for_each(|index| class.submit(index, "1"));
    assert_result(&class, "4");
    assert_eq!(told(&class), prepared, "{service}");
    let verified = verify(&class.seats[0].room.record(true).unwrap().to_bytes()).unwrap();
    let again = |question: &CheckedQuestion| question.outcome.clone().map(|it| it.figures[0].value.clone());
    assert_eq!(verified.questions.iter().filter_map(again).collect::<Vec<_>>(), [&sum, "4"]);
}

/// Alone with its value, a device works on a table when its room or the question ends: it stops.
fn assert_stops(service: &str, most: u64, room_ends: bool) {
    let mut class = Class::open(wide(service, most, "How many?"), 3, 3, small());
    class.lock();
    let room = &mut class.seats[1].room;
    room.submit("1").unwrap();
    while let Some(action) = room.poll() {
        match action {
            Action::Store { key, bytes } => room.handle(Event::Stored { key, bytes }),
            Action::Append(bytes) => room.handle(Event::Entry(&bytes)),
            _ => {}
        }
    }
    assert!(room.is_working() && room.wake_at() == Some(class.now));
    room.handle(if room_ends { Event::StoreFailed } else { Event::Clock(class.now + 70_000) });
    assert!(!room.is_working() && room.wake_at().is_none() && room.is_over() == room_ends);
}

/// After a reload a device has no table yet, and reads all that was said at once: it computes each sum
/// before it hears that the host asked something else, or closed the room.
fn assert_reads_again(service: &str, most: u64, room_ends: bool) {
    let mut class = Class::open(wide(service, most, "How many?"), 3, 3, small());
    class.lock();
    for (value, sum) in [("1", "4"), ("2", "8"), ("3", "12")] {
        answer(&mut class, [value; 4]);
        assert_result(&class, sum);
        class.seats[0].room.ask(wide(service, most, value)).unwrap();
        class.settle();
    }
    class.submit(0, "4");
    class.wait(70_000);
    class.seats[0].room.ask(wide(service, most, "And now?")).unwrap();
    class.settle();
    class.seats[0].room.leave();
    class.settle();
    // A larger table begins, and the one that there was is gone.
    assert_stops(service, 4 * most, room_ends);
    class.reload(1, 0);
    class.settle();
    assert!(!told_to(&class, 1).is_empty());
    let said = |notice: &Notice| match notice {
        Notice::Result { outcome, confirmed: 4, .. } => Some(outcome.figures[0].value.clone()),
        Notice::Fault { fault, .. } => Some(format!("{:?}", fault.code())),
        Notice::Closed => Some("Closed".to_owned()),
        _ => None,
    };
    let said: Vec<_> = class.seats[1].notices.iter().filter_map(said).collect();
    assert_eq!(said, ["4", "8", "12", "Missing", "Closed"]);
}

/// One test, because a process keeps one table, and it begins anew only for more sums than before.
#[test]
fn tables_for_wide_ranges_are_made_in_steps_that_are_told_and_stop() {
    assert_made_in_steps("kdk", 300_000_000);
    assert_reads_again("kdk", 300_000_000, true);
    assert_made_in_steps("kdk-pairing", 1_000_000);
    assert_reads_again("kdk-pairing", 1_000_000, false);
}

/// Everyone gives a value but one, who gives an element that belongs to no sum.
#[test]
fn an_element_that_is_no_sum_ends_in_a_fault_that_says_so() {
    let mut class = six();
    let mut cheat = Participant::taking_over(&mut class, 3, 2);
    let place = class.place(&cheat.author());
    let element = *AgreementKey::from_seed(&Secret::new([77; 32])).public().encoded();
    let sealed = cheat.seal(&class, place, MASKED, &element);
    class.push(&sealed);
    class.type_all("1");
    for index in [0, 1, 2, 4, 5] {
        class.assert_fault(index, FaultCode::SumOutOfRange);
        let fault = class.seats[index].fault().unwrap();
        assert!(fault.culprits().is_empty());
        assert_eq!(fault.message(), "The masks did not cancel to a possible sum, so no result is shown.");
        assert_eq!(class.seats[index].result(), None);
    }
}

#[test]
fn a_room_that_began_otherwise_shows_keys_when_a_question_needs_them() {
    let mut class = class("sum");
    answer(&mut class, ["1"; 4]);
    assert!(
        class
            .entries(EntryKind::Reveal)
            .iter()
            .all(|entry| Reveal::from_bytes(&entry.payload).unwrap().keys[0].method == MethodId::Masks)
    );
    for (text, value, sum) in [("In a group?", "2", "8.00"), ("Again?", "50", "200.00")] {
        ask(&mut class, "kdk", text);
        answer(&mut class, [value; 4]);
        assert_result(&class, sum);
        // The second question finds the keys that came with the first one's values.
        assert_eq!(shown(&class, 4), 1);
    }
    for keyed in [true, false] {
        let verified = verify(&class.seats[0].room.record(keyed).unwrap().to_bytes()).unwrap();
        assert_eq!(verified.questions.iter().map(|question| question.confirmed).collect::<Vec<_>>(), [4; 3]);
        let sums = verified.questions.iter().filter_map(|question| question.outcome.as_ref());
        let sums: Vec<_> = sums.map(|outcome| outcome.figures[0].value.as_str()).collect();
        assert_eq!(sums, if keyed { vec!["4.00", "8.00", "200.00"] } else { Vec::new() });
    }
}

#[test]
fn keys_wait_while_another_method_is_asked_and_are_shown_anew_after_a_failure() {
    let mut other = class("kdk");
    answer(&mut other, ["1"; 4]);
    ask(&mut other, "sum", "Something else?");
    answer(&mut other, ["1"; 4]);
    ask(&mut other, "kdk", "Again?");
    answer(&mut other, ["3"; 4]);
    assert_result(&other, "12.00");
    assert_eq!(shown(&other, 4), 0);

    let mut failed = class("kdk");
    failed.submit(1, "1");
    failed.wait(70_000);
    assert_eq!(failed.seats[0].fault().unwrap().code(), FaultCode::Missing);
    ask(&mut failed, "kdk", "The room goes on.");
    answer(&mut failed, ["2"; 4]);
    assert_result(&failed, "8.00");
    assert_eq!(shown(&failed, 4), 1);
}

/// Who saw a question fail, and who did not, agree all the same on what comes next.
#[test]
fn a_seat_that_gave_up_too_early_catches_up_after_one_more_question() {
    let mut class = class("kdk");
    (0..3).for_each(|index| class.submit(index, "1"));
    class.seats[1].off = true;
    class.wait(61_000);
    class.submit(3, "1");
    assert_eq!(class.seats[0].result(), Some((vec!["4.00".to_owned()], 3)));
    class.seats[1].off = false;
    class.seats[1].room.handle(undertone_room::Event::Clock(class.now + 10_000));
    class.wait(12_000);
    assert_eq!(class.seats[1].fault().map(|fault| fault.code()), Some(FaultCode::Missing));
    ask(&mut class, "kdk", "Without the keys that it missed.");
    class.wait(25_000);
    ask(&mut class, "kdk", "With new ones.");
    answer(&mut class, ["2"; 4]);
    assert_result(&class, "8.00");
    assert_eq!(shown(&class, 4), 1);
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
    assert_eq!((forked.seats[1].was_told("Ready"), forked.seats[1].was_told("Sent")), (1, 0));
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
fn other_terms_need_other_keys_and_rounds_of_failed_questions_count() {
    let mut class = six();
    assert_eq!(meter(&class), (1, 2));
    round(&mut class, "1");
    for (text, collusion, keys) in [("Others may collude.", "2", 1), ("And again.", "1", 2)] {
        class.seats[0].room.ask(meters(text, collusion)).unwrap();
        class.settle();
        assert_eq!(round(&mut class, "3").0, "18.00");
        assert_eq!(shown(&class, 6), keys);
    }
    assert_eq!(meter(&class), (1, 2));
    // A question that fails uses up its round: the next one has none left, although nobody answered.
    class.seats[0].room.ask(meters("Who answers?", "1")).unwrap();
    class.settle();
    assert_eq!(meter(&class), (2, 2));
    class.wait(70_000);
    class.seats[0].room.ask(meters("And now?", "1")).unwrap();
    class.settle();
    assert_eq!((meter(&class), shown(&class, 6)), ((1, 2), 3));
    assert_eq!(round(&mut class, "4").0, "24.00");
    // Within a life a failure in the first round leaves the second.
    let mut early = six();
    early.submit(2, "9");
    early.wait(70_000);
    early.seats[0].room.ask(meters("And now?", "1")).unwrap();
    early.settle();
    assert_eq!((meter(&early), shown(&early, 6)), ((2, 2), 0));
    assert_eq!(round(&mut early, "4"), ("24.00".to_owned(), 128));
}

/// The round that the last question said it uses, of how many.
fn meter(class: &Class) -> (u32, u32) {
    let keys = class.seats[4].notices.iter().rev().find_map(|notice| match notice {
        Notice::Ready { keys, .. } => Some(keys.unwrap()),
        _ => None,
    });
    keys.map(|keys| (keys.round, keys.rounds)).unwrap()
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

/// A group that needs new keys: its first question was of another kind. The last seat cheats.
fn needs_keys() -> (Class, Participant) {
    let mut class = class("sum");
    answer(&mut class, ["1"; 4]);
    let cheat = Participant::taking_over(&mut class, 3, 2);
    class.cheat = Some(cheat.author());
    ask(&mut class, "kdk", "In a group?");
    (class, cheat)
}

/// What the cheat would show for the question in force, or for another one.
fn offer(class: &Class, cheat: &Participant, plan: &Hash) -> KeyOffer {
    let key = AgreementKey::from_seed(&Secret::new([77; 32]));
    let roster = class.seats[0].room.roster().unwrap().hash;
    let context = Transcript::new("fresh-key-context/v1").field(&class.room()).field(&cheat.author());
    let context = context.field(&roster).field(plan).hash();
    let proof = key.prove(&context).to_bytes().try_into().unwrap();
    KeyOffer { method: MethodId::Kdk, key: key.public().to_bytes(), proof }
}

fn show(class: &mut Class, cheat: &mut Participant, offer: &KeyOffer) {
    let entry = cheat.write(class.place(&cheat.author()), EntryKind::Rekey, offer.to_bytes());
    class.push(&entry);
}

/// Everyone else ends in that fault, which names the cheat, and nothing was sent.
fn assert_named(class: &Class, cheat: &Participant, code: FaultCode) {
    for seat in &class.seats[..3] {
        let fault = seat.fault().unwrap();
        let named = seat.room.roster().unwrap().seat_of(&cheat.author()).unwrap();
        assert_eq!((fault.code(), fault.culprits()), (code, &[named][..]));
    }
    assert_eq!(class.entries(MASKED).len(), 4, "only the values of the first question");
}

#[test]
fn a_fresh_key_without_its_proof_names_who_showed_it() {
    type Bend = fn(&Class, &Participant, &mut KeyOffer);
    let bad: &[(&str, Bend)] = &[
        ("a wrong proof", |_, _, offer| offer.proof[40] ^= 1),
        ("no point", |_, _, offer| offer.key = vec![255; 32]),
        ("another method", |_, _, offer| offer.method = MethodId::Pcl),
        ("somebody else's", |class, _, offer| {
            let own = |entry: &&undertone_wire::Entry| entry.header.author == class.seats[1].room.identity().author();
            *offer = KeyOffer::from_bytes(&class.entries(EntryKind::Rekey).iter().find(own).unwrap().payload).unwrap();
        }),
        ("one of another question", |class, cheat, it| {
            *it = offer(class, cheat, &class.entries(EntryKind::Plan)[0].place.plan)
        }),
    ];
    for (what, bend) in bad {
        let (mut class, mut cheat) = needs_keys();
        let plan = class.place(&cheat.author()).plan;
        let mut key = offer(&class, &cheat, &plan);
        bend(&class, &cheat, &mut key);
        show(&mut class, &mut cheat, &key);
        assert_named(&class, &cheat, FaultCode::BadKey);
        println!("{what}: named");
    }
    // The same without the bend is taken: everyone acknowledges.
    let (mut class, mut cheat) = needs_keys();
    let plan = class.place(&cheat.author()).plan;
    let key = offer(&class, &cheat, &plan);
    show(&mut class, &mut cheat, &key);
    assert_eq!(class.entries(EntryKind::Ack).iter().filter(|ack| ack.place.plan == plan).count(), 3);
    assert!(class.seats[0].fault().is_none());
}

#[test]
fn two_fresh_keys_are_equivocation_and_none_is_silence() {
    let (mut class, mut cheat) = needs_keys();
    let plan = class.place(&cheat.author()).plan;
    let key = offer(&class, &cheat, &plan);
    let place = class.place(&cheat.author());
    let first = cheat.write(place, EntryKind::Rekey, key.to_bytes());
    let second = cheat.write(place, EntryKind::Rekey, KeyOffer { proof: [1; 64], ..key }.to_bytes());
    assert!(undertone_wire::proves_equivocation(&first, &second));
    class.push(&first);
    class.push(&second);
    assert_named(&class, &cheat, FaultCode::Equivocation);

    let (mut class, cheat) = needs_keys();
    class.wait(30_000);
    assert_named(&class, &cheat, FaultCode::Missing);
    class.seats[3].off = false;
    ask(&mut class, "kdk", "The room goes on.");
    answer(&mut class, ["2"; 4]);
    assert_result(&class, "8.00");
}

/// After a reload, relay and host hide what was answered since the fresh key was shown.
#[test]
fn a_fresh_key_is_not_used_again_for_a_log_that_was_rolled_back() {
    let second = |text: &str| {
        let mut class = Class::open(question("sum", "How much?"), 5, 3, small());
        class.lock();
        (0..6).for_each(|index| class.submit(index, "1"));
        class.seats[0].room.ask(meters("In a group?", "1")).unwrap();
        class.wait(70_000);
        class.seats[1].off = text != "Second?";
        class.seats[0].room.ask(meters(text, "1")).unwrap();
        class.settle();
        class
    };
    let mut class = second("Second?");
    class.submit(1, "10");
    let ledger = class.seats[1].ledger.clone();
    // The same log up to the fresh keys, and then another question in the second round.
    let mut forked = second("Something else?");
    assert_eq!(shown(&forked, 6), 1);
    forked.seats[1].ledger = ledger;
    forked.reload(1, 0);
    forked.seats[1].off = false;
    forked.settle();
    drop(forked.seats[1].room.submit("20"));
    forked.settle();
    let last = forked.seats[1].notices.iter().rev().find_map(|notice| match notice {
        Notice::Fault { fault, .. } => Some(fault.code()),
        _ => None,
    });
    assert_eq!(last, Some(FaultCode::KeySpent));
    let (own, plan) = (forked.seats[1].room.identity().author(), forked.place(&[0; 32]).plan);
    let values = forked.entries(MASKED);
    assert!(!values.iter().any(|entry| entry.header.author == own && entry.place.plan == plan));
}

#[test]
fn fresh_keys_survive_a_reload_at_every_step() {
    for at in 0..4 {
        let mut class = class("sum");
        answer(&mut class, ["1"; 4]);
        let reload = |class: &mut Class, step: usize| {
            if step == at {
                class.reload(2, 1);
                class.settle();
            }
        };
        reload(&mut class, 0);
        ask(&mut class, "kdk", "In a group?");
        reload(&mut class, 1);
        class.submit(2, "2");
        reload(&mut class, 2);
        [0, 1, 3].iter().for_each(|index| class.submit(*index, "2"));
        assert_result(&class, "8.00");
        reload(&mut class, 3);
        ask(&mut class, "kdk", "Again?");
        answer(&mut class, ["3"; 4]);
        assert_result(&class, "12.00");
        assert_eq!(shown(&class, 4), 1);
    }
}
