//! Real messages of whole rooms, as inputs for the bodies.

use crate::class::{Class, small};
use bytes::Bytes;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use std::collections::BTreeMap;
use undertone_machine::Secret;
use undertone_net::Ledger;
use undertone_net::native::FileLedger;
use undertone_prim::AgreementKey;
use undertone_services::draft;
use undertone_wire::{Codec, Confirm, EntryKind, Frame, Plan, Refusal, RoomCode, Token, Writer, room_of, without_room};

/// Body, file, bytes.
type Sample = (&'static str, String, Vec<u8>);

/// What everybody in the class of a sample gives.
const VALUE: &str = "7";

/// All inputs that are made.
pub(crate) fn samples() -> Vec<Sample> {
    let (by_link, by_code) = (class(true), class(false));
    let mut all = payloads(&by_code);
    all.extend(frames(&by_link));
    all.extend(numbers());
    all.extend(texts(&by_link));
    all.extend(ledgers(&by_link));
    all.push(("hub", "a_room".into(), hub(&by_link)));
    all.push(("session", "a_life".into(), session(&by_link)));
    all.push(("room", "host".into(), room(&by_link, 0, Others::Shown)));
    all.push(("room", "host_signed".into(), room(&by_code, 0, Others::Signed)));
    all.push(("room", "guest_by_link".into(), room(&by_link, 1, Others::Shown)));
    all.push(("room", "guest_among_codes".into(), room(&by_code, 1, Others::Shown)));
    all.push(("room", "guest_signed".into(), room(&by_link, 1, Others::Signed)));
    all
}

fn question() -> Plan {
    draft("sum", "How much?", &[("max", "50")], "60").unwrap()
}

/// A room with a host and three guests, the last by link or by code, after its first result. Seeds and
/// question are those of the body `room`, so that its seat says the same.
fn class(by_link: bool) -> Class {
    let mut class = Class::open(question(), 2, 3, small());
    class.add(2, by_link, small());
    class.settle();
    class.lock();
    class.type_all(VALUE);
    assert_eq!(class.seats[1].result(), Some((vec!["28".into()], 4)));
    class
}

/// One entry of each kind, and what it carries.
fn payloads(class: &Class) -> Vec<Sample> {
    let kinds: BTreeMap<_, _> = class.written().map(|entry| (entry.kind, entry)).collect();
    let mut all = Vec::new();
    for (kind, entry) in kinds {
        all.push(("entry", kind.as_str().to_owned(), entry.to_bytes()));
        let body = match kind {
            EntryKind::Open => "open",
            EntryKind::Join => "join",
            EntryKind::List => "list",
            EntryKind::Reveal => "reveal",
            EntryKind::Plan => "plan",
            EntryKind::Ack => "ack",
            EntryKind::Envelope => "envelope",
            _ => continue,
        };
        all.push((body, "of_a_room".into(), entry.payload));
    }
    let join = class.entries(EntryKind::Join).remove(0);
    all.push(("join", "by_link".into(), join.payload));
    all.push(("confirm", "of_a_room".into(), Confirm::of(&[1; 32], &[2; 32]).to_bytes()));
    all
}

fn frames(class: &Class) -> Vec<Sample> {
    let entries: Vec<Bytes> = class.log.iter().take(3).map(|bytes| without_room(&bytes.clone().into())).collect();
    let (room, author) = (class.room(), class.entries(EntryKind::Join)[0].header.author);
    let (entry, bytes) = (entries[0].clone(), Bytes::from_static(b"sealed"));
    let all = [
        ("attach", Frame::Attach { room, author, token: Token([7; 16]), from: 3, open: false }),
        ("append", Frame::Append { entry: entry.clone() }),
        ("fetch", Frame::Fetch { from: 1, count: 256 }),
        ("pipe", Frame::Pipe { to: author, bytes: bytes.clone() }),
        ("credit", Frame::Credit { to: author, bytes: 1 << 20 }),
        ("find", Frame::Find { code: RoomCode::of(&room).number() }),
        ("ping", Frame::Ping { nonce: 1 }),
        ("attached", Frame::Attached { head: 3 }),
        ("entry", Frame::Entry { sequence: 0, entry }),
        ("stored", Frame::Stored { own: 0, sequence: 2 }),
        ("piped", Frame::Piped { from: author, bytes }),
        ("credited", Frame::Credited { from: author, bytes: 5 }),
        ("found", Frame::Found { room }),
        ("pong", Frame::Pong { nonce: 1 }),
        ("fetched", Frame::Fetched { from: 0, entries }),
        ("refused", Frame::Refused { reason: Refusal::Restarting }),
    ];
    all.into_iter().map(|(name, frame)| ("frame", name.to_owned(), frame.to_bytes())).collect()
}

/// Points, proofs and the primitives of all encodings.
fn numbers() -> Vec<Sample> {
    let key = AgreementKey::from_seed(&Secret::new([1; 32]));
    let point = key.public().to_bytes();
    let proof = [&point[..], &key.prove(&[0; 32]).to_bytes()].concat();
    let mut writer = Writer::default();
    writer.u8(0);
    writer.u16(1);
    writer.u8(1);
    writer.u32(2);
    writer.u8(2);
    writer.u64(3);
    writer.u8(3);
    writer.bytes(b"\xff\x00bytes");
    writer.u8(4);
    writer.bytes("Wörter".as_bytes());
    writer.u8(5);
    writer.list(&[6_u8, 7], |writer, item| writer.u8(*item));
    let code = RoomCode::of(&[1; 32]).to_bytes();
    let all = [("point", point), ("proof", proof), ("reader", writer.into_bytes()), ("code", code)];
    all.into_iter().map(|(body, bytes)| (body, "good".to_owned(), bytes)).collect()
}

fn texts(class: &Class) -> Vec<Sample> {
    let invite = class.invite().to_text();
    let words = RoomCode::of(&class.room()).to_string();
    let all = [
        ("invitation", "link", format!("http://school.example/#{invite}")),
        ("invitation", "fragment", invite),
        ("invitation", "words", words.replace(' ', " - ").to_uppercase()),
        ("quantity", "euros", "EUR\n2\n-10\n50\n12,34".into()),
        ("quantity", "whole", "\n0\n0\n1000000\n7".into()),
        ("quantity", "fine", "kg\n6\n0.000001\n1\n0.5".into()),
        ("draft", "sum", "sum\nHow much?\n60\n3\nunit\nEUR\ndecimals\n2\nmax\n50\n12.34".into()),
        ("draft", "mean", "mean\nHow long?\n3600\n2\nmin\n-5\nmax\n5\n-5".into()),
    ];
    all.into_iter().map(|(body, name, text)| (body, name.to_owned(), text.into_bytes())).collect()
}

/// The file of a seat that said a few things, whole and with a torn end.
fn ledgers(class: &Class) -> Vec<Sample> {
    let path = std::env::temp_dir().join(format!("undertone-fuzz-ledger-{}-{:?}", std::process::id(), thread_id()));
    let mut ledger = FileLedger::open(&path).unwrap();
    drop(ledger.seed(&Secret::new([1; 32])).unwrap());
    for (number, bytes) in class.log.iter().take(3).enumerate() {
        let key = format!("entry/{number:08}");
        let added = pin!(ledger.add(&key, bytes));
        let added = Future::poll(added, &mut Context::from_waker(Waker::noop()));
        assert!(matches!(added, Poll::Ready(Ok(_))));
    }
    drop(ledger);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let torn = bytes[..bytes.len() - 40].to_vec();
    vec![("ledger", "whole".into(), bytes), ("ledger", "torn".into(), torn)]
}

fn thread_id() -> std::thread::ThreadId {
    std::thread::current().id()
}

/// Operations with their arguments.
#[derive(Default)]
struct Script(Writer);

impl Script {
    fn op(&mut self, numbers: &[u8]) -> &mut Self {
        self.0.raw(numbers);
        self
    }

    fn with(&mut self, numbers: &[u8], bytes: &[u8]) -> &mut Self {
        self.0.raw(numbers);
        self.0.u16(bytes.len().try_into().unwrap());
        self.0.raw(bytes);
        self
    }
}

/// Two seats in a room of the relay: they speak, read, are piped to, go and come back.
fn hub(class: &Class) -> Vec<u8> {
    let mut script = Script::default();
    script.op(&[0, 1]).op(&[0, 2]).op(&[1, 0, 1, 1, 0]).op(&[1, 1, 1, 2, 1]);
    script.with(&[2, 0, 1, 0], b"first").with(&[2, 1, 2, 0], b"second").op(&[4, 0]).op(&[4, 1]);
    script.with(&[3, 0], &Frame::Pipe { to: [2; 32], bytes: Bytes::from_static(b"sealed") }.to_bytes());
    script.with(&[3, 1], &Frame::Credit { to: [1; 32], bytes: 6 }.to_bytes());
    script.with(&[3, 0], &Frame::Fetch { from: 0, count: 9 }.to_bytes());
    script.with(&[3, 0], &Frame::Ping { nonce: 1 }.to_bytes()).op(&[5, 1]).op(&[0, 3]).op(&[1, 1, 1, 2, 0]).op(&[4, 1]);
    let code = RoomCode::of(&room_of(&[1; 32])).number();
    script.op(&[0, 1]).with(&[3, 2], &Frame::Find { code }.to_bytes()).op(&[7, 1]);
    script.with(&[3, 2], &class.log[0]).op(&[6, 0, 0x80, 0, 0]).op(&[6, 0, 0x80, 0, 0]);
    script.0.into_bytes()
}

/// A session that reads a log, loses its connection and comes back.
fn session(class: &Class) -> Vec<u8> {
    let entry = |sequence: u64| {
        let entry = without_room(&class.log[usize::try_from(sequence).unwrap()].clone().into());
        Frame::Entry { sequence, entry }.to_bytes()
    };
    let mut script = Script::default();
    script.op(&[2]).op(&[0]).with(&[4], &Frame::Attached { head: 2 }.to_bytes());
    script.with(&[4], &entry(0)).op(&[3]).with(&[4], &Frame::Pong { nonce: 0 }.to_bytes());
    script.with(&[4], &entry(1)).with(&[4], &Frame::Stored { own: 0, sequence: 2 }.to_bytes()).op(&[1]);
    script.op(&[0]).with(&[4], &Frame::Attached { head: 4 }.to_bytes()).with(&[4], &entry(2)).op(&[2]);
    script.with(&[4], &Frame::Fetched { from: 0, entries: Vec::new() }.to_bytes());
    script.with(&[4], &Frame::Refused { reason: Refusal::TooFast }.to_bytes());
    script.0.into_bytes()
}

/// How the entries of others get into a script.
#[derive(Clone, Copy, PartialEq)]
enum Others {
    /// As they are.
    Shown,
    /// By what they carry, to be signed when it is played: then changes of it are signed too.
    Signed,
}

/// A seat's way through the room: it does what its person did, and reads what the others said.
fn room(class: &Class, who: u8, others: Others) -> Vec<u8> {
    let authors: Vec<_> = class.seats.iter().map(|seat| seat.room.identity().author()).collect();
    let author = authors[usize::from(who)];
    let mut script = Script::default();
    script.op(&[who]);
    let mut listed = false;
    for entry in class.written() {
        if entry.kind == EntryKind::List && who == 0 && !listed {
            script.op(&[10, 4]);
        }
        listed |= entry.kind == EntryKind::List;
        if entry.header.author == author {
            script.op(&[2]);
        } else if others == Others::Shown {
            script.with(&[0], &entry.to_bytes());
        } else {
            let by = authors.iter().position(|author| *author == entry.header.author).unwrap();
            script.with(&[1, by.try_into().unwrap(), entry.kind.to_wire()], &entry.payload);
        }
        // A guest takes part once there is a question.
        if entry.kind == EntryKind::Plan && who > 0 {
            script.op(&[8, 0]);
        }
        if entry.kind == EntryKind::List {
            script.op(&[3, 0, 0, 1, 0]).with(&[9], VALUE.as_bytes());
        }
    }
    script.op(&[2]).op(&[11]).op(&[2]).with(&[9], b"50").op(&[12]).op(&[2]);
    script.0.into_bytes()
}
