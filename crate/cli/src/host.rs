//! `undertone host`.

use crate::args::{Host, Seat};
use crate::output::{Output, hex};
use crate::readings::{Ended, Part};
use crate::seat::React;
use crate::{address, input, seat, serve};
use serde_json::json;
use std::time::Instant;
use tokio::io::{AsyncBufReadExt, BufReader};
use undertone_machine::{Fault, FaultCode};
use undertone_net::Handle;
use undertone_net::native::Native;
use undertone_room::{ClientPolicy, GROUP_MIN_DEFAULT, HostOptions, Notice, Room};
use undertone_services::{draft, series};
use undertone_wire::{Author, Plan};

/// Opens a room and waits for the result of its question.
///
/// # Errors
/// The fault that ended it.
pub(crate) async fn host(args: Host) -> Result<(), Fault> {
    let output = Output { json: args.seat.json };
    let platform = Native::new(address::socket(&args.relay)?);
    let small_group = args.group_min < GROUP_MIN_DEFAULT;
    let policy = ClientPolicy { small_group, pairs: args.pairs, ..ClientPolicy::default() };
    let contribute = gives_values(&args.seat) || args.pairs;
    let options = HostOptions { plan: plan(&args)?, group_min: args.group_min, contribute, policy };
    let driven = seat::start(&args.seat, platform, true, |seed, records| Room::host(seed, options, records))?;
    let mut keeper =
        Keeper { args: &args, output, locked_at: None, part: Part::default(), joined: 0, by_computers: false };
    driven.follow(output, &mut keeper).await
}

fn plan(args: &Host) -> Result<Plan, Fault> {
    let bad = |param: &str| {
        let message = format!("\"{param}\" is no parameter: write NAME=VALUE, such as unit=EUR.");
        Fault::new(FaultCode::BadPlan).in_field("params").saying(message)
    };
    let params: Vec<_> =
        args.params.iter().map(|param| param.split_once('=').ok_or_else(|| bad(param))).collect::<Result<_, _>>()?;
    let plan = draft(&args.service, &args.question, &params, &args.deadline)?;
    match (&args.every, &args.readings) {
        (Some(every), Some(readings)) => series(plan, milliseconds(every).unwrap_or_default(), *readings),
        _ => Ok(plan),
    }
}

/// A whole number of ms, s, m or h; without a unit, of seconds.
fn milliseconds(text: &str) -> Option<u64> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
    let unit = units.iter().find_map(|(name, ms)| text.strip_suffix(name).map(|number| (number, *ms)));
    let (number, ms) = unit.unwrap_or((text, 1_000));
    number.trim().parse::<u64>().ok()?.checked_mul(ms)
}

fn gives_values(seat: &Seat) -> bool {
    !seat.input.is_empty() || seat.csv.is_some() || seat.follow.is_some()
}

struct Keeper<'a> {
    args: &'a Host,
    output: Output,
    locked_at: Option<Instant>,
    /// People who have joined, as last told.
    joined: usize,
    /// Whether a few seats add up for the others.
    by_computers: bool,
    part: Part,
}

impl React for Keeper<'_> {
    async fn react(&mut self, handle: &Handle, notice: Notice) -> Result<bool, Fault> {
        match self.part.ended(&notice) {
            Ended::Nothing => {}
            ended => return Ok(ended == Ended::Series),
        }
        match notice {
            Notice::Opened { invite, code } => self.show(handle, &invite, &code),
            Notice::Question { plan, task, .. } => {
                self.by_computers = task.computers() > 0;
                self.answer(handle, &plan).await?;
            }
            Notice::Lobby { joined, .. } => {
                self.joined = joined;
                if !self.by_computers {
                    self.lock(handle, Vec::new()).await?;
                }
            }
            Notice::Computers { offered, wanted } => {
                let chosen = self.chosen(offered);
                // A host that gives nothing adds up without being named.
                let own = usize::from(!self.args.adding.is_empty() && !gives_values(&self.args.seat));
                if chosen.len().saturating_add(own) >= wanted {
                    self.lock(handle, chosen).await?;
                }
            }
            Notice::Result { confirmed, seats, .. } if confirmed == seats => {
                self.tell_time();
                return Ok(true);
            }
            Notice::Fault { fault, .. } => return Err(fault),
            Notice::Closed => return Ok(true),
            _ => {}
        }
        Ok(false)
    }
}

impl Keeper<'_> {
    async fn answer(&mut self, handle: &Handle, plan: &Plan) -> Result<(), Fault> {
        let seat = &self.args.seat;
        if self.part.asked(plan, seat, handle)? || !gives_values(seat) {
            return Ok(());
        }
        let index = plan.series.map_or(0, |series| usize::from(series.index.saturating_sub(1)));
        match input::answer(handle, seat, index, plan.number).await {
            Err(fault) if fault.code() != FaultCode::RoundSpent => Err(fault),
            _ => Ok(()),
        }
    }

    /// Closes the list once everyone has come, if that is what was asked for.
    async fn lock(&mut self, handle: &Handle, computers: Vec<Author>) -> Result<(), Fault> {
        if self.args.people != Some(self.joined) || self.locked_at.is_some() {
            return Ok(());
        }
        self.locked_at = Some(Instant::now());
        handle.lock_with(self.joined, computers).await
    }

    /// Those of the seats that offer to add up which were asked for; all of them if none were.
    fn chosen(&self, mut offered: Vec<Author>) -> Vec<Author> {
        let named = |author: &Author| self.args.adding.iter().any(|key| hex(author).starts_with(key.as_str()));
        offered.retain(|author| self.args.adding.is_empty() || named(author));
        offered
    }

    fn show(&self, handle: &Handle, invite: &str, code: &str) {
        let link = address::link(&self.args.relay, invite);
        let sentence = format!("{}\nInvite: {link}\nOr, without the secret: {code}", serve::qr(&link));
        self.output.say("opened", &sentence, json!({ "invite": link, "code": code }));
        if self.args.people.is_none() {
            tokio::spawn(lock_on_enter(handle.clone()));
        }
    }

    fn tell_time(&self) {
        let Some(since) = self.locked_at else { return };
        let ms = since.elapsed().as_millis();
        let sentence = format!("From closing the list to the result: {ms} ms.");
        self.output.say("timing", &sentence, json!({ "lockToResultMs": ms }));
    }
}

/// Closes the list when the host types how many people are in the room.
async fn lock_on_enter(handle: Handle) {
    eprintln!("When everyone has joined, type the number of people (with you, if you answer too) and Enter.");
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(heads) = line.trim().parse() else {
            eprintln!("A whole number, please.");
            continue;
        };
        match handle.lock(heads).await {
            Ok(()) => return,
            Err(fault) => eprintln!("{}", fault.message()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        for (text, ms) in [("60s", 60_000), ("60", 60_000), ("500ms", 500), ("1m", 60_000), ("1 h", 3_600_000)] {
            assert_eq!(milliseconds(text), Some(ms), "{text}");
        }
        for text in ["", "1.5s", "-1", "ms", "99999999999999999999h", "1d"] {
            assert_eq!(milliseconds(text), None, "{text}");
        }
    }
}
