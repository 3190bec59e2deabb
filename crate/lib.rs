//! People compute together on numbers that none of them will show.
//!
//! This is the facade: it re-exports what a program needs to host or join a room. The parts live in
//! crates of their own, see `ARCHITECTURE.md`.
//!
//! ```
//! use undertone::{Secret, services};
//!
//! // A service with parameters is a plan; what it means is checked once, here.
//! let plan = services::draft("mean", "How much?", &[("unit", "EUR"), ("max", "300")], "60")?;
//! let task = services::prepare(&plan)?;
//! let inputs = ["128", "40", "3"].map(|value| task.read(value)).into_iter().collect::<Result<Vec<_>, _>>()?;
//!
//! // What a room of three would compute, on plain numbers.
//! let outcome = task.oracle(&inputs)?;
//! assert_eq!(outcome.figures[2].value, "57");
//! # Ok::<(), undertone::Fault>(())
//! ```

pub use undertone_machine::{Fault, FaultCode, Figure, Outcome, Phase, Role, Seat, Secret};
pub use undertone_net as net;
pub use undertone_room::{ClientPolicy, HostOptions, Identity, Notice, Room, Tier, Verified, verify};
pub use undertone_services as services;
pub use undertone_wire::{Invitation, Invite, Plan, Record, RoomCode};
