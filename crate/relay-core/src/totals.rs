//! What a relay's keeper may see: sums over all rooms, and nothing of any one of them.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts over the whole relay. They carry no name of a room, a seat or an address.
#[derive(Debug, Default)]
pub struct Totals {
    rooms: AtomicU64,
    seats: AtomicU64,
    entries: AtomicU64,
    log_bytes: AtomicU64,
    piped_bytes: AtomicU64,
}

impl Totals {
    /// Rooms that are open.
    #[must_use]
    pub fn rooms(&self) -> u64 {
        self.rooms.load(Ordering::Relaxed)
    }

    /// Seats that are connected.
    #[must_use]
    pub fn seats(&self) -> u64 {
        self.seats.load(Ordering::Relaxed)
    }

    /// Entries stored since the start.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// What all logs take at the moment.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Bytes forwarded through pipes since the start.
    #[must_use]
    pub fn piped_bytes(&self) -> u64 {
        self.piped_bytes.load(Ordering::Relaxed)
    }

    pub(crate) fn set_rooms(&self, count: usize) {
        self.rooms.store(count as u64, Ordering::Relaxed);
    }

    pub(crate) fn seat_taken(&self) {
        self.seats.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn seats_left(&self, count: u64) {
        self.seats.fetch_sub(count, Ordering::Relaxed);
    }

    pub(crate) fn entry_stored(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn log_grew(&self, bytes: u64) {
        self.log_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn log_went(&self, bytes: u64) {
        self.log_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn piped(&self, bytes: usize) {
        self.piped_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}
