//! Where a relay keeps its logs: in memory, or in a file that survives it.

mod disk;
mod embedded;
mod queue;
mod shelf;
mod writer;

#[cfg(test)]
mod tests;

pub use disk::Cut;
pub use embedded::EmbeddedStore;
pub use queue::{STORE_QUEUE_BYTES_MAX, STORE_QUEUE_ENTRIES_MAX};
pub use undertone_relay_core::MemoryStore;
