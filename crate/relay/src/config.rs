//! What a relay's keeper decides.

use crate::LinkLimits;
use core::fmt;
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use undertone_relay_core::{Limits, MemoryStore, Store};

/// Where the relay listens, what it serves and what it takes.
pub struct Config {
    /// Addresses to listen on; port 0 takes a free one.
    pub listen: Vec<SocketAddr>,
    /// The web app.
    pub page: Page,
    /// Where logs are kept.
    pub store: Box<dyn Store>,
    /// Limits of rooms, seats and addresses.
    pub limits: Limits,
    /// Limits of connections.
    pub links: LinkLimits,
    /// Hosts whose pages may connect, beside the relay's own: `class.example`, with its port if
    /// that is not the usual one.
    pub origins: Vec<String>,
    /// Shows every frame to whoever wants to see what a relay sees.
    pub tap: Option<TapTo>,
}

impl Config {
    /// A relay with the embedded web app, a store in memory and all limits, except that programs of
    /// this machine are not counted against their address.
    #[must_use]
    pub fn new(listen: SocketAddr) -> Self {
        Self {
            listen: vec![listen],
            page: Page::Embedded,
            store: Box::new(MemoryStore),
            limits: Limits::local(),
            links: LinkLimits::default(),
            origins: Vec::new(),
            tap: None,
        }
    }
}

impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config").field("listen", &self.listen).field("page", &self.page).finish_non_exhaustive()
    }
}

/// Where the web app's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// In the program; in a debug build, in the source tree, so that a rebuilt page needs no
    /// rebuilt relay.
    Embedded,
    /// In a folder.
    Folder(PathBuf),
    /// Nowhere: a relay for other programs.
    None,
}

/// Where a tap writes.
pub enum TapTo {
    /// To the end of a file.
    File(PathBuf),
    /// Anywhere else.
    Writer(Box<dyn Write + Send>),
}

impl fmt::Debug for TapTo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Writer(_) => f.write_str("Writer"),
        }
    }
}
