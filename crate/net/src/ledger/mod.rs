//! Where a seat keeps what it is about to say, so that it never says anything else in its place.

#[cfg(feature = "browser")]
pub(crate) mod browser;
#[cfg(feature = "native")]
pub(crate) mod file;

use core::fmt;
use core::future::Future;
use vecmap::VecMap;

/// The store failed, so nothing may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerError;

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the ledger of this seat failed")
    }
}

impl std::error::Error for LedgerError {}

/// A store with one operation that matters: add once, then read back.
pub trait Ledger {
    /// Adds bytes under a key unless the key is taken, makes them durable, and reads back what is
    /// there: these bytes, or those that were there first.
    ///
    /// # Errors
    /// [`LedgerError`] if nothing can be kept.
    fn add(&mut self, key: &str, bytes: &[u8]) -> impl Future<Output = Result<Vec<u8>, LedgerError>>;
}

/// A ledger that lasts as long as the process: a seat that loses it comes back as a new seat.
#[derive(Debug, Default)]
pub struct MemoryLedger {
    records: VecMap<String, Vec<u8>>,
}

impl Ledger for MemoryLedger {
    async fn add(&mut self, key: &str, bytes: &[u8]) -> Result<Vec<u8>, LedgerError> {
        Ok(self.records.entry(key.to_owned()).or_insert_with(|| bytes.to_vec()).clone())
    }
}
