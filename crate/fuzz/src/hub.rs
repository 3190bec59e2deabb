//! The relay without sockets, by lists of operations: connections come, say anything, read and go.

use crate::codecs::must;
use crate::ops::Ops;
use crate::{Broken, Verdict};
use bytes::Bytes;
use undertone_relay_core::{ConnectionId, ENTRIES_BATCH, Hub, Limits, MemoryStore, Output, Visitor};
use undertone_wire::{Author, Frame, Hash, Token, room_of};

/// Most connections of one input.
const CONNECTIONS_MAX: usize = 16;

struct Connection {
    visitor: Visitor,
    gone: bool,
    /// Place of the next entry, once one was read.
    next: Option<u64>,
}

struct Relay {
    hub: Hub,
    connections: Vec<Connection>,
    now_ms: u64,
    appended: bool,
}

/// Whoever connects gets an answer, entries come in order and without gaps, and nobody is told
/// anything after having been hung up on.
pub(crate) fn run(bytes: &[u8]) -> Result<Verdict, Broken> {
    let hub = Hub::new(Box::<MemoryStore>::default(), Limits::default(), 0).map_err(|_| Broken("no hub"))?;
    let mut relay = Relay { hub, connections: Vec::new(), now_ms: 0, appended: false };
    let mut ops = Ops::new(bytes);
    while let Some(op) = ops.next_of(8) {
        relay.step(op, &mut ops)?;
    }
    Ok(if relay.appended { Verdict::Taken } else { Verdict::Refused })
}

fn author(who: u8) -> Author {
    [who % 4; 32]
}

fn room(who: u8) -> Hash {
    room_of(&author(who))
}

impl Relay {
    fn step(&mut self, op: u8, ops: &mut Ops<'_>) -> Result<(), Broken> {
        match op {
            0 => {
                self.connect(ops.u8());
                Ok(())
            }
            1 => self.attach(ops),
            2 => self.append(ops),
            3 => self.say(ops.u8(), Bytes::copy_from_slice(ops.bytes())),
            4 => self.read(ops.u8()),
            5 => {
                self.leave(ops.u8());
                Ok(())
            }
            6 => {
                self.now_ms = self.now_ms.saturating_add(ops.u32().into());
                let outputs = self.hub.sweep(self.now_ms);
                self.deliver(outputs)
            }
            _ => {
                let outputs = self.hub.settle(&room(ops.u8()));
                self.deliver(outputs)
            }
        }
    }

    fn connect(&mut self, address: u8) {
        if self.connections.len() < CONNECTIONS_MAX {
            let visitor = self.hub.connect([192, 0, 2, address % 3].into());
            self.connections.push(Connection { visitor, gone: false, next: None });
        }
    }

    fn attach(&mut self, ops: &mut Ops<'_>) -> Result<(), Broken> {
        let (who, of, seat, from) = (ops.u8(), ops.u8(), ops.u8(), ops.u8());
        let (author, token) = (author(seat), Token([seat; 16]));
        let attach = Frame::Attach { room: room(of), author, token, from: from.into(), open: from == 0 };
        self.say(who, attach.to_message())
    }

    fn append(&mut self, ops: &mut Ops<'_>) -> Result<(), Broken> {
        let (who, seat, sequence, rest) = (ops.u8(), ops.u8(), ops.u8(), ops.bytes());
        let entry = [&[1], &author(seat)[..], &u32::from(sequence).to_be_bytes(), rest].concat();
        self.say(who, Frame::Append { entry: entry.into() }.to_message())
    }

    fn say(&mut self, who: u8, message: Bytes) -> Result<(), Broken> {
        let Some(connection) = self.connection(who) else { return Ok(()) };
        let (hub, now_ms) = (&self.hub, self.now_ms);
        let Some(speaker) = self.connections.get(connection) else { return Ok(()) };
        let handled = hub.handle(&speaker.visitor, &message, now_ms);
        self.deliver(handled.outputs)
    }

    fn read(&mut self, who: u8) -> Result<(), Broken> {
        let Some(connection) = self.connection(who) else { return Ok(()) };
        let Some(reader) = self.connections.get_mut(connection) else { return Ok(()) };
        for frame in self.hub.entries(&reader.visitor, ENTRIES_BATCH) {
            let Ok(Frame::Entry { sequence, .. }) = Frame::from_message(&frame) else {
                return Err(Broken("what is read is no entry"));
            };
            must(reader.next.is_none_or(|next| next == sequence), "an entry was left out or repeated")?;
            reader.next = Some(sequence.saturating_add(1));
        }
        Ok(())
    }

    fn leave(&mut self, who: u8) {
        let Some(connection) = self.connection(who) else { return };
        if let Some(connection) = self.connections.get_mut(connection) {
            self.hub.disconnect(&connection.visitor, self.now_ms);
            connection.gone = true;
        }
    }

    /// A connection that is still there.
    fn connection(&self, who: u8) -> Option<usize> {
        let there: Vec<_> = self.connections.iter().enumerate().filter(|(_, it)| !it.gone).collect();
        let index = usize::from(who).checked_rem(there.len())?;
        there.get(index).map(|(index, _)| *index)
    }

    fn deliver(&mut self, outputs: Vec<Output>) -> Result<(), Broken> {
        for output in outputs {
            match output {
                Output::Send { to, frame, .. } => {
                    let frame = Frame::from_message(&frame).map_err(|_| Broken("an answer cannot be read"))?;
                    self.appended |= matches!(frame, Frame::Stored { .. });
                    self.told(to)?;
                }
                Output::News { to } => self.told(to)?,
                Output::Close { to, .. } => {
                    self.told(to)?;
                    self.hang_up(to);
                }
            }
        }
        Ok(())
    }

    fn told(&self, to: ConnectionId) -> Result<(), Broken> {
        let there = self.connections.iter().any(|it| it.visitor.id() == to && !it.gone);
        must(there, "somebody is told who is not there")
    }

    fn hang_up(&mut self, to: ConnectionId) {
        for connection in self.connections.iter_mut().filter(|it| it.visitor.id() == to) {
            self.hub.disconnect(&connection.visitor, self.now_ms);
            connection.gone = true;
        }
    }
}
