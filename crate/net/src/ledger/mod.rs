//! Where a seat keeps what it is about to say, so that it never says anything else in its place.

#[cfg(feature = "browser")]
pub(crate) mod browser;
#[cfg(feature = "native")]
pub(crate) mod file;

use core::fmt;
use core::future::Future;

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
    /// In the order of their keys: a long series adds thousands, and looks for most of them in vain.
    records: Vec<(String, Vec<u8>)>,
}

impl Ledger for MemoryLedger {
    async fn add(&mut self, key: &str, bytes: &[u8]) -> Result<Vec<u8>, LedgerError> {
        match self.records.binary_search_by(|(other, _)| other.as_str().cmp(key)) {
            Ok(place) => self.records.get(place).map(|(_, there)| there.clone()).ok_or(LedgerError),
            Err(place) => {
                self.records.insert(place, (key.to_owned(), bytes.to_vec()));
                Ok(bytes.to_vec())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn the_first_bytes_under_a_key_stay_in_whatever_order_keys_come() {
        let mut ledger = MemoryLedger::default();
        let mut add = |key: u32, bytes: &[u8]| ledger.add(&key.to_string(), bytes).now_or_never().unwrap().unwrap();
        // 37 and 101 have no common factor: every key comes once, in no order.
        let keys = || (0..101).map(|step| step * 37 % 101);
        assert!(keys().all(|key| add(key, &key.to_be_bytes()) == key.to_be_bytes()));
        assert!(keys().all(|key| add(key, b"other") == key.to_be_bytes()));
    }
}
