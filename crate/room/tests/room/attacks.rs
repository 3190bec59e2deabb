//! What a relay, a stranger, a seat or the host may try: the table of attacks, and that it can fail.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros, small};
use crate::doubles::{Attack, By, Culprit, End, MASKED, When, play, table};
use crate::{after, before, harmless, resilient, shares};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_prim::{SeatKey, ZeroPads};
use undertone_room::{ClientPolicy, Notice};
use undertone_wire::{Codec, Entry, EntryKind};

fn class() -> Class {
    Class::open(euros("sum"), 4, 5, ClientPolicy::default())
}

fn attacks() -> impl Iterator<Item = &'static Attack> {
    before::ATTACKS
        .iter()
        .chain(after::ATTACKS)
        .chain(harmless::ATTACKS)
        .chain(shares::BEFORE)
        .chain(shares::AFTER)
        .chain(resilient::BEFORE)
        .chain(resilient::AFTER)
        .chain(resilient::HARMLESS)
}

/// Plays some of the table and complains about whatever did not end as it must.
fn hold(attacks: impl Iterator<Item = &'static Attack>) {
    let played = |attack: &'static Attack| {
        let (wrong, left) = play(attack);
        (attack, wrong, left)
    };
    let rows: Vec<_> = attacks.map(played).collect();
    println!("{}", table(&rows));
    let failed: Vec<_> = rows.into_iter().filter(|(_, wrong, _)| !wrong.is_empty()).collect();
    assert!(failed.is_empty(), "{}", table(&failed));
}

#[test]
fn every_attack_before_values_leave_ends_in_its_fault_and_nothing_was_sent() {
    hold(before::ATTACKS.iter().chain(shares::BEFORE).chain(resilient::BEFORE));
}

#[test]
fn every_attack_on_values_and_results_ends_in_its_fault_and_nothing_is_confirmed() {
    hold(after::ATTACKS.iter().chain(shares::AFTER).chain(resilient::AFTER));
}

#[test]
fn attacks_that_must_change_nothing_change_nothing() {
    hold(harmless::ATTACKS.iter().chain(resilient::HARMLESS));
}

#[test]
fn the_table_names_each_attack_once() {
    let mut names: Vec<_> = attacks().map(|attack| attack.name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!((names.len(), all >= 60), (all, true));
}

/// A row that claims an attack where there is none.
const fn planted(when: When, end: End, run: fn(&mut Class) -> Option<Fault>) -> Attack {
    Attack { name: "planted", by: By::Relay, tries: "nothing", when, end, run }
}

#[test]
fn a_row_whose_attack_does_not_end_as_it_says_is_noticed() {
    let honest: fn(&mut Class) -> Option<Fault> = |class| {
        class.add(3, true, ClientPolicy::default());
        class.settle();
        class.type_all("1");
        class.lock();
        None
    };
    let fault = End::Fault(&[2], FaultCode::BadSignature, Culprit::Nobody);
    // An honest relay: no fault, and all values leave.
    let (wrong, left) = play(&planted(When::BeforeValues, fault, honest));
    assert!(
        wrong.iter().any(|it| it.contains("no fault")) && wrong.iter().any(|it| it.contains("5 masked values left"))
    );
    assert_eq!(left, 5);
    let (wrong, _) = play(&planted(When::AfterValues, fault, honest));
    assert!(wrong.iter().any(|it| it.contains("confirmed by all")));
    assert!(play(&planted(When::BeforeValues, End::Refusal(FaultCode::HeadCount), honest)).0.len() > 1);
    assert!(!play(&planted(When::BeforeValues, End::Result("5.01", 5), honest)).0.is_empty());
    assert!(play(&planted(When::BeforeValues, End::Result("5.00", 5), honest)).0.is_empty());
    // A fault that names the wrong seat, or nobody where somebody signed.
    let two_values = after::ATTACKS.iter().find(|attack| attack.name == "two-values").unwrap();
    for culprit in [Culprit::Nobody, Culprit::Host] {
        let end = End::Fault(&[1], FaultCode::Equivocation, culprit);
        assert!(play(&planted(When::AfterValues, end, two_values.run)).0.iter().any(|it| it.contains("blames")));
    }
    // Nobody typed a value: nothing left, and that shows nothing.
    let idle: fn(&mut Class) -> Option<Fault> = |_| None;
    assert!(play(&planted(When::BeforeValues, fault, idle)).0.iter().any(|it| it.contains("typed")));
}

#[test]
fn two_rosters_never_get_matching_acknowledgements() {
    // The host is in league with the relay: it signs two lists, and half the class sees either.
    let mut class = Class::open(euros("sum"), 6, 3, small());
    class.lock_quietly();
    let list = class.entries(EntryKind::List).remove(0);
    let mut short = undertone_wire::List::from_bytes(&list.payload).unwrap();
    let host = list.header.author;
    let dropped = short.seats.iter().position(|seat| seat.author != host).unwrap();
    short.seats.remove(dropped);
    let host_key = SeatKey::from_seed(&Secret::new([200; 32]));
    let other = Entry::sign(
        &host_key,
        class.room(),
        list.header.sequence,
        list.previous,
        list.place,
        list.kind,
        short.to_bytes(),
    );
    let (list, other) = (list.to_bytes(), other.to_bytes());
    class.show = Box::new(move |seat, bytes| match seat {
        4.. if bytes == list => vec![other.clone()],
        _ => vec![bytes.to_vec()],
    });
    class.settle();
    class.wait(30_000);
    assert!(class.entries(MASKED).is_empty());
    // Nobody was ready on the first list: the host went on with those who saw it as it is.
    assert!(class.seats[4..].iter().all(|seat| seat.was_told("Ready") == 0 && seat.fault().is_some()));
    assert!(class.seats[..4].iter().all(|seat| seat.was_told("Ready") == 0 || seat.was_told("Locked") == 2));
}

#[test]
fn without_pads_the_masked_value_shows_the_input() {
    // What a scan finds if masks fail: the scans for it would then fail too.
    let mut class = class();
    class.seats[1].room.replace_pads(std::sync::Arc::new(ZeroPads));
    class.lock();
    class.submit(1, "12.34");
    let masked = class.seats[1].notices.iter().find_map(|notice| match notice {
        Notice::Sent { masked, .. } => Some(masked.clone()),
        _ => None,
    });
    assert_eq!(masked, Some(1234_u64.to_le_bytes().to_vec()));
}

/// The room key as anyone could compute it who holds this secret.
fn room_key(class: &Class, secret: &[u8; 16]) -> Secret<[u8; 32]> {
    let roster = class.seats[0].room.roster().unwrap();
    undertone_prim::derive(secret, "room-key/v1", &[&roster.hash])
}

/// Adds up what opens under a key: what a relay could do that held it.
fn sum_of_opened(class: &Class, key: &Secret<[u8; 32]>) -> Option<u64> {
    class.entries(MASKED).iter().try_fold(0, |sum: u64, entry| {
        let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
        let plain = undertone_prim::open(key, &context, &entry.payload)?;
        Some(sum.wrapping_add(u64::from_le_bytes(plain[..8].try_into().unwrap())))
    })
}

#[test]
fn the_relays_whole_store_and_the_typed_code_do_not_give_the_sum() {
    let mut class = Class::open(euros("sum"), 3, 3, small());
    class.add(77, false, small());
    class.settle();
    class.lock();
    for index in 0..5 {
        class.submit(index, "12.34");
    }
    assert_eq!(class.seats[0].result().unwrap().0, ["61.70"]);
    // What the relay knows: the room, its code, every entry. None of it is the room's secret.
    let room = class.room();
    let code = undertone_wire::RoomCode::of(&room).number().to_be_bytes();
    let known = [room[..16].to_vec(), room[16..].to_vec(), [code, code].concat(), vec![0; 16]];
    for secret in known {
        assert_eq!(sum_of_opened(&class, &room_key(&class, &secret.try_into().unwrap())), None);
    }
    let sealed_words = class
        .entries(MASKED)
        .iter()
        .fold(0_u64, |sum, entry| sum.wrapping_add(u64::from_le_bytes(entry.payload[24..32].try_into().unwrap())));
    assert_ne!(sealed_words, 6170);
    // The same computation with the invite's secret does give it: the attempt above can succeed.
    let secret = class.invite().secret;
    assert_eq!(sum_of_opened(&class, &room_key(&class, secret.expose())), Some(6170));
}
