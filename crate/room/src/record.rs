//! Exporting what a room said, and following such an export without a seat.

use crate::room::Room;
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_wire::{Record, RecordKey};

impl Room {
    /// All entries of the host and of listed seats that this device accepted, for
    /// [`verify`](crate::verify). What strangers wrote is nobody's business and stays out.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] if the key is wanted and this seat does not have it yet.
    ///
    /// # Security
    /// With the key, whoever holds the record can read the results of all questions under the last
    /// list. Without it, nobody can who was not in the room. Single values stay masked either way.
    pub fn record(&self, with_key: bool) -> Result<Record, Fault> {
        let key = if with_key { Some(self.record_key()?) } else { None };
        Ok(Record { room: self.identity.room(), key, entries: self.journal.bound_entries() })
    }

    fn record_key(&self) -> Result<RecordKey, Fault> {
        let (Some(key), Some(closed)) = (&self.room_key, &self.facts.closed) else {
            let message = "There is no result yet, so there is no key to it.";
            return Err(Fault::new(FaultCode::BadCall).saying(message));
        };
        Ok(RecordKey { list: closed.list.number, key: Secret::new(*key.expose()) })
    }

    /// An observer's room key is that of its record, if the record's key belongs to this list.
    pub(crate) fn take_record_key(&mut self) {
        let key = self.observer.as_ref().and_then(|observer| observer.key.as_ref());
        let (Some(RecordKey { list, key }), Some(closed)) = (key, &self.facts.closed) else { return };
        if *list == closed.list.number {
            self.room_key = Some(Secret::new(*key.expose()));
        }
    }
}
