//! Records: what a room said is checked by somebody who was not there, and no change goes unnoticed.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros, small};
use undertone_machine::{Fault, FaultCode, RoundKind, Secret};
use undertone_prim::SeatKey;
use undertone_room::{ClientPolicy, Tier, Unchecked, Verified, verify};
use undertone_services::draft;
use undertone_wire::{Codec, Confirm, Entry, EntryKind, Header, Place, Record, RecordKey};

const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

/// A room of three that added 1, 2 and 3.5.
fn three() -> Class {
    let mut class = Class::open(euros("sum"), 2, 3, small());
    class.lock();
    for (index, value) in ["1", "2", "3.5"].iter().enumerate() {
        class.submit(index, value);
    }
    class
}

fn exported(class: &Class, index: usize, with_key: bool) -> Record {
    class.seats[index].room.record(with_key).unwrap()
}

fn check(record: &Record) -> Result<Verified, Fault> {
    verify(&record.to_bytes())
}

fn figures(verified: &Verified) -> Vec<Vec<String>> {
    let values = |outcome: &undertone_machine::Outcome| outcome.figures.iter().map(|one| one.value.clone()).collect();
    verified.questions.iter().map(|question| question.outcome.as_ref().map(values).unwrap_or_default()).collect()
}

/// Whether nothing but the true sum or none is shown.
fn never_another_figure(verified: &Verified) -> bool {
    figures(verified).iter().all(|values| values.is_empty() || values == &["6.50"])
}

#[test]
fn a_record_with_the_key_gives_the_result_again_and_every_seat_exports_the_same() {
    let class = three();
    let record = exported(&class, 0, true);
    assert_eq!(record.to_bytes(), exported(&class, 2, true).to_bytes());
    let verified = check(&record).unwrap();
    assert_eq!(figures(&verified), [["6.50"]]);
    let [question] = &verified.questions[..] else { panic!("{verified:?}") };
    assert_eq!((question.acknowledged, question.sent.len(), question.confirmed), (3, 3, 3));
    assert_eq!((verified.room, verified.roster.tier, verified.list), (class.room(), Tier::HostVerified, 1));
    let roster = class.seats[0].room.roster().unwrap();
    assert_eq!(verified.roster.hash, roster.hash);
    assert!(verified.keyed && !verified.unchecked().contains(&Unchecked::Figures));
}

#[test]
fn without_the_key_everything_but_the_figures_is_checked_and_it_says_so() {
    let class = three();
    let verified = check(&exported(&class, 1, false)).unwrap();
    let [question] = &verified.questions[..] else { panic!("{verified:?}") };
    assert_eq!((question.sent.len(), question.confirmed, &question.outcome), (3, 3, &None));
    assert_eq!(verified.unchecked()[0], Unchecked::Figures);
}

#[test]
fn several_questions_and_a_seat_that_missed_one() {
    let mut class = Class::open(euros("mean"), 4, 5, ClientPolicy::default());
    class.lock();
    for (index, value) in ["1", "2", "3", "4", "5"].iter().enumerate() {
        class.submit(index, value);
    }
    class.seats[0].room.ask(draft("sum", "And how often?", &[("max", "9")], "60").unwrap()).unwrap();
    class.settle();
    for index in 0..4 {
        class.submit(index, "2");
    }
    class.wait(63_000);
    class.seats[0].room.ask(draft("sum", "And now?", &[("max", "9")], "60").unwrap()).unwrap();
    class.settle();
    for index in 0..5 {
        class.submit(index, "3");
    }
    class.seats[0].room.leave();
    class.settle();
    assert!(class.seats[3].room.is_over());
    let verified = check(&exported(&class, 3, true)).unwrap();
    assert_eq!(figures(&verified), [vec!["15.00", "5", "3.00"], vec![], vec!["15"]]);
    let counts: Vec<_> = verified.questions.iter().map(|one| (one.sent.len(), one.confirmed)).collect();
    assert_eq!(counts, [(5, 5), (4, 0), (5, 5)]);
    assert_eq!(verified.questions[1].plan.question, "And how often?");
}

#[test]
fn a_shorter_list_and_a_seat_by_code() {
    let mut class = Class::open(euros("sum"), 4, 3, small());
    let by_code = class.add(77, false, small());
    class.settle();
    class.seats[4].off = true;
    class.lock();
    class.wait(21_000);
    for index in [0, 1, 2, 3, by_code] {
        class.submit(index, "2");
    }
    for index in [0, by_code] {
        let verified = check(&exported(&class, index, true)).unwrap();
        assert_eq!(
            (figures(&verified), verified.list, verified.roster.members.len()),
            (vec![vec!["10.00".to_owned()]], 2, 5)
        );
        assert_eq!(verified.roster.tier, Tier::Unverified);
    }
}

#[test]
fn a_record_without_a_result_says_how_far_the_room_came() {
    let mut class = Class::open(euros("sum"), 2, 3, small());
    let before = check(&exported(&class, 0, false)).unwrap_err();
    assert_eq!(before.code(), FaultCode::Missing);
    assert_eq!(class.seats[0].room.record(true).unwrap_err().code(), FaultCode::BadCall);
    class.lock();
    class.submit(0, "1");
    let verified = check(&exported(&class, 0, true)).unwrap();
    assert_eq!(figures(&verified), [Vec::<String>::new()]);
    assert_eq!((verified.questions[0].acknowledged, verified.questions[0].sent.len()), (3, 1));
}

#[test]
fn every_changed_byte_is_found() {
    let bytes = exported(&three(), 0, true).to_bytes();
    // The key follows magic, version, room, presence and list number.
    let key = 16 + 1 + 32 + 1 + 1..16 + 1 + 32 + 1 + 1 + 32;
    // Natively every byte; the same code in wasm, unoptimised, takes its time.
    let step = if cfg!(target_arch = "wasm32") { 29 } else { 1 };
    for at in (0..bytes.len()).step_by(step) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let fault = verify(&changed).map(|verified| figures(&verified)).expect_err(&format!("byte {at}"));
        if key.contains(&at) {
            assert_eq!((fault.code(), fault.culprits().len()), (FaultCode::BadSeal, 0), "byte {at}");
        }
    }
}

#[test]
fn every_cut_is_found() {
    let bytes = exported(&three(), 0, true).to_bytes();
    for at in 0..bytes.len() {
        assert_eq!(verify(&bytes[..at]).unwrap_err().code(), FaultCode::Malformed, "cut at {at}");
    }
    assert_eq!(verify(&[&bytes[..], &[0]].concat()).unwrap_err().code(), FaultCode::Malformed);
}

#[test]
fn a_dropped_entry_is_a_fault_or_missing_and_never_another_figure() {
    let class = three();
    let count = exported(&class, 0, true).entries.len();
    let mut faults = 0;
    for dropped in 0..count {
        let mut record = exported(&class, 0, true);
        let entry = Entry::from_bytes(&record.entries.remove(dropped)).unwrap();
        match check(&record) {
            Err(_) => faults += 1,
            // Only an author's last words can go unnoticed, and then they count as not said.
            Ok(verified) => {
                assert_eq!(entry.kind, EntryKind::Confirm, "{dropped}");
                assert!(never_another_figure(&verified) && verified.questions[0].confirmed == 2);
            }
        }
    }
    assert_eq!(faults, count - 3);
}

#[test]
fn dropped_tails_are_missing_and_never_another_figure() {
    let class = three();
    let whole = exported(&class, 0, true).entries;
    let author = |bytes: &[u8]| Header::peek(bytes).unwrap();
    for cut in &whole {
        let cut = author(cut);
        let left_out = |bytes: &Vec<u8>| author(bytes).author == cut.author && author(bytes).sequence >= cut.sequence;
        let entries: Vec<_> = whole.iter().filter(|bytes| !left_out(bytes)).cloned().collect();
        let checked = check(&Record { entries, ..exported(&class, 0, true) });
        assert!(checked.is_err() || checked.is_ok_and(|verified| never_another_figure(&verified)));
    }
}

#[test]
fn swapped_entries_and_another_rooms_are_refused() {
    let class = three();
    for index in 1..exported(&class, 0, true).entries.len() {
        let mut record = exported(&class, 0, true);
        record.entries.swap(index - 1, index);
        assert_eq!(check(&record).unwrap_err().code(), FaultCode::Malformed, "{index}");
    }
    // An entry that its author signed, in a place where it said something else.
    let own = |bytes: &Vec<u8>| Entry::from_bytes(bytes).unwrap().kind == MASKED;
    let mut record = exported(&class, 0, true);
    let at = record.entries.iter().position(own).unwrap();
    let mut entry = Entry::from_bytes(&record.entries[at]).unwrap();
    let seeds = [200, 0, 1].map(|seed| SeatKey::from_seed(&Secret::new([seed; 32])));
    let key = seeds.iter().find(|key| key.public() == entry.header.author).unwrap();
    entry.payload[0] ^= 1;
    let Header { room, sequence, .. } = entry.header;
    record.entries[at] =
        Entry::sign(key, room, sequence, entry.previous, entry.place, entry.kind, entry.payload).to_bytes();
    assert_eq!(check(&record).unwrap_err().code(), FaultCode::BrokenChain);
}

#[test]
fn the_key_of_another_room_or_list_opens_nothing() {
    let class = three();
    let foreign = Some(RecordKey { list: 1, key: Secret::new([9; 32]) });
    let fault = check(&Record { key: foreign, ..exported(&class, 0, true) }).unwrap_err();
    assert_eq!((fault.code(), fault.culprits().len()), (FaultCode::BadSeal, 0));
    let key = exported(&class, 0, true).key.unwrap().key;
    let other_list = Some(RecordKey { list: 2, key });
    let fault = check(&Record { key: other_list, ..exported(&class, 0, true) }).unwrap_err();
    assert_eq!(fault.code(), FaultCode::BadSeal);
}

#[test]
fn a_forged_result_is_a_result_split_however_well_it_is_signed() {
    let class = three();
    let mut record = exported(&class, 0, true);
    let forger = SeatKey::from_seed(&Secret::new([1; 32]));
    let room_key = record.key.as_ref().unwrap().key.expose();
    let signed = |bytes: &Vec<u8>| Entry::from_bytes(bytes).unwrap();
    let confirms = |entry: &Entry| entry.kind == EntryKind::Confirm && entry.header.author == forger.public();
    let at = record.entries.iter().position(|bytes| confirms(&signed(bytes))).unwrap();
    let entry = signed(&record.entries[at]);
    let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
    let other = Confirm::of(&[1; 32], &[2; 32]).to_bytes();
    let sealed = undertone_prim::seal(&Secret::new(*room_key), &context, &other);
    let Header { room, sequence, .. } = entry.header;
    record.entries[at] =
        Entry::sign(&forger, room, sequence, entry.previous, entry.place, entry.kind, sealed).to_bytes();
    assert_eq!(check(&record).unwrap_err().code(), FaultCode::ResultSplit);
}

#[test]
fn a_rewritten_request_or_reveal_is_found_even_if_its_author_signs_it() {
    let class = three();
    let author = SeatKey::from_seed(&Secret::new([1; 32]));
    for (kind, code) in [(EntryKind::Join, FaultCode::SplitView), (EntryKind::Reveal, FaultCode::BadKey)] {
        let record = exported(&class, 0, true);
        let mut previous = [0; 32];
        let rewrite = |bytes: Vec<u8>| {
            let mut entry = Entry::from_bytes(&bytes).unwrap();
            if entry.header.author != author.public() {
                return bytes;
            }
            if entry.kind == kind {
                entry.payload[5] ^= 1;
            }
            let Header { room, sequence, .. } = entry.header;
            let again = Entry::sign(&author, room, sequence, previous, entry.place, entry.kind, entry.payload);
            previous = again.hash();
            again.to_bytes()
        };
        let entries = record.entries.into_iter().map(rewrite).collect();
        assert_eq!(check(&Record { entries, ..exported(&class, 0, true) }).unwrap_err().code(), code, "{kind:?}");
    }
}

#[test]
fn strangers_are_ignored_and_stay_out_of_what_is_exported() {
    let class = three();
    let stranger = SeatKey::from_seed(&Secret::new([99; 32]));
    let noise = |kind| Entry::sign(&stranger, class.room(), 0, [0; 32], Place::NOWHERE, kind, vec![1]).to_bytes();
    for kind in [EntryKind::Open, EntryKind::Join, EntryKind::List, EntryKind::Ack, MASKED, EntryKind::Close] {
        let mut record = exported(&class, 0, true);
        record.entries.push(noise(kind));
        record.entries.sort_by_key(|bytes| Header::peek(bytes).map(|one| (one.author, one.sequence)).unwrap());
        assert_eq!(figures(&check(&record).unwrap()), [["6.50"]], "{kind:?}");
    }
    let mut room = Class::open(euros("sum"), 2, 3, small());
    room.log
        .push(Entry::sign(&stranger, room.room(), 0, [0; 32], Place::NOWHERE, EntryKind::Leave, vec![1]).to_bytes());
    room.lock();
    let theirs = |bytes: &Vec<u8>| Header::peek(bytes).unwrap().author == stranger.public();
    assert!(!exported(&room, 0, false).entries.iter().any(theirs));
}

#[test]
fn a_room_that_ended_in_a_fault_leaves_a_record_that_shows_it() {
    let mut class = three();
    // The last confirmation again, with other content: two things said in one place.
    let last = Entry::from_bytes(class.log.last().unwrap()).unwrap();
    let seeds = [200, 0, 1].map(|seed| SeatKey::from_seed(&Secret::new([seed; 32])));
    let key = seeds.iter().find(|key| key.public() == last.header.author).unwrap();
    let (sequence, previous) = (last.header.sequence + 1, last.hash());
    let twice = Entry::sign(key, class.room(), sequence, previous, last.place, last.kind, vec![0; 80]);
    class.log.push(twice.to_bytes());
    let index = class.seats.iter().position(|seat| seat.room.identity().author() != last.header.author).unwrap();
    class.settle();
    assert_eq!(class.seats[index].fault().map(Fault::code), Some(FaultCode::Equivocation));
    let fault = check(&exported(&class, index, true)).unwrap_err();
    assert_eq!((fault.code(), fault.culprits().len(), fault.evidence().len()), (FaultCode::Equivocation, 1, 2));
}
