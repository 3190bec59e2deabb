//! A party in a room.
//!
//! [`Room`] is a state machine like every protocol here: entries of the log, bytes of pipes, what
//! the ledger holds and the time go in as [`Event`]s; what to store, send and show comes out as
//! [`Action`]s. It decides everything that protects its person, and trusts neither relay nor host
//! with it:
//!
//! * a key counts only if it was committed to before anyone showed theirs, and is proven
//!   ([`Roster`]);
//! * no value leaves before everyone signed the same people and the same question;
//! * an entry leaves only after the ledger holds it, and only as the ledger holds it;
//! * masked values are sealed to the room, so that the relay cannot even add them up;
//! * every wait ends.
//!
//! No rule depends on the order of entries of different authors: entries are collected as facts, and
//! after each the room looks what follows from all facts together.

mod compute;
mod deals;
mod demo;
mod event;
mod facts;
mod host;
mod identity;
mod journal;
mod keys;
mod learn;
mod outbox;
mod pipes;
mod policy;
mod progress;
mod record;
mod room;
mod roster;
mod run;
mod series;
mod timer;
mod verify;

pub use demo::{Demonstration, demonstrate};
pub use event::{Action, Event, KeyMeter, LedgerKey, Notice};
pub use identity::Identity;
pub use policy::{ClientPolicy, GROUP_MIN_DEFAULT, GROUP_MIN_SMALL};
pub use room::{HostOptions, Room};
pub use roster::{Member, Roster, Tier};
pub use verify::{CheckedQuestion, Unchecked, Verified, verify};
