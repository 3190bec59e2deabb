//! How rooms end.

use crate::device::{HOST, Relay, attach, generous, room};
use undertone_relay_core::ROOM_IDLE_MS;
use undertone_wire::{Frame, Refusal, RoomCode};

#[test]
fn a_silent_room_ends_after_two_hours_for_everyone_in_it() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.now_ms = 5_000;
    relay.append(&host, HOST, 0, b"open");
    relay.now_ms = ROOM_IDLE_MS + 4_999;
    assert!(relay.hub.sweep(relay.now_ms).is_empty());
    relay.now_ms += 1;
    let outputs = relay.hub.sweep(relay.now_ms);
    relay.deliver(outputs);
    assert_eq!(relay.closed(&host), Some(Refusal::NoSuchRoom));
    let totals = relay.hub.totals();
    assert_eq!((totals.rooms(), totals.seats(), totals.log_bytes()), (0, 0, 0));
    let guest = relay.connect();
    relay.attach(&guest, [2; 32], 0);
    assert_eq!(relay.closed(&guest), Some(Refusal::NoSuchRoom));
}

#[test]
fn pings_do_not_keep_a_room_and_late_frames_are_refused() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.now_ms = ROOM_IDLE_MS;
    relay.send(&host, &Frame::Ping { nonce: 0 });
    drop(relay.hub.sweep(relay.now_ms));
    relay.append(&host, HOST, 0, b"late");
    assert_eq!(relay.closed(&host), Some(Refusal::NoSuchRoom));
    relay.hub.disconnect(&host, relay.now_ms);
    assert_eq!(relay.hub.totals().seats(), 0);
}

#[test]
fn an_unused_room_goes_a_minute_after_its_host() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.now_ms = 100_000;
    drop(relay.hub.sweep(relay.now_ms));
    assert_eq!(relay.hub.totals().rooms(), 1, "its host is there");
    relay.hub.disconnect(&host, relay.now_ms);
    relay.now_ms = 159_999;
    drop(relay.hub.sweep(relay.now_ms));
    assert_eq!(relay.hub.totals().rooms(), 1, "time to reload");
    relay.now_ms += 1;
    drop(relay.hub.sweep(relay.now_ms));
    assert_eq!(relay.hub.totals().rooms(), 0);
}

#[test]
fn an_empty_room_with_entries_stays_for_those_who_come_back() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"open");
    relay.hub.disconnect(&host, 0);
    relay.now_ms = ROOM_IDLE_MS - 1;
    drop(relay.hub.sweep(relay.now_ms));
    let host = relay.connect();
    assert_eq!(relay.send(&host, &attach(HOST, 0)), [Frame::Attached { head: 1 }]);
}

#[test]
fn a_room_that_ended_can_be_opened_anew_and_is_empty() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"open");
    relay.now_ms = ROOM_IDLE_MS;
    drop(relay.hub.sweep(relay.now_ms));
    let host = relay.connect();
    assert_eq!(relay.send(&host, &attach(HOST, 0)), [Frame::Attached { head: 0 }]);
    let guest = relay.connect();
    let code = RoomCode::of(&room()).number();
    assert_eq!(relay.send(&guest, &Frame::Find { code }), [Frame::Found { room: room() }]);
}
