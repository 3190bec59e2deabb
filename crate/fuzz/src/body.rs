//! The list of bodies.

use crate::{codecs, hub, room, session, texts};
use core::fmt;
use undertone_wire::{Ack, Confirm, Envelope, Join, List, Open, Reveal, RoomCode};

/// A property that does not hold, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken(pub &'static str);

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Broken {}

/// Whether bytes were taken. A corpus of which nothing is taken would show nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They mean something.
    Taken,
    /// They do not.
    Refused,
}

/// A function that any bytes may be given to.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// Its name: also of its fuzz target and the folder of its corpus.
    pub name: &'static str,
    /// Tries bytes.
    pub run: fn(&[u8]) -> Result<Verdict, Broken>,
    /// How many mutations the test command tries: many where one takes microseconds.
    pub tries: u64,
}

const fn body(name: &'static str, tries: u64, run: fn(&[u8]) -> Result<Verdict, Broken>) -> Body {
    Body { name, run, tries }
}

/// All bodies.
pub const BODIES: &[Body] = &[
    body("frame", 4_000, codecs::frame),
    body("entry", 1_000, codecs::entry),
    body("open", 4_000, codecs::canonical::<Open>),
    body("join", 4_000, codecs::canonical::<Join>),
    body("list", 4_000, codecs::canonical::<List>),
    body("reveal", 4_000, codecs::canonical::<Reveal>),
    body("plan", 4_000, codecs::plan),
    body("ack", 4_000, codecs::canonical::<Ack>),
    body("confirm", 4_000, codecs::canonical::<Confirm>),
    body("envelope", 4_000, codecs::canonical::<Envelope>),
    body("code", 4_000, codecs::canonical::<RoomCode>),
    body("point", 2_000, codecs::point),
    body("proof", 2_000, codecs::proof),
    body("reader", 4_000, codecs::reader),
    body("invitation", 4_000, texts::invitation),
    body("quantity", 4_000, texts::quantity),
    body("draft", 4_000, texts::draft),
    body("ledger", 4_000, codecs::ledger),
    body("hub", 1_000, hub::run),
    body("session", 4_000, session::run),
    body("room", 800, room::run),
];
