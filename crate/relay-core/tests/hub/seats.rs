//! Opening, taking a seat, coming back.

use crate::device::{HOST, Relay, attach, entry, generous, refused, room};
use undertone_relay_core::Limits;
use undertone_wire::{Frame, Refusal, Token, room_of};

const GUEST: [u8; 32] = [2; 32];

#[test]
fn only_its_host_opens_a_room_and_only_on_purpose() {
    let mut relay = Relay::new(generous());
    for author in [HOST, GUEST] {
        let visitor = relay.connect();
        let open = author == GUEST;
        relay.send(&visitor, &Frame::Attach { room: room(), author, token: Token([0; 16]), from: 0, open });
        assert_eq!(relay.closed(&visitor), Some(Refusal::NoSuchRoom));
        assert!(!visitor.is_attached());
    }
    let host = relay.connect();
    assert_eq!(relay.send(&host, &attach(HOST, 0)), [Frame::Attached { head: 0 }]);
    let guest = relay.connect();
    assert_eq!(relay.send(&guest, &attach(GUEST, 0)), [Frame::Attached { head: 0 }]);
    assert_eq!((relay.hub.totals().rooms(), relay.hub.totals().seats()), (1, 2));
}

#[test]
fn a_newer_connection_of_the_same_device_takes_over() {
    let mut relay = Relay::new(generous());
    let (host, old) = (relay.seated(HOST), relay.seated(GUEST));
    relay.append(&host, HOST, 0, b"a");
    let new = relay.connect();
    assert_eq!(relay.attach(&new, GUEST, 0), [Frame::Attached { head: 1 }]);
    assert_eq!(relay.closed(&old), Some(Refusal::Displaced));
    assert_eq!(relay.read(&new), [(0, entry(HOST, 0, b"a"))]);
    assert_eq!(relay.read(&old), []);
    // The old one's last frames change nothing, nor does its going.
    relay.append(&old, GUEST, 0, b"late");
    assert_eq!(relay.closed(&old), Some(Refusal::Displaced));
    relay.hub.disconnect(&old, 0);
    assert_eq!(relay.append(&new, GUEST, 0, b"b"), [Frame::Stored { own: 0, sequence: 1 }]);
    assert_eq!(relay.hub.totals().seats(), 2);
}

#[test]
fn another_device_does_not_get_the_seat() {
    let mut relay = Relay::new(generous());
    let (_host, guest) = (relay.seated(HOST), relay.seated(GUEST));
    relay.append(&guest, GUEST, 0, b"join");
    let thief = relay.connect();
    let wrong = Frame::Attach { room: room(), author: GUEST, token: Token([9; 16]), from: 0, open: false };
    assert_eq!(relay.send(&thief, &wrong), []);
    assert_eq!((relay.closed(&thief), relay.closed(&guest)), (Some(Refusal::WrongToken), None));
    relay.hub.disconnect(&guest, 0);
    let thief = relay.connect();
    relay.send(&thief, &wrong);
    assert_eq!(relay.closed(&thief), Some(Refusal::WrongToken));
}

#[test]
fn a_device_reads_on_where_it_stopped() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    (0..100).for_each(|sequence| drop(relay.append(&host, HOST, sequence, b"x")));
    let guest = relay.connect();
    assert_eq!(relay.attach(&guest, GUEST, 60), [Frame::Attached { head: 100 }]);
    let places: Vec<_> = relay.read(&guest).into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, (60..100).collect::<Vec<_>>());
}

#[test]
fn a_device_ahead_of_the_log_is_told_so_and_waits() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"x");
    let guest = relay.connect();
    assert_eq!(relay.attach(&guest, GUEST, 2), [Frame::Attached { head: 1 }]);
    assert_eq!(relay.read(&guest), []);
    relay.append(&host, HOST, 1, b"y");
    assert_eq!(relay.read(&guest), []);
    relay.append(&host, HOST, 2, b"z");
    assert_eq!(relay.read(&guest), [(2, entry(HOST, 2, b"z"))]);
}

#[test]
fn one_connection_takes_one_seat() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.attach(&host, HOST, 0);
    assert_eq!(relay.closed(&host), Some(Refusal::BadFrame));
}

#[test]
fn a_full_room_takes_its_own_people_and_its_host() {
    let mut relay = Relay::new(Limits { seats: 3, ..generous() });
    let _host = relay.seated(HOST);
    let (first, second) = (relay.seated([2; 32]), relay.seated([3; 32]));
    let third = relay.connect();
    relay.attach(&third, [4; 32], 0);
    assert_eq!(relay.closed(&third), Some(Refusal::RoomFull));
    assert!(matches!(relay.seated([2; 32]), again if again.is_attached()));
    // Who never said anything leaves room for another; who spoke keeps the seat.
    relay.append(&second, [3; 32], 0, b"join");
    relay.hub.disconnect(&second, 0);
    let fourth = relay.connect();
    relay.attach(&fourth, [4; 32], 0);
    assert_eq!(relay.closed(&fourth), Some(Refusal::RoomFull));
    relay.hub.disconnect(&first, 0);
    assert_eq!(relay.closed(&first), Some(Refusal::Displaced));
}

#[test]
fn a_seat_without_entries_is_forgotten_with_its_device() {
    let mut relay = Relay::new(Limits { seats: 2, ..generous() });
    let (_host, guest) = (relay.seated(HOST), relay.seated(GUEST));
    relay.hub.disconnect(&guest, 0);
    assert!(relay.seated([3; 32]).is_attached());
}

#[test]
fn a_relay_takes_so_many_rooms() {
    let mut relay = Relay::new(Limits { rooms: 2, ..generous() });
    for (number, expected) in [(1, None), (2, None), (3, Some(Refusal::TooManyRooms)), (1, None)] {
        let (author, visitor) = ([number; 32], relay.connect());
        let frame = Frame::Attach { room: room_of(&author), author, token: Token([0; 16]), from: 0, open: true };
        relay.send(&visitor, &frame);
        assert_eq!(relay.closed(&visitor), expected);
    }
}

#[test]
fn a_school_opens_as_many_rooms_as_it_uses() {
    let mut relay = Relay::new(generous());
    for class in 0..40_u8 {
        for pupil in 0..3 {
            let (author, host) =
                ([class, pupil].repeat(16).try_into().unwrap(), [class, 0].repeat(16).try_into().unwrap());
            let (room, visitor) = (room_of(&host), relay.connect());
            relay.send(&visitor, &Frame::Attach { room, author, token: Token([0; 16]), from: 0, open: pupil == 0 });
            let entry = crate::device::entry(author, 0, b"hello");
            assert!(matches!(relay.send(&visitor, &Frame::Append { entry })[..], [Frame::Stored { .. }]));
        }
    }
    for unused in 100..=110_u8 {
        let (author, visitor) = ([unused; 32], relay.connect());
        relay.send(
            &visitor,
            &Frame::Attach { room: room_of(&author), author, token: Token([0; 16]), from: 0, open: true },
        );
        assert_eq!(relay.closed(&visitor).is_some(), unused == 110);
    }
}

#[test]
fn pings_are_answered_before_and_after() {
    let mut relay = Relay::new(generous());
    let host = relay.connect();
    assert_eq!(relay.send(&host, &Frame::Ping { nonce: 5 }), [Frame::Pong { nonce: 5 }]);
    relay.attach(&host, HOST, 0);
    assert_eq!(relay.send(&host, &Frame::Ping { nonce: 6 }), [Frame::Pong { nonce: 6 }]);
    assert_ne!(relay.send(&host, &Frame::Fetch { from: 0, count: 1 }), refused(Refusal::BadFrame));
}
