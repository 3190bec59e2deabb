//! Attacks that must change nothing: everyone honest gets the exact result, and whom the attacker
//! brought is not in it.

use crate::class::{Class, euros};
use crate::doubles::By::{Participant as Seat, Relay, Stranger};
use crate::doubles::When::BeforeValues;
use crate::doubles::{Attack, By, End, MASKED, Participant, script, to, to_all};
use undertone_machine::Fault;
use undertone_room::ClientPolicy;
use undertone_wire::{Codec, Entry, EntryKind, Join, Place, with_room, without_room};

type Run = fn(&mut Class) -> Option<Fault>;

const fn row(name: &'static str, by: By, tries: &'static str, run: Run) -> Attack {
    Attack { name, by, tries, when: BeforeValues, end: End::Result("5.00", 5), run }
}

pub(crate) const ATTACKS: &[Attack] = &[
    row("replayed-entries", Relay, "shows every entry twice", |class| {
        class.show = script([to_all(|_| true).repeats()]);
        five(class)
    }),
    row("reordered-authors", Relay, "shows reveals before the list", |class| {
        let mut held: Option<Vec<u8>> = None;
        class.show = script([to_all(|seat| seat == 3).changes(move |entry| {
            let bytes = entry.to_bytes();
            match (entry.kind, held.take()) {
                (EntryKind::List, None) => {
                    held = Some(bytes);
                    Vec::new()
                }
                (EntryKind::Reveal, Some(list)) => vec![bytes, list],
                (_, waiting) => {
                    held = waiting;
                    vec![bytes]
                }
            }
        })]);
        five(class)
    }),
    row("mixed-rooms", Relay, "shows the entries of another room too", |class| {
        let mut other = Class::open(euros("sum"), 5, 5, ClientPolicy::default());
        let host = undertone_machine::Secret::new([201; 32]);
        let options = undertone_room::HostOptions {
            plan: euros("sum"),
            group_min: 5,
            contribute: true,
            policy: ClientPolicy::default(),
        };
        other.seats = vec![crate::class::Seated::new(undertone_room::Room::host(host, options, Vec::new()).unwrap())];
        other.log.clear();
        other.settle();
        // Other people: who is in both rooms under one key is protected by signatures, not passed over.
        for seed in 100..104 {
            other.add(seed, true, ClientPolicy::default());
        }
        other.settle();
        other.lock();
        other.type_all("9");
        assert!(other.entries(MASKED).len() == 5 && other.room() != class.room());
        // A connection puts its own room in front of whatever comes.
        let here = class.room();
        class.log.extend(other.log.into_iter().map(|bytes| with_room(&here, &without_room(&bytes.into())).to_vec()));
        five(class)
    }),
    row("noise-in-the-log", Relay, "puts in what is no entry", |class| {
        class.log.extend([b"not an entry at all".to_vec(), Vec::new(), vec![1; 70], vec![0xff; 5_000]]);
        five(class)
    }),
    row("stranger-speaks", Stranger, "signs lists, questions, a close and a value", |class| {
        let mut stranger = Participant::new(class, 99);
        let kinds = [EntryKind::Reveal, EntryKind::Ack, EntryKind::List, EntryKind::Close, EntryKind::Plan, MASKED];
        for kind in kinds {
            class.push(&stranger.write(Place::NOWHERE, kind, vec![1, 2, 3]));
        }
        five(class)
    }),
    row("forged-proof", Stranger, "asks for a seat with a forged proof of invitation", |class| {
        asking(class, |_| Some([1; 32]))
    }),
    row("copied-proof", Stranger, "asks for a seat with another's proof of invitation", |class| {
        asking(class, |class| Join::from_bytes(&class.entries(EntryKind::Join)[0].payload).unwrap().mac)
    }),
    row("late-seats", Stranger, "ten ask for seats after the lock, by the link", |class| {
        honest(class);
        for seed in 60..70 {
            let mut late = Participant::new(class, seed);
            late.join(class);
        }
        finish(class)
    }),
    row("wrong-envelope", Seat, "sends an envelope in the host's stead", |class| {
        honest(class);
        let mut cheat = Participant::new(class, 66);
        class.push(&cheat.write(Place::NOWHERE, EntryKind::Envelope, vec![0; 100]));
        finish(class)
    }),
    row("replayed-values", Relay, "shows the values of the question before again", |class| {
        honest(class);
        class.type_all("9");
        class.seats[0].room.ask(euros("sum")).unwrap();
        class.settle();
        let earlier: Vec<Vec<u8>> = class.entries(MASKED).iter().map(Entry::to_bytes).collect();
        class.show = script([to(2, EntryKind::Ack).changes(move |entry| {
            let mut shown = earlier.clone();
            shown.push(entry.to_bytes());
            shown
        })]);
        finish(class)
    }),
];

/// The fourth guest comes, honest, and the host locks.
fn honest(class: &mut Class) {
    class.add(3, true, ClientPolicy::default());
    class.settle();
    class.lock();
}

fn finish(class: &mut Class) -> Option<Fault> {
    class.type_all("1");
    None
}

fn five(class: &mut Class) -> Option<Fault> {
    honest(class);
    finish(class)
}

fn asking(class: &mut Class, proof: impl Fn(&Class) -> Option<[u8; 32]>) -> Option<Fault> {
    let mut stranger = Participant::new(class, 66);
    let join = Join { mac: proof(class), ..stranger.request(None) };
    class.push(&stranger.write(Place::NOWHERE, EntryKind::Join, join.to_bytes()));
    five(class)
}
