//! Byte streams between this seat and others: sealed, in order, and with credit.
//!
//! A pipe carries no more than its window beyond what the other end's machine has consumed. All
//! windows towards one seat together are the relay's window for that seat, so a sender that keeps
//! the rule is never refused.

use std::collections::VecDeque;
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Phase, Seat, Secret};
use undertone_prim::{OVERHEAD_BYTES, derive, open, seal};
use undertone_wire::limits::{PIPE_FRAME_BYTES_MAX, PIPE_WINDOW_BYTES};
use vecmap::VecMap;

/// Counter in front of each sealed piece.
const COUNTER_BYTES: usize = 8;
/// Room for the frame's own header.
const FRAME_SPARE_BYTES: usize = 64;

/// One direction's key and counter.
struct Direction {
    key: Secret<[u8; 32]>,
    next: u64,
}

impl Direction {
    fn new(pair: &Secret<[u8; 32]>, context: &[u8], from: Seat, to: Seat) -> Self {
        let names = [from.0.to_be_bytes(), to.0.to_be_bytes()].concat();
        Self { key: derive(pair.expose(), "pipe/v1", &[context, &names]), next: 0 }
    }
}

/// Both directions to one seat.
struct Pipe {
    out: Direction,
    queue: VecDeque<Vec<u8>>,
    in_flight: usize,
    inward: Direction,
    received: VecDeque<u8>,
    /// (plain, framed) bytes of pieces not yet consumed.
    pieces: VecDeque<(usize, usize)>,
    consumed: usize,
}

/// The other seats, each with the key of the pair.
pub(crate) type Pairs = Arc<[(Seat, Secret<[u8; 32]>)]>;

/// All pipes of one run.
pub(crate) struct Pipes {
    me: Seat,
    pairs: Pairs,
    context: Vec<u8>,
    /// Those that were used: most runs use none, and each has keys of its own.
    pipes: VecMap<Seat, Pipe>,
    window: usize,
}

impl Pipes {
    /// One pipe to each other seat, under keys of this run.
    pub(crate) fn new(me: Seat, pairs: Pairs, context: &[u8]) -> Self {
        let window = PIPE_WINDOW_BYTES / pairs.len().max(1);
        Self { me, pairs, context: context.to_vec(), pipes: VecMap::new(), window }
    }

    /// The pipe to a seat, made when it is first used; none to this seat or to nobody.
    fn pipe(&mut self, peer: Seat) -> Option<&mut Pipe> {
        if !self.pipes.contains_key(&peer) {
            let (_, pair) = self.pairs.iter().find(|(seat, _)| *seat == peer)?;
            let out = Direction::new(pair, &self.context, self.me, peer);
            let inward = Direction::new(pair, &self.context, peer, self.me);
            let (queue, received, pieces) = (VecDeque::new(), VecDeque::new(), VecDeque::new());
            self.pipes.insert(peer, Pipe { out, queue, in_flight: 0, inward, received, pieces, consumed: 0 });
        }
        self.pipes.get_mut(&peer)
    }

    /// Largest piece: half a window, so that one can travel while one is consumed.
    fn piece_bytes(&self) -> usize {
        let most = (PIPE_FRAME_BYTES_MAX - FRAME_SPARE_BYTES).min(self.window / 2);
        most.saturating_sub(COUNTER_BYTES + OVERHEAD_BYTES).max(1)
    }

    /// Queues bytes for a seat. `false` if there is no pipe to it.
    pub(crate) fn send(&mut self, to: Seat, bytes: &[u8]) -> bool {
        let piece_bytes = self.piece_bytes();
        let Some(pipe) = self.pipe(to) else { return false };
        for piece in bytes.chunks(piece_bytes) {
            let counter = pipe.out.next.to_be_bytes();
            pipe.out.next = pipe.out.next.wrapping_add(1);
            pipe.queue.push_back([&counter[..], &seal(&pipe.out.key, &counter, piece)].concat());
        }
        true
    }

    /// Takes the next piece that credit allows to leave.
    pub(crate) fn next_out(&mut self) -> Option<(Seat, Vec<u8>)> {
        let window = self.window;
        let free = |pipe: &Pipe| {
            let next = pipe.queue.front().map_or(usize::MAX, Vec::len);
            pipe.in_flight.checked_add(next).is_some_and(|total| total <= window)
        };
        let (seat, pipe) = self.pipes.iter_mut().find(|(_, pipe)| free(pipe))?;
        let piece = pipe.queue.pop_front()?;
        pipe.in_flight = pipe.in_flight.saturating_add(piece.len());
        Some((*seat, piece))
    }

    /// Whether anything waits for credit: the machine is not asked for more meanwhile.
    pub(crate) fn is_blocked(&self) -> bool {
        self.pipes.values().any(|pipe| !pipe.queue.is_empty())
    }

    /// The other end consumed bytes.
    ///
    /// # Errors
    /// [`FaultCode::PipeBroken`] if it claims more than was sent. The relay could have said so, so
    /// nobody is blamed.
    pub(crate) fn credited(&mut self, from: Seat, bytes: u32) -> Result<(), Fault> {
        let pipe = self.pipe(from).ok_or_else(broken)?;
        pipe.in_flight = pipe.in_flight.checked_sub(bytes as usize).ok_or_else(broken)?;
        Ok(())
    }

    /// Bytes came.
    ///
    /// # Errors
    /// [`FaultCode::PipeBroken`] if a piece is lost, repeated, changed, or beyond the window.
    pub(crate) fn received(&mut self, from: Seat, framed: &[u8]) -> Result<(), Fault> {
        let window = self.window;
        let pipe = self.pipe(from).ok_or_else(broken)?;
        let (counter, sealed) = framed.split_first_chunk::<COUNTER_BYTES>().ok_or_else(broken)?;
        if u64::from_be_bytes(*counter) != pipe.inward.next {
            return Err(broken());
        }
        let plain = open(&pipe.inward.key, counter, sealed).ok_or_else(broken)?;
        let waiting: usize = pipe.pieces.iter().map(|(_, framed)| framed).sum();
        if waiting.saturating_add(framed.len()) > window {
            return Err(broken());
        }
        pipe.inward.next = pipe.inward.next.wrapping_add(1);
        pipe.pieces.push_back((plain.len(), framed.len()));
        pipe.received.extend(plain);
        Ok(())
    }

    /// Takes exactly that many bytes, if they are there, and the credit that this frees.
    pub(crate) fn take(&mut self, from: Seat, bytes: usize) -> Option<(Vec<u8>, u32)> {
        let pipe = self.pipe(from)?;
        if pipe.received.len() < bytes {
            return None;
        }
        let taken = pipe.received.drain(..bytes).collect();
        pipe.consumed = pipe.consumed.saturating_add(bytes);
        let mut credit = 0_u32;
        while let Some((plain, framed)) = pipe.pieces.front().copied().filter(|(plain, _)| *plain <= pipe.consumed) {
            pipe.pieces.pop_front();
            pipe.consumed = pipe.consumed.saturating_sub(plain);
            credit = credit.saturating_add(u32::try_from(framed).unwrap_or(u32::MAX));
        }
        Some((taken, credit))
    }
}

fn broken() -> Fault {
    Fault::new(FaultCode::PipeBroken).at(Phase::Round)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Pipes, Pipes) {
        let end = |me, peer| Pipes::new(Seat(me), Arc::new([(Seat(peer), Secret::new([1; 32]))]), b"run");
        (end(0, 1), end(1, 0))
    }

    #[test]
    fn bytes_arrive_in_order_and_credit_lets_more_out() {
        let (mut a, mut b) = pair();
        let bytes: Vec<u8> = (0..10_000_000_u32).map(|i| i as u8).collect();
        assert!(a.send(Seat(1), &bytes));
        let mut arrived = Vec::new();
        while arrived.len() < bytes.len() {
            let (_, piece) = a.next_out().unwrap();
            b.received(Seat(0), &piece).unwrap();
            let length = piece.len() - COUNTER_BYTES - OVERHEAD_BYTES;
            let (taken, credit) = b.take(Seat(0), length).unwrap();
            assert_eq!(credit as usize, piece.len());
            arrived.extend(taken);
            a.credited(Seat(1), credit).unwrap();
        }
        assert_eq!(arrived, bytes);
        assert!(!a.is_blocked());
    }

    #[test]
    fn nothing_leaves_beyond_the_window() {
        let (mut a, _) = pair();
        a.send(Seat(1), &vec![0; 3 * PIPE_WINDOW_BYTES]);
        let sent: usize = std::iter::from_fn(|| a.next_out()).map(|(_, piece)| piece.len()).sum();
        assert!(sent <= PIPE_WINDOW_BYTES && a.is_blocked());
        assert!(a.credited(Seat(1), u32::MAX).is_err());
    }

    #[test]
    fn lost_repeated_and_changed_pieces_break_the_pipe() {
        let (mut a, mut b) = pair();
        a.send(Seat(1), b"one");
        a.send(Seat(1), b"two");
        let (one, two) = (a.next_out().unwrap().1, a.next_out().unwrap().1);
        assert!(b.received(Seat(0), &two).is_err());
        assert!(b.received(Seat(0), &one).is_ok());
        assert!(b.received(Seat(0), &one).is_err());
        let mut changed = two;
        *changed.last_mut().unwrap() ^= 1;
        assert!(b.received(Seat(0), &changed).is_err());
        assert_eq!(b.take(Seat(0), 4), None);
        assert_eq!(b.take(Seat(0), 2).unwrap(), (b"on".to_vec(), 0));
        assert_eq!(b.take(Seat(0), 1).unwrap().1 as usize, one.len());
    }
}
