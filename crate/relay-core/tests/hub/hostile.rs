//! Bytes that no device of ours sends.

use crate::device::{HOST, Relay, attach, entry, generous};
use bytes::Bytes;
use proptest::prelude::*;
use undertone_wire::{Codec, Frame, Refusal};

fn relay_only() -> Vec<Frame> {
    vec![
        Frame::Attached { head: 0 },
        Frame::Entry { sequence: 0, entry: Bytes::new() },
        Frame::Stored { own: 0, sequence: 0 },
        Frame::Piped { from: HOST, bytes: Bytes::new() },
        Frame::Credited { from: HOST, bytes: 1 },
        Frame::Found { room: [0; 32] },
        Frame::Pong { nonce: 0 },
        Frame::Fetched { from: 0, entries: vec![] },
        Frame::Refused { reason: Refusal::Restarting },
    ]
}

#[test]
fn what_only_a_relay_says_is_refused() {
    for frame in relay_only() {
        let mut relay = Relay::new(generous());
        let (seated, stranger) = (relay.seated(HOST), relay.connect());
        relay.send(&seated, &frame);
        relay.send(&stranger, &frame);
        assert_eq!(
            (relay.closed(&seated), relay.closed(&stranger)),
            (Some(Refusal::BadFrame), Some(Refusal::BadFrame))
        );
    }
}

#[test]
fn what_needs_a_seat_is_refused_without_one() {
    let bytes = Bytes::new();
    let frames = [
        Frame::Append { entry: entry(HOST, 0, b"x") },
        Frame::Fetch { from: 0, count: 1 },
        Frame::Pipe { to: HOST, bytes },
        Frame::Credit { to: HOST, bytes: 1 },
    ];
    for frame in frames {
        let mut relay = Relay::new(generous());
        let (_host, stranger) = (relay.seated(HOST), relay.connect());
        relay.send(&stranger, &frame);
        assert_eq!(relay.closed(&stranger), Some(Refusal::BadFrame));
    }
}

#[test]
fn codes_are_for_those_outside() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.send(&host, &Frame::Find { code: 0 });
    assert_eq!(relay.closed(&host), Some(Refusal::BadFrame));
}

proptest! {
    #[test]
    fn any_bytes_get_an_answer(
        messages in prop::collection::vec((any::<bool>(), prop::collection::vec(any::<u8>(), 0..120)), 0..20),
    ) {
        let mut relay = Relay::new(generous());
        let (host, stranger) = (relay.seated(HOST), relay.connect());
        for (to_host, bytes) in messages {
            relay.send_bytes(if to_host { &host } else { &stranger }, &bytes);
        }
    }

    #[test]
    fn any_change_of_a_good_frame_gets_an_answer(at in 0_usize..200, flip in 1_u8.., cut in any::<bool>()) {
        let entry = entry(HOST, 0, b"an entry");
        let frames = [
            attach(HOST, 0),
            Frame::Append { entry },
            Frame::Fetch { from: 0, count: 1 },
            Frame::Pipe { to: HOST, bytes: Bytes::from_static(b"bytes") },
            Frame::Credit { to: HOST, bytes: 5 },
        ];
        for frame in frames {
            let mut relay = Relay::new(generous());
            let (host, stranger) = (relay.seated(HOST), relay.connect());
            let mut bytes = frame.to_bytes();
            let at = at % bytes.len();
            bytes[at] ^= flip;
            if cut { bytes.truncate(at) }
            relay.send_bytes(&host, &bytes);
            relay.send_bytes(&stranger, &bytes);
        }
    }
}
