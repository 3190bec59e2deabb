//! Connections: two lanes of whole messages, each in order, as a WebSocket has them.

use crate::queue::Time;
use bytes::Bytes;
use std::collections::VecDeque;
use undertone_relay_core::Visitor;

/// One direction.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    waiting: VecDeque<Bytes>,
    /// When the last message arrives: the next may not overtake it.
    last: Time,
}

impl Lane {
    /// Takes a message and says when it arrives.
    pub(crate) fn send(&mut self, message: Bytes, at: Time) -> Time {
        self.waiting.push_back(message);
        self.last = self.last.max(at);
        self.last
    }

    /// The message that arrives now.
    pub(crate) fn arrive(&mut self) -> Option<Bytes> {
        self.waiting.pop_front()
    }
}

/// How a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Messages arrive.
    Open,
    /// Messages vanish, and nobody was told.
    Dead,
    /// The relay said its last word and takes no more; it is still under way.
    Closing,
    /// It is gone.
    Gone,
}

/// One connection between a device and the relay.
#[derive(Debug)]
pub(crate) struct Wire {
    pub(crate) device: usize,
    pub(crate) visitor: Visitor,
    /// The life of the relay that it belongs to: after a restart nobody knows it.
    pub(crate) life: u64,
    pub(crate) state: State,
    pub(crate) up: Lane,
    pub(crate) down: Lane,
    /// The relay reads nothing before: the sender was too fast.
    pub(crate) paused_until: Time,
}

impl Wire {
    pub(crate) fn new(device: usize, visitor: Visitor, life: u64) -> Self {
        let (up, down) = (Lane::default(), Lane::default());
        Self { device, visitor, life, state: State::Open, up, down, paused_until: 0 }
    }

    /// All that is under way is lost.
    pub(crate) fn cut(&mut self, state: State) {
        self.state = state;
        self.up.waiting.clear();
        self.down.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overtakes_on_a_lane() {
        let mut lane = Lane::default();
        assert_eq!([lane.send(Bytes::from_static(b"a"), 9), lane.send(Bytes::from_static(b"b"), 5)], [9, 9]);
        assert_eq!([lane.arrive(), lane.arrive(), lane.arrive()].map(|it| it.map_or(0, |it| it.len())), [1, 1, 0]);
    }
}
