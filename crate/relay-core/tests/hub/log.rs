//! Appending, acknowledging and reading again.

use crate::device::{HOST, Relay, entry, generous, refused};
use undertone_relay_core::{ENTRY_BYTES_MAX, Limits, Loopback};
use undertone_wire::limits::LOG_FRAME_BYTES_MAX;
use undertone_wire::{Codec, Frame, Refusal};

const GUEST: [u8; 32] = [2; 32];

#[test]
fn everyone_reads_every_entry_in_one_order() {
    let mut relay = Relay::new(generous());
    let (host, guest) = (relay.seated(HOST), relay.seated(GUEST));
    assert_eq!(relay.append(&host, HOST, 0, b"open"), [Frame::Stored { own: 0, sequence: 0 }]);
    assert_eq!(relay.append(&guest, GUEST, 0, b"join"), [Frame::Stored { own: 0, sequence: 1 }]);
    assert_eq!(relay.append(&host, HOST, 1, b"list"), [Frame::Stored { own: 1, sequence: 2 }]);
    let all = [(0, entry(HOST, 0, b"open")), (1, entry(GUEST, 0, b"join")), (2, entry(HOST, 1, b"list"))];
    assert_eq!(relay.read(&host), all);
    assert_eq!(relay.read(&guest), all);
    assert_eq!((relay.hub.totals().entries(), relay.hub.totals().seats()), (3, 2));
}

#[test]
fn an_entry_is_stored_exactly_once_however_often_it_comes() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    relay.append(&host, HOST, 0, b"a");
    relay.append(&host, HOST, 1, b"b");
    assert_eq!(relay.append(&host, HOST, 0, b"a"), [Frame::Stored { own: 0, sequence: 0 }]);
    assert_eq!(relay.append(&host, HOST, 0, b"other"), refused(Refusal::BadSequence));
    assert_eq!(relay.append(&host, HOST, 3, b"gap"), refused(Refusal::BadSequence));
    assert_eq!(relay.closed(&host), None);
    assert_eq!(relay.append(&host, HOST, 2, b"c"), [Frame::Stored { own: 2, sequence: 2 }]);
    assert_eq!(relay.read(&host).len(), 3);
}

#[test]
fn an_entry_must_be_its_senders_and_of_a_known_version() {
    let unknown = [&[2], &entry(HOST, 0, b"x")[1..]].concat().into();
    for entry in [entry(GUEST, 0, b"x"), unknown] {
        let mut relay = Relay::new(generous());
        let host = relay.seated(HOST);
        assert_eq!(relay.send(&host, &Frame::Append { entry }), []);
        assert_eq!(relay.closed(&host), Some(Refusal::BadFrame));
    }
}

#[test]
fn the_largest_entry_can_be_appended_sent_and_fetched() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    let rest = vec![7; ENTRY_BYTES_MAX - entry(HOST, 0, b"").len()];
    assert_eq!(relay.append(&host, HOST, 0, &rest), [Frame::Stored { own: 0, sequence: 0 }]);
    let [fetched] = &relay.send(&host, &Frame::Fetch { from: 0, count: 9 })[..] else { panic!("one frame") };
    assert_eq!(fetched.to_bytes().len(), LOG_FRAME_BYTES_MAX);
    assert_eq!(relay.read(&host), [(0, entry(HOST, 0, &rest))]);
    relay.append(&host, HOST, 1, &[&rest[..], b"!"].concat());
    assert_eq!(relay.closed(&host), Some(Refusal::TooLarge));
}

#[test]
fn fetching_fills_one_frame() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    for sequence in 0..200 {
        relay.append(&host, HOST, sequence, &[5; 1_000]);
    }
    let mut from = 0;
    while from < 200 {
        let answer = relay.send(&host, &Frame::Fetch { from, count: u16::MAX });
        let [frame @ Frame::Fetched { from: first, entries }] = &answer[..] else { panic!("{answer:?}") };
        assert!(frame.to_bytes().len() <= LOG_FRAME_BYTES_MAX && !entries.is_empty());
        assert_eq!((*first, &entries[0]), (from, &entry(HOST, from as u32, &[5; 1_000])));
        from += entries.len() as u64;
    }
    for (from, count) in [(200, 5), (u64::MAX, 1), (0, 0)] {
        assert_eq!(relay.send(&host, &Frame::Fetch { from, count }), [Frame::Fetched { from, entries: vec![] }]);
    }
}

#[test]
fn tiny_entries_fill_a_fetched_frame_to_its_count() {
    let mut relay = Relay::new(generous());
    let host = relay.seated(HOST);
    for sequence in 0..1_500 {
        relay.append(&host, HOST, sequence, b"");
    }
    let answer = relay.send(&host, &Frame::Fetch { from: 0, count: 1_400 });
    assert!(matches!(&answer[..], [Frame::Fetched { entries, .. }] if (800..=1_024).contains(&entries.len())));
}

#[test]
fn a_full_log_takes_no_more_and_the_connection_stays() {
    let mut relay = Relay::new(Limits { log_bytes: 1_000, ..generous() });
    let host = relay.seated(HOST);
    let mut answers = (0..10).map(|sequence| relay.append(&host, HOST, sequence, &[0; 132]));
    assert!(answers.by_ref().take(3).all(|answer| matches!(answer[..], [Frame::Stored { .. }])));
    assert_eq!(answers.next(), Some(refused(Refusal::LogFull)));
    drop(answers);
    assert_eq!(relay.closed(&host), None);
    assert!(relay.hub.totals().log_bytes() <= 1_000);
}

#[test]
fn all_logs_together_have_a_limit_too() {
    let mut relay = Relay::new(Limits { log_bytes_all: 500, ..generous() });
    let host = relay.seated(HOST);
    assert!(matches!(relay.append(&host, HOST, 0, &[0; 100])[..], [Frame::Stored { .. }]));
    assert_eq!(relay.append(&host, HOST, 1, &[0; 200]), refused(Refusal::LogFull));
}

#[test]
fn a_seat_that_is_too_fast_has_to_wait() {
    let mut relay = Relay::new(Limits { loopback: Loopback::Limited, ..Limits::default() });
    let host = relay.seated(HOST);
    for sequence in 0..40 {
        relay.append(&host, HOST, sequence, b"x");
        assert_eq!(relay.pause_ms, 0);
    }
    assert!(matches!(relay.append(&host, HOST, 40, b"x")[..], [Frame::Stored { .. }]));
    assert_eq!(relay.pause_ms, 50);
    relay.now_ms += 10_000;
    for sequence in 41..57 {
        assert_eq!(relay.pause_ms.min(1), u64::from(sequence == 41));
        relay.append(&host, HOST, sequence, &[0; 65_000]);
    }
    relay.append(&host, HOST, 57, &[0; 65_000]);
    assert!((100..=250).contains(&relay.pause_ms), "{}", relay.pause_ms);
}

#[test]
fn a_new_connection_does_not_refill_a_seats_bucket() {
    let mut relay = Relay::new(Limits::default());
    let host = relay.seated(HOST);
    (0..41).for_each(|sequence| drop(relay.append(&host, HOST, sequence, b"x")));
    let again = relay.seated(HOST);
    relay.append(&again, HOST, 41, b"x");
    assert_eq!(relay.pause_ms, 100);
}
