//! Attacks before values leave: each ends in its named fault, and no device has sent anything.
//!
//! In every row all honest people have typed their value already, so a device that believed the
//! attack would send it at once.

use crate::class::{Class, euros};
use crate::doubles::By::{Host, Participant as Seat, Relay, Stranger};
use crate::doubles::Culprit::{Absent, Cheat, Host as TheHost, Nobody};
use crate::doubles::When::BeforeValues;
use crate::doubles::{Attack, By, End, MASKED, Participant, Rule, script, to, to_all};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_prim::SeatKey;
use undertone_room::ClientPolicy;
use undertone_wire::limits::LOG_FRAME_BYTES_MAX;
use undertone_wire::{Admission, Codec, Entry, EntryKind, Hash, List, Listed, Open, Place, Plan, Reveal};

type Run = fn(&mut Class) -> Option<Fault>;

const fn row(name: &'static str, by: By, tries: &'static str, end: End, run: Run) -> Attack {
    Attack { name, by, tries, when: BeforeValues, end, run }
}

const ALL: &[usize] = &[0, 1, 2, 3, 4];
const GUESTS: &[usize] = &[1, 2, 3, 4];
/// Those with an honest device where the fourth guest cheats, and where the host does too.
const HONEST: &[usize] = &[0, 1, 2, 3];
const HONEST_GUESTS: &[usize] = &[1, 2, 3];

const HOST_SEED: u8 = 200;
const CHEAT_SEED: u8 = 3;

pub(crate) const ATTACKS: &[Attack] = &[
    row("swapped-key", Relay, "another key in a reveal", End::Fault(&[2], FaultCode::BadSignature, Nobody), |class| {
        relayed(
            class,
            [to(2, EntryKind::Reveal).changes(|mut entry| {
                let mut reveal = Reveal::from_bytes(&entry.payload).unwrap();
                reveal.keys[0].key[0] ^= 1;
                entry.payload = reveal.to_bytes();
                vec![entry.to_bytes()]
            })],
        )
    }),
    row(
        "dropped-entry",
        Relay,
        "keeps the reveals from one seat",
        End::Fault(&[2], FaultCode::BrokenChain, Nobody),
        |class| relayed(class, [to(2, EntryKind::Reveal).drops()]),
    ),
    row(
        "reordered-author",
        Relay,
        "shows the host's next entry first",
        End::Fault(&[2], FaultCode::BrokenChain, Nobody),
        |class| {
            let host = class.seats[0].room.identity().author();
            relayed(class, [to_all(|seat| seat == 2).swaps_neighbours_of(host, EntryKind::Reveal)])
        },
    ),
    row("cut-entry", Relay, "shows a part of the list", End::Fault(&[2], FaultCode::BadSignature, Nobody), |class| {
        relayed(class, [to(2, EntryKind::List).cuts(100)])
    }),
    row(
        "signed-elsewhere",
        Relay,
        "shows the list as its host signed it in another room",
        End::Fault(&[2], FaultCode::BadSignature, Nobody),
        |class| {
            relayed(
                class,
                [to(2, EntryKind::List).changes(|entry| {
                    let Entry { header, previous, place, kind, payload, .. } = entry;
                    let other = Entry::sign(&host_key(), [9; 32], header.sequence, previous, place, kind, payload);
                    vec![Entry { header, ..other }.to_bytes()]
                })],
            )
        },
    ),
    row(
        "cut-header",
        Relay,
        "shows less than the list's header",
        End::Fault(&[2], FaultCode::BrokenChain, Nobody),
        |class| relayed(class, [to(2, EntryKind::List).cuts(40)]),
    ),
    row(
        "swollen-entry",
        Relay,
        "lengthens the list beyond every limit",
        End::Fault(&[2], FaultCode::BadSignature, Nobody),
        |class| {
            relayed(
                class,
                [to(2, EntryKind::List)
                    .changes(|entry| vec![[entry.to_bytes(), vec![0; LOG_FRAME_BYTES_MAX]].concat()])],
            )
        },
    ),
    row(
        "other-question",
        Relay,
        "shows one seat another question, with the host's help",
        End::Fault(&[4], FaultCode::BrokenChain, Nobody),
        |class| {
            let plan = class.entries(EntryKind::Plan).remove(0);
            let other = Participant::new(class, HOST_SEED).beside(&plan, narrow().to_bytes());
            relayed(class, [to_all(|seat| seat == 4).swaps(&plan, &other)])
        },
    ),
    row(
        "forked-question",
        Relay,
        "the same, with all that follows signed anew",
        End::Fault(&[4], FaultCode::SplitView, Nobody),
        |class| {
            let plan = narrow().hash(&class.room());
            relayed(
                class,
                [to_all(|seat| seat == 4).forks(host_key(), move |entry| match entry.kind {
                    EntryKind::Plan => entry.payload = narrow().to_bytes(),
                    EntryKind::Open => {}
                    _ => entry.place.plan = plan,
                })],
            )
        },
    ),
    row(
        "forked-list",
        Relay,
        "shows one seat another list, with all that follows signed anew",
        End::Fault(&[4], FaultCode::Missing, Absent),
        |class| {
            let (room, mut list) = (class.room(), None::<(u8, Hash)>);
            relayed(
                class,
                [to_all(|seat| seat == 4).forks(host_key(), move |entry| {
                    if entry.kind == EntryKind::List {
                        let mut other = List::from_bytes(&entry.payload).unwrap();
                        other.heads = 9;
                        (list, entry.payload) = (Some((other.number, other.hash(&room))), other.to_bytes());
                    } else if let Some((number, hash)) = list {
                        (entry.place.list_number, entry.place.list) = (number, hash);
                    }
                })],
            )
        },
    ),
    row(
        "forged-close",
        Stranger,
        "closes the room in the host's name",
        End::Fault(ALL, FaultCode::BadSignature, Nobody),
        |class| {
            five(class);
            let plan = class.entries(EntryKind::Plan).remove(0);
            let sequence = plan.header.sequence + 1;
            let forged = Participant::new(class, 99).forge(plan.header.author, sequence, plan.hash(), EntryKind::Close);
            class.push(&forged);
            None
        },
    ),
    row(
        "injected-seat",
        Stranger,
        "asks for a seat without the invite's secret",
        End::Refusal(FaultCode::HeadCount),
        |class| {
            five(class);
            let mut stranger = Participant::new(class, 66);
            let join = stranger.request(None);
            class.push(&stranger.write(Place::NOWHERE, EntryKind::Join, join.to_bytes()));
            class.seats[0].room.lock(5).err()
        },
    ),
    // A participant and its keys.
    row("rogue-key", Seat, "a key that it cannot prove", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        offering(class, |cheat, class| cheat.offer.key = Participant::new(class, 99).offer.key)
    }),
    row(
        "copied-key",
        Seat,
        "another seat's key with its proof",
        End::Fault(HONEST, FaultCode::BadKey, Cheat),
        |class| offering(class, |cheat, class| cheat.offer = Participant::new(class, 1).offer),
    ),
    row("identity-key", Seat, "the identity as its key", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        offering(class, |cheat, _| cheat.offer.key = vec![0; 32])
    }),
    row("bent-key", Seat, "a key that is not canonical", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        offering(class, |cheat, _| cheat.offer.key = vec![0xff; 32])
    }),
    row("short-key", Seat, "a key of 31 bytes", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        offering(class, |cheat, _| cheat.offer.key.truncate(31))
    }),
    row("wrong-nonce", Seat, "a nonce other than committed", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        revealing(class, |reveal| reveal.nonce[0] ^= 1)
    }),
    row(
        "nonce-of-another-list",
        Seat,
        "the nonce of list 2 for list 1",
        End::Fault(HONEST, FaultCode::BadKey, Cheat),
        |class| {
            let nonce = Participant::new(class, CHEAT_SEED).nonce(2);
            let mut cheat = listed(class, |_, _| {});
            let reveal = Reveal { nonce, ..cheat.shows() };
            cheat.reveal(class, &reveal);
            None
        },
    ),
    row("uncommitted-key", Seat, "a key other than committed", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        let offer = Participant::new(class, 99).offer;
        let mut cheat = listed(class, |_, _| {});
        let reveal = Reveal { keys: vec![offer], ..cheat.shows() };
        cheat.reveal(class, &reveal);
        None
    }),
    row("no-key", Seat, "no key at all", End::Fault(HONEST, FaultCode::BadKey, Cheat), |class| {
        revealing(class, |reveal| reveal.keys.clear())
    }),
    row("cut-reveal", Seat, "a reveal that ends early", End::Fault(HONEST, FaultCode::Malformed, Cheat), |class| {
        garbling(class, |bytes| bytes.truncate(50))
    }),
    row("long-reveal", Seat, "a reveal with a rest", End::Fault(HONEST, FaultCode::Malformed, Cheat), |class| {
        garbling(class, |bytes| bytes.push(0))
    }),
    row("two-reveals", Seat, "a second reveal", End::Fault(HONEST, FaultCode::Equivocation, Cheat), |class| {
        let mut cheat = agreeing(class);
        let reveal = Reveal { nonce: [1; 32], ..cheat.shows() };
        cheat.reveal(class, &reveal);
        None
    }),
    row(
        "two-entries-of-one-number",
        Seat,
        "a second entry in its reveal's place",
        End::Fault(HONEST, FaultCode::Equivocation, Cheat),
        |class| {
            let cheat = agreeing(class);
            let reveals = class.entries(EntryKind::Reveal);
            let first = reveals.iter().find(|entry| entry.header.author == cheat.author()).unwrap();
            class.push(&cheat.beside(first, vec![1]));
            None
        },
    ),
    row("left-out-number", Seat, "leaves a number out", End::Fault(HONEST, FaultCode::BrokenChain, Nobody), |class| {
        let mut cheat = agreeing(class);
        let place = class.place(&cheat.author());
        let _kept = cheat.write(place, EntryKind::Leave, Vec::new());
        class.push(&cheat.write(place, EntryKind::Leave, vec![1]));
        None
    }),
    // A participant and the agreement.
    row(
        "ack-of-another-log",
        Seat,
        "acknowledges entries that nobody saw",
        End::Fault(HONEST, FaultCode::SplitView, Nobody),
        |class| {
            agreeing(class).acknowledge(class, |ack| ack.log[0] ^= 1);
            None
        },
    ),
    row(
        "ack-of-another-roster",
        Seat,
        "acknowledges other people",
        End::Fault(HONEST, FaultCode::SplitView, Nobody),
        |class| {
            agreeing(class).acknowledge(class, |ack| ack.roster[0] ^= 1);
            None
        },
    ),
    row(
        "ack-of-another-question",
        Seat,
        "acknowledges another question",
        End::Fault(HONEST, FaultCode::SplitView, Nobody),
        |class| {
            agreeing(class).acknowledge(class, |ack| ack.plan[0] ^= 1);
            None
        },
    ),
    row(
        "cut-ack",
        Seat,
        "an acknowledgement that ends early",
        End::Fault(HONEST, FaultCode::Malformed, Cheat),
        |class| {
            let mut cheat = agreeing(class);
            class.push(&cheat.write(class.place(&cheat.author()), EntryKind::Ack, vec![0; 95]));
            None
        },
    ),
    row(
        "value-before-acks",
        Seat,
        "sends its value and never acknowledges",
        End::Fault(HONEST, FaultCode::Missing, Cheat),
        |class| {
            let mut cheat = agreeing(class);
            let place = class.place(&cheat.author());
            let value = cheat.seal(class, place, MASKED, &[0; 16]);
            class.push(&value);
            class.wait(30_000);
            None
        },
    ),
    row("silent-seat", Seat, "reveals and says no more", End::Fault(HONEST, FaultCode::Missing, Cheat), |class| {
        agreeing(class);
        class.wait(30_000);
        None
    }),
    // A host and its lists.
    row(
        "two-lists",
        Host,
        "two lists of one number",
        End::Fault(HONEST_GUESTS, FaultCode::Equivocation, TheHost),
        |class| {
            agreeing(class);
            let host = Participant::taking_over(class, 0, HOST_SEED);
            let list = class.entries(EntryKind::List).remove(0);
            let other = List { heads: 9, ..List::from_bytes(&list.payload).unwrap() };
            class.push(&host.beside(&list, other.to_bytes()));
            None
        },
    ),
    row(
        "grown-list",
        Host,
        "adds a seat after the lock",
        End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody),
        |class| {
            relisting(class, |list| {
                list.number = 2;
                list.seats.push(Listed { author: [0xff; 32], join: [1; 32], admission: Admission::Host });
            })
        },
    ),
    row("list-again", Host, "signs number 1 again", End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody), |class| {
        relisting(class, |list| list.heads = 4)
    }),
    row(
        "skipped-list",
        Host,
        "goes from list 1 to list 3",
        End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody),
        |class| relisting(class, |list| list.number = 3),
    ),
    row("list-without-host", Host, "leaves itself out", End::Fault(GUESTS, FaultCode::Malformed, Nobody), |class| {
        let host = class.seats[0].room.identity().author();
        listing(class, |list| list.seats.retain(|seat| seat.author != host))
    }),
    row("left-out", Host, "lists everyone but one", End::Fault(&[4], FaultCode::NotListed, Nobody), |class| {
        let victim = Participant::new(class, CHEAT_SEED).author();
        listing(class, |list| list.seats.retain(|seat| seat.author != victim))
    }),
    row(
        "small-group",
        Host,
        "lists fewer people than a device accepts",
        End::Fault(HONEST_GUESTS, FaultCode::GroupTooSmall, Nobody),
        |class| {
            let victim = Participant::new(class, CHEAT_SEED).author();
            listing(class, |list| list.seats.retain(|seat| seat.author != victim))
        },
    ),
    row(
        "unseen-seat",
        Host,
        "lists a seat that never asked",
        End::Fault(GUESTS, FaultCode::SplitView, Nobody),
        |class| {
            listing(class, |list| {
                list.seats.push(Listed { author: [0xff; 32], join: [1; 32], admission: Admission::Host });
            })
        },
    ),
    row(
        "other-commitments",
        Host,
        "lists a request with another hash",
        End::Fault(GUESTS, FaultCode::SplitView, Nobody),
        |class| listing(class, |list| list.seats[0].join[0] ^= 1),
    ),
    row(
        "claimed-link",
        Host,
        "lists a seat by code as one by link",
        End::Fault(GUESTS, FaultCode::BadKey, TheHost),
        |class| sybil(class, |_| None),
    ),
    row(
        "listed-forged-proof",
        Host,
        "lists a seat with a forged proof of invitation",
        End::Fault(GUESTS, FaultCode::SplitView, Nobody),
        |class| sybil(class, |_| Some([1; 32])),
    ),
    row(
        "listed-copied-proof",
        Host,
        "lists a seat with another's proof of invitation",
        End::Fault(GUESTS, FaultCode::SplitView, Nobody),
        |class| {
            sybil(class, |class| {
                let join = class.entries(EntryKind::Join).remove(0);
                undertone_wire::Join::from_bytes(&join.payload).unwrap().mac
            })
        },
    ),
    row("cut-list", Host, "a list that ends early", End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody), |class| {
        hosting(class, EntryKind::List, |list, _| list.truncate(40))
    }),
    row("unsorted-list", Host, "a list with a seat twice", End::Fault(GUESTS, FaultCode::Malformed, Nobody), |class| {
        listing(class, |list| list.seats.push(list.seats[0]))
    }),
    row(
        "second-opening",
        Host,
        "opens the room again with a lower floor",
        End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody),
        |class| {
            hosting(class, EntryKind::Open, |open, _| {
                let mut lower = Open::from_bytes(open).unwrap();
                lower.policy.group_min = 1;
                *open = lower.to_bytes();
            })
        },
    ),
    row(
        "skipped-question",
        Host,
        "goes from question 1 to question 3",
        End::Fault(HONEST_GUESTS, FaultCode::Malformed, Nobody),
        |class| hosting(class, EntryKind::Plan, |plan, _| *plan = Plan { number: 3, ..euros("sum") }.to_bytes()),
    ),
    row(
        "unknown-service",
        Host,
        "asks for what no device computes",
        End::Fault(HONEST_GUESTS, FaultCode::UnknownService, Nobody),
        |class| {
            hosting(class, EntryKind::Plan, |plan, _| {
                *plan = Plan { number: 2, service: "wiretap".into(), ..euros("sum") }.to_bytes();
            })
        },
    ),
    row("silent-host", Host, "never closes the list", End::Fault(GUESTS, FaultCode::HostSilent, Nobody), |class| {
        five(class);
        class.seats[0].off = true;
        class.now += 2 * 3600 * 1000 + 1;
        class.settle();
        None
    }),
];

fn host_key() -> SeatKey {
    SeatKey::from_seed(&Secret::new([HOST_SEED; 32]))
}

/// A question about less.
fn narrow() -> Plan {
    undertone_services::draft("sum", "How much?", &[("unit", "EUR"), ("decimals", "2"), ("max", "1")], "60").unwrap()
}

/// The fourth guest comes, honest, and everyone types a value.
fn five(class: &mut Class) {
    class.add(CHEAT_SEED, true, ClientPolicy::default());
    class.settle();
    class.type_all("1");
}

/// Five honest devices, and a relay with these rules.
fn relayed(class: &mut Class, rules: impl IntoIterator<Item = Rule>) -> Option<Fault> {
    class.show = script(rules);
    five(class);
    class.lock();
    class.wait(30_000);
    None
}

/// A cheating fourth guest is on the list; its offer may be bent before it commits to it.
fn listed(class: &mut Class, bend: impl Fn(&mut Participant, &Class)) -> Participant {
    let mut cheat = Participant::new(class, CHEAT_SEED);
    bend(&mut cheat, class);
    class.cheat = Some(cheat.author());
    cheat.join(class);
    class.type_all("1");
    class.seats[0].room.lock(5).unwrap();
    class.settle();
    cheat
}

/// It has revealed as it must: everyone waits for its acknowledgement.
fn agreeing(class: &mut Class) -> Participant {
    let mut cheat = listed(class, |_, _| {});
    let reveal = cheat.shows();
    cheat.reveal(class, &reveal);
    cheat
}

fn offering(class: &mut Class, bend: impl Fn(&mut Participant, &Class)) -> Option<Fault> {
    let mut cheat = listed(class, bend);
    let reveal = cheat.shows();
    cheat.reveal(class, &reveal);
    None
}

fn revealing(class: &mut Class, change: impl Fn(&mut Reveal)) -> Option<Fault> {
    let mut cheat = listed(class, |_, _| {});
    let mut reveal = cheat.shows();
    change(&mut reveal);
    cheat.reveal(class, &reveal);
    None
}

fn garbling(class: &mut Class, change: impl Fn(&mut Vec<u8>)) -> Option<Fault> {
    let mut cheat = listed(class, |_, _| {});
    let mut bytes = cheat.shows().to_bytes();
    change(&mut bytes);
    class.push(&cheat.write(class.place(&cheat.author()), EntryKind::Reveal, bytes));
    None
}

/// While everyone waits for an acknowledgement, the host says once more what it said, changed.
fn hosting(class: &mut Class, kind: EntryKind, change: impl Fn(&mut Vec<u8>, &Class)) -> Option<Fault> {
    agreeing(class);
    let mut host = Participant::taking_over(class, 0, HOST_SEED);
    let mut payload = class.entries(kind).remove(0).payload;
    change(&mut payload, class);
    class.push(&host.write(class.place(&host.author()), kind, payload));
    None
}

fn relisting(class: &mut Class, change: impl Fn(&mut List)) -> Option<Fault> {
    hosting(class, EntryKind::List, |payload, _| {
        let mut list = List::from_bytes(payload).unwrap();
        change(&mut list);
        *payload = list.to_bytes();
    })
}

/// The host signs a first list as it likes.
fn listing(class: &mut Class, change: impl Fn(&mut List)) -> Option<Fault> {
    five(class);
    sign_list(class, change);
    None
}

fn sign_list(class: &mut Class, change: impl Fn(&mut List)) {
    let asked = |entry: &undertone_wire::Entry| matches!(entry.kind, EntryKind::Open | EntryKind::Join);
    let seat = |entry: undertone_wire::Entry| Listed {
        author: entry.header.author,
        join: entry.hash(),
        admission: Admission::Link,
    };
    let mut seats: Vec<_> = class.written().filter(asked).map(seat).collect();
    seats.sort_by_key(|seat| seat.author);
    let mut list = List { number: 1, seats, heads: 5, reveal_ms: 20_000 };
    change(&mut list);
    let mut host = Participant::taking_over(class, 0, HOST_SEED);
    class.push(&host.write(class.place(&host.author()), EntryKind::List, list.to_bytes()));
}

/// The host lists somebody as invited who shows this proof of it.
fn sybil(class: &mut Class, proof: impl Fn(&Class) -> Option<[u8; 32]>) -> Option<Fault> {
    five(class);
    let mut sybil = Participant::new(class, 66);
    class.cheat = Some(sybil.author());
    let join = undertone_wire::Join { mac: proof(class), ..sybil.request(None) };
    class.push(&sybil.write(Place::NOWHERE, EntryKind::Join, join.to_bytes()));
    sign_list(class, |_| {});
    None
}
