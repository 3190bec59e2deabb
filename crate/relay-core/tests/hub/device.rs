//! A relay with devices on it, without sockets.

use bytes::Bytes;
use std::collections::{BTreeMap, VecDeque};
use undertone_relay_core::{
    ConnectionId, ENTRIES_BATCH, Handled, Hub, Limits, MemoryStore, Output, Pace, Store, Visitor,
};
use undertone_wire::{Author, Codec, Frame, Hash, Refusal, Token, room_of};

pub(crate) const HOST: Author = [1; 32];

/// Where all devices come from, unless a test says otherwise.
pub(crate) const SCHOOL: [u8; 4] = [192, 0, 2, 1];

pub(crate) fn room() -> Hash {
    room_of(&HOST)
}

/// An entry's header as a connection has it, and anything behind it.
pub(crate) fn entry(author: Author, sequence: u32, rest: &[u8]) -> Bytes {
    [&[1], &author[..], &sequence.to_be_bytes()[..], rest].concat().into()
}

/// Limits that only matter to the tests that are about them.
pub(crate) fn generous() -> Limits {
    Limits { frames: Pace::UNLIMITED, bytes: Pace::UNLIMITED, ..Limits::default() }
}

/// What a device received.
#[derive(Debug, Default)]
pub(crate) struct Device {
    pub(crate) inbox: VecDeque<Frame>,
    pub(crate) closed: Option<Refusal>,
    news: bool,
}

/// A hub, its clock and its devices.
pub(crate) struct Relay {
    pub(crate) hub: Hub,
    pub(crate) now_ms: u64,
    pub(crate) pause_ms: u64,
    devices: BTreeMap<ConnectionId, Device>,
}

impl Relay {
    pub(crate) fn new(limits: Limits) -> Self {
        Self::with(Box::<MemoryStore>::default(), limits)
    }

    pub(crate) fn with(store: Box<dyn Store>, limits: Limits) -> Self {
        let hub = Hub::new(store, limits, 0).unwrap();
        Self { hub, now_ms: 0, pause_ms: 0, devices: BTreeMap::new() }
    }

    pub(crate) fn connect(&mut self) -> Visitor {
        self.connect_from(SCHOOL)
    }

    pub(crate) fn connect_from(&mut self, address: [u8; 4]) -> Visitor {
        let visitor = self.hub.connect(address.into());
        self.devices.insert(visitor.id(), Device::default());
        visitor
    }

    /// Sends a frame and returns what came back to the sender alone, entries apart.
    pub(crate) fn send(&mut self, visitor: &Visitor, frame: &Frame) -> Vec<Frame> {
        self.send_bytes(visitor, &frame.to_bytes())
    }

    pub(crate) fn send_bytes(&mut self, visitor: &Visitor, bytes: &[u8]) -> Vec<Frame> {
        let Handled { outputs, pause_ms } = self.hub.handle(visitor, &Bytes::copy_from_slice(bytes), self.now_ms);
        self.pause_ms = pause_ms;
        self.deliver(outputs);
        self.inbox(visitor).drain(..).collect()
    }

    pub(crate) fn deliver(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Send { to, frame, .. } => self.device(to).inbox.push_back(Frame::from_message(&frame).unwrap()),
                Output::News { to } => self.device(to).news = true,
                Output::Close { to, reason } => self.device(to).closed = Some(reason),
            }
        }
    }

    /// Reads a device's log until it has all: (place, entry).
    pub(crate) fn read(&mut self, visitor: &Visitor) -> Vec<(u64, Bytes)> {
        let mut read = Vec::new();
        if !self.take_news(visitor) {
            return read;
        }
        loop {
            let frames = self.hub.entries(visitor, ENTRIES_BATCH);
            if frames.is_empty() {
                return read;
            }
            read.extend(frames.iter().map(placed));
        }
    }

    /// Whether it was told to read since it was last asked.
    pub(crate) fn take_news(&mut self, visitor: &Visitor) -> bool {
        core::mem::take(&mut self.device(visitor.id()).news)
    }

    pub(crate) fn attach(&mut self, visitor: &Visitor, author: Author, from: u64) -> Vec<Frame> {
        self.send(visitor, &attach(author, from))
    }

    /// A device on a seat of the room, which its host opened.
    pub(crate) fn seated(&mut self, author: Author) -> Visitor {
        let visitor = self.connect();
        assert!(matches!(self.attach(&visitor, author, 0)[..], [Frame::Attached { .. }]));
        visitor
    }

    pub(crate) fn append(&mut self, visitor: &Visitor, author: Author, sequence: u32, rest: &[u8]) -> Vec<Frame> {
        self.send(visitor, &Frame::Append { entry: entry(author, sequence, rest) })
    }

    pub(crate) fn closed(&mut self, visitor: &Visitor) -> Option<Refusal> {
        self.device(visitor.id()).closed
    }

    pub(crate) fn inbox(&mut self, visitor: &Visitor) -> &mut VecDeque<Frame> {
        &mut self.device(visitor.id()).inbox
    }

    fn device(&mut self, id: ConnectionId) -> &mut Device {
        self.devices.get_mut(&id).unwrap()
    }
}

/// The host opens the room; everyone else only comes in. Each device has its own token.
pub(crate) fn attach(author: Author, from: u64) -> Frame {
    let token = [author[0]; 16];
    Frame::Attach { room: room(), author, token: Token(token), from, open: author == HOST }
}

pub(crate) fn placed(frame: &Bytes) -> (u64, Bytes) {
    match Frame::from_message(frame) {
        Ok(Frame::Entry { sequence, entry }) => (sequence, entry),
        other => panic!("not an entry: {other:?}"),
    }
}

pub(crate) fn refused(reason: Refusal) -> Vec<Frame> {
    vec![Frame::Refused { reason }]
}
