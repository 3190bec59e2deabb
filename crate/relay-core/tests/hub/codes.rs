//! Finding a room by its code.

use crate::device::{HOST, Relay, attach, generous, refused, room};
use undertone_relay_core::Limits;
use undertone_wire::{Frame, Refusal, RoomCode};

fn find() -> Frame {
    Frame::Find { code: RoomCode::of(&room()).number() }
}

#[test]
fn a_code_leads_to_its_room_and_then_in() {
    let mut relay = Relay::new(generous());
    let guest = relay.connect();
    assert_eq!(relay.send(&guest, &find()), refused(Refusal::NoSuchRoom));
    let _host = relay.seated(HOST);
    assert_eq!(relay.send(&guest, &find()), [Frame::Found { room: room() }]);
    assert_eq!(relay.send(&guest, &attach([2; 32], 0)), [Frame::Attached { head: 0 }]);
}

#[test]
fn absent_full_and_over_get_the_same_answer() {
    let mut relay = Relay::new(Limits { seats: 1, ..generous() });
    let (host, guest) = (relay.seated(HOST), relay.connect());
    let full = relay.send(&guest, &find());
    relay.hub.disconnect(&host, 0);
    relay.now_ms = 60_000;
    assert!(relay.hub.sweep(relay.now_ms).is_empty());
    let over = relay.send(&guest, &find());
    let absent = relay.send(&guest, &Frame::Find { code: 1 });
    assert_eq!([full, over, absent], [(); 3].map(|()| refused(Refusal::NoSuchRoom)));
    assert_eq!(relay.hub.totals().rooms(), 0);
}

#[test]
fn after_ten_wrong_codes_even_a_right_one_must_wait() {
    let mut relay = Relay::new(generous());
    let _host = relay.seated(HOST);
    for code in 0..10 {
        let guest = relay.connect();
        assert_eq!(relay.send(&guest, &Frame::Find { code }), refused(Refusal::NoSuchRoom));
    }
    let guest = relay.connect();
    assert_eq!(relay.send(&guest, &find()), refused(Refusal::TooFast));
    assert_eq!(relay.closed(&guest), None);
    let elsewhere = relay.connect_from([192, 0, 2, 77]);
    assert_eq!(relay.send(&elsewhere, &find()), [Frame::Found { room: room() }]);
    relay.now_ms = 6_000;
    assert_eq!(relay.send(&guest, &find()), [Frame::Found { room: room() }]);
}
