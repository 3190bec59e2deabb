//! The virtual clock: what will happen, by time and, at one time, by the order of planning.

use std::collections::BTreeMap;

/// Milliseconds since the start of a simulation.
pub(crate) type Time = u64;

/// Everything that can happen. Numbers are indices into the world's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// The next message of a wire reaches the relay.
    ToRelay(usize),
    /// The next message of a wire reaches its device.
    ToDevice(usize),
    /// The relay notices that a wire is gone.
    RelayMisses(usize),
    /// A device notices that a wire is gone.
    DeviceMisses(usize),
    /// A device's attempt to connect comes to an end.
    Dialled(usize),
    /// A device looks at its clock.
    Wake(usize),
    /// The relay's store has written what it took, in that life of the relay.
    Commit(u64),
    /// The relay looks for rooms that are over.
    Sweep(u64),
    /// A person does something.
    Deed(Deed),
    /// A trouble begins.
    Begin(usize),
    /// A trouble ends.
    End(usize),
}

/// What a person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A seat's program is started, for the first time or again.
    Start(usize),
    /// Asks for a seat, on a device.
    TakePart(usize),
    /// Gives a value to a device, for the question of that number.
    Submit(usize, u16),
    /// Closes a page that shows nothing.
    GiveUp(usize),
    /// The host looks at the room, and locks, asks or leaves.
    Look,
}

/// What will happen.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: BTreeMap<(Time, u64), Happening>,
    planned: u64,
}

impl Queue {
    pub(crate) fn plan(&mut self, at: Time, what: Happening) {
        self.planned = self.planned.wrapping_add(1);
        self.waiting.insert((at, self.planned), what);
    }

    pub(crate) fn next(&mut self) -> Option<(Time, Happening)> {
        self.waiting.pop_first().map(|((at, _), what)| (at, what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_first_and_in_order_at_one_time() {
        let mut queue = Queue::default();
        for (at, device) in [(5, 1), (3, 2), (5, 3), (3, 4)] {
            queue.plan(at, Happening::Wake(device));
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.next()).collect();
        assert_eq!(order, [(3, 2), (3, 4), (5, 1), (5, 3)].map(|(at, device)| (at, Happening::Wake(device))));
    }
}
