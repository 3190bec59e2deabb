//! What every store promises, over both; and what only the one with a file has to show.

use super::disk::{Disk, Inventory};
use super::{Cut, EmbeddedStore, MemoryStore, STORE_QUEUE_ENTRIES_MAX};
use redb::StorageBackend;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use undertone_relay_core::{Log, Most, Store, StoreError, StoreNews};
use undertone_wire::Hash;

const ROOM: Hash = [7; 32];
const OTHER: Hash = [8; 32];
const ALL: Most = Most { entries: usize::MAX, bytes: usize::MAX };

fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(20), "never: {what}");
        sleep(Duration::from_micros(200));
    }
}

/// Appends entries and waits until they are durable.
fn write(log: &mut dyn Log, entries: &[&[u8]]) {
    let head = log.head() + entries.len() as u64;
    entries.iter().for_each(|entry| log.append(entry).unwrap());
    until("durable", || log.head() == head);
}

fn entries(log: &dyn Log, from: u64, most: Most) -> Vec<Vec<u8>> {
    log.read(from, most).unwrap().iter().map(|placed| placed.entry().to_vec()).collect()
}

fn file() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rooms");
    (folder, path)
}

fn open(path: &Path) -> EmbeddedStore {
    EmbeddedStore::open(path).unwrap()
}

fn listen(store: &EmbeddedStore) -> Receiver<StoreNews> {
    let (send, receive) = channel();
    let send = Mutex::new(send);
    store.watch(Box::new(move |news| send.lock().unwrap().send(news).unwrap_or_default()));
    receive
}

mod both {
    use super::*;

    fn over_both(check: fn(&dyn Store)) {
        check(&MemoryStore);
        let (_folder, path) = file();
        check(&open(&path));
    }

    #[test]
    fn entries_come_back_in_order_and_at_their_places() {
        over_both(|store| {
            let mut log = store.open(&ROOM).unwrap();
            assert_eq!((log.head(), entries(&*log, 0, ALL).len()), (0, 0));
            let written: Vec<_> = (0_u32..300).map(|number| number.to_be_bytes()).collect();
            write(&mut *log, &written.iter().map(|entry| &entry[..]).collect::<Vec<_>>());
            assert_eq!(entries(&*log, 0, ALL), written);
            let read = log.read(250, ALL).unwrap();
            let places = read.iter().map(|placed| u64::from_be_bytes(placed.frame()[1..9].try_into().unwrap()));
            assert!(places.eq(250..300));
        });
    }

    #[test]
    fn reading_keeps_to_both_limits_and_always_goes_on() {
        over_both(|store| {
            let mut log = store.open(&ROOM).unwrap();
            write(&mut *log, &[b"aaaa", b"", b"bb", b"cccccc"]);
            let count = |from, entries, bytes| log.read(from, Most { entries, bytes }).unwrap().len();
            assert_eq!([count(0, 2, 100), count(0, 9, 7), count(0, 9, 6), count(3, 9, 1)], [2, 3, 2, 1]);
            assert_eq!([count(4, 9, 100), count(u64::MAX, 9, 100), log.read(0, Most::ONE).unwrap().len()], [0, 0, 1]);
        });
    }

    #[test]
    fn rooms_are_apart() {
        over_both(|store| {
            let (mut one, mut two) = (store.open(&ROOM).unwrap(), store.open(&OTHER).unwrap());
            write(&mut *one, &[b"one"]);
            write(&mut *two, &[b"two", b"three"]);
            assert_eq!(
                (entries(&*one, 0, ALL), entries(&*two, 1, ALL)),
                (vec![b"one".to_vec()], vec![b"three".to_vec()])
            );
        });
    }

    #[test]
    fn a_removed_room_begins_anew() {
        over_both(|store| {
            let mut log = store.open(&ROOM).unwrap();
            write(&mut *log, &[b"old", b"older"]);
            drop(log);
            store.remove(&ROOM).unwrap();
            store.remove(&OTHER).unwrap();
            assert!(store.rooms().unwrap().is_empty());
            let mut log = store.open(&ROOM).unwrap();
            assert_eq!(log.head(), 0);
            write(&mut *log, &[b"new"]);
            assert_eq!(entries(&*log, 0, ALL), [b"new"]);
        });
    }
}

#[test]
fn what_was_durable_is_there_after_a_restart_and_logs_go_on() {
    let (_folder, path) = file();
    for round in 0_u64..4 {
        let store = open(&path);
        assert_eq!(store.cut(), Cut::default());
        assert_eq!(store.rooms().unwrap().len(), if round == 0 { 0 } else { 2 });
        let (mut one, mut two) = (store.open(&ROOM).unwrap(), store.open(&OTHER).unwrap());
        assert_eq!((one.head(), two.head()), (round * 2, round));
        write(&mut *one, &[&round.to_be_bytes(), b"x"]);
        two.append(b"dropped in order, so it is kept").unwrap();
        drop(store);
        assert_eq!(one.append(b"late"), Err(StoreError));
        assert_eq!(entries(&*one, 0, ALL).len() as u64, round * 2 + 2);
    }
}

#[test]
fn a_thousand_rooms_are_back_within_seconds() {
    let (_folder, path) = file();
    let store = open(&path);
    let rooms: Vec<Hash> =
        (0_u16..1_000).map(|number| [number.to_be_bytes(); 16].concat().try_into().unwrap()).collect();
    for room in &rooms {
        let mut log = store.open(room).unwrap();
        (0..16).for_each(|_| log.append(&[room[0]; 400]).unwrap());
    }
    drop(store);
    let start = Instant::now();
    let store = open(&path);
    let ms = start.elapsed().as_millis();
    println!("1,000 rooms of 16 entries opened in {ms} ms");
    assert_eq!(store.rooms().unwrap(), rooms);
    assert!(rooms.iter().all(|room| store.open(room).unwrap().head() == 16));
    assert!(ms < 5_000, "{ms} ms");
}

#[test]
fn a_room_that_was_only_opened_leaves_nothing() {
    let (_folder, path) = file();
    drop(open(&path).open(&ROOM).unwrap());
    assert!(open(&path).rooms().unwrap().is_empty());
}

#[test]
fn nothing_is_shown_before_it_is_durable_and_one_commit_takes_all_that_waits() {
    let (_folder, path) = file();
    let store = open(&path);
    let news = listen(&store);
    let (mut one, mut two) = (store.open(&ROOM).unwrap(), store.open(&OTHER).unwrap());
    let held = store.disk().hold();
    for _ in 0..250 {
        one.append(b"waits").unwrap();
        two.append(b"waits").unwrap();
    }
    sleep(Duration::from_millis(30));
    assert_eq!((one.head(), one.read(0, ALL).unwrap(), store.commits()), (0, vec![], 0));
    assert!(news.try_recv().is_err());
    drop(held);
    until("durable", || one.head() == 250 && two.head() == 250);
    assert!(store.commits() <= 3, "{} commits", store.commits());
    let told: Vec<_> = news.try_iter().collect();
    assert!(told.contains(&StoreNews::Kept(ROOM)) && told.contains(&StoreNews::Kept(OTHER)) && told.len() <= 6);
}

#[test]
fn writers_share_commits() {
    let (_folder, path) = file();
    let store = open(&path);
    let write_one_by_one = |number: u8| {
        let mut log = store.open(&[number; 32]).unwrap();
        (0..20).for_each(|_| write(&mut *log, &[b"entry"]));
    };
    scope(|threads| (0..16).for_each(|number| drop(threads.spawn(move || write_one_by_one(number)))));
    let shared = 16 * 20 / store.commits();
    println!("{shared} entries per commit, {} commits", store.commits());
    assert!(shared > 1);
}

#[test]
fn a_full_queue_slows_down_and_then_refuses() {
    let (_folder, path) = file();
    let store = open(&path);
    let mut log = store.open(&ROOM).unwrap();
    let held = store.disk().hold();
    let mut taken = 0_u64;
    let mut slowed_at = None;
    while log.append(b"x").is_ok() {
        taken += 1;
        if store.pause_ms() > 0 {
            slowed_at.get_or_insert(taken);
        }
    }
    assert!(slowed_at.is_some_and(|at| at < taken / 4), "{slowed_at:?} of {taken}");
    assert!((STORE_QUEUE_ENTRIES_MAX as u64..STORE_QUEUE_ENTRIES_MAX as u64 + 2_000).contains(&taken));
    drop(held);
    until("durable", || log.head() == taken);
    assert_eq!(store.pause_ms(), 0);
    write(&mut *log, &[b"goes on"]);
}

#[test]
fn removed_rooms_leave_the_file_however_long_they_were() {
    let (_folder, path) = file();
    let store = open(&path);
    let mut log = store.open(&ROOM).unwrap();
    write(&mut *log, &vec![&[1_u8; 100][..]; 2_000]);
    write(&mut *store.open(&OTHER).unwrap(), &[b"stays"]);
    store.remove(&ROOM).unwrap();
    assert_eq!((log.append(b"to a room that is over"), log.head()), (Err(StoreError), 0));
    until("deleted", || store.disk().rows() == 1);
    // Also when the relay ends in between.
    write(&mut *store.open(&ROOM).unwrap(), &vec![&[2_u8; 100][..]; 2_000]);
    store.remove(&ROOM).unwrap();
    drop((store, log));
    let store = open(&path);
    assert_eq!(store.rooms(), Ok(vec![OTHER]));
    until("deleted", || store.disk().rows() == 1);
    assert_eq!(store.cut(), Cut::default());
}

#[test]
fn latest_entries_leave_memory_and_are_read_from_disk() {
    let (_folder, path) = file();
    let store = open(&path);
    let mut log = store.open(&ROOM).unwrap();
    let large: Vec<_> = (0_u8..40).map(|number| vec![number; 600_000]).collect();
    large.iter().for_each(|entry| write(&mut *log, &[entry]));
    assert_eq!(entries(&*log, 0, Most { entries: 3, bytes: usize::MAX }), large[..3]);
    assert_eq!(entries(&*log, 39, ALL), large[39..]);
    let mut all = Vec::new();
    while all.len() < 40 {
        all.extend(entries(&*log, all.len() as u64, Most { entries: 32, bytes: 4 << 20 }));
    }
    assert_eq!(all, large);
}

/// Changes one byte behind a text in the file.
fn damage(path: &Path, text: &[u8]) {
    let mut bytes = fs::read(path).unwrap();
    let found: Vec<_> = bytes.windows(text.len()).enumerate().filter(|(_, it)| it == &text).map(|(at, _)| at).collect();
    assert!(!found.is_empty());
    // Older versions of a page may hold it as well.
    found.into_iter().for_each(|at| bytes[at + text.len() - 1] ^= 1);
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_log_ends_before_its_first_damaged_entry_and_others_are_whole() {
    let (_folder, path) = file();
    let store = open(&path);
    let (mut one, mut two) = (store.open(&ROOM).unwrap(), store.open(&OTHER).unwrap());
    write(&mut *one, &[b"good entry", b"next entry", b"will be damaged", b"behind it", b"and the last"]);
    write(&mut *two, &[b"of another room"]);
    drop((store, one, two));
    damage(&path, b"will be damaged");
    for cut in [Cut { rooms: 1, entries: 3 }, Cut::default()] {
        let store = open(&path);
        assert_eq!(store.cut(), cut);
        let (mut one, two) = (store.open(&ROOM).unwrap(), store.open(&OTHER).unwrap());
        assert_eq!(entries(&*two, 0, ALL), [b"of another room"]);
        assert_eq!(entries(&*one, 0, ALL)[..2], [b"good entry", b"next entry"]);
        if cut.entries > 0 {
            write(&mut *one, &[b"goes on"]);
        }
        assert_eq!(entries(&*one, 2, ALL), [b"goes on"]);
    }
}

#[test]
fn a_room_of_which_nothing_is_left_is_gone() {
    let (_folder, path) = file();
    let store = open(&path);
    write(&mut *store.open(&ROOM).unwrap(), &[b"the first one", b"behind it"]);
    drop(store);
    damage(&path, b"the first one");
    let store = open(&path);
    assert_eq!((store.cut(), store.rooms()), (Cut { rooms: 1, entries: 2 }, Ok(vec![])));
    write(&mut *store.open(&ROOM).unwrap(), &[b"anew"]);
}

#[test]
fn what_changes_while_it_is_open_is_noticed_when_it_is_read() {
    let (_folder, path) = file();
    let store = open(&path);
    write(&mut *store.open(&ROOM).unwrap(), &[b"one", b"two"]);
    drop(store);
    let store = open(&path);
    let news = listen(&store);
    store.disk().overwrite(0, 1, b"no checksum at all");
    let mut log = store.open(&ROOM).unwrap();
    assert_eq!(entries(&*log, 0, Most::ONE), [b"one"]);
    assert_eq!(log.read(0, ALL), Err(StoreError));
    assert_eq!(news.recv(), Ok(StoreNews::Failed));
    assert_eq!(log.append(b"three"), Err(StoreError));
}

#[test]
fn another_process_cannot_have_it_and_another_file_is_none() {
    let (folder, path) = file();
    let _held = open(&path);
    assert!(EmbeddedStore::open(&path).is_err());
    let text = folder.path().join("text");
    fs::write(&text, "this is somebody's letter, and no store at all".repeat(100)).unwrap();
    assert!(EmbeddedStore::open(&text).is_err());
    assert!(EmbeddedStore::open(&folder.path().join("no/such/folder")).is_err());
}

#[cfg(unix)]
#[test]
fn nobody_else_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = file();
    drop(open(&path));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// A disk with a cache that a power cut empties, and that breaks when it is told to.
#[derive(Clone, Debug, Default)]
struct Platter {
    cache: Arc<Mutex<Vec<u8>>>,
    surface: Arc<Mutex<Vec<u8>>>,
    broken: Arc<AtomicBool>,
}

impl Platter {
    /// The disk as it is after the power was cut.
    fn after_power_cut(&self) -> Self {
        let surface = self.surface.lock().unwrap().clone();
        let shared = |bytes| Arc::new(Mutex::new(bytes));
        Self { cache: shared(surface.clone()), surface: shared(surface), broken: Arc::default() }
    }

    fn store(self) -> EmbeddedStore {
        let (disk, inventory): (Disk, Inventory) = Disk::over(self).unwrap();
        EmbeddedStore::over(disk, inventory).unwrap()
    }
}

impl StorageBackend for Platter {
    fn len(&self) -> io::Result<u64> {
        Ok(self.cache.lock().unwrap().len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let from = offset as usize;
        out.copy_from_slice(&self.cache.lock().unwrap()[from..from + out.len()]);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.cache.lock().unwrap().resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(io::Error::other("broken"));
        }
        self.surface.lock().unwrap().clone_from(&self.cache.lock().unwrap());
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let from = offset as usize;
        self.cache.lock().unwrap()[from..from + data.len()].copy_from_slice(data);
        Ok(())
    }
}

#[test]
fn what_is_called_durable_survives_a_power_cut() {
    let platter = Platter::default();
    let store = platter.clone().store();
    let mut log = store.open(&ROOM).unwrap();
    let mut written = Vec::new();
    for number in 0_u8..30 {
        write(&mut *log, &[&[number; 50]]);
        written.push(vec![number; 50]);
        let again = platter.after_power_cut().store();
        assert_eq!(again.cut(), Cut::default());
        assert_eq!(entries(&*again.open(&ROOM).unwrap(), 0, ALL), written);
    }
}

#[test]
fn a_disk_that_fails_ends_the_store_for_good() {
    let platter = Platter::default();
    let store = platter.clone().store();
    let news = listen(&store);
    let mut log = store.open(&ROOM).unwrap();
    write(&mut *log, &[b"kept"]);
    assert_eq!(news.recv(), Ok(StoreNews::Kept(ROOM)));
    platter.broken.store(true, Ordering::SeqCst);
    log.append(b"never kept").unwrap();
    assert_eq!(news.recv(), Ok(StoreNews::Failed));
    assert_eq!((log.head(), entries(&*log, 0, ALL)), (1, vec![b"kept".to_vec()]));
    platter.broken.store(false, Ordering::SeqCst);
    assert_eq!(log.append(b"a second try"), Err(StoreError));
    assert_eq!(store.remove(&ROOM), Err(StoreError));
}
