//! Test doubles of whoever cheats: a relay that shows what it likes, and a participant that owns its
//! keys and signs what it likes.
//!
//! Both act on a [`Class`](crate::class::Class) of honest devices. An attack is a row of a table
//! ([`Attack`]) with the fault in which it must end; [`play`] runs a row and holds it to that.
//! Nothing here needs a clock, socket or file, so the same rows run natively and in wasm.

mod attack;
mod participant;
mod relay;

pub(crate) use attack::{Attack, By, Culprit, End, When, play, table};
pub(crate) use participant::{MASKED, Participant};
pub(crate) use relay::{Rule, script, to, to_all};
