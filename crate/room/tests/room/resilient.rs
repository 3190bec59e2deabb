//! Rooms whose people may vanish: honest ones, ones in which some are gone at each word, and the attacks
//! on them.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros, small};
use crate::doubles::By::{Host, Participant as Seat, Relay};
use crate::doubles::Culprit::{self, Cheat, Nobody};
use crate::doubles::When::{AfterValues, BeforeValues};
use crate::doubles::{Attack, By, End, MASKED, Participant, When, script, to_all};
use undertone_machine::{Fault, FaultCode, RoundKind, Secret};
use undertone_prim::{SeatKey, Transcript, open, seal};
use undertone_room::{ClientPolicy, Notice};
use undertone_services::draft;
use undertone_wire::{Codec, Entry, EntryKind, Plan};

type Run = fn(&mut Class) -> Option<Fault>;

const SET: EntryKind = EntryKind::Round(RoundKind::Share);
const OPENING: EntryKind = EntryKind::Round(RoundKind::Opening);

const fn row(name: &'static str, by: By, when: When, tries: &'static str, end: End, run: Run) -> Attack {
    Attack { name, by, tries, when, end, run }
}

/// The host and seven others, of whom two may vanish: three may collude, six are enough.
const PEOPLE: usize = 8;
const HOST_SEED: u8 = 200;
/// The last of them, by the order in which they came.
const LAST: usize = PEOPLE - 1;
const LAST_SEED: u8 = 13;
const HONEST: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
const GUESTS: &[usize] = &[1, 2, 3, 4, 5, 6, 7];

fn plan(drops: usize) -> Plan {
    let params = [("unit", "EUR"), ("decimals", "2"), ("max", "50"), ("drops", &drops.to_string())];
    draft("sum", "How much?", &params, "60").unwrap()
}

fn room() -> Class {
    let mut class = Class::open(plan(2), 3, 5, ClientPolicy::default());
    for seed in 10..=LAST_SEED {
        class.add(seed, true, ClientPolicy::default());
    }
    class.settle();
    class
}

/// In place of the room that every attack is given.
fn eight(class: &mut Class) {
    *class = room();
    class.lock();
}

/// A seat's program says something else in place of what an honest one says; its content is unsealed.
fn lies(class: &mut Class, seat: usize, seed: u8, mut what: impl FnMut(&Entry, Vec<u8>) -> Option<Vec<u8>> + 'static) {
    let (key, room_key) = (SeatKey::from_seed(&Secret::new([seed; 32])), class.room_key());
    let author = class.seats[seat].room.identity().author();
    assert_eq!(key.public(), author);
    class.cheat = Some(author);
    let (room, mut last) = (class.room(), None);
    class.rewrite = Some((
        author,
        Box::new(move |entry| {
            let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
            let mut payload = entry.payload.clone();
            if matches!(entry.kind, MASKED | SET | OPENING) {
                let plain = open(&room_key, &context, &entry.payload).unwrap();
                let Some(plain) = what(&entry, plain) else { return Vec::new() };
                payload = seal(&room_key, &context, &plain);
            }
            // What follows a lie continues it: it is one whole chain.
            let (sequence, previous) = (entry.header.sequence, last.unwrap_or(entry.previous));
            let said = Entry::sign(&key, room, sequence, previous, entry.place, entry.kind, payload);
            last = Some(said.hash());
            vec![said]
        }),
    ));
}

/// The host's program proposes another set.
fn proposing(class: &mut Class, change: impl Fn(&mut Vec<u8>) + 'static) {
    eight(class);
    lies(class, 0, HOST_SEED, move |entry, mut plain| {
        if entry.kind == SET {
            change(&mut plain);
        }
        Some(plain)
    });
    class.type_all("1");
}

/// The last of eight people says something else in one kind of entry.
fn last_lies(class: &mut Class, kind: EntryKind, change: impl Fn(&mut Vec<u8>) + 'static) {
    eight(class);
    lies(class, LAST, LAST_SEED, move |entry, mut plain| {
        if entry.kind == kind {
            change(&mut plain);
        }
        Some(plain)
    });
    class.type_all("1");
}

/// The last of eight deals something else; everyone has typed a value.
fn dealing(class: &mut Class, says: impl Fn(&mut Participant, &Entry) -> Vec<Entry> + 'static) {
    *class = room();
    class.type_all("1");
    let mut cheat = Participant::new(class, LAST_SEED);
    class.cheat = Some(cheat.author());
    class.rewrite = Some((
        cheat.author(),
        Box::new(move |entry| if entry.kind == EntryKind::Deal { says(&mut cheat, &entry) } else { vec![entry] }),
    ));
    class.lock();
}

fn openings(class: &Class) -> usize {
    class.entries(OPENING).len()
}

pub(crate) const BEFORE: &[Attack] = &[
    row(
        "deal-cut-short",
        Seat,
        BeforeValues,
        "deals shares to nobody",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| {
            dealing(class, |cheat, entry| vec![cheat.beside(entry, entry.payload[..200].to_vec())]);
            None
        },
    ),
    row(
        "deal-of-no-key",
        Seat,
        BeforeValues,
        "deals under a key that is no point",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| {
            dealing(class, |cheat, entry| {
                let mut payload = entry.payload.clone();
                payload[..32].fill(0xff);
                vec![cheat.beside(entry, payload)]
            });
            None
        },
    ),
    row(
        "two-deals",
        Seat,
        BeforeValues,
        "deals twice for one question",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            dealing(class, |cheat, entry| {
                let mut payload = entry.payload.clone();
                payload[64] ^= 1;
                vec![entry.clone(), cheat.beside(entry, payload)]
            });
            None
        },
    ),
    row(
        "deals-for-two-halves",
        Relay,
        BeforeValues,
        "with a seat in league, shows its deal otherwise to some",
        End::Fault(&[3, 4, 5, 6], FaultCode::SplitView, Nobody),
        |class| {
            *class = room();
            class.type_all("1");
            let key = SeatKey::from_seed(&Secret::new([LAST_SEED; 32]));
            class.cheat = Some(key.public());
            class.show = script([to_all(|seat| (3..LAST).contains(&seat)).forks(key, |entry| {
                if entry.kind == EntryKind::Deal {
                    entry.payload[64] ^= 1;
                }
            })]);
            class.seats.iter_mut().for_each(|seat| seat.read = 0);
            class.lock();
            None
        },
    ),
];

pub(crate) const AFTER: &[Attack] = &[
    row(
        "victim-among-colluders",
        Host,
        AfterValues,
        "lists one person and its own friends as all that is added",
        End::Fault(GUESTS, FaultCode::IncludedSet, Culprit::Host),
        |class| {
            proposing(class, |plain| plain[0] = 0b0000_1111);
            class.wait(90_000);
            assert_eq!(openings(class), 0);
            None
        },
    ),
    row(
        "set-below-the-threshold",
        Host,
        AfterValues,
        "lists one fewer than there have to be",
        End::Fault(GUESTS, FaultCode::IncludedSet, Culprit::Host),
        |class| {
            proposing(class, |plain| plain[0] = 0b0001_1111);
            assert_eq!(openings(class), 0);
            None
        },
    ),
    row(
        "set-of-other-values",
        Host,
        AfterValues,
        "lists everyone over values that nobody sent",
        End::Fault(GUESTS, FaultCode::SplitView, Nobody),
        |class| {
            proposing(class, |plain| plain[1] ^= 1);
            assert_eq!(openings(class), 0);
            None
        },
    ),
    row(
        "two-sets-proposed",
        Host,
        AfterValues,
        "signs two sets and shows each to one half",
        End::Fault(&[1, 2, 3, 4, 5, 6, 7], FaultCode::SplitView, Nobody),
        |class| {
            two_sets(class);
            assert_eq!(openings(class), 0);
            None
        },
    ),
    row(
        "set-of-a-value-that-is-kept",
        Relay,
        AfterValues,
        "keeps a value that is in the set, and all that follows it, from everyone but the host",
        End::Fault(GUESTS_BUT_LAST, FaultCode::IncludedSet, Nobody),
        |class| {
            eight(class);
            let kept = class.seats[LAST].room.identity().author();
            class.show = script([to_all(|seat| seat != 0 && seat != LAST).changes(move |entry| {
                let hidden = entry.header.author == kept && matches!(entry.kind, MASKED | SET | OPENING);
                if hidden { Vec::new() } else { vec![entry.to_bytes()] }
            })]);
            class.type_all("1");
            class.wait(90_000);
            assert_eq!(openings(class), 0);
            None
        },
    ),
    row(
        "opened-twice",
        Seat,
        AfterValues,
        "opens for a second set what it opened for the first",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            eight(class);
            class.seats[LAST].room.submit("1").unwrap();
            class.settle();
            let mut cheat = Participant::taking_over(class, LAST, LAST_SEED);
            class.cheat = Some(cheat.author());
            let place = undertone_wire::Place { round: 2, ..class.place(&cheat.author()) };
            for byte in [1, 2] {
                let entry = cheat.seal(class, place, OPENING, &[byte; 32 + 16 * PEOPLE]);
                class.log.push(entry.to_bytes());
            }
            class.settle();
            class.type_all("1");
            None
        },
    ),
    row(
        "opening-before-the-set",
        Seat,
        AfterValues,
        "opens before it said which set",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| {
            eight(class);
            class.submit(LAST, "1");
            let mut cheat = Participant::taking_over(class, LAST, LAST_SEED);
            class.cheat = Some(cheat.author());
            let place = undertone_wire::Place { round: 2, ..class.place(&cheat.author()) };
            let entry = cheat.seal(class, place, OPENING, &[1; 32 + 16 * PEOPLE]);
            class.push(&entry);
            class.type_all("1");
            None
        },
    ),
];

const GUESTS_BUT_LAST: &[usize] = &[1, 2, 3, 4, 5, 6];

pub(crate) const HARMLESS: &[Attack] = &[
    row(
        "wrong-share-opened",
        Seat,
        AfterValues,
        "opens a share that was never dealt to it",
        End::Result("8.00", PEOPLE),
        |class| {
            last_lies(class, OPENING, |plain| plain[40] ^= 1);
            None
        },
    ),
    row(
        "no-share-opened",
        Seat,
        AfterValues,
        "says that nobody dealt anything to it",
        End::Result("8.00", PEOPLE),
        |class| {
            last_lies(class, OPENING, |plain| plain[32..].fill(0xff));
            None
        },
    ),
    row(
        "opening-of-another-set",
        Seat,
        AfterValues,
        "opens another set than it said",
        End::Result("8.00", PEOPLE),
        |class| {
            last_lies(class, OPENING, |plain| plain[0] ^= 1);
            None
        },
    ),
    row(
        "word-on-another-set",
        Seat,
        AfterValues,
        "says another set than the host",
        End::Result("8.00", PEOPLE - 1),
        |class| {
            last_lies(class, SET, |plain| plain[2] ^= 1);
            None
        },
    ),
    row(
        "value-kept-until-the-set-is-out",
        Relay,
        AfterValues,
        "keeps a value until it is left out, and shows it then",
        End::Result("7.00", LAST),
        |class| {
            late_value(class);
            None
        },
    ),
    row(
        "set-without-a-value-in-view",
        Host,
        AfterValues,
        "leaves out a value that everyone sees",
        End::Result("7.00", LAST),
        |class| {
            proposing_without_last(class);
            None
        },
    ),
];

/// The last one's value comes to nobody until the set is out, and then to all.
fn late_value(class: &mut Class) {
    eight(class);
    let kept = class.seats[LAST].room.identity().author();
    class.cheat = Some(kept);
    class.show = script([to_all(|_| true).changes(move |entry| {
        let hidden = entry.header.author == kept && matches!(entry.kind, MASKED | SET | OPENING | EntryKind::Confirm);
        if hidden { Vec::new() } else { vec![entry.to_bytes()] }
    })]);
    class.type_all("1");
    class.wait(61_000);
    class.show = Box::new(|_, bytes| vec![bytes.to_vec()]);
    class.seats.iter_mut().for_each(|seat| seat.read = 0);
    class.settle();
}

/// The set of everyone but the last, once all others have given a value.
fn all_but_last(class: &mut Class) -> Vec<u8> {
    eight(class);
    for index in 0..LAST {
        class.submit(index, "1");
    }
    let (roster, room_key) = (class.seats[0].room.roster().unwrap().clone(), class.room_key());
    let author = |index: usize| class.seats[index].room.identity().author();
    let context = Transcript::new("run-context/v1").field(&roster.hash).field(&class.place(&author(0)).plan).hash();
    let last = roster.seat_of(&author(LAST)).unwrap();
    let value = |entry: &Entry| (roster.seat_of(&entry.header.author).unwrap(), unsealed(&room_key, entry));
    let mut values: Vec<_> = class.entries(MASKED).iter().map(value).collect();
    values.sort_by_key(|(seat, _)| *seat);
    let start = Transcript::new("included-set/v1").field(&context).number(PEOPLE as u64);
    let set = values.iter().fold(start, |hash, (seat, value)| hash.number(seat.0.into()).field(value)).hash();
    [&[!(1_u8 << last.0)], &set[..]].concat()
}

/// The host's program proposes everyone but the last, whose value all have seen by then.
fn proposing_without_last(class: &mut Class) {
    let set = all_but_last(class);
    lies(class, 0, HOST_SEED, move |entry, plain| Some(if entry.kind == SET { set.clone() } else { plain }));
    class.submit(LAST, "1");
}

fn unsealed(key: &Secret<[u8; 32]>, entry: &Entry) -> Vec<u8> {
    open(key, &Entry::seal_context(&entry.header, &entry.place, entry.kind), &entry.payload).unwrap()
}

/// A host in league with the relay: one half is shown a set without the last value.
fn two_sets(class: &mut Class) {
    let set = all_but_last(class);
    let (room_key, host) = (class.room_key(), SeatKey::from_seed(&Secret::new([HOST_SEED; 32])));
    class.show = script([to_all(|seat| seat >= 4).forks(host, move |entry| {
        if entry.kind == SET {
            let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
            entry.payload = seal(&room_key, &context, &set);
        }
    })]);
    class.seats.iter_mut().skip(4).for_each(|seat| seat.read = 0);
    class.submit(LAST, "1");
    class.wait(90_000);
}

/// Everyone who is on shows this sum of so many.
fn assert_sum(class: &Class, sum: &str, included: usize) {
    for (index, seat) in class.seats.iter().enumerate().filter(|(_, seat)| !seat.off) {
        let told = seat.notices.iter().rev().find_map(|notice| match notice {
            Notice::Result { outcome, included, .. } => Some((outcome.figures[0].value.clone(), *included)),
            _ => None,
        });
        assert_eq!(told, Some((sum.to_owned(), included)), "seat {index}: {:?}", seat.notices);
    }
}

#[test]
fn where_nobody_vanishes_everyone_is_in_the_sum_and_signs_it() {
    let mut class = room();
    class.lock();
    class.type_all("1.50");
    assert_sum(&class, "12.00", PEOPLE);
    assert!(class.seats.iter().all(|seat| seat.result() == Some((vec!["12.00".into()], PEOPLE))));
    let counts = [EntryKind::Deal, MASKED, SET, OPENING].map(|kind| class.entries(kind).len());
    assert_eq!(counts, [PEOPLE; 4]);
}

/// At each word, each of two seats falls silent for good: before its value, its word on the set, its
/// opening, or its word on the result.
#[test]
fn whoever_falls_silent_at_whatever_word_the_others_get_the_sum_in_time() {
    for (gone, word) in [(3, MASKED), (3, SET), (3, OPENING), (LAST, MASKED), (LAST, OPENING), (1, EntryKind::Confirm)]
    {
        let mut class = room();
        class.lock();
        let author = class.seats[gone].room.identity().author();
        let mut silent = false;
        class.rewrite = Some((
            author,
            Box::new(move |entry| {
                silent |= entry.kind == word;
                if silent { Vec::new() } else { vec![entry] }
            }),
        ));
        // Beside it, somebody whose device is off before they typed anything.
        class.seats[5].off = true;
        class.type_all("1");
        class.seats[gone].off = word != EntryKind::Confirm;
        class.wait(61_000);
        let included = PEOPLE - 1 - usize::from(word == MASKED);
        assert_sum(&class, &format!("{included}.00"), included);
        assert!(class.now < 1_000 + 60_000 + 2_000, "later than the time to answer and a second");
    }
}

#[test]
fn who_never_typed_helps_to_open_and_is_told_that_nothing_of_theirs_is_in() {
    let mut class = room();
    class.lock();
    for index in 0..LAST - 1 {
        class.submit(index, "2");
    }
    class.wait(64_000);
    assert_sum(&class, "12.00", LAST - 1);
    let told = class.seats[LAST].notices.iter().rev().find_map(|notice| match notice {
        Notice::Result { contribution_in, .. } => Some(*contribution_in),
        _ => None,
    });
    assert_eq!(told, Some(false));
    assert_eq!(class.seats[LAST].room.submit("2").unwrap_err().code(), FaultCode::RoundSpent);
}

#[test]
fn a_value_that_comes_after_the_set_stays_hidden() {
    let mut class = Class::open(plan(1), 4, 5, ClientPolicy::default());
    late_value(&mut class);
    assert_sum(&class, "7.00", LAST);
    let said = class.log.len();
    class.wait(30_000);
    assert_eq!(class.log.len(), said);
    assert_eq!(openings(&class), LAST);
}

#[test]
fn with_too_many_gone_it_ends_as_missing_and_nothing_is_opened() {
    let mut class = room();
    class.lock();
    for gone in 5..PEOPLE {
        class.seats[gone].off = true;
    }
    class.type_all("1");
    class.wait(90_000);
    for index in 0..5 {
        let expected = if index == 0 { FaultCode::Missing } else { FaultCode::HostSilent };
        class.assert_fault(index, expected);
    }
    assert_eq!(openings(&class), 0);
}

#[test]
fn a_host_that_vanishes_ends_the_question_by_name() {
    let mut class = room();
    class.lock();
    class.submit(0, "1");
    class.seats[0].off = true;
    class.type_all("1");
    class.wait(90_000);
    for index in 1..PEOPLE {
        class.assert_fault(index, FaultCode::HostSilent);
    }
    // After it said the set it is not needed any more.
    let mut class = room();
    class.lock();
    lies(&mut class, 0, HOST_SEED, |entry, plain| (entry.kind != OPENING).then_some(plain));
    class.type_all("1");
    class.seats[0].off = true;
    class.wait(30_000);
    assert_sum(&class, "8.00", PEOPLE);
}

#[test]
fn too_few_for_this_device_are_not_opened() {
    let mut class = Class::open(plan(2), 3, 7, ClientPolicy::default());
    for seed in 10..=LAST_SEED {
        class.add(seed, true, ClientPolicy::default());
    }
    class.settle();
    class.lock();
    for index in 0..6 {
        class.submit(index, "1");
    }
    class.wait(90_000);
    for index in 0..PEOPLE {
        class.assert_fault(index, FaultCode::GroupTooSmall);
    }
    assert_eq!(openings(&class), 0);
}

/// Two sums of one question that differ by one person's value are never both opened.
#[test]
fn a_sum_that_differs_from_an_earlier_one_by_too_few_is_not_opened() {
    let ask = |class: &mut Class, plan: Plan| {
        class.wait(12_000);
        class.seats.iter_mut().for_each(|seat| seat.notices.clear());
        class.seats[0].room.ask(plan).unwrap();
        class.settle();
    };
    let mut class = room();
    class.lock();
    for index in 0..LAST {
        class.submit(index, "1");
    }
    class.wait(64_000);
    assert_sum(&class, "7.00", LAST);
    let opened = openings(&class);
    // Of everyone: under masks that nobody can take off, and where some may vanish.
    for plan in [euros("sum"), plan(2)] {
        ask(&mut class, plan);
        class.type_all("1");
        class.wait(64_000);
        for index in 0..PEOPLE {
            class.assert_fault(index, FaultCode::GroupTooSmall);
        }
        assert_eq!(openings(&class), opened);
    }
    // Of another question they are.
    ask(&mut class, Plan { question: "How many?".into(), ..plan(2) });
    class.type_all("1");
    assert_sum(&class, "8.00", PEOPLE);
}

/// A device goes off after each of its words and comes back: with its ledger it says the same again, and
/// never another opening, also if it is shown another set then.
#[test]
fn a_reload_at_each_word_says_the_same_and_the_sum_still_comes() {
    for kind in [EntryKind::Deal, EntryKind::Ack, MASKED, SET, OPENING, EntryKind::Confirm] {
        let mut class = room();
        let author = class.seats[LAST].room.identity().author();
        let mut lost = false;
        // The word is in the ledger and never leaves before the reload.
        class.rewrite = Some((
            author,
            Box::new(move |entry| {
                lost |= entry.kind == kind;
                if lost { Vec::new() } else { vec![entry] }
            }),
        ));
        class.lock();
        class.type_all("1");
        class.rewrite = None;
        class.reload_as(LAST, LAST_SEED, ClientPolicy::default());
        class.settle();
        drop(class.seats[LAST].room.submit("1"));
        class.settle();
        assert_sum(&class, "8.00", PEOPLE);
        let of = |kind| class.entries(kind).into_iter().filter(|entry| entry.header.author == author).count();
        assert_eq!([EntryKind::Deal, MASKED, SET].map(of), [1; 3], "{kind:?}");
        // Where the others' openings were enough before its word on the set was there, it says none.
        assert!(of(OPENING) == 1 || (kind == SET && of(OPENING) == 0), "{kind:?}");
    }
}

#[test]
fn a_seat_that_said_one_set_opens_no_other_after_a_reload() {
    let mut class = room();
    class.lock();
    // The last seat says the set and goes off before a quorum does.
    class.show = script([to_all(|seat| seat == LAST).changes(|entry| {
        let others = entry.kind == SET && undertone_wire::room_of(&entry.header.author) != entry.header.room;
        if others { Vec::new() } else { vec![entry.to_bytes()] }
    })]);
    let author = class.seats[LAST].room.identity().author();
    class.type_all("1");
    assert_eq!(class.entries(SET).iter().filter(|entry| entry.header.author == author).count(), 1);
    assert_eq!(class.entries(OPENING).iter().filter(|entry| entry.header.author == author).count(), 0);
    // A host in league with the relay shows it another set, and that all the others said that one.
    let room_key = class.room_key();
    let host = SeatKey::from_seed(&Secret::new([HOST_SEED; 32]));
    class.show = script([to_all(|seat| seat == LAST).forks(host, move |entry| {
        if entry.kind == SET {
            let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
            let mut plain = open(&room_key, &context, &entry.payload).unwrap();
            plain[1] ^= 1;
            entry.payload = seal(&room_key, &context, &plain);
        }
    })]);
    class.reload_as(LAST, LAST_SEED, ClientPolicy::default());
    class.wait(30_000);
    assert_eq!(class.entries(OPENING).iter().filter(|entry| entry.header.author == author).count(), 0);
    class.assert_fault(LAST, FaultCode::SplitView);
}

#[test]
fn whoever_does_not_deal_is_left_out_by_a_shorter_list() {
    let mut class = room();
    let author = class.seats[LAST].room.identity().author();
    class.rewrite =
        Some((author, Box::new(|entry| if entry.kind == EntryKind::Deal { Vec::new() } else { vec![entry] })));
    class.type_all("1");
    class.lock();
    class.seats[LAST].off = true;
    class.wait(30_000);
    assert_sum(&class, "7.00", LAST);
    assert!(class.seats[..LAST].iter().all(|seat| seat.was_told("Locked") == 2));
}

#[test]
fn a_question_for_which_too_few_are_there_is_refused_by_its_field() {
    let mut class = Class::open(plan(1), 2, 3, small());
    class.add(10, true, small());
    class.settle();
    class.lock();
    class.assert_fault(1, FaultCode::BadPlan);
    assert_eq!(class.seats[1].fault().unwrap().field(), Some("drops"));
    assert!(class.entries(EntryKind::Deal).is_empty());
}

#[test]
fn a_host_that_gives_nothing_says_the_set_all_the_same() {
    use undertone_room::{HostOptions, Room};
    let options = HostOptions { plan: plan(1), group_min: 5, contribute: false, policy: ClientPolicy::default() };
    let host = Room::host(Secret::new([201; 32]), options, Vec::new()).unwrap();
    let mut class = room();
    class.log.clear();
    class.known.clear();
    class.seats = vec![crate::class::Seated::new(host)];
    class.settle();
    for seed in 0..6 {
        class.add(seed, true, ClientPolicy::default());
    }
    class.settle();
    class.seats[0].room.lock(6).unwrap();
    class.settle();
    class.seats[6].off = true;
    for index in 1..6 {
        class.submit(index, "1");
    }
    class.wait(62_000);
    assert_sum(&class, "5.00", 5);
}

#[test]
fn a_record_shows_the_sum_of_those_who_were_included() {
    let mut class = room();
    class.lock();
    class.seats[5].off = true;
    class.type_all("1");
    class.wait(62_000);
    assert_sum(&class, "7.00", LAST);
    let record = class.seats[0].room.record(true).unwrap().to_bytes();
    let verified = undertone_room::verify(&record).unwrap();
    let question = &verified.questions[0];
    assert_eq!((question.sent.len(), question.confirmed, question.acknowledged), (LAST, LAST, PEOPLE));
    assert_eq!(question.outcome.as_ref().unwrap().figures[0].value, "7.00");
}
