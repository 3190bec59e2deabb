//! Whole rooms on a virtual clock, network and disk: one seed is one run.
//!
//! The real [`Room`](undertone_room::Room), the real [`Session`](undertone_net::Session) and the real
//! [`Hub`](undertone_relay_core::Hub) meet in one queue of events. Nothing here reads a clock, opens
//! a socket, starts a thread or asks for randomness: a [`Scenario`] decides everything, so a run
//! that breaks a promise is found once and shown again with one command.
//!
//! Ten kinds of [`Trouble`] strike at drawn moments. From outside of the rooms the run is checked at
//! every step:
//!
//! * no seat is ever shown another figure than the answer on plain numbers;
//! * no masked value leaves before its device saw everyone's acknowledgement of the same;
//! * no two different entries leave for one place;
//! * what everyone signed is the same for all who show it;
//! * what the relay acknowledged is on its disk;
//! * every seat ends in a result or a fault, neither before nor after its time.
//!
//! [`simulate`] makes one run, [`campaign`] many. Cryptography is the real one, or for very many seeds
//! a cheap model of group and signatures ([`Cryptography`]).

mod campaign;
mod check;
mod device;
mod disk;
mod line;
mod person;
mod queue;
mod random;
mod relay;
mod report;
mod scenario;
mod storm;
mod trouble;
mod wires;
mod world;

pub use campaign::campaign;
pub use report::{Report, Signed, Tally, Violation};
pub use scenario::{Cryptography, Plant, Scenario};
pub use trouble::{Trouble, Troubles, UnknownTrouble};
pub use world::simulate;
