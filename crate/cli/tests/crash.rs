//! A relay with a store, killed with SIGKILL again and again: nothing that it acknowledged is lost,
//! nothing comes twice, and rooms go on.
//!
//! Twenty kills, or two hundred with `UNDERTONE_FULL=1`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and measures time"
)]

#[path = "common/running.rs"]
mod running;

use futures_util::{SinkExt, StreamExt};
use running::Running;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use undertone_wire::{Author, Codec, Frame, Hash, Refusal, SUBPROTOCOL, Token, room_of};

/// The room's host, and who writes with it.
const HOST: Author = [1; 32];
const WRITERS: u8 = 3;

/// Entries that a writer sends ahead of their acknowledgements.
const AHEAD: u32 = 4;

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

fn undertone(args: &[&str]) -> Running {
    Running::start(args, Stdio::piped(), Stdio::null())
}

/// A relay on one port and one file, however often it is killed.
struct Relay {
    process: Running,
    address: SocketAddr,
    store: PathBuf,
}

impl Relay {
    fn start(folder: &Path) -> Self {
        let store = folder.join("rooms");
        let (process, port) = serve("127.0.0.1:0", &store);
        Self { process, address: ([127, 0, 0, 1], port).into(), store }
    }

    /// SIGKILL, as the system does it when memory runs out, and a new process on the same file.
    fn crash(&mut self) {
        self.process.0.kill().unwrap();
        self.process.0.wait().unwrap();
        self.process = serve(&self.address.to_string(), &self.store).0;
    }

    fn url(&self) -> String {
        format!("http://localhost:{}", self.address.port())
    }
}

fn serve(listen: &str, store: &Path) -> (Running, u16) {
    let mut process = undertone(&["serve", "--listen", listen, "--store", store.to_str().unwrap()]);
    let port = port(&mut process);
    (process, port)
}

/// Where it listens, as it says itself.
fn port(process: &mut Running) -> u16 {
    let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
    let url = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("Undertone is at ").map(str::to_owned));
    url.expect("no address printed").rsplit(':').next().unwrap().parse().unwrap()
}

fn room() -> Hash {
    room_of(&HOST)
}

/// An author's entry is the same whenever it is sent.
fn entry(author: Author, number: u32) -> Vec<u8> {
    let body = [author[0] ^ number.to_le_bytes()[0]; 96];
    [&[1], &author[..], &number.to_be_bytes()[..], &body[..]].concat()
}

type Socket = WebSocketStream<TcpStream>;

async fn connect(relay: SocketAddr, author: Author, from: u64) -> Option<Socket> {
    let stream = TcpStream::connect(relay).await.ok()?;
    stream.set_nodelay(true).ok()?;
    let mut request = format!("ws://{relay}/ws").into_client_request().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", SUBPROTOCOL.parse().unwrap());
    let (mut socket, _) = client_async(request, stream).await.ok()?;
    let attach = Frame::Attach { room: room(), author, token: Token([author[0]; 16]), from, open: author == HOST };
    socket.send(Message::Binary(attach.to_bytes().into())).await.ok()?;
    Some(socket)
}

/// The next frame, or the end of the connection.
async fn next(socket: &mut Socket) -> Option<Frame> {
    loop {
        match timeout(PATIENCE, socket.next()).await.expect("the relay fell silent")?.ok()? {
            Message::Binary(bytes) => return Some(Frame::from_message(&bytes).unwrap()),
            Message::Close(_) => return None,
            _ => {}
        }
    }
}

/// What one device knows for certain.
struct Writer {
    author: Author,
    /// Its entries' places, as the relay acknowledged them.
    places: BTreeMap<u32, u64>,
    /// The log, as the relay showed it.
    log: Vec<Vec<u8>>,
    sent: u32,
    connections: u32,
}

impl Writer {
    fn new(author: Author) -> Self {
        Self { author, places: BTreeMap::new(), log: Vec::new(), sent: 0, connections: 0 }
    }

    /// Writes and reads until it is told to stop and all that it sent is acknowledged and shown.
    async fn run(mut self, relay: SocketAddr, stop: Arc<AtomicBool>) -> Self {
        let deadline = Instant::now() + PATIENCE * 10;
        while !(stop.load(Ordering::SeqCst) && self.has_all()) {
            assert!(Instant::now() < deadline, "it never ended");
            match connect(relay, self.author, self.log.len() as u64).await {
                Some(mut socket) => self.talk(&mut socket, &stop).await,
                None => sleep(Duration::from_millis(5)).await,
            }
        }
        self
    }

    /// One connection, to its end.
    async fn talk(&mut self, socket: &mut Socket, stop: &AtomicBool) {
        self.connections += 1;
        // What was not acknowledged is sent again.
        let mut next_number = self.places.len() as u32;
        while !(stop.load(Ordering::SeqCst) && self.has_all()) {
            while next_number < self.limit(stop) {
                let append = Frame::Append { entry: entry(self.author, next_number).into() };
                if socket.send(Message::Binary(append.to_bytes().into())).await.is_err() {
                    return;
                }
                next_number += 1;
                self.sent = self.sent.max(next_number);
            }
            let Ok(frame) = timeout(Duration::from_millis(20), next(socket)).await else { continue };
            match frame {
                Some(frame) => self.hear(frame),
                None => return,
            }
        }
    }

    fn limit(&self, stop: &AtomicBool) -> u32 {
        if stop.load(Ordering::SeqCst) { self.sent } else { self.places.len() as u32 + AHEAD }
    }

    fn hear(&mut self, frame: Frame) {
        match frame {
            Frame::Stored { own, sequence } => {
                let first = *self.places.entry(own).or_insert(sequence);
                assert_eq!(first, sequence, "an acknowledged entry has another place");
            }
            Frame::Entry { sequence, entry } => {
                assert_eq!(sequence, self.log.len() as u64, "the log has a gap or repeats itself");
                self.log.push(entry.to_vec());
            }
            Frame::Attached { head } => assert!(head >= self.log.len() as u64, "the log became shorter"),
            // The host was not there yet, to open the room.
            Frame::Refused { reason: Refusal::NoSuchRoom } if self.sent <= AHEAD => {}
            other => panic!("{other:?}"),
        }
    }

    fn has_all(&self) -> bool {
        self.places.len() as u32 == self.sent && self.places.values().all(|place| *place < self.log.len() as u64)
    }

    /// Compares what it knows with the log as it is.
    fn check(&self, log: &[Vec<u8>]) {
        assert_eq!(self.log, log[..self.log.len()], "shown before a crash and after it are not the same");
        for (number, place) in &self.places {
            assert_eq!(log[*place as usize], entry(self.author, *number), "an acknowledged entry is lost");
        }
        let own = log.iter().filter(|entry| entry[1..33] == self.author).count();
        assert_eq!(own, self.sent as usize, "an entry is in the log twice, or was never sent");
    }
}

/// The whole log, as someone sees it who comes last.
async fn whole_log(relay: SocketAddr) -> Vec<Vec<u8>> {
    let mut socket = connect(relay, [99; 32], 0).await.unwrap();
    let Some(Frame::Attached { head }) = next(&mut socket).await else { panic!("no seat") };
    let mut log = Vec::new();
    while (log.len() as u64) < head {
        if let Some(Frame::Entry { sequence, entry }) = next(&mut socket).await {
            assert_eq!(sequence, log.len() as u64);
            log.push(entry.to_vec());
        }
    }
    log
}

/// A relay whose files cannot grow beyond so many blocks of 512 bytes, as on a disk that is full.
#[cfg(unix)]
fn serve_with_room_for(blocks: u32, store: &Path) -> (Running, SocketAddr) {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    let program = env!("CARGO_BIN_EXE_undertone");
    let mut command = Command::new("bash");
    command
        .args(["--posix", "-c", &script, "relay", program, "serve", "--listen", "127.0.0.1:0", "--store"])
        .arg(store);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = Running(command.spawn().unwrap());
    let port = port(&mut process);
    (process, ([127, 0, 0, 1], port).into())
}

/// Appends until the relay refuses; returns what it acknowledged.
#[cfg(unix)]
async fn append_until_refused(relay: SocketAddr) -> u32 {
    let mut socket = connect(relay, HOST, u64::MAX).await.unwrap();
    let mut acknowledged = 0;
    for number in 0.. {
        let append = Frame::Append { entry: long_entry(number).into() };
        socket.send(Message::Binary(append.to_bytes().into())).await.unwrap();
        loop {
            match next(&mut socket).await.expect("closed without a reason") {
                Frame::Stored { own, .. } if own == number => break acknowledged += 1,
                Frame::Refused { reason } => {
                    assert_eq!(reason, Refusal::Restarting);
                    return acknowledged;
                }
                _ => {}
            }
        }
    }
    acknowledged
}

#[cfg(unix)]
fn long_entry(number: u32) -> Vec<u8> {
    [&entry(HOST, number)[..], &[9; 50_000]].concat()
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_ends_the_relay_with_a_reason_and_loses_nothing_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("rooms");
    let (mut process, address) = serve_with_room_for(6_000, &store);
    let acknowledged = append_until_refused(address).await;
    println!("{acknowledged} entries fitted");
    assert!(acknowledged > 3);
    assert_eq!(process.0.wait().unwrap().code(), Some(1));
    let mut said = String::new();
    process.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("(store-failed)") && said.contains("start the relay again"), "{said}");

    let relay = Relay::start(folder.path());
    let log = whole_log(relay.address).await;
    assert!(log.len() >= acknowledged as usize);
    log.iter().zip(0..).for_each(|(entry, number)| assert_eq!(*entry, long_entry(number)));
}

/// Numbers that look random and come again with their seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_at_random_points_nothing_acknowledged_is_lost_and_nothing_comes_twice() {
    let kills = if std::env::var_os("UNDERTONE_FULL").is_some() { 200 } else { 20 };
    let started = Instant::now();
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ seed);
    let folder = tempfile::tempdir().unwrap();
    let mut relay = Relay::start(folder.path());
    let stop = Arc::new(AtomicBool::new(false));
    let write = |number| tokio::spawn(Writer::new([number; 32]).run(relay.address, Arc::clone(&stop)));
    let writers: Vec<_> = (1..=WRITERS).map(write).collect();
    for _ in 0..kills {
        sleep(Duration::from_micros(dice.below(250_000))).await;
        relay.crash();
    }
    // It goes on after the last one, too.
    sleep(Duration::from_millis(200)).await;
    stop.store(true, Ordering::SeqCst);
    let mut known = Vec::new();
    for writer in writers {
        known.push(writer.await.unwrap());
    }
    let log = whole_log(relay.address).await;
    known.iter().for_each(|writer| writer.check(&log));
    let acknowledged: usize = known.iter().map(|writer| writer.places.len()).sum();
    let connections: u32 = known.iter().map(|writer| writer.connections).sum();
    println!(
        "{kills} kills, {acknowledged} acknowledged entries over {connections} connections, {} in the log, {} ms",
        log.len(),
        started.elapsed().as_millis()
    );
    assert_eq!(acknowledged, log.len());
    assert!(acknowledged >= kills * 4, "too few entries to mean anything");
}

fn json_lines(process: &mut Running) -> impl Iterator<Item = Value> + use<> {
    let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).map(|line| serde_json::from_str(&line).unwrap())
}

fn until(lines: &mut impl Iterator<Item = Value>, is_it: impl Fn(&Value) -> bool) -> Value {
    lines.find(|line| is_it(line)).expect("it never came")
}

#[test]
fn a_room_whose_relay_is_killed_before_the_list_is_closed_gets_its_exact_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut relay = Relay::start(folder.path());
    let url = relay.url();
    let small = ["--group-min", "3", "--param", "max=1000", "--input", "100"];
    let mut host = undertone(&[&["host", "--relay", &url, "--json"][..], &small[..]].concat());
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, |line| line["kind"] == "opened")["invite"].as_str().unwrap().to_owned();
    let join = |input| undertone(&["join", &invite, "--json", "--small-group", "--input", input]);
    let _guests = [join("20"), join("3")];
    until(&mut told, |line| line["kind"] == "lobby" && line["joined"] == 3);

    relay.crash();
    host.0.stdin.as_mut().unwrap().write_all(b"3\n").unwrap();

    let result = until(&mut told, |line| line["kind"] == "result" && line["confirmed"] == 3);
    let figures = result["figures"].as_array().unwrap();
    let sum = figures.iter().find(|figure| figure["name"] == "sum").unwrap();
    assert_eq!(sum["value"], "123");
}

/// What the processor spent on all threads of a process, in microseconds.
#[cfg(target_os = "linux")]
fn cpu_us(process: &Running) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{}/task", process.0.id())).unwrap();
    let spent = threads.map(|thread| {
        let stat = std::fs::read_to_string(thread.unwrap().path().join("schedstat")).unwrap();
        stat.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000
    });
    spent.sum()
}

/// One entry after another, each once the one before it is acknowledged.
#[cfg(target_os = "linux")]
async fn time_entries(relay: SocketAddr, author: Author, count: u32) -> Vec<Duration> {
    let mut socket = connect(relay, author, u64::MAX).await.unwrap();
    assert!(matches!(next(&mut socket).await, Some(Frame::Attached { .. })));
    let mut times = Vec::new();
    for number in 0..count {
        let append = Frame::Append { entry: entry(author, number).into() };
        let sent = Instant::now();
        socket.send(Message::Binary(append.to_bytes().into())).await.unwrap();
        while !matches!(next(&mut socket).await, Some(Frame::Stored { own, .. }) if own == number) {}
        times.push(sent.elapsed());
    }
    times
}

/// `cargo test --release -p undertone-cli --test crash -- --ignored --nocapture`
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement"]
async fn from_append_to_acknowledgement() {
    // As many as a seat may send at once; after that it is paced.
    const EACH: u32 = 38;
    for writers in [1_u8, 8, 64] {
        for is_durable in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let relay = if is_durable { Relay::start(folder.path()) } else { in_memory() };
            let _host = connect(relay.address, HOST, u64::MAX).await.unwrap();
            sleep(Duration::from_millis(200)).await;
            let (before, started) = (cpu_us(&relay.process), Instant::now());
            let write = |number| tokio::spawn(time_entries(relay.address, [number; 32], EACH));
            let tasks: Vec<_> = (2..writers + 2).map(write).collect();
            let mut times = Vec::new();
            for task in tasks {
                times.extend(task.await.unwrap());
            }
            let (cpu, wall) = (cpu_us(&relay.process) - before, started.elapsed());
            times.sort();
            let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_micros();
            println!(
                "{writers:2} writers, {}: p50 {} us, p99 {} us, {} entries in {} ms, relay CPU {} us per entry",
                if is_durable { "store" } else { "memory" },
                at(50),
                at(99),
                times.len(),
                wall.as_millis(),
                cpu / times.len() as u64
            );
        }
    }
}

#[cfg(target_os = "linux")]
fn in_memory() -> Relay {
    let mut process = undertone(&["serve", "--listen", "127.0.0.1:0"]);
    let port = port(&mut process);
    Relay { process, address: ([127, 0, 0, 1], port).into(), store: PathBuf::new() }
}
