//! Rooms in which a few seats add up for the others: honest ones, ones in which people go, and the
//! attacks on them.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros_by};
use crate::doubles::By::{Participant as Seat, Relay, Stranger};
use crate::doubles::Culprit::{Absent, Cheat, Nobody};
use crate::doubles::When::{AfterValues, BeforeValues};
use crate::doubles::{Attack, By, End, MASKED, Participant, When, script, to_all};
use undertone_machine::{Fault, FaultCode, RoundKind, Seat as Number, Secret};
use undertone_prim::shares::cut_shamir;
use undertone_prim::{PadContext, Pads, PairwisePads, SeatKey, Transcript, derive, open, seal};
use undertone_room::{ClientPolicy, Notice};
use undertone_wire::{Author, Codec, Entry, EntryKind, List, Place};

type Run = fn(&mut Class) -> Option<Fault>;

const SHARE: EntryKind = EntryKind::Round(RoundKind::Share);

const fn row(name: &'static str, by: By, when: When, tries: &'static str, end: End, run: Run) -> Attack {
    Attack { name, by, tries, when, end, run }
}

/// The rounds of those who add up.
const CHECK: u32 = 1;
const SIGN: u32 = 2;
const SUM: u32 = 3;

const CHEAT_SEED: u8 = 3;
/// The first of those who add up, by the order in which they came.
const ADDING_SEED: u8 = 50;

/// Six people, and their seats in the class.
const PEOPLE: usize = 6;
const HONEST: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8];
const HONEST_OF_TWO: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
const HONEST_PEOPLE: &[usize] = &[0, 1, 2, 3, 4];

pub(crate) const BEFORE: &[Attack] = &[
    row(
        "adding-seat-left-out",
        By::Host,
        BeforeValues,
        "lists fewer seats that add up than the question says",
        End::Fault(&[1, 2, 3], FaultCode::BadPlan, Nobody),
        |class| {
            people(class, SPARE, 4);
            class.type_all("1");
            let (room, gone, mut list) = (class.room(), class.seats[PEOPLE].room.identity().author(), None);
            let host = SeatKey::from_seed(&Secret::new([200; 32]));
            class.show = script([to_all(|seat| seat != 0).forks(host, move |entry| {
                if entry.kind == EntryKind::List {
                    let mut short = List::from_bytes(&entry.payload).unwrap();
                    short.seats.retain(|seat| seat.author != gone);
                    (list, entry.payload) = (Some(short.hash(&room)), short.to_bytes());
                } else if let Some(list) = list {
                    entry.place.list = list;
                }
            })]);
            // What was shown already is read again, so that the other life is whole.
            class.seats.iter_mut().skip(1).for_each(|seat| seat.read = 0);
            class.settle();
            class.lock();
            None
        },
    ),
    row(
        "adding-seat-kept-silent",
        Relay,
        BeforeValues,
        "keeps what one of those who add up acknowledges",
        End::Fault(&[1, 2, 3], FaultCode::Missing, Absent),
        |class| {
            people(class, SPARE, 4);
            class.type_all("1");
            let author = class.seats[PEOPLE + 1].room.identity().author();
            class.show = script([to_all(|_| true).changes(move |entry| {
                let hidden = entry.header.author == author && entry.kind == EntryKind::Ack;
                if hidden { Vec::new() } else { vec![entry.to_bytes()] }
            })]);
            class.lock();
            class.wait(30_000);
            None
        },
    ),
];

/// Two of four are enough, so that one can be missing or wrong.
const SPARE: &[(&str, &str)] = &[("scheme", "shamir"), ("threshold", "2")];
/// All are needed.
const NO_SPARE: &[(&str, &str)] = &[];

pub(crate) const AFTER: &[Attack] = &[
    row(
        "wrong-sum-share",
        Seat,
        AfterValues,
        "another share of the sum, where one can be spared",
        End::Result("6.00 6", 3),
        |class| {
            adding(class, SPARE, 4, SUM, |plain| plain[0] ^= 1);
            class.type_all("1");
            assert_left_out(class, true);
            None
        },
    ),
    row(
        "wrong-sum-share-of-three",
        Seat,
        AfterValues,
        "another share of the sum, where it is noticed and nobody can say whose it is",
        End::Fault(HONEST_PEOPLE, FaultCode::SumOutOfRange, Nobody),
        |class| {
            adding(class, SPARE, 3, SUM, |plain| plain[0] ^= 1);
            class.type_all("1");
            None
        },
    ),
    row(
        "wrong-sum-share-of-all",
        Seat,
        AfterValues,
        "a share that moves the sum out of range, where all are needed",
        End::Fault(HONEST_PEOPLE, FaultCode::SumOutOfRange, Nobody),
        |class| {
            adding(class, NO_SPARE, 2, SUM, |plain| plain[7] ^= 0x40);
            class.type_all("1");
            None
        },
    ),
    row(
        "two-sums",
        Seat,
        AfterValues,
        "a second share of a sum",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            let liar = Liar::new(class, SPARE, 4);
            liar.says(class, |liar, entry| {
                let second = (entry.kind == SHARE && entry.place.round == SUM)
                    .then(|| liar.after(&entry, |plain| plain[0] ^= 1));
                [entry].into_iter().chain(second).collect()
            });
            class.type_all("1");
            None
        },
    ),
    row(
        "sum-before-the-check",
        Seat,
        AfterValues,
        "a share of a sum before anyone signed a set",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| {
            let liar = Liar::new(class, SPARE, 4);
            liar.says(class, |liar, mut entry| {
                if entry.place.round == CHECK {
                    entry.place.round = SUM;
                    entry = liar.sealed(entry.header.sequence, entry.previous, entry.place, SHARE, &[0; 16]);
                }
                vec![entry]
            });
            class.type_all("1");
            None
        },
    ),
    row("two-sets", Seat, AfterValues, "signs two sets", End::Fault(HONEST, FaultCode::Equivocation, Cheat), |class| {
        let liar = Liar::new(class, SPARE, 4);
        liar.says(class, |liar, entry| {
            let second =
                (entry.kind == SHARE && entry.place.round == SIGN).then(|| liar.after(&entry, |plain| plain[9] ^= 1));
            [entry].into_iter().chain(second).collect()
        });
        class.type_all("1");
        None
    }),
    row(
        "signed-noise",
        Seat,
        AfterValues,
        "signs a set that does not follow from what was said",
        End::Fault(HONEST, FaultCode::SplitView, Nobody),
        |class| {
            adding(class, SPARE, 4, SIGN, |plain| plain[9] ^= 1);
            class.type_all("1");
            None
        },
    ),
    row(
        "wrong-check",
        Seat,
        AfterValues,
        "says that a person's shares do not fit, where one seat can be spared",
        End::Result("6.00 6", 3),
        |class| {
            adding(class, SPARE, 4, CHECK, |plain| plain[33] ^= 1);
            class.type_all("1");
            class.wait(75_000);
            assert_left_out(class, false);
            None
        },
    ),
    row(
        "denied-values",
        Seat,
        AfterValues,
        "says that it holds no share of two of six people, so that too few are left",
        End::Fault(HONEST_OF_TWO, FaultCode::GroupTooSmall, Nobody),
        |class| {
            people(class, NO_SPARE, 2);
            class.lock();
            let mut cheat = Participant::taking_over(class, PEOPLE + 1, ADDING_SEED + 1);
            class.cheat = Some(cheat.author());
            class.type_all("1");
            let liar = Liar::of(class, PEOPLE + 1, ADDING_SEED + 1);
            let view = Transcript::new("share-view/v1").field(&liar.context);
            let view = contributors(class).iter().skip(2).fold(view, |view, (seat, author)| {
                view.number(u64::from(seat.0)).field(&liar.deal_hash(class, *seat, author))
            });
            let place = class.place(&cheat.author());
            let check = [&[0b11_1100_u8][..], &view.hash()].concat();
            let check = cheat.seal(class, Place { round: CHECK, ..place }, SHARE, &check);
            class.push(&check);
            // Whoever's turn it is to propose: the honest one does after the time is over.
            class.wait(75_000);
            let sign = class.entries(SHARE).into_iter().find(|entry| entry.place.round == SIGN).unwrap();
            let sign = cheat.seal(class, Place { round: SIGN, ..place }, SHARE, &liar.open(&sign));
            class.push(&sign);
            None
        },
    ),
    row(
        "inconsistent-shares",
        Seat,
        AfterValues,
        "deals shares that fit no number",
        End::Result("5.00 5", 4),
        |class| {
            dealing(class, 3);
            class.type_all("1");
            None
        },
    ),
    row(
        "one-bad-share",
        Seat,
        AfterValues,
        "deals one seat a share that does not fit: its own value counts, that seat is done without",
        End::Result("6.00 6", 3),
        |class| {
            dealing(class, 1);
            class.type_all("1");
            assert_left_out(class, false);
            None
        },
    ),
    row(
        "too-few-left",
        Seat,
        AfterValues,
        "two deal shares that fit no number, so that four people are left",
        End::Fault(&[1, 2, 3, 6, 7, 8, 9], FaultCode::GroupTooSmall, Nobody),
        |class| {
            dealing(class, 3);
            let mut second = Participant::taking_over(class, 4, CHEAT_SEED);
            let entry = second.seal(class, class.place(&second.author()), MASKED, &vec![7; 4 * 72]);
            class.push(&entry);
            class.type_all("1");
            None
        },
    ),
    row(
        "replayed-shares",
        Seat,
        AfterValues,
        "sends another person's envelopes as its own",
        End::Result("5.00 5", 4),
        |class| {
            let cheat = cheating_person(class, SPARE);
            let (key, victim) = (class.room_key(), class.seats[1].room.identity().author());
            class.submit(1, "1");
            let theirs = class.entries(MASKED).into_iter().find(|entry| entry.header.author == victim).unwrap();
            let context = Entry::seal_context(&theirs.header, &theirs.place, MASKED);
            let plain = open(&key, &context, &theirs.payload).unwrap();
            send_instead(class, cheat, &plain);
            class.type_all("1");
            None
        },
    ),
    row(
        "earlier-shares",
        Seat,
        AfterValues,
        "sends its envelopes of the question before",
        End::Result("5.00 5", 4),
        |class| {
            people(class, SPARE, 4);
            class.lock();
            class.type_all("1");
            let (key, author) = (class.room_key(), class.seats[PEOPLE - 1].room.identity().author());
            let own = class.entries(MASKED).into_iter().find(|entry| entry.header.author == author).unwrap();
            let plain = open(&key, &Entry::seal_context(&own.header, &own.place, MASKED), &own.payload).unwrap();
            let mut other = euros_by(4, SPARE);
            other.question = "And how much then?".into();
            class.seats[0].room.ask(other).unwrap();
            class.settle();
            let cheat = Participant::taking_over(class, PEOPLE - 1, CHEAT_SEED + 10);
            send_instead(class, cheat, &plain);
            class.type_all("1");
            None
        },
    ),
    row(
        "shares-of-a-stranger",
        Stranger,
        AfterValues,
        "sends envelopes without a seat",
        End::Result("6.00 6", 4),
        |class| {
            people(class, SPARE, 4);
            class.lock();
            let mut stranger = Participant::new(class, 99);
            let place = class.place(&class.seats[1].room.identity().author());
            let entry = stranger.seal(class, place, MASKED, &vec![7; 4 * 72]);
            class.push(&entry);
            class.type_all("1");
            None
        },
    ),
];

/// Six people and so many who add up.
fn people(class: &mut Class, scheme: &[(&str, &str)], computers: u8) {
    *class = room(scheme, computers);
}

fn room(scheme: &[(&str, &str)], computers: u8) -> Class {
    let mut class = Class::open(euros_by(computers.into(), scheme), 4, 5, ClientPolicy::default());
    class.add(CHEAT_SEED + 10, true, ClientPolicy::default());
    for index in 0..computers {
        class.add_computer(ADDING_SEED + index, ClientPolicy::default());
    }
    class.settle();
    class
}

fn contributors(class: &Class) -> Vec<(Number, Author)> {
    let roster = class.seats[0].room.roster().unwrap();
    let people = roster.seats().filter(|(_, member)| member.role.contributes());
    people.map(|(seat, member)| (seat, member.author)).collect()
}

/// Somebody whose program says something else in place of what an honest one says.
struct Liar {
    key: SeatKey,
    room: [u8; 32],
    room_key: Secret<[u8; 32]>,
    context: [u8; 32],
}

impl Liar {
    /// The last of those who add up; everyone has acknowledged.
    fn new(class: &mut Class, scheme: &[(&str, &str)], computers: u8) -> Self {
        people(class, scheme, computers);
        class.lock();
        Self::of(class, class.seats.len() - 1, ADDING_SEED + computers - 1)
    }

    fn of(class: &mut Class, seat: usize, seed: u8) -> Self {
        let key = SeatKey::from_seed(&Secret::new([seed; 32]));
        let author = class.seats[seat].room.identity().author();
        assert_eq!(key.public(), author);
        class.cheat = Some(author);
        let (roster, plan) = (class.seats[0].room.roster().unwrap().hash, class.place(&author).plan);
        let context = Transcript::new("run-context/v1").field(&roster).field(&plan).hash();
        Self { key, room: class.room(), room_key: class.room_key(), context }
    }

    fn says(self, class: &mut Class, mut what: impl FnMut(&Self, Entry) -> Vec<Entry> + 'static) {
        class.rewrite = Some((self.key.public(), Box::new(move |entry| what(&self, entry))));
    }

    fn open(&self, entry: &Entry) -> Vec<u8> {
        let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
        open(&self.room_key, &context, &entry.payload).unwrap()
    }

    fn sealed(&self, sequence: u32, previous: [u8; 32], place: Place, kind: EntryKind, plain: &[u8]) -> Entry {
        let sign = |payload| Entry::sign(&self.key, self.room, sequence, previous, place, kind, payload);
        let context = Entry::seal_context(&sign(Vec::new()).header, &place, kind);
        sign(seal(&self.room_key, &context, plain))
    }

    /// The same entry with other content.
    fn instead(&self, entry: &Entry, change: impl Fn(&mut [u8])) -> Entry {
        let mut plain = self.open(entry);
        change(&mut plain);
        self.sealed(entry.header.sequence, entry.previous, entry.place, entry.kind, &plain)
    }

    /// One more entry in the same place.
    fn after(&self, entry: &Entry, change: impl Fn(&mut [u8])) -> Entry {
        let mut plain = self.open(entry);
        change(&mut plain);
        self.sealed(entry.header.sequence + 1, entry.hash(), entry.place, entry.kind, &plain)
    }

    /// The hash of what a person dealt.
    fn deal_hash(&self, class: &Class, seat: Number, author: &Author) -> [u8; 32] {
        let deal = class.entries(MASKED).into_iter().find(|entry| entry.header.author == *author).unwrap();
        let start = Transcript::new("share-deal/v1").field(&self.context).number(u64::from(seat.0));
        start.field(&self.open(&deal)).hash()
    }
}

/// The last of those who add up changes what it says in one round.
fn adding(class: &mut Class, scheme: &[(&str, &str)], computers: u8, round: u32, change: fn(&mut [u8])) {
    let liar = Liar::new(class, scheme, computers);
    liar.says(class, move |liar, entry| {
        let lies = entry.kind == SHARE && entry.place.round == round;
        vec![if lies { liar.instead(&entry, change) } else { entry }]
    });
}

/// The last of six people cheats; everyone has acknowledged.
fn cheating_person(class: &mut Class, scheme: &[(&str, &str)]) -> Participant {
    people(class, scheme, 4);
    class.lock();
    Participant::taking_over(class, PEOPLE - 1, CHEAT_SEED + 10)
}

fn send_instead(class: &mut Class, mut cheat: Participant, plain: &[u8]) {
    class.cheat = Some(cheat.author());
    let entry = cheat.seal(class, class.place(&cheat.author()), MASKED, plain);
    class.push(&entry);
}

/// The last of six people deals shares of 1.00, of which so many do not fit.
fn dealing(class: &mut Class, wrong: usize) {
    let cheat = cheating_person(class, SPARE);
    let roster = class.seats[0].room.roster().unwrap().clone();
    let place = class.place(&cheat.author());
    let context = Transcript::new("run-context/v1").field(&roster.hash).field(&place.plan).hash();
    let me = roster.seat_of(&cheat.author()).unwrap();
    let adding = roster.seats().filter(|(_, member)| member.role == undertone_machine::Role::Compute);
    let shares = cut_shamir(&[100], 2, 4, &Secret::new([9; 32]));
    let mut plain = Vec::new();
    for (index, ((seat, member), share)) in adding.zip(&shares).enumerate() {
        let mut share = share.expose().clone();
        // Squares on top: of no polynomial with two coefficients.
        share[0] = share[0].wrapping_add(if index < wrong { 1 + (index * index) as u8 } else { 0 });
        let pair = cheat.agreement().shared(&member.masks_key, &roster.hash);
        let pads = PairwisePads::new(vec![(seat, derive(pair.expose(), "masks-key/v1", &[]))]);
        let bound = Transcript::new("share-envelope/v1").field(&context).number(0);
        let bound = bound.number(u64::from(me.0)).number(u64::from(seat.0)).hash();
        let mut key = Vec::new();
        assert!(pads.pour(seat, &PadContext::new(&bound), 32, &mut |piece| key.extend_from_slice(piece)));
        plain.extend(seal(&Secret::new(key.try_into().unwrap()), &bound, &share));
    }
    send_instead(class, cheat, &plain);
}

/// Everyone honest was told of exactly one seat that was done without: the cheat as wrong, or somebody as
/// missing without a word about why.
fn assert_left_out(class: &Class, named: bool) {
    for (index, seat) in class.seats.iter().enumerate().filter(|(_, seat)| !seat.off) {
        let told = seat.notices.iter().find_map(|notice| match notice {
            Notice::LeftOut { wrong, missing } => Some((wrong.clone(), missing.clone())),
            _ => None,
        });
        if Some(seat.room.identity().author()) == class.cheat {
            continue;
        }
        let (wrong, missing) = told.unwrap_or_else(|| panic!("seat {index}: {:?}", seat.notices));
        let cheat = seat.room.roster().unwrap().seat_of(&class.cheat.unwrap());
        assert_eq!((wrong.len(), missing.len()), if named { (1, 0) } else { (0, 1) }, "seat {index}");
        assert!(!named || cheat == wrong.first().copied());
    }
}

/// Figures and confirmations, at those whose device is on.
fn assert_all(class: &Class, figures: [&str; 2], confirmed: usize) {
    for (index, seat) in class.seats.iter().enumerate().filter(|(_, seat)| !seat.off) {
        let found = seat.result().unwrap_or_else(|| panic!("seat {index}: {:?}", seat.notices));
        assert_eq!(found, (figures.map(str::to_owned).to_vec(), confirmed), "seat {index}");
    }
}

fn answer(class: &mut Class, values: &[&str]) {
    for (index, value) in values.iter().enumerate() {
        class.submit(index, value);
    }
}

const VALUES: [&str; 6] = ["1", "2.5", "0", "50", "7.25", "3"];

#[test]
fn whoever_adds_up_gives_everyone_the_exact_sum() {
    for (scheme, computers) in [(NO_SPARE, 2), (NO_SPARE, 3), (SPARE, 2), (SPARE, 4), (SPARE, 9)] {
        let mut class = room(scheme, computers);
        class.lock();
        answer(&mut class, &VALUES);
        assert_all(&class, ["63.75", "6"], computers.into());
        assert!(class.seats.iter().all(|seat| seat.was_told("LeftOut") == 0));
    }
}

#[test]
fn people_go_once_their_entry_is_acknowledged_and_the_result_still_comes() {
    let mut class = room(SPARE, 4);
    class.lock();
    for (index, value) in VALUES.iter().enumerate() {
        class.submit(index, value);
        assert_eq!(class.seats[index].was_told("Sent"), 1);
        if index > 0 {
            class.seats[index].off = true;
        }
    }
    assert_all(&class, ["63.75", "6"], 4);
    // Also the host, and also before others have answered.
    let mut class = room(NO_SPARE, 3);
    class.lock();
    for (index, value) in VALUES.iter().enumerate() {
        class.submit(index, value);
        class.seats[index].off = true;
    }
    class.settle();
    assert_all(&class, ["63.75", "6"], 3);
}

#[test]
fn nobody_waits_for_acknowledgements_of_people_who_went() {
    let mut class = room(NO_SPARE, 2);
    class.lock_quietly();
    // One person's device shows its keys and is gone before it acknowledges.
    let gone = class.seats[3].room.identity().author();
    class.show = script([to_all(|_| true).changes(move |entry| {
        let hidden = entry.header.author == gone && entry.kind == EntryKind::Ack;
        if hidden { Vec::new() } else { vec![entry.to_bytes()] }
    })]);
    class.settle();
    class.seats[3].off = true;
    for index in [0, 1, 2, 4, 5] {
        class.submit(index, "1");
    }
    class.wait(75_000);
    assert_all(&class, ["5.00", "5"], 2);
}

#[test]
fn who_is_late_is_left_out_and_told_so() {
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES[..5]);
    class.wait(61_000);
    assert!(class.seats.iter().all(|seat| seat.result().is_none()));
    class.wait(4_000);
    assert_all(&class, ["60.75", "5"], 4);
    assert_eq!(class.seats[5].room.submit("3").unwrap_err().code(), FaultCode::RoundSpent);
    let told = class.seats[5].notices.iter().rev().find_map(|notice| match notice {
        Notice::Result { included, contribution_in, .. } => Some((*included, *contribution_in)),
        _ => None,
    });
    assert_eq!(told, Some((5, false)));
}

#[test]
fn too_few_answers_are_never_opened() {
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES[..4]);
    class.wait(120_000);
    for index in 0..class.seats.len() {
        class.assert_fault(index, FaultCode::GroupTooSmall);
    }
    assert!(class.entries(SHARE).iter().all(|entry| entry.place.round != SUM));
}

#[test]
fn one_that_adds_up_may_vanish_if_it_can_be_spared_whichever_it_is() {
    for gone in PEOPLE..PEOPLE + 4 {
        let mut class = room(SPARE, 4);
        class.lock();
        class.seats[gone].off = true;
        class.cheat = Some(class.seats[gone].room.identity().author());
        answer(&mut class, &VALUES);
        class.wait(80_000);
        assert_all(&class, ["63.75", "6"], 3);
        assert_left_out(&class, false);
    }
}

#[test]
fn one_that_vanishes_before_it_opens_anything_is_done_without_too() {
    for rounds in 1..3 {
        let mut class = room(SPARE, 4);
        class.lock();
        let gone = class.seats[PEOPLE].room.identity().author();
        class.cheat = Some(gone);
        class.rewrite =
            Some((gone, Box::new(move |entry| if entry.place.round > rounds { Vec::new() } else { vec![entry] })));
        answer(&mut class, &VALUES);
        class.seats[PEOPLE].off = true;
        class.wait(80_000);
        assert_all(&class, ["63.75", "6"], 3);
        assert_left_out(&class, false);
    }
}

#[test]
fn without_one_that_is_needed_the_question_ends_and_names_it_as_missing() {
    let mut class = room(NO_SPARE, 3);
    class.lock();
    class.seats[PEOPLE].off = true;
    answer(&mut class, &VALUES);
    class.wait(120_000);
    for index in (0..class.seats.len()).filter(|index| *index != PEOPLE) {
        class.assert_fault(index, FaultCode::Missing);
        let gone = class.seats[index].room.roster().unwrap().seat_of(&class.seats[PEOPLE].room.identity().author());
        assert!(class.seats[index].fault().unwrap().culprits().contains(&gone.unwrap()));
    }
}

#[test]
fn one_that_reloads_says_what_it_said_and_no_second_sum() {
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES[..5]);
    class.reload_as(PEOPLE, ADDING_SEED, ClientPolicy::default());
    class.settle();
    answer(&mut class, &[]);
    class.submit(5, VALUES[5]);
    class.reload_as(PEOPLE + 1, ADDING_SEED + 1, ClientPolicy::default());
    class.settle();
    assert_all(&class, ["63.75", "6"], 4);
    let author = class.seats[PEOPLE + 1].room.identity().author();
    let said = class.entries(SHARE).into_iter().filter(|entry| entry.header.author == author);
    assert_eq!(said.map(|entry| entry.place.round).collect::<Vec<_>>(), [CHECK, SIGN, SUM]);
}

#[test]
fn a_sum_that_differs_from_an_earlier_one_by_too_few_is_not_opened() {
    let again = |class: &mut Class, question: &str| {
        class.wait(12_000);
        let mut plan = euros_by(4, SPARE);
        plan.question = question.into();
        class.seats[0].room.ask(plan).unwrap();
        class.settle();
    };
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES);
    again(&mut class, "How much?");
    answer(&mut class, &VALUES[..5]);
    class.wait(120_000);
    assert!(class.seats.iter().all(|seat| seat.fault().map(Fault::code) == Some(FaultCode::GroupTooSmall)));
    // All of them again are no difference, and another question is about something else.
    again(&mut class, "How much?");
    answer(&mut class, &VALUES);
    assert_all(&class, ["63.75", "6"], 4);
    again(&mut class, "How many?");
    answer(&mut class, &VALUES[..5]);
    class.wait(75_000);
    assert_all(&class, ["60.75", "5"], 4);
}

/// The same question asked of everyone under masks has another answer by one person's number.
#[test]
fn a_sum_of_everybody_and_one_without_somebody_are_not_both_opened() {
    let masks = || crate::class::euros("sum");
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES[..5]);
    class.wait(90_000);
    class.seats[0].room.ask(masks()).unwrap();
    class.settle();
    class.type_all("1");
    assert!(class.seats.iter().all(|seat| seat.fault().map(Fault::code) == Some(FaultCode::GroupTooSmall)));
    // The other way round.
    let mut class = room(SPARE, 4);
    class.lock();
    answer(&mut class, &VALUES);
    class.wait(12_000);
    let mut other = masks();
    other.question = "And how much then?".into();
    class.seats[0].room.ask(other).unwrap();
    class.settle();
    answer(&mut class, &VALUES);
    assert_eq!(class.seats[1].result().unwrap().0, ["63.75"]);
    class.wait(12_000);
    let mut again = euros_by(4, SPARE);
    again.question = "And how much then?".into();
    class.seats[0].room.ask(again).unwrap();
    class.settle();
    answer(&mut class, &VALUES[..5]);
    class.wait(90_000);
    assert!(class.seats.iter().all(|seat| seat.fault().map(Fault::code) == Some(FaultCode::GroupTooSmall)));
}

#[test]
fn the_host_chooses_who_adds_up_if_more_offer() {
    let mut class = room(NO_SPARE, 2);
    class.add_computer(90, ClientPolicy::default());
    class.settle();
    let refusal = class.seats[0].room.lock(PEOPLE).unwrap_err();
    assert_eq!((refusal.code(), refusal.field()), (FaultCode::HeadCount, Some("computers")));
    let offered = class.seats[0].notices.iter().rev().find_map(|notice| match notice {
        Notice::Computers { offered, wanted: 2 } => Some(offered.clone()),
        _ => None,
    });
    let [_, second, third] = offered.unwrap()[..] else { panic!("not three") };
    class.seats[0].room.lock_with(PEOPLE, &[second, third]).unwrap();
    class.settle();
    assert_eq!(class.seats[PEOPLE].fault().map(Fault::code), Some(FaultCode::NotListed));
    answer(&mut class, &VALUES);
    class.seats.remove(PEOPLE);
    assert_all(&class, ["63.75", "6"], 2);
}

#[test]
fn a_host_that_gives_nothing_adds_up() {
    use undertone_room::{HostOptions, Room};
    let options =
        HostOptions { plan: euros_by(2, NO_SPARE), group_min: 5, contribute: false, policy: ClientPolicy::default() };
    let mut class = room(NO_SPARE, 2);
    let host = Room::host(Secret::new([201; 32]), options, Vec::new()).unwrap();
    (class.log, class.computers) = (Vec::new(), 1);
    class.seats = vec![crate::class::Seated::new(host)];
    class.settle();
    for seed in 0..5 {
        class.add(seed, true, ClientPolicy::default());
    }
    class.add_computer(ADDING_SEED, ClientPolicy::default());
    class.settle();
    class.lock();
    for index in 1..6 {
        class.submit(index, "1");
    }
    assert_all(&class, ["5.00", "5"], 2);
}

#[test]
fn nobody_adds_up_where_the_question_does_not_ask_for_it() {
    let mut class = Class::open(crate::class::euros("sum"), 4, 5, ClientPolicy::default());
    let secret = Some(class.invite().secret);
    let room =
        undertone_room::Room::guest(Secret::new([9; 32]), class.room(), secret, ClientPolicy::default(), Vec::new());
    class.seats.push(crate::class::Seated::new(room.unwrap()));
    class.settle();
    let refused = class.seats[5].room.take_part_as(undertone_machine::Role::Compute, false);
    assert_eq!(refused.unwrap_err().code(), FaultCode::BadCall);
}

#[test]
fn a_record_shows_the_sum_also_where_some_were_left_out() {
    let mut class = room(SPARE, 4);
    class.lock();
    class.seats[PEOPLE].off = true;
    answer(&mut class, &VALUES[..5]);
    class.wait(80_000);
    assert_all(&class, ["60.75", "5"], 3);
    let record = class.seats[0].room.record(true).unwrap().to_bytes();
    let verified = undertone_room::verify(&record).unwrap();
    let outcome = verified.questions[0].outcome.clone().unwrap();
    assert_eq!(outcome.figures.iter().map(|figure| figure.value.as_str()).collect::<Vec<_>>(), ["60.75", "5"]);
}
