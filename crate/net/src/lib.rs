//! From a room to a relay and back.
//!
//! [`drive`] runs one [`Room`](undertone_room::Room) over whatever [`Platform`] there is: it keeps
//! the link up, stores before it sends, repeats what the relay has not confirmed, tells the room the
//! time, and passes calls in and notices out. All that differs between a native process and a
//! browser is in the folders [`native`] and [`browser`].

#[cfg(feature = "browser")]
pub mod browser;
mod drive;
mod find;
mod handle;
mod ledger;
#[cfg(feature = "native")]
pub mod native;
mod platform;
mod session;

pub use drive::{drive, export};
pub use find::find_room;
pub use handle::{Calls, Handle, Reply, StoredEntry, Told, channel};
pub use ledger::{Ledger, LedgerError, MemoryLedger};
pub use platform::{Link, LinkError, Platform};
pub use session::{Incoming, Session};
