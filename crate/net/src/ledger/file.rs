//! The ledger of a native seat: one file, appended to, synced, locked.
//!
//! Layout: records of (length, checksum, key, bytes). A record that was torn by a crash is cut off
//! when the file is opened: it had not been confirmed, so nothing of it was sent.

use crate::{Ledger, LedgerError};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use undertone_machine::Secret;
use undertone_prim::Transcript;
use undertone_prim::codec::{DecodeError, Reader, Writer};

const KEY_BYTES_MAX: usize = 256;
const RECORD_BYTES_MAX: usize = 1 << 20;
const CHECKSUM_BYTES: usize = 8;
const SEED: &str = "seed";

/// A file that holds one seat: its seed and everything it said.
///
/// # Security
/// The file is the seat. It is created readable by its owner only, and locked while in use, so that
/// two processes cannot speak for one seat.
#[derive(Debug)]
pub struct FileLedger {
    file: File,
    records: BTreeMap<String, Vec<u8>>,
}

impl FileLedger {
    /// Opens a ledger, or makes one.
    ///
    /// # Errors
    /// [`LedgerError`] if the file cannot be read, written or locked.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let mut file = open_private(path).map_err(|_| LedgerError)?;
        file.try_lock().map_err(|_| LedgerError)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|_| LedgerError)?;
        let (records, whole) = ledger_records(&bytes);
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(|_| LedgerError)?;
        Ok(Self { file, records })
    }

    /// The seat's seed: the one that is kept, or the given one, kept from now on.
    ///
    /// # Errors
    /// [`LedgerError`] if it cannot be kept.
    pub fn seed(&mut self, fresh: &Secret<[u8; 32]>) -> Result<Secret<[u8; 32]>, LedgerError> {
        let kept = self.put(SEED, fresh.expose())?;
        kept.try_into().map(Secret::new).map_err(|_| LedgerError)
    }

    /// Everything the seat said, for taking it up again.
    #[must_use]
    pub fn said(&self) -> Vec<Vec<u8>> {
        self.records.iter().filter(|(key, _)| *key != SEED).map(|(_, bytes)| bytes.clone()).collect()
    }

    fn put(&mut self, key: &str, bytes: &[u8]) -> Result<Vec<u8>, LedgerError> {
        if let Some(there) = self.records.get(key) {
            return Ok(there.clone());
        }
        let record = record(key, bytes);
        self.file.write_all(&record).and_then(|()| self.file.sync_data()).map_err(|_| LedgerError)?;
        self.records.insert(key.to_owned(), bytes.to_vec());
        self.read_back(&record).map(|()| bytes.to_vec())
    }

    /// What is sent is what the disk holds.
    fn read_back(&mut self, record: &[u8]) -> Result<(), LedgerError> {
        let back = i64::try_from(record.len()).map_err(|_| LedgerError)?;
        let mut there = vec![0; record.len()];
        self.file.seek(SeekFrom::End(back.wrapping_neg())).map_err(|_| LedgerError)?;
        self.file.read_exact(&mut there).map_err(|_| LedgerError)?;
        if there == record { Ok(()) } else { Err(LedgerError) }
    }
}

impl Ledger for FileLedger {
    async fn add(&mut self, key: &str, bytes: &[u8]) -> Result<Vec<u8>, LedgerError> {
        self.put(key, bytes)
    }
}

fn open_private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn checksum(content: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = Transcript::new("ledger-record/v1").field(content).hash();
    let mut short = [0; CHECKSUM_BYTES];
    short.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    short
}

fn record(key: &str, bytes: &[u8]) -> Vec<u8> {
    let mut content = Writer::default();
    content.bytes(key.as_bytes());
    content.bytes(bytes);
    let content = content.into_bytes();
    let mut writer = Writer::default();
    writer.raw(&checksum(&content));
    writer.bytes(&content);
    writer.into_bytes()
}

/// Reads whole records; says how many bytes they take.
///
/// # Security
/// The seat's seed is one of the records, in a copy that is not wiped.
#[must_use]
pub fn ledger_records(bytes: &[u8]) -> (BTreeMap<String, Vec<u8>>, usize) {
    let (mut records, mut reader, mut whole) = (BTreeMap::new(), Reader::new(bytes), 0);
    while let Ok((key, value, length)) = read_record(&mut reader) {
        records.entry(key).or_insert(value);
        whole += length;
    }
    (records, whole)
}

fn read_record(reader: &mut Reader<'_>) -> Result<(String, Vec<u8>, usize), DecodeError> {
    let sum: [u8; CHECKSUM_BYTES] = reader.array()?;
    let content = reader.bytes(RECORD_BYTES_MAX)?;
    if checksum(content) != sum {
        return Err(DecodeError);
    }
    let mut inner = Reader::new(content);
    let (key, value) = (inner.text(KEY_BYTES_MAX)?, inner.bytes(RECORD_BYTES_MAX)?.to_vec());
    inner.finish()?;
    Ok((key, value, CHECKSUM_BYTES + 4 + content.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn the_first_bytes_under_a_key_stay() {
        let folder = folder();
        let path = folder.path().join("seat");
        let mut ledger = FileLedger::open(&path).unwrap();
        assert_eq!(ledger.put("entry/0", b"one"), Ok(b"one".to_vec()));
        assert_eq!(ledger.put("entry/0", b"two"), Ok(b"one".to_vec()));
        let seed = *ledger.seed(&Secret::new([1; 32])).unwrap().expose();
        drop(ledger);
        let mut again = FileLedger::open(&path).unwrap();
        assert_eq!(again.put("entry/0", b"two"), Ok(b"one".to_vec()));
        assert_eq!(*again.seed(&Secret::new([2; 32])).unwrap().expose(), seed);
        assert_eq!(again.said(), vec![b"one".to_vec()]);
    }

    #[test]
    fn two_processes_cannot_hold_one_seat() {
        let folder = folder();
        let path = folder.path().join("seat");
        let _held = FileLedger::open(&path).unwrap();
        assert_eq!(FileLedger::open(&path).unwrap_err(), LedgerError);
    }

    #[test]
    fn a_torn_tail_is_cut_off_wherever_the_crash_came() {
        let folder = folder();
        let path = folder.path().join("seat");
        let mut ledger = FileLedger::open(&path).unwrap();
        ledger.put("entry/0", b"one").unwrap();
        let whole = fs::metadata(&path).unwrap().len() as usize;
        ledger.put("entry/1", b"two").unwrap();
        drop(ledger);
        let bytes = fs::read(&path).unwrap();
        for cut in whole..bytes.len() {
            fs::write(&path, &bytes[..cut]).unwrap();
            let mut torn = FileLedger::open(&path).unwrap();
            assert_eq!(torn.said(), vec![b"one".to_vec()], "cut at {cut}");
            assert_eq!(torn.put("entry/1", b"new"), Ok(b"new".to_vec()));
            drop(torn);
            assert_eq!(FileLedger::open(&path).unwrap().said().len(), 2);
        }
    }
}
