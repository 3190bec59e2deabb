//! A seat of this process: its room, its ledger, and the loop that drives it.

use crate::args::Seat;
use crate::output::Output;
use crate::readings::Readings;
use crate::record::Wanted;
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use std::path::Path;
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_net::native::{FileLedger, Native};
use undertone_net::{Handle, MemoryLedger, Session, Told, channel, drive};
use undertone_room::{Notice, Room};

/// A driven room.
pub(crate) struct Driven {
    pub(crate) handle: Handle,
    pub(crate) told: UnboundedReceiver<Told>,
    /// Ends when the room is over and the relay knows it.
    pub(crate) driving: tokio::task::JoinHandle<Room>,
    /// Where its record goes.
    pub(crate) record: Option<Wanted>,
}

/// Who sits in a driven room: a host or a guest.
pub(crate) trait React {
    /// Does what a notice calls for; `true` when nothing is left to do.
    async fn react(&mut self, handle: &Handle, notice: Notice) -> Result<bool, Fault>;
}

impl Driven {
    /// Says what happens and lets somebody react to it, until nothing is left to do.
    ///
    /// # Errors
    /// The fault that ended it.
    pub(crate) async fn follow(mut self, output: Output, sitter: &mut impl React) -> Result<(), Fault> {
        let (mut ended, mut readings) = (Ok(()), Readings::new(output));
        while let Some(told) = self.told.next().await {
            let Told::Room(notice) = told else { continue };
            if !readings.take(&notice) {
                output.told(&notice);
            }
            let done = sitter.react(&self.handle, notice).await;
            if !matches!(done, Ok(false)) {
                ended = done.map(|_| ());
                self.handle.leave();
                break;
            }
        }
        if let (Ok(room), Some(wanted)) = (self.driving.await, self.record) {
            ended = ended.and(wanted.write(&room, output));
        }
        ended
    }
}

/// Takes the seat of a ledger, or a fresh one, and drives it.
///
/// # Errors
/// What the ledger or the room says.
pub(crate) fn start(
    seat: &Seat,
    platform: Native,
    open: bool,
    room: impl FnOnce(Secret<[u8; 32]>, Vec<Vec<u8>>) -> Result<Room, Fault>,
) -> Result<Driven, Fault> {
    let fresh = fresh_seed()?;
    let Some(path) = &seat.ledger else {
        return Ok(driven(room(fresh, Vec::new())?, platform, open, MemoryLedger::default(), Wanted::of(seat)?));
    };
    let mut ledger = open_ledger(path)?;
    let seed = ledger.seed(&fresh).map_err(|_| ledger_fault())?;
    let room = room(seed, ledger.said())?;
    Ok(driven(room, platform, open, ledger, Wanted::of(seat)?))
}

fn driven(
    room: Room,
    platform: Native,
    open: bool,
    ledger: impl undertone_net::Ledger + 'static + Send,
    record: Option<Wanted>,
) -> Driven {
    let (handle, calls) = channel();
    let (tell, told) = unbounded();
    let session = Session::new(room.identity(), open);
    // The loop runs on a thread of its own: it needs nothing of the others.
    let driving = tokio::task::spawn_blocking(move || {
        let runtime = tokio::runtime::Handle::current();
        runtime.block_on(drive(room, session, platform, ledger, calls, tell))
    });
    Driven { handle, told, driving, record }
}

fn open_ledger(path: &Path) -> Result<FileLedger, Fault> {
    FileLedger::open(path).map_err(|_| ledger_fault())
}

fn ledger_fault() -> Fault {
    let message = "The ledger's file cannot be read or written, or another process holds this seat.";
    Fault::new(FaultCode::StoreFailed).in_field("ledger").saying(message)
}

fn fresh_seed() -> Result<Secret<[u8; 32]>, Fault> {
    let mut seed = Secret::new([0; 32]);
    let message = "The operating system gives no randomness, so nothing was started.";
    getrandom::fill(seed.expose_mut()).map_err(|_| Fault::new(FaultCode::Internal).saying(message))?;
    Ok(seed)
}
