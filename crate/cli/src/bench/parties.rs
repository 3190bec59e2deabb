//! Our sides of `bench room-cpu`: a relay, and all seats of a room in one process, over real sockets.

use crate::address;
use crate::args::{Parties, SidePart};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin};
use tokio::task::{LocalSet, spawn_local};
use undertone_machine::{Fault, FaultCode, Outcome, Secret};
use undertone_net::native::Native;
use undertone_net::{Handle, MemoryLedger, Session, Told, channel, drive};
use undertone_relay::{Config, Page};
use undertone_room::{ClientPolicy, GROUP_MIN_DEFAULT, HostOptions, Notice, Room};
use undertone_services::draft;
use undertone_wire::{Invitation, Plan};

/// Runs one side until whoever started it is gone or, for parties, until the sums are there.
///
/// # Errors
/// What the relay or a room says.
pub(crate) fn side(part: &SidePart) -> Result<(), Fault> {
    match part {
        // As `undertone serve` runs.
        SidePart::Relay => runtime(&mut tokio::runtime::Builder::new_multi_thread())?.block_on(relay()),
        SidePart::Parties(parties) => {
            let runtime = runtime(&mut tokio::runtime::Builder::new_current_thread())?;
            runtime.block_on(LocalSet::new().run_until(seats(parties)))
        }
    }
}

fn runtime(builder: &mut tokio::runtime::Builder) -> Result<tokio::runtime::Runtime, Fault> {
    builder.enable_all().build().map_err(|error| Fault::new(FaultCode::Internal).saying(error.to_string()))
}

/// Says its port, then its CPU time for each line.
async fn relay() -> Result<(), Fault> {
    let config = Config { page: Page::None, ..Config::new(([127, 0, 0, 1], 0).into()) };
    let relay = undertone_relay::start(config).await;
    let relay = relay.map_err(|error| Fault::new(FaultCode::Internal).saying(error.to_string()))?;
    println!("{}", json!({ "port": relay.local_addr().port() }));
    let mut lines = input();
    while let Ok(Some(_)) = lines.next_line().await {
        say(Value::Null);
    }
    Ok(())
}

/// Says its CPU time when everyone has acknowledged everyone, waits for a line, answers, and says it
/// again with the figures when everyone's result is signed by all.
async fn seats(args: &Parties) -> Result<(), Fault> {
    let mut lines = input();
    let mut seats = sit_down(args).await?;
    for seat in &mut seats {
        seat.until(|notice| matches!(notice, Notice::Ready { .. }).then_some(())).await?;
    }
    say(Value::Null);
    let _ = lines.next_line().await;
    for (number, seat) in seats.iter().enumerate() {
        let rows = (0..args.values).map(|at| value(number, at).to_string()).collect();
        seat.handle.submit_rows(Secret::new(rows)).await?;
    }
    let mut outcomes = Vec::new();
    for seat in &mut seats {
        outcomes.push(seat.until(signed).await?);
    }
    let sums: Vec<_> = outcomes.first().map(|it| sums(it)).unwrap_or_default();
    say(json!({ "sums": sums, "agree": outcomes.windows(2).all(|pair| pair.first() == pair.last()) }));
    // Everything was measured; rooms end with their process.
    let _ = lines.next_line().await;
    Ok(())
}

/// What a party adds, the same in every system.
pub(super) const fn value(party: usize, at: usize) -> u64 {
    ((party * 37 + at) % 101) as u64
}

fn signed(notice: Notice) -> Option<Outcome> {
    match notice {
        Notice::Result { outcome, confirmed, seats, .. } if confirmed == seats => Some(outcome),
        _ => None,
    }
}

fn sums(outcome: &Outcome) -> Vec<&str> {
    outcome.figures.iter().filter(|figure| figure.name == "sum").map(|figure| figure.value.as_str()).collect()
}

/// A driven seat.
struct Seat {
    handle: Handle,
    told: UnboundedReceiver<Told>,
}

impl Seat {
    fn start(room: Room, socket: &str, open: bool) -> Self {
        let (handle, calls) = channel();
        let (tell, told) = unbounded();
        let session = Session::new(room.identity(), open);
        let platform = Native::new(socket.to_owned());
        spawn_local(drive(room, session, platform, MemoryLedger::default(), calls, tell));
        Self { handle, told }
    }

    /// The first notice that is wanted.
    async fn until<T>(&mut self, mut wanted: impl FnMut(Notice) -> Option<T>) -> Result<T, Fault> {
        while let Some(told) = self.told.next().await {
            match told {
                Told::Room(Notice::Fault { fault, .. }) => return Err(fault),
                Told::Room(notice) => {
                    if let Some(found) = wanted(notice) {
                        return Ok(found);
                    }
                }
                Told::Link(_) => {}
            }
        }
        Err(Fault::new(FaultCode::Closed))
    }
}

/// Opens a room, lets everyone in and closes the list.
async fn sit_down(args: &Parties) -> Result<Vec<Seat>, Fault> {
    let socket = address::socket(&args.relay)?;
    let policy = ClientPolicy::default();
    let options = HostOptions { plan: plan(args.values)?, group_min: GROUP_MIN_DEFAULT, contribute: true, policy };
    let mut host = Seat::start(Room::host(seed()?, options, Vec::new())?, &socket, true);
    let opened = |notice| if let Notice::Opened { invite, .. } = notice { Some(invite) } else { None };
    let invite = host.until(opened).await?;
    let mut guests = Vec::new();
    for _ in 1..args.parties {
        guests.push(guest(&invite, &socket)?);
    }
    for guest in &mut guests {
        guest.until(|notice| matches!(notice, Notice::Question { .. }).then_some(())).await?;
        guest.handle.take_part(false).await?;
    }
    let full = |notice| matches!(notice, Notice::Lobby { joined, .. } if joined == args.parties).then_some(());
    host.until(full).await?;
    host.handle.lock(args.parties).await?;
    guests.insert(0, host);
    Ok(guests)
}

fn guest(invite: &str, socket: &str) -> Result<Seat, Fault> {
    let Ok(Invitation::Link(invite)) = Invitation::from_text(invite) else {
        return Err(Fault::new(FaultCode::BadInvite));
    };
    let room = Room::guest(seed()?, invite.room, Some(invite.secret), ClientPolicy::default(), Vec::new())?;
    Ok(Seat::start(room, socket, false))
}

/// One number, or one for each cell.
fn plan(values: usize) -> Result<Plan, Fault> {
    if values == 1 {
        return draft("sum", "", &[("max", "100")], "600");
    }
    let cells: Vec<_> = (0..values).map(|cell| cell.to_string()).collect();
    draft("vector-sum", "", &[("max", "100"), ("cells", &cells.join(","))], "600")
}

fn seed() -> Result<Secret<[u8; 32]>, Fault> {
    let mut seed = Secret::new([0; 32]);
    getrandom::fill(seed.expose_mut()).map_err(|_| Fault::new(FaultCode::Internal))?;
    Ok(seed)
}

fn input() -> Lines<BufReader<Stdin>> {
    BufReader::new(tokio::io::stdin()).lines()
}

/// Says the CPU time of this process, all its threads included, and more.
fn say(more: Value) {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    let mut line = json!({ "cpu_us": now.tv_sec as f64 * 1e6 + now.tv_nsec as f64 / 1e3 });
    if let (Some(fields), Value::Object(more)) = (line.as_object_mut(), more) {
        fields.extend(more);
    }
    println!("{line}");
}
