//! The client's side of the relay's protocol, without a socket.
//!
//! It remembers how far the log was read and what the relay has not confirmed, so that any number of
//! lost connections changes nothing: after each, reading goes on where it stopped and unconfirmed
//! entries are sent again.

use bytes::Bytes;
use std::collections::VecDeque;
use undertone_room::Identity;
use undertone_wire::{Author, Frame, Hash, Header, Refusal, Token, with_room, without_room};

/// What came from the relay.
#[derive(Debug, PartialEq, Eq)]
pub enum Incoming {
    /// The seat is in: the link works.
    Attached,
    /// The next entry of the log.
    Entry(Bytes),
    /// Bytes of a pipe.
    Piped(Author, Bytes),
    /// Credit of a pipe.
    Credited(Author, u32),
    /// Stored entries that were asked for.
    Fetched(u64, Vec<Bytes>),
    /// The link works.
    Pong,
    /// The relay will not go on with this connection.
    Refused(Refusal),
    /// Nothing of note.
    Nothing,
    /// The relay sends what it should not: start again with a new connection.
    Nonsense,
}

/// One seat's dealings with the relay.
#[derive(Debug)]
pub struct Session {
    room: Hash,
    author: Author,
    token: Token,
    open: bool,
    /// Entries that were read.
    read: u64,
    /// Entries that the relay said there are.
    head: u64,
    own: VecDeque<Own>,
    attached: bool,
    doubt: Option<Doubt>,
    out: VecDeque<Bytes>,
}

/// An own entry, until the relay has confirmed it and shown it.
#[derive(Debug)]
struct Own {
    number: u32,
    /// Without its room, as it travels.
    entry: Bytes,
    /// Whether the relay says it stored it.
    stored: bool,
    /// Whether it was read.
    seen: bool,
}

impl Own {
    fn append(&self) -> Bytes {
        Frame::Append { entry: self.entry.clone() }.to_message()
    }
}

/// A pong came while entries were missing. It may have overtaken them: entries are read from the log,
/// pongs are not. A ping that is sent after it settles the matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Doubt {
    /// Entries that were read by then.
    read: u64,
    /// Whether a ping was sent since.
    asked: bool,
}

impl Session {
    /// The session of a seat. `open` lets a host open its room.
    #[must_use]
    pub fn new(identity: &Identity, open: bool) -> Self {
        Self {
            room: identity.room(),
            author: identity.author(),
            token: identity.token(),
            open,
            read: 0,
            head: 0,
            own: VecDeque::new(),
            attached: false,
            doubt: None,
            out: VecDeque::new(),
        }
    }

    /// A new connection is there.
    pub fn connected(&mut self) {
        (self.attached, self.doubt) = (false, None);
        let (room, author, token) = (self.room, self.author, self.token);
        let attach = Frame::Attach { room, author, token, from: self.read, open: self.open };
        self.out = VecDeque::from([attach.to_message()]);
    }

    /// The connection is gone, and what had not been sent over it too.
    pub fn disconnected(&mut self) {
        self.attached = false;
        self.out.clear();
    }

    /// Appends an entry, now or once the seat is attached, until the relay confirms it.
    pub fn append(&mut self, entry: Vec<u8>) {
        let Some(header) = Header::peek(&entry).ok().filter(|header| header.room == self.room) else { return };
        let own = Own { number: header.sequence, entry: without_room(&entry.into()), stored: false, seen: false };
        if self.attached {
            self.out.push_back(own.append());
        }
        self.own.push_back(own);
    }

    /// Sends a frame that is not worth repeating.
    pub fn send(&mut self, frame: &Frame) {
        if self.attached {
            let asks = matches!(frame, Frame::Ping { .. });
            self.doubt = self.doubt.map(|doubt| Doubt { asked: doubt.asked || asks, ..doubt });
            self.out.push_back(frame.to_message());
        }
    }

    /// The next message to send.
    pub fn next_out(&mut self) -> Option<Bytes> {
        self.out.pop_front()
    }

    /// Whether the relay has everything.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.own.iter().all(|own| own.stored)
    }

    /// Takes a message from the relay.
    pub fn receive(&mut self, message: &Bytes) -> Incoming {
        match Frame::from_message(message) {
            // This relay lost what it had shown: waiting for more would be waiting for ever.
            Ok(Frame::Attached { head }) if head < self.read => Incoming::Nonsense,
            Ok(Frame::Attached { head }) => {
                (self.attached, self.head) = (true, head);
                self.out.extend(self.own.iter().filter(|own| !own.stored).map(Own::append));
                Incoming::Attached
            }
            Ok(Frame::Entry { sequence, entry }) => self.entry(sequence, &entry),
            Ok(Frame::Stored { own, sequence }) => self.stored(own, sequence),
            Ok(Frame::Piped { from, bytes }) => Incoming::Piped(from, bytes),
            Ok(Frame::Credited { from, bytes }) => Incoming::Credited(from, bytes),
            Ok(Frame::Fetched { from, entries }) => {
                Incoming::Fetched(from, entries.iter().map(|entry| with_room(&self.room, entry)).collect())
            }
            Ok(Frame::Pong { .. }) => self.pong(),
            Ok(Frame::Refused { reason }) => Incoming::Refused(reason),
            Ok(_) | Err(_) => Incoming::Nonsense,
        }
    }

    /// The relay answers. If it was asked twice and showed nothing in between of what it has, it
    /// will not do so on this connection.
    fn pong(&mut self) -> Incoming {
        if self.read >= self.head {
            self.doubt = None;
            return Incoming::Pong;
        }
        let doubt = self.doubt.filter(|doubt| doubt.read == self.read);
        self.doubt = doubt.or(Some(Doubt { read: self.read, asked: false }));
        if doubt.is_some_and(|doubt| doubt.asked) { Incoming::Nonsense } else { Incoming::Pong }
    }

    fn stored(&mut self, number: u32, place: u64) -> Incoming {
        self.head = self.head.max(place.saturating_add(1));
        self.own.iter_mut().filter(|own| own.number == number).for_each(|own| own.stored = true);
        if self.misses_own() { Incoming::Nonsense } else { Incoming::Nothing }
    }

    fn entry(&mut self, place: u64, entry: &Bytes) -> Incoming {
        if place != self.read {
            return if place < self.read { Incoming::Nothing } else { Incoming::Nonsense };
        }
        self.read = self.read.saturating_add(1);
        self.own.iter_mut().filter(|own| own.entry == *entry).for_each(|own| own.seen = true);
        if self.misses_own() { Incoming::Nonsense } else { Incoming::Entry(with_room(&self.room, entry)) }
    }

    /// An own entry is there only once it was shown, in whatever place. If all was read and it was not
    /// among it, it is sent again, and all is read again over a new connection.
    fn misses_own(&mut self) -> bool {
        self.own.retain(|own| !own.stored || !own.seen);
        if self.read < self.head || self.own.iter().all(|own| !own.stored) {
            return false;
        }
        self.read = 0;
        self.own.iter_mut().for_each(|own| own.stored = false);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::Secret;
    use undertone_prim::SeatKey;
    use undertone_wire::{Codec, Entry, EntryKind, Place};

    fn session() -> Session {
        Session::new(&Identity::guest(Secret::new([1; 32]), [2; 32]), false)
    }

    fn entry(sequence: u32) -> Vec<u8> {
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        Entry::sign(&key, [2; 32], sequence, [0; 32], Place::NOWHERE, EntryKind::Leave, Vec::new()).to_bytes()
    }

    fn sent(session: &mut Session) -> Vec<Frame> {
        std::iter::from_fn(|| session.next_out()).map(|message| Frame::from_message(&message).unwrap()).collect()
    }

    fn tell(session: &mut Session, frame: &Frame) -> Incoming {
        session.receive(&frame.to_message())
    }

    #[test]
    fn unconfirmed_entries_are_sent_again_after_each_connection() {
        let mut session = session();
        session.append(entry(0));
        for _ in 0..2 {
            session.connected();
            assert!(matches!(&sent(&mut session)[..], [Frame::Attach { from: 0, .. }]));
            tell(&mut session, &Frame::Attached { head: 0 });
            assert!(matches!(&sent(&mut session)[..], [Frame::Append { .. }]));
            session.disconnected();
        }
        tell(&mut session, &Frame::Stored { own: 0, sequence: 0 });
        assert!(session.is_settled());
    }

    #[test]
    fn the_room_stays_at_home_and_entries_of_another_one_are_not_signed() {
        let mut session = session();
        session.append(entry(0));
        session.connected();
        tell(&mut session, &Frame::Attached { head: 2 });
        let (own, rest) = (Bytes::from(entry(0)), Bytes::copy_from_slice(&entry(0)[32..]));
        assert_eq!(sent(&mut session)[1..], [Frame::Append { entry: rest.clone() }]);
        let fetched = tell(&mut session, &Frame::Fetched { from: 0, entries: vec![rest.clone()] });
        assert_eq!(fetched, Incoming::Fetched(0, vec![own.clone()]));
        let mut elsewhere = Session::new(&Identity::guest(Secret::new([1; 32]), [3; 32]), false);
        elsewhere.append(entry(0));
        assert!(elsewhere.own.is_empty(), "an entry of another room");
        let mixed_up = Frame::Entry { sequence: 0, entry: rest };
        for (session, is_signed) in [(&mut session, true), (&mut elsewhere, false)] {
            let Incoming::Entry(shown) = tell(session, &mixed_up) else { panic!("not shown") };
            assert_eq!((shown == own, Entry::from_bytes(&shown).unwrap().is_signed()), (is_signed, is_signed));
        }
    }

    #[test]
    fn reading_goes_on_where_it_stopped() {
        let mut session = session();
        let frame = |sequence| Frame::Entry { sequence, entry: Bytes::from_static(b"x") };
        assert!(matches!(tell(&mut session, &frame(0)), Incoming::Entry(_)));
        assert_eq!(tell(&mut session, &frame(0)), Incoming::Nothing);
        assert_eq!(tell(&mut session, &frame(2)), Incoming::Nonsense);
        session.connected();
        assert!(matches!(&sent(&mut session)[..], [Frame::Attach { from: 1, .. }]));
    }

    fn ping(session: &mut Session) -> Incoming {
        session.send(&Frame::Ping { nonce: 0 });
        tell(session, &Frame::Pong { nonce: 0 })
    }

    #[test]
    fn a_relay_that_lost_entries_is_left() {
        let mut session = session();
        assert_eq!(tell(&mut session, &Frame::Attached { head: 1 }), Incoming::Attached);
        tell(&mut session, &Frame::Entry { sequence: 0, entry: Bytes::from_static(b"x") });
        assert_eq!(ping(&mut session), Incoming::Pong);
        assert_eq!(tell(&mut session, &Frame::Attached { head: 0 }), Incoming::Nonsense);
    }

    #[test]
    fn a_relay_that_withholds_entries_is_left_at_the_second_pong() {
        let mut session = session();
        tell(&mut session, &Frame::Attached { head: 1 });
        assert_eq!(ping(&mut session), Incoming::Pong);
        assert_eq!(ping(&mut session), Incoming::Nonsense);
        // A new connection begins without suspicion.
        session.connected();
        tell(&mut session, &Frame::Attached { head: 1 });
        assert_eq!(ping(&mut session), Incoming::Pong);
    }

    #[test]
    fn a_pong_may_overtake_an_own_entry_that_the_relay_has_just_stored() {
        let mut session = session();
        tell(&mut session, &Frame::Attached { head: 0 });
        session.append(entry(0));
        // Two pings under way at once, the entry stored in between: neither pong proves anything.
        session.send(&Frame::Ping { nonce: 1 });
        session.send(&Frame::Ping { nonce: 2 });
        tell(&mut session, &Frame::Stored { own: 0, sequence: 0 });
        assert_eq!(tell(&mut session, &Frame::Pong { nonce: 1 }), Incoming::Pong);
        assert_eq!(tell(&mut session, &Frame::Pong { nonce: 2 }), Incoming::Pong);
        let shown = tell(&mut session, &Frame::Entry { sequence: 0, entry: without_room(&entry(0).into()) });
        assert_eq!(shown, Incoming::Entry(entry(0).into()));
        assert_eq!(ping(&mut session), Incoming::Pong);
        // Something came in between, but not all: asked once more.
        tell(&mut session, &Frame::Stored { own: 1, sequence: 2 });
        assert_eq!(ping(&mut session), Incoming::Pong);
        tell(&mut session, &Frame::Entry { sequence: 1, entry: Bytes::from_static(b"x") });
        assert_eq!(ping(&mut session), Incoming::Pong);
        assert_eq!(ping(&mut session), Incoming::Nonsense);
    }

    /// Somebody flips a byte of an own entry on the way back: under another author's name it would be
    /// nobody's business, and this seat would wait for its own entry for ever.
    #[test]
    fn an_own_entry_is_there_only_once_it_was_shown() {
        let shown = |sequence, entry: &[u8]| Frame::Entry { sequence, entry: Bytes::copy_from_slice(entry) };
        let stored = Frame::Stored { own: 0, sequence: 0 };
        for shown_first in [false, true] {
            let mut session = session();
            tell(&mut session, &Frame::Attached { head: 0 });
            session.append(entry(0));
            let told = if shown_first {
                assert!(matches!(tell(&mut session, &shown(0, b"x")), Incoming::Entry(_)));
                tell(&mut session, &stored)
            } else {
                tell(&mut session, &stored);
                tell(&mut session, &shown(0, b"x"))
            };
            assert_eq!((told, session.is_settled()), (Incoming::Nonsense, false));
            session.connected();
            assert!(matches!(&sent(&mut session)[..], [Frame::Attach { from: 0, .. }]));
            tell(&mut session, &Frame::Attached { head: 1 });
            assert!(matches!(&sent(&mut session)[..], [Frame::Append { .. }]));
            assert!(matches!(tell(&mut session, &shown(0, &entry(0)[32..])), Incoming::Entry(_)));
            assert_eq!(tell(&mut session, &stored), Incoming::Nothing);
            assert!(session.is_settled() && session.own.is_empty());
        }
    }
}
