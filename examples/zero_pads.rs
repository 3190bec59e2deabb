//! A participant whose masks are zeros: what a leak looks like.
//!
//! Joins like `undertone join --json`, but its pads are zeros, so that its masked value is its value.
//! The end-to-end tests run a room of these to show that their scan for leaks can find one. Never use
//! it for anything else.
//!
//! ```sh
//! cargo run --example zero_pads -- LINK VALUE
//! ```

use futures_util::StreamExt;
use std::fs::File;
use std::io::Read;
use std::process::ExitCode;
use std::sync::Arc;
use undertone::net::native::Native;
use undertone::net::{Handle, MemoryLedger, Session, Told, channel, drive};
use undertone::{ClientPolicy, Fault, FaultCode, Invitation, Notice, Room, Secret};
use undertone_prim::ZeroPads;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(link), Some(value)) = (args.next(), args.next()) else {
        eprintln!("usage: zero_pads LINK VALUE");
        return ExitCode::from(2);
    };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    match runtime.block_on(join(&link, value)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("zero_pads: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Takes part with one value until everyone has signed the result.
async fn join(link: &str, value: String) -> Result<(), Fault> {
    let (mut room, platform) = look(link)?;
    room.replace_pads(Arc::new(ZeroPads));
    let session = Session::new(room.identity(), false);
    let (handle, calls) = channel();
    let (tell, mut told) = futures_channel::mpsc::unbounded();
    let driving = drive(room, session, platform, MemoryLedger::default(), calls, tell);
    let acting = async {
        let mut ended = Ok(());
        while let Some(told) = told.next().await {
            let Told::Room(notice) = told else { continue };
            say(&notice);
            let done = react(&handle, notice, &value).await;
            if !matches!(done, Ok(false)) {
                ended = done.map(|_| ());
                handle.leave();
                break;
            }
        }
        ended
    };
    let (ended, _) = futures_util::future::join(acting, driving).await;
    ended
}

/// The room of a link, with nothing said in it yet.
fn look(link: &str) -> Result<(Room, Native), Fault> {
    let bad = || Fault::new(FaultCode::BadInvite);
    let Ok(Invitation::Link(invite)) = Invitation::from_text(link) else { return Err(bad()) };
    let (page, _) = link.split_once('#').ok_or_else(bad)?;
    let relay = format!("{}/ws", page.trim_end_matches('/')).replacen("http", "ws", 1);
    let room = Room::guest(seed()?, invite.room, Some(invite.secret), ClientPolicy::default(), Vec::new())?;
    Ok((room, Native::new(relay)))
}

fn seed() -> Result<Secret<[u8; 32]>, Fault> {
    let mut seed = Secret::new([0; 32]);
    let read = File::open("/dev/urandom").and_then(|mut file| file.read_exact(seed.expose_mut()));
    read.map_err(|_| Fault::new(FaultCode::Internal))?;
    Ok(seed)
}

/// Does what a notice calls for; `true` when nothing is left to do.
async fn react(handle: &Handle, notice: Notice, value: &str) -> Result<bool, Fault> {
    match notice {
        Notice::Question { .. } => {
            handle.take_part(false).await?;
            handle.submit(Secret::new(value.to_owned()), None).await?;
            Ok(false)
        }
        Notice::Result { confirmed, seats, .. } => Ok(confirmed == seats),
        Notice::Fault { fault, .. } => Err(fault),
        Notice::Closed => Ok(true),
        _ => Ok(false),
    }
}

/// The notices that the tests wait for, as `undertone join --json` prints them.
fn say(notice: &Notice) {
    match notice {
        Notice::Joined => println!(r#"{{"kind":"joined"}}"#),
        Notice::Sent { masked, .. } => {
            let hex: String = masked.iter().map(|byte| format!("{byte:02x}")).collect();
            println!(r#"{{"kind":"sent","masked":"{hex}"}}"#);
        }
        Notice::Result { outcome, confirmed, seats, .. } => {
            let figure = |it: &undertone::Figure| format!(r#"{{"name":"{}","value":"{}"}}"#, it.name, it.value);
            let figures: Vec<_> = outcome.figures.iter().map(figure).collect();
            let figures = figures.join(",");
            println!(r#"{{"kind":"result","figures":[{figures}],"confirmed":{confirmed},"seats":{seats}}}"#);
        }
        _ => {}
    }
}
