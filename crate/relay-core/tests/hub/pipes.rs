//! Bytes between two seats, and the credit for them.

use crate::device::{HOST, Relay, generous, refused};
use bytes::Bytes;
use undertone_relay_core::{Output, Part, Visitor};
use undertone_wire::limits::{PIPE_FRAME_BYTES_MAX, PIPE_WINDOW_BYTES};
use undertone_wire::{Codec, Frame, Refusal};

const GUEST: [u8; 32] = [2; 32];

fn two() -> (Relay, Visitor, Visitor) {
    let mut relay = Relay::new(generous());
    let (host, guest) = (relay.seated(HOST), relay.seated(GUEST));
    (relay, host, guest)
}

fn pipe(bytes: usize) -> Frame {
    Frame::Pipe { to: GUEST, bytes: vec![7; bytes].into() }
}

#[test]
fn bytes_arrive_with_their_senders_name() {
    let (mut relay, host, guest) = two();
    assert_eq!(relay.send(&host, &pipe(3)), []);
    let bytes = Bytes::from_static(&[7; 3]);
    assert_eq!(relay.inbox(&guest).drain(..).collect::<Vec<_>>(), [Frame::Piped { from: HOST, bytes }]);
    assert_eq!(relay.send(&guest, &Frame::Credit { to: HOST, bytes: 3 }), []);
    assert_eq!(relay.inbox(&host).drain(..).collect::<Vec<_>>(), [Frame::Credited { from: GUEST, bytes: 3 }]);
    assert_eq!(relay.hub.totals().piped_bytes(), 3);
}

#[test]
fn pipe_frames_count_against_the_pipe_part() {
    let (relay, host, _guest) = two();
    let handled = relay.hub.handle(&host, &pipe(3).to_message(), 0);
    let part = |output: &Output| match output {
        Output::Send { part, .. } => *part,
        other => panic!("{other:?}"),
    };
    assert_eq!(handled.outputs.iter().map(part).collect::<Vec<_>>(), [Part::Pipe]);
}

#[test]
fn a_window_of_four_mebibytes_then_no_credit() {
    let (mut relay, host, guest) = two();
    for _ in 0..PIPE_WINDOW_BYTES / PIPE_FRAME_BYTES_MAX {
        relay.send(&host, &pipe(PIPE_FRAME_BYTES_MAX));
    }
    assert_eq!((relay.closed(&host), relay.inbox(&guest).len()), (None, 4));
    relay.send(&guest, &Frame::Credit { to: HOST, bytes: 10 });
    relay.send(&host, &pipe(10));
    assert_eq!(relay.closed(&host), None);
    relay.send(&host, &pipe(1));
    assert_eq!((relay.closed(&host), relay.closed(&guest)), (Some(Refusal::NoCredit), None));
}

#[test]
fn credit_cannot_be_invented() {
    let (mut relay, host, guest) = two();
    relay.send(&host, &pipe(100));
    relay.send(&guest, &Frame::Credit { to: HOST, bytes: u32::MAX });
    assert_eq!(relay.inbox(&host).pop_back(), Some(Frame::Credited { from: GUEST, bytes: 100 }));
    relay.send(&guest, &Frame::Credit { to: HOST, bytes: 1 });
    relay.send(&guest, &Frame::Credit { to: [9; 32], bytes: 1 });
    assert_eq!((relay.inbox(&host).len(), relay.closed(&guest)), (0, None));
}

#[test]
fn an_absent_receiver_is_said_to_be_away() {
    let (mut relay, host, guest) = two();
    relay.hub.disconnect(&guest, 0);
    assert_eq!(relay.send(&host, &pipe(1)), refused(Refusal::PeerAway));
    assert_eq!(relay.send(&host, &Frame::Pipe { to: [9; 32], bytes: Bytes::new() }), refused(Refusal::PeerAway));
    assert_eq!(relay.closed(&host), None);
}

#[test]
fn a_receiver_that_comes_back_has_its_whole_window() {
    let (mut relay, host, _guest) = two();
    (0..4).for_each(|_| drop(relay.send(&host, &pipe(PIPE_FRAME_BYTES_MAX))));
    let guest = relay.seated(GUEST);
    relay.send(&guest, &Frame::Credit { to: HOST, bytes: 50 });
    assert_eq!(relay.inbox(&host).len(), 0, "what went to the old connection is not this one's to credit");
    (0..4).for_each(|_| drop(relay.send(&host, &pipe(PIPE_FRAME_BYTES_MAX))));
    assert_eq!(relay.closed(&host), None);
}

#[test]
fn oversize_pipe_frames_end_the_connection() {
    let (mut relay, host, _guest) = two();
    relay.send_bytes(&host, &[&[4][..], &GUEST, &vec![0; PIPE_FRAME_BYTES_MAX + 1]].concat());
    assert_eq!(relay.closed(&host), Some(Refusal::TooLarge));
}

#[test]
fn tiny_frames_have_to_wait() {
    let (mut relay, host, _guest) = two();
    (0..1_000).for_each(|_| drop(relay.send(&host, &pipe(1))));
    assert_eq!(relay.pause_ms, 0);
    (0..10).for_each(|_| drop(relay.send_bytes(&host, &pipe(1).to_bytes())));
    assert_eq!(relay.pause_ms, 5);
}
