//! What a relay, a stranger or a seat may try before values leave: each ends in its named fault.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::class::{Class, euros, small};
use undertone_machine::{FaultCode, RoundKind, Secret};
use undertone_prim::{SeatKey, ZeroPads};
use undertone_room::{ClientPolicy, Notice};
use undertone_wire::{Codec, Entry, EntryKind, Place, Reveal, proves_equivocation};

const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

fn class() -> Class {
    Class::open(euros("sum"), 4, 5, ClientPolicy::default())
}

/// The evidence convinces somebody who was not there.
fn assert_proof(fault: &undertone_machine::Fault) {
    let [one, other] = fault.evidence() else { panic!("no proof") };
    assert!(proves_equivocation(&Entry::from_bytes(one).unwrap(), &Entry::from_bytes(other).unwrap()));
}

/// A relay that changes what one seat is shown.
fn tamper(class: &mut Class, victim: usize, mut change: impl FnMut(Entry) -> Vec<Vec<u8>> + 'static) {
    class.show =
        Box::new(
            move |seat, bytes| {
                if seat == victim { change(Entry::from_bytes(bytes).unwrap()) } else { vec![bytes.to_vec()] }
            },
        );
}

#[test]
fn a_swapped_key_is_a_bad_signature() {
    let mut class = class();
    tamper(&mut class, 2, |mut entry| {
        if entry.kind == EntryKind::Reveal {
            let mut reveal = Reveal::from_bytes(&entry.payload).unwrap();
            reveal.keys[0].key[0] ^= 1;
            entry.payload = reveal.to_bytes();
        }
        vec![entry.to_bytes()]
    });
    class.lock();
    assert_eq!(class.assert_fault(2, FaultCode::BadSignature), 0);
}

#[test]
fn a_dropped_entry_breaks_its_authors_chain() {
    let mut class = class();
    tamper(&mut class, 2, |entry| if entry.kind == EntryKind::Reveal { Vec::new() } else { vec![entry.to_bytes()] });
    class.lock();
    assert_eq!(class.assert_fault(2, FaultCode::BrokenChain), 0);
}

#[test]
fn replayed_entries_change_nothing() {
    let mut class = class();
    class.show = Box::new(|_, bytes| vec![bytes.to_vec(), bytes.to_vec()]);
    class.lock();
    for index in 0..5 {
        class.submit(index, "1");
    }
    assert!(class.seats.iter().all(|seat| seat.result() == Some((vec!["5.00".into()], 5))));
}

#[test]
fn entries_of_different_authors_may_come_in_any_order() {
    let mut class = class();
    let mut held: Vec<Vec<u8>> = Vec::new();
    // Seat 3 sees everyone else's reveals, acknowledgements and values before the host's list.
    class.show = Box::new(move |seat, bytes| {
        let kind = Entry::from_bytes(bytes).unwrap().kind;
        match kind {
            EntryKind::List if seat == 3 => {
                held.push(bytes.to_vec());
                Vec::new()
            }
            EntryKind::Reveal if seat == 3 && held.len() == 1 => vec![bytes.to_vec(), held.pop().unwrap()],
            _ => vec![bytes.to_vec()],
        }
    });
    class.seats[0].room.lock(5).unwrap();
    class.settle();
    for index in 0..5 {
        class.submit(index, "1");
    }
    assert!(class.seats.iter().all(|seat| seat.result() == Some((vec!["5.00".into()], 5))));
}

#[test]
fn an_injected_seat_is_not_listed_without_the_secret_of_the_invite() {
    let mut class = class();
    let sybil = class.add(66, false, ClientPolicy::default());
    class.settle();
    // The host counted five people; six requests are there.
    assert_eq!(class.seats[0].room.lock(5).unwrap_err().code(), FaultCode::HeadCount);
    let by_code = class.seats[0].notices.iter().rev().find_map(|notice| match notice {
        Notice::Lobby { by_code, .. } => Some(*by_code),
        _ => None,
    });
    assert_eq!((sybil, by_code), (5, Some(1)));
}

#[test]
fn a_forged_proof_of_invitation_is_not_even_counted() {
    let mut class = class();
    let key = SeatKey::from_seed(&Secret::new([99; 32]));
    let mut join = undertone_wire::Join::from_bytes(&class.entries(EntryKind::Join)[0].payload).unwrap();
    join.mac = Some([1; 32]);
    let forged = Entry::sign(&key, class.room(), 0, [0; 32], Place::NOWHERE, EntryKind::Join, join.to_bytes());
    class.log.push(forged.to_bytes());
    class.settle();
    class.lock();
    assert_eq!(class.seats[1].was_told("Ready"), 1);
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
fn two_lists_of_one_number_are_equivocation_by_the_host() {
    let mut class = class();
    class.lock();
    let list = class.entries(EntryKind::List).remove(0);
    let host_key = SeatKey::from_seed(&Secret::new([200; 32]));
    let mut other = undertone_wire::List::from_bytes(&list.payload).unwrap();
    other.heads = 9;
    let other = Entry::sign(
        &host_key,
        class.room(),
        list.header.sequence,
        list.previous,
        list.place,
        list.kind,
        other.to_bytes(),
    );
    class.log.push(other.to_bytes());
    class.settle();
    assert_eq!(class.assert_fault(1, FaultCode::Equivocation), 0);
    let fault = class.seats[1].fault().unwrap();
    assert_eq!(fault.culprits().len(), 1);
    assert_proof(fault);
}

#[test]
fn another_question_for_one_victim_splits_the_view() {
    let class = class();
    let host_key = SeatKey::from_seed(&Secret::new([200; 32]));
    let plan = class.entries(EntryKind::Plan).remove(0);
    let lower =
        undertone_services::draft("sum", "How much?", &[("unit", "EUR"), ("decimals", "2"), ("max", "1")], "60")
            .unwrap();
    let lower = Entry::sign(&host_key, class.room(), 1, plan.previous, plan.place, plan.kind, lower.to_bytes());
    let mut fresh = Class::open(euros("sum"), 0, 5, ClientPolicy::default());
    let (shown, replacement) = (plan.to_bytes(), lower.to_bytes());
    fresh.show = Box::new(
        move |seat, bytes| {
            if seat == 3 && bytes == shown { vec![replacement.clone()] } else { vec![bytes.to_vec()] }
        },
    );
    for guest in 0..4 {
        fresh.add(guest, true, ClientPolicy::default());
    }
    fresh.settle();
    fresh.lock();
    fresh.wait(30_000);
    // The host's later entries do not follow the one the victim was shown.
    assert_eq!(fresh.assert_fault(3, FaultCode::BrokenChain), 0);
}

#[test]
fn a_changed_seal_names_whoever_signed_it() {
    let mut class = class();
    class.lock();
    class.submit(1, "1");
    let sent = class.entries(MASKED).remove(0);
    assert!(!class.log.iter().any(|bytes| bytes.windows(8).any(|window| window == 100_u64.to_le_bytes())));
    // Seat 2 signs noise in place of a sealed value.
    let key = SeatKey::from_seed(&Secret::new([1; 32]));
    let acks = class.entries(EntryKind::Ack);
    let ack = acks.iter().find(|ack| ack.header.author == key.public()).unwrap();
    let place = Place { seat: ack.place.seat, ..sent.place };
    let noise = Entry::sign(&key, class.room(), ack.header.sequence + 1, ack.hash(), place, MASKED, vec![7; 60]);
    class.log.push(noise.to_bytes());
    class.seats[2].off = true;
    class.settle();
    class.submit(0, "1");
    let fault = class.seats[0].fault().unwrap();
    assert_eq!((fault.code(), fault.culprits()), (FaultCode::BadSeal, &[undertone_machine::Seat(ack.place.seat)][..]));
}

#[test]
fn two_values_of_one_seat_are_equivocation() {
    let mut class = class();
    class.lock();
    class.submit(1, "1");
    let sent = class.entries(MASKED).remove(0);
    let key = SeatKey::from_seed(&Secret::new([0; 32]));
    let again = Entry::sign(&key, class.room(), sent.header.sequence + 1, sent.hash(), sent.place, MASKED, vec![7; 60]);
    class.log.push(again.to_bytes());
    class.seats[1].off = true;
    class.settle();
    let fault = class.seats[0].fault().unwrap();
    assert_eq!(
        (fault.code(), fault.culprits()),
        (FaultCode::Equivocation, &[undertone_machine::Seat(sent.place.seat)][..])
    );
    assert_proof(fault);
}

#[test]
fn strangers_cannot_end_a_room() {
    let mut class = class();
    let key = SeatKey::from_seed(&Secret::new([99; 32]));
    let mut previous = [0; 32];
    for (sequence, kind) in
        (0..).zip([EntryKind::Reveal, EntryKind::Ack, EntryKind::List, EntryKind::Close, EntryKind::Plan, MASKED])
    {
        let noise = Entry::sign(&key, class.room(), sequence, previous, Place::NOWHERE, kind, vec![1, 2, 3]);
        previous = noise.hash();
        class.log.push(noise.to_bytes());
    }
    class.log.push(b"not an entry at all".to_vec());
    class.settle();
    class.lock();
    for index in 0..5 {
        class.submit(index, "1");
    }
    assert!(class.seats.iter().all(|seat| seat.result() == Some((vec!["5.00".into()], 5))));
}

#[test]
fn without_pads_the_masked_value_shows_the_input() {
    // What a scan finds if masks fail: the test above would then fail too.
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

#[test]
fn a_seat_whose_pads_do_not_cancel_spoils_the_sum_without_a_culprit() {
    let mut class = class();
    class.seats[1].room.replace_pads(std::sync::Arc::new(ZeroPads));
    class.lock();
    for index in 0..5 {
        class.submit(index, "1");
    }
    let fault = class.seats[0].fault().unwrap();
    assert_eq!((fault.code(), fault.culprits()), (FaultCode::SumOutOfRange, &[][..]));
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

#[test]
fn no_list_may_follow_once_a_value_has_left() {
    let mut class = class();
    class.lock();
    class.submit(1, "1");
    let entries = class.entries(EntryKind::Ack);
    let host_key = SeatKey::from_seed(&Secret::new([200; 32]));
    let last = entries.iter().find(|entry| entry.header.author == host_key.public()).unwrap();
    let list = class.entries(EntryKind::List).remove(0);
    let mut shorter = undertone_wire::List::from_bytes(&list.payload).unwrap();
    shorter.number = 2;
    let sequence = last.header.sequence + 1;
    let next =
        Entry::sign(&host_key, class.room(), sequence, last.hash(), last.place, EntryKind::List, shorter.to_bytes());
    class.log.push(next.to_bytes());
    class.seats[0].off = true;
    class.settle();
    assert_eq!(class.seats[1].fault().unwrap().code(), FaultCode::Malformed);
}

#[test]
fn another_result_signed_by_one_seat_is_shown_to_nobody_as_confirmed() {
    let mut class = class();
    class.lock();
    for index in [0, 1, 3, 4] {
        class.submit(index, "1");
    }
    // Seat 2 sends its value and then signs another result than it computed.
    let key = SeatKey::from_seed(&Secret::new([1; 32]));
    class.show = Box::new({
        let (author, secret, room) = (key.public(), class.invite().secret, class.room());
        let roster = class.seats[0].room.roster().unwrap().hash;
        move |_, bytes| {
            let entry = Entry::from_bytes(bytes).unwrap();
            if entry.kind != EntryKind::Confirm || entry.header.author != author {
                return vec![bytes.to_vec()];
            }
            let room_key = undertone_prim::derive(secret.expose(), "room-key/v1", &[&roster]);
            let other = undertone_wire::Confirm { included: [1; 32], result: [2; 32] };
            let context = Entry::seal_context(&entry.header, &entry.place, entry.kind);
            let sealed = undertone_prim::seal(&room_key, &context, &other.to_bytes());
            let key = SeatKey::from_seed(&Secret::new([1; 32]));
            let (sequence, previous) = (entry.header.sequence, entry.previous);
            vec![Entry::sign(&key, room, sequence, previous, entry.place, entry.kind, sealed).to_bytes()]
        }
    });
    class.submit(2, "1");
    assert_eq!(class.seats[0].fault().unwrap().code(), FaultCode::ResultSplit);
    assert!(class.seats[0].result().is_none_or(|(_, confirmed)| confirmed < 5));
}
