//! Shows what a relay sees.
//!
//! One line per frame: `>` for one that came in, `<` for one that went out, the connection's number,
//! the frame in hex. People can look at it in class; the leak scan searches it for their inputs.

use crate::TapTo;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use undertone_relay_core::ConnectionId;

/// Which way a frame goes.
#[derive(Clone, Copy)]
pub(crate) enum Way {
    In,
    Out,
}

/// Writes every frame down.
pub(crate) struct Tap {
    writer: Mutex<Box<dyn Write + Send>>,
}

impl Tap {
    /// Opens it, with a warning that nobody overlooks.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn open(to: TapTo) -> io::Result<Self> {
        let writer = match to {
            TapTo::Writer(writer) => writer,
            TapTo::File(path) => Box::new(OpenOptions::new().create(true).append(true).open(path)?),
        };
        eprintln!("WARNING: THE TAP IS ON. Every frame of every room is written down. Not for real data.");
        Ok(Self { writer: Mutex::new(writer) })
    }

    /// Writes a frame down. A tap that fails stops nothing.
    pub(crate) fn frame(&self, way: Way, connection: ConnectionId, frame: &[u8]) {
        let mark = match way {
            Way::In => '>',
            Way::Out => '<',
        };
        let mut line = format!("{mark} {} ", connection.number());
        frame.iter().for_each(|byte| write!(line, "{byte:02x}").unwrap_or_default());
        line.push('\n');
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(line.as_bytes()).unwrap_or_default();
    }
}
