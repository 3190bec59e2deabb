//! Whatever happens between them, every reader gets every entry exactly once and in one order.

use crate::device::{Relay, attach, generous, placed};
use bytes::Bytes;
use proptest::prelude::*;
use undertone_relay_core::{Most, Visitor};
use undertone_wire::{Author, Frame};

/// One thing that one of four devices does.
#[derive(Clone, Debug)]
enum Act {
    /// Appends its next entry, of so many bytes.
    Append(usize),
    /// Sends an entry again that it sent before.
    Repeat(u32),
    /// Reads some entries, not always all.
    Read(usize),
    /// Loses its connection, with what it had not read.
    Drop,
    /// Comes back on a new connection, the old one gone or not, from where it stopped.
    Return,
    /// Comes back and reads everything again.
    Replay,
}

fn acts() -> impl Strategy<Value = Vec<(usize, Act)>> {
    let act = prop_oneof![
        4 => (0_usize..400).prop_map(Act::Append),
        1 => (0_u32..5).prop_map(Act::Repeat),
        4 => (1_usize..6).prop_map(Act::Read),
        1 => Just(Act::Drop),
        2 => Just(Act::Return),
        1 => Just(Act::Replay),
    ];
    prop::collection::vec((0_usize..4, act), 0..120)
}

struct Reader {
    author: Author,
    visitor: Option<Visitor>,
    /// Told that there is something to read, and not yet through with it.
    news: bool,
    written: u32,
    read: Vec<Bytes>,
}

impl Reader {
    fn new(relay: &mut Relay, number: usize) -> Self {
        let author = [number as u8 + 1; 32];
        Self { author, visitor: Some(relay.seated(author)), news: false, written: 0, read: Vec::new() }
    }

    fn act(&mut self, relay: &mut Relay, act: &Act) {
        match *act {
            Act::Return => self.come_back(relay),
            Act::Replay => {
                self.read.clear();
                self.come_back(relay);
            }
            Act::Drop => {
                if let Some(visitor) = self.visitor.take() {
                    relay.hub.disconnect(&visitor, 0);
                }
            }
            Act::Append(bytes) => self.append(relay, bytes),
            Act::Repeat(back) => self.repeat(relay, back),
            Act::Read(entries) => drop(self.read_some(relay, entries)),
        }
    }

    fn come_back(&mut self, relay: &mut Relay) {
        let visitor = relay.connect();
        let answer = relay.send(&visitor, &attach(self.author, self.read.len() as u64));
        assert!(matches!(answer[..], [Frame::Attached { .. }]));
        self.visitor = Some(visitor);
    }

    fn append(&mut self, relay: &mut Relay, bytes: usize) {
        let Some(visitor) = &self.visitor else { return };
        let rest = [vec![self.written as u8; bytes], self.written.to_be_bytes().to_vec()].concat();
        let answer = relay.append(visitor, self.author, self.written, &rest);
        assert!(matches!(answer[..], [Frame::Stored { own, .. }] if own == self.written));
        self.written += 1;
    }

    fn repeat(&self, relay: &mut Relay, back: u32) {
        let (Some(visitor), Some(own)) = (&self.visitor, self.written.checked_sub(back + 1)) else { return };
        let other = relay.append(visitor, self.author, own, b"never sent before");
        assert!(matches!(other[..], [Frame::Refused { .. }]));
    }

    fn read_some(&mut self, relay: &mut Relay, entries: usize) -> usize {
        let Some(visitor) = &self.visitor else { return 0 };
        self.news |= relay.take_news(visitor);
        if !self.news {
            return 0;
        }
        let frames = relay.hub.entries(visitor, Most { entries, bytes: 700 });
        for frame in &frames {
            let (place, entry) = placed(frame);
            assert_eq!(place, self.read.len() as u64, "no gap and no repeat");
            self.read.push(entry);
        }
        self.news = !frames.is_empty();
        frames.len()
    }

    fn finish(&mut self, relay: &mut Relay) {
        if self.visitor.is_none() {
            self.come_back(relay);
        }
        while self.read_some(relay, 50) > 0 {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_reader_gets_every_entry_once_in_one_order(acts in acts()) {
        let mut relay = Relay::new(generous());
        let mut readers: Vec<_> = (0..4).map(|number| Reader::new(&mut relay, number)).collect();
        for (who, act) in &acts {
            readers[*who].act(&mut relay, act);
        }
        readers.iter_mut().for_each(|reader| reader.finish(&mut relay));
        let written: u32 = readers.iter().map(|reader| reader.written).sum();
        prop_assert_eq!(readers[0].read.len(), written as usize);
        prop_assert!(readers.iter().all(|reader| reader.read == readers[0].read));
    }
}
