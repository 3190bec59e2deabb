//! Attacks once values travel: each ends in its named fault, and no result is shown as confirmed.

use crate::class::{Class, euros};
use crate::doubles::By::{Host, Participant as Seat, Relay};
use crate::doubles::Culprit::{Cheat, Nobody};
use crate::doubles::When::AfterValues;
use crate::doubles::{Attack, By, End, MASKED, Participant, script, to, to_all};
use undertone_machine::{Fault, FaultCode, RoundKind};
use undertone_prim::ZeroPads;
use undertone_room::ClientPolicy;
use undertone_wire::{Codec, Confirm, EntryKind, Envelope, List, Place};

type Run = fn(&mut Class) -> Option<Fault>;

const fn row(name: &'static str, by: By, tries: &'static str, end: End, run: Run) -> Attack {
    Attack { name, by, tries, when: AfterValues, end, run }
}

const ALL: &[usize] = &[0, 1, 2, 3, 4];
const HONEST: &[usize] = &[0, 1, 2, 3];

const HOST_SEED: u8 = 200;
const CHEAT_SEED: u8 = 3;

pub(crate) const ATTACKS: &[Attack] = &[
    row(
        "two-values",
        Seat,
        "a second value for one round",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            let (mut cheat, value) = answered(class);
            class.push(&cheat.write(value.place, MASKED, vec![7; 60]));
            None
        },
    ),
    row(
        "two-values-of-one-number",
        Seat,
        "another value in its value's place",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            let (cheat, value) = answered(class);
            class.push(&cheat.beside(&value, vec![7; 60]));
            None
        },
    ),
    row(
        "noise-for-a-value",
        Seat,
        "noise in place of a sealed value",
        End::Fault(HONEST, FaultCode::BadSeal, Cheat),
        |class| {
            let mut cheat = answering(class);
            let place = class.place(&cheat.author());
            class.push(&cheat.write(place, MASKED, vec![7; 60]));
            class.type_all("1");
            None
        },
    ),
    row("short-value", Seat, "a value of another length", End::Fault(HONEST, FaultCode::Malformed, Cheat), |class| {
        sealing(class, MASKED, 0, &[0; 15])
    }),
    row(
        "value-of-another-round",
        Seat,
        "a value for a round that there is not",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| sealing(class, MASKED, 1, &[0; 16]),
    ),
    row(
        "value-of-another-kind",
        Seat,
        "an opening where a value is due",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| sealing(class, EntryKind::Round(RoundKind::Opening), 0, &[0; 16]),
    ),
    row(
        "pads-that-do-not-cancel",
        Seat,
        "a masked value without its masks",
        End::Fault(ALL, FaultCode::SumOutOfRange, Nobody),
        |class| {
            five(class);
            class.seats[4].room.replace_pads(std::sync::Arc::new(ZeroPads));
            class.type_all("1");
            None
        },
    ),
    row(
        "withheld-value",
        Seat,
        "acknowledges and sends nothing",
        End::Fault(HONEST, FaultCode::Missing, Cheat),
        |class| {
            answering(class);
            class.type_all("1");
            class.wait(63_000);
            None
        },
    ),
    row(
        "list-after-a-value",
        Host,
        "a shorter list once a value has left",
        End::Fault(&[1], FaultCode::Malformed, Nobody),
        |class| {
            five(class);
            class.submit(1, "1");
            let mut host = Participant::taking_over(class, 0, HOST_SEED);
            let list = class.entries(EntryKind::List).remove(0);
            let shorter = List { number: 2, ..List::from_bytes(&list.payload).unwrap() };
            class.push(&host.write(class.place(&host.author()), EntryKind::List, shorter.to_bytes()));
            None
        },
    ),
    row(
        "earlier-value",
        Seat,
        "its sealed value of the question before",
        End::Fault(HONEST, FaultCode::BadSeal, Cheat),
        |class| {
            let (mut cheat, earlier) = asked_again(class);
            class.push(&cheat.write(class.place(&cheat.author()), MASKED, earlier.payload));
            class.type_all("1");
            None
        },
    ),
    row(
        "value-for-the-earlier-question",
        Seat,
        "a value for the question before",
        End::Fault(HONEST, FaultCode::Missing, Cheat),
        |class| {
            let (mut cheat, earlier) = asked_again(class);
            class.push(&cheat.write(earlier.place, MASKED, earlier.payload));
            class.type_all("1");
            class.wait(63_000);
            None
        },
    ),
    row(
        "value-kept-back",
        Relay,
        "shows a seat's earlier value in place of its new one",
        End::Fault(&[0], FaultCode::BrokenChain, Nobody),
        |class| {
            let (cheat, _) = asked_again(class);
            class.seats[4].off = false;
            let (author, earlier) = (cheat.author(), class.entries(MASKED));
            let hides = move |entry: undertone_wire::Entry| {
                if entry.header.author == author {
                    return earlier.iter().map(Codec::to_bytes).collect();
                }
                vec![entry.to_bytes()]
            };
            class.show = script([to(0, MASKED).changes(hides)]);
            class.type_all("1");
            None
        },
    ),
    row("other-result", Seat, "signs another result", End::Fault(HONEST, FaultCode::ResultSplit, Nobody), |class| {
        let (mut cheat, value) = answered(class);
        let other = Confirm::of(&[1; 32], &[2; 32]);
        let other = cheat.seal(class, value.place, EntryKind::Confirm, &other.to_bytes());
        class.push(&other);
        class.type_all("1");
        None
    }),
    row(
        "noise-for-a-result",
        Seat,
        "signs noise in place of a result",
        End::Fault(HONEST, FaultCode::BadSeal, Cheat),
        |class| {
            let (mut cheat, value) = answered(class);
            class.push(&cheat.write(value.place, EntryKind::Confirm, vec![7; 100]));
            class.type_all("1");
            None
        },
    ),
    row(
        "other-room-key",
        Host,
        "gives a seat by code another room key, so that its value does not open",
        End::Fault(&[1, 2, 3], FaultCode::BadSeal, Nobody),
        |class| other_room_key(class, 4),
    ),
    row(
        "other-room-key-to-accuse",
        Host,
        "the same, so that the seat cannot open what others seal",
        End::Fault(&[4], FaultCode::BadSeal, Nobody),
        |class| other_room_key(class, 1),
    ),
    row(
        "rolled-back-log",
        Relay,
        "forgets a value, so that a reloaded seat may give another",
        End::Refusal(FaultCode::RoundSpent),
        |class| {
            five(class);
            let before = class.log.len();
            class.submit(3, "7");
            let sent = class.entries(MASKED);
            class.forget(before);
            class.reload(3, 2);
            class.settle();
            let refused = class.seats[3].room.submit("8").err();
            class.settle();
            assert_eq!(class.entries(MASKED), sent);
            refused
        },
    ),
];

/// Five honest devices that have all acknowledged.
fn five(class: &mut Class) {
    class.add(CHEAT_SEED, true, ClientPolicy::default());
    class.settle();
    class.lock();
}

/// The fourth guest acknowledged honestly and cheats from now on; somebody honest gave a value.
fn answering(class: &mut Class) -> Participant {
    five(class);
    class.submit(1, "1");
    take_over(class)
}

/// The fourth guest gave its value honestly and cheats from now on; so did somebody honest.
fn answered(class: &mut Class) -> (Participant, undertone_wire::Entry) {
    five(class);
    class.submit(1, "1");
    class.submit(4, "1");
    let cheat = take_over(class);
    let value = own_value(class, &cheat);
    (cheat, value)
}

/// A question is over, the host asked another, and the fourth guest cheats from now on.
fn asked_again(class: &mut Class) -> (Participant, undertone_wire::Entry) {
    five(class);
    class.type_all("1");
    class.seats[0].room.ask(euros("sum")).unwrap();
    class.settle();
    let cheat = take_over(class);
    let value = own_value(class, &cheat);
    (cheat, value)
}

fn take_over(class: &mut Class) -> Participant {
    let cheat = Participant::taking_over(class, 4, CHEAT_SEED);
    class.cheat = Some(cheat.author());
    cheat
}

fn own_value(class: &Class, cheat: &Participant) -> undertone_wire::Entry {
    class.entries(MASKED).into_iter().find(|entry| entry.header.author == cheat.author()).unwrap()
}

/// Rightly sealed and signed, and not what a machine expects.
fn sealing(class: &mut Class, kind: EntryKind, round: u32, plain: &[u8]) -> Option<Fault> {
    let mut cheat = answering(class);
    let place = Place { round, ..class.place(&cheat.author()) };
    let sealed = cheat.seal(class, place, kind, plain);
    class.push(&sealed);
    class.type_all("1");
    None
}

/// The fourth guest comes by code. The host learns of its acknowledgement last, and sends it a key that
/// is not the room's. Whoever types first is whose value does not open.
fn other_room_key(class: &mut Class, first: usize) -> Option<Fault> {
    let by_code = class.add(CHEAT_SEED, false, ClientPolicy::default());
    class.settle();
    let victim = Participant::new(class, CHEAT_SEED);
    let author = victim.author();
    class.show = script([to(0, EntryKind::Ack)
        .changes(move |entry| if entry.header.author == author { Vec::new() } else { vec![entry.to_bytes()] })]);
    class.lock();
    let mut host = Participant::taking_over(class, 0, HOST_SEED);
    let roster = class.seats[by_code].room.roster().unwrap().hash;
    let pair = host.agreement().shared(victim.agreement().public(), &roster);
    let key = undertone_prim::derive(pair.expose(), "envelope/v1", &[]);
    let sealed = undertone_prim::seal(&key, &[&roster[..], &author].concat(), &[9; 32]);
    let envelope = Envelope { to: author, sealed };
    class.show = script([to_all(|_| false).drops()]);
    class.push(&host.write(class.place(&host.author()), EntryKind::Envelope, envelope.to_bytes()));
    class.submit(first, "1");
    class.type_all("1");
    None
}
