//! Writing a room's record to a file.

use crate::args::Seat;
use crate::output::Output;
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use undertone_machine::{Fault, FaultCode};
use undertone_room::Room;
use undertone_wire::Codec;

/// A record that is to be written when the room is over.
pub(crate) struct Wanted {
    path: PathBuf,
    file: File,
    with_key: bool,
}

impl Wanted {
    /// Opens the file before anything else happens, so that a day of questions does not end in a
    /// folder that cannot be written to.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] if something is in it already, or it cannot be made.
    pub(crate) fn of(seat: &Seat) -> Result<Option<Self>, Fault> {
        let Some(path) = &seat.record else { return Ok(None) };
        let file = open(path).map_err(|error| {
            let message = format!("The record's file {} cannot be made: {error}.", path.display());
            Fault::new(FaultCode::BadCall).in_field("record").saying(message)
        })?;
        Ok(Some(Self { path: path.clone(), file, with_key: !seat.record_without_key }))
    }

    /// Writes what the room said. A room that came to no result has no key to write.
    ///
    /// # Errors
    /// [`FaultCode::StoreFailed`] if the file cannot be written.
    pub(crate) fn write(mut self, room: &Room, output: Output) -> Result<(), Fault> {
        let keyed = if self.with_key { room.record(true).ok() } else { None };
        let has_key = keyed.is_some();
        let record = keyed.map_or_else(|| room.record(false), Ok)?;
        let written = self.file.write_all(&record.to_bytes()).and_then(|()| self.file.sync_all());
        let path = self.path.display().to_string();
        written.map_err(|error| {
            let message = format!("The record's file {path} cannot be written: {error}.");
            Fault::new(FaultCode::StoreFailed).in_field("record").saying(message)
        })?;
        let about = match (has_key, self.with_key) {
            (true, _) => "Whoever has this file can read the result of every question in it, though no single value.",
            (false, true) => "There was no result, so it holds no key.",
            (false, false) => "It holds no key: it shows everything but the results.",
        };
        output.say("record", &format!("Record: {path}\n{about}"), json!({ "file": path, "withKey": has_key }));
        Ok(())
    }
}

/// A new or empty file that only its owner can read: a seat that is taken up again finds the empty one
/// that it made before.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, OWNER_ONLY);
    let file = options.write(true).create(true).truncate(false).open(path)?;
    if file.metadata()?.len() > 0 {
        return Err(std::io::ErrorKind::AlreadyExists.into());
    }
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(OWNER_ONLY))?;
    Ok(file)
}

#[cfg(unix)]
const OWNER_ONLY: u32 = 0o600;
