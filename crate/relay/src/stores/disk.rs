//! The file: what is in it, and how it is checked when it is opened.
//!
//! redb writes a transaction as a whole or not at all, so a crash leaves no half of an entry. What
//! it does not notice, when it was closed in order, is a disk that returns other bytes than it was
//! given. So each entry carries a checksum of its own, and a log ends before the first that is wrong.

use crate::stores::queue::Job;
use core::ops::RangeInclusive;
use redb::backends::FileBackend;
use redb::{Database, Durability, ReadableDatabase, ReadableTable, Table, TableDefinition};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use undertone_prim::Transcript;
use undertone_relay_core::{Most, Placed, StoreError};
use undertone_wire::Hash;

/// Under which number each room's entries are. A room that comes again gets another number, so that
/// removing a log of any length is one row.
const ROOMS: TableDefinition<'_, &Hash, u64> = TableDefinition::new("rooms");

/// A room's number and a place: checksum and entry.
const ENTRIES: TableDefinition<'_, (u64, u64), &[u8]> = TableDefinition::new("entries");

/// Pages of the file that are held in memory. Readers that keep up are not served from here.
const CACHE_BYTES: usize = 16 << 20;

/// Entries of removed rooms that one commit may also delete: a few milliseconds for those who wait.
const PURGED_AT_ONCE: usize = 512;

const CHECKSUM_BYTES: usize = 8;

/// What had to be cut off when a store was opened, because its checksum was wrong or it was missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Rooms that lost entries.
    pub rooms: u64,
    /// Entries that are lost.
    pub entries: u64,
}

/// A log as it was found in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) room: Hash,
    pub(crate) slot: u64,
    pub(crate) kept: u64,
}

/// What the file held.
#[derive(Debug, Default)]
pub(crate) struct Inventory {
    pub(crate) logs: Vec<Found>,
    /// Numbers of which nothing is needed.
    pub(crate) garbage: Vec<u64>,
    pub(crate) next_slot: u64,
    pub(crate) cut: Cut,
}

/// The open file.
#[derive(Debug)]
pub(crate) struct Disk {
    database: Database,
}

impl Disk {
    /// Opens the file, or makes one, and checks every entry in it.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, Inventory)> {
        let file = open_private(path)?;
        let backend = FileBackend::new(file).map_err(io::Error::other)?;
        let database = Database::builder().set_cache_size(CACHE_BYTES).create_with_backend(backend);
        Self::checked(database.map_err(io::Error::other)?)
    }

    fn checked(database: Database) -> io::Result<(Self, Inventory)> {
        let disk = Self { database };
        let inventory = disk.check().map_err(io::Error::other)?;
        Ok((disk, inventory))
    }

    /// Makes all jobs durable, or none, and deletes some of the garbage. What is left of the garbage
    /// comes back.
    pub(crate) fn commit(&self, jobs: &[Job], garbage: &mut Vec<u64>) -> Result<(), StoreError> {
        self.try_commit(jobs, garbage).map_err(|_| StoreError)
    }

    /// Reads entries between two places; the caller knows that they are there.
    pub(crate) fn read(&self, found: Found, from: u64, most: Most) -> Result<Vec<Placed>, StoreError> {
        let read = || -> Result<Vec<Placed>, redb::Error> {
            let entries = self.database.begin_read()?.open_table(ENTRIES)?;
            let rows = entries.range((found.slot, from)..(found.slot, found.kept))?;
            most.fit((from..).zip(rows).map(|(place, row)| {
                let (key, value) = row?;
                // The disk was asked again, so it may again be wrong.
                let entry = opened(&found.room, place, value.value()).filter(|_| key.value().1 == place);
                entry.map(|entry| Placed::new(place, entry)).ok_or_else(bad_entry)
            }))
        };
        read().map_err(|_| StoreError)
    }

    fn try_commit(&self, jobs: &[Job], garbage: &mut Vec<u64>) -> Result<(), redb::Error> {
        let mut transaction = self.database.begin_write()?;
        transaction.set_durability(Durability::Immediate)?;
        // Strangers choose the bytes, and redb's own checksums are no match for those who try.
        transaction.set_two_phase_commit(true);
        {
            let (mut rooms, mut entries) = (transaction.open_table(ROOMS)?, transaction.open_table(ENTRIES)?);
            for job in jobs {
                match job {
                    Job::Keep { shelf, place, placed } => {
                        if *place == 0 {
                            rooms.insert(&shelf.room, shelf.slot)?;
                        }
                        entries.insert((shelf.slot, *place), &sealed(&shelf.room, *place, &placed.entry())[..])?;
                    }
                    Job::Remove { shelf } => {
                        rooms.remove(&shelf.room)?;
                        garbage.push(shelf.slot);
                    }
                }
            }
            purge(&mut entries, garbage)?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Checks all entries and cuts logs off before their first bad one.
    fn check(&self) -> Result<Inventory, redb::Error> {
        let transaction = self.database.begin_write()?;
        let mut inventory = Inventory::default();
        {
            let (mut rooms, mut entries) = (transaction.open_table(ROOMS)?, transaction.open_table(ENTRIES)?);
            let tally = tally(&rooms, &entries)?;
            for (slot, count) in tally {
                inventory.next_slot = inventory.next_slot.max(slot.saturating_add(1));
                let Some(room) = count.room else {
                    inventory.garbage.push(slot);
                    continue;
                };
                if count.bad > 0 {
                    inventory.cut.rooms += 1;
                    inventory.cut.entries += count.bad;
                    entries.retain_in((slot, count.kept)..=(slot, u64::MAX), |_, _| false)?;
                }
                if count.kept == 0 {
                    rooms.remove(&room)?;
                } else {
                    inventory.logs.push(Found { room, slot, kept: count.kept });
                }
            }
        }
        transaction.commit()?;
        Ok(inventory)
    }
}

/// What is found under a number.
#[derive(Default)]
struct Count {
    room: Option<Hash>,
    kept: u64,
    bad: u64,
}

fn tally(
    rooms: &Table<'_, &'static Hash, u64>,
    entries: &Table<'_, (u64, u64), &'static [u8]>,
) -> Result<BTreeMap<u64, Count>, redb::Error> {
    let mut counts = BTreeMap::<u64, Count>::new();
    for row in rooms.iter()? {
        let (room, slot) = row?;
        counts.entry(slot.value()).or_default().room = Some(*room.value());
    }
    for row in entries.iter()? {
        let (key, value) = row?;
        let (slot, place) = key.value();
        let count = counts.entry(slot).or_default();
        let Some(room) = count.room else { continue };
        // After the first bad one none counts: a log has no holes.
        if count.bad == 0 && place == count.kept && opened(&room, place, value.value()).is_some() {
            count.kept += 1;
        } else {
            count.bad += 1;
        }
    }
    Ok(counts)
}

/// Deletes some entries of removed rooms.
fn purge(entries: &mut Table<'_, (u64, u64), &'static [u8]>, garbage: &mut Vec<u64>) -> Result<(), redb::Error> {
    let mut left = PURGED_AT_ONCE;
    while let Some(slot) = garbage.last().copied().filter(|_| left > 0) {
        let rows = entries.range(all_of(slot))?.take(left);
        let places = rows.map(|row| Ok(row?.0.value())).collect::<Result<Vec<_>, redb::Error>>()?;
        for place in &places {
            entries.remove(place)?;
        }
        if places.len() < left {
            garbage.pop();
        }
        left -= places.len();
    }
    Ok(())
}

const fn all_of(slot: u64) -> RangeInclusive<(u64, u64)> {
    (slot, 0)..=(slot, u64::MAX)
}

fn sealed(room: &Hash, place: u64, entry: &[u8]) -> Vec<u8> {
    [&checksum(room, place, entry)[..], entry].concat()
}

/// The entry, if it is the one that was written there.
fn opened<'a>(room: &Hash, place: u64, value: &'a [u8]) -> Option<&'a [u8]> {
    let (sum, entry) = value.split_at_checked(CHECKSUM_BYTES)?;
    (sum == checksum(room, place, entry)).then_some(entry)
}

fn checksum(room: &Hash, place: u64, entry: &[u8]) -> [u8; CHECKSUM_BYTES] {
    let hash = Transcript::new("store-entry/v1").field(room).number(place).field(entry).hash();
    let mut short = [0; CHECKSUM_BYTES];
    short.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    short
}

fn bad_entry() -> redb::Error {
    redb::Error::Corrupted("an entry is not what was written".into())
}

/// For the relay's keeper only: who talked when is nobody else's.
fn open_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    keep_name(path)?;
    Ok(file)
}

/// A new file's name is in its folder, and that has to survive a crash as well.
fn keep_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
impl Disk {
    /// On something that is no file.
    pub(crate) fn over(backend: impl redb::StorageBackend) -> io::Result<(Self, Inventory)> {
        Self::checked(Database::builder().create_with_backend(backend).map_err(io::Error::other)?)
    }

    /// Keeps everyone else from writing.
    pub(crate) fn hold(&self) -> redb::WriteTransaction {
        self.database.begin_write().unwrap()
    }

    /// How many entries there are in all.
    pub(crate) fn rows(&self) -> usize {
        self.database.begin_read().unwrap().open_table(ENTRIES).unwrap().iter().unwrap().count()
    }

    /// What a failing disk does.
    pub(crate) fn overwrite(&self, slot: u64, place: u64, value: &[u8]) {
        let transaction = self.hold();
        transaction.open_table(ENTRIES).unwrap().insert((slot, place), value).unwrap();
        transaction.commit().unwrap();
    }
}
