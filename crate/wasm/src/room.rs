//! One room for one worker.

use crate::object::{Fields, error, hex, list};
use crate::questions::{plan, question, seed};
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use std::cell::RefCell;
use std::rc::Rc;
use undertone_machine::{Fault, FaultCode, Figure, Secret};
use undertone_net::browser::Browser;
use undertone_net::{Handle, MemoryLedger, Session, StoredEntry, Told, channel, drive, find_room};
use undertone_room::{ClientPolicy, HostOptions, Notice, Tier};
use undertone_wire::{Invitation, Plan};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

type Thrown<T> = Result<T, JsValue>;

/// A seat in a room, driven in this worker until the room is over.
#[wasm_bindgen]
pub struct Room {
    handle: Handle,
    // Taken while `next` waits, so that two waits at once are refused instead of mixed.
    told: Rc<RefCell<Option<UnboundedReceiver<Told>>>>,
}

#[wasm_bindgen]
impl Room {
    /// Opens a room with a first question.
    ///
    /// # Errors
    /// A `CoreErrorData` object for a question that cannot be asked.
    pub fn host(relay: String, draft: JsValue, contribute: bool, group_min: u16, secure: bool) -> Thrown<Room> {
        let plan = plan(&draft).map_err(|fault| error(&fault))?;
        Self::open(relay, plan, contribute, group_min, secure).map_err(|fault| error(&fault))
    }

    fn open(relay: String, plan: Plan, contribute: bool, group_min: u16, secure: bool) -> Result<Room, Fault> {
        let policy = ClientPolicy { small_group: group_min < undertone_room::GROUP_MIN_DEFAULT, ..policy(secure) };
        let options = HostOptions { plan, group_min, contribute, policy };
        let room = undertone_room::Room::host(seed()?, options, Vec::new())?;
        Ok(start(room, Browser::new(relay), true))
    }

    /// Looks into a room by link, fragment or code. Nothing is said before `take_part`.
    ///
    /// # Errors
    /// A `CoreErrorData` object for an invite that cannot be read or leads nowhere.
    pub async fn join(relay: String, invite: String, secure: bool) -> Thrown<Room> {
        Self::look(relay, &invite, secure).await.map_err(|fault| error(&fault))
    }

    async fn look(relay: String, invite: &str, secure: bool) -> Result<Room, Fault> {
        let platform = Browser::new(relay);
        let invitation = Invitation::from_text(invite).map_err(|_| Fault::new(FaultCode::BadInvite).in_field("invite"))?;
        let (room, secret) = match invitation {
            Invitation::Link(invite) => (invite.room, Some(invite.secret)),
            Invitation::Code(code) => (find_room(&platform, code).await?, None),
        };
        let room = undertone_room::Room::guest(seed()?, room, secret, policy(secure), Vec::new())?;
        Ok(start(room, platform, false))
    }

    /// The next `Notice`, or undefined after the room is over.
    ///
    /// # Errors
    /// A `CoreErrorData` object if two calls wait at once.
    pub async fn next(&self) -> Thrown<JsValue> {
        let taken = self.told.borrow_mut().take();
        let Some(mut told) = taken else { return Err(error(&Fault::new(FaultCode::BadCall))) };
        let next = told.next().await;
        self.told.replace(Some(told));
        Ok(next.map_or(JsValue::UNDEFINED, |told| notice(&told)))
    }

    /// Asks for a seat. `small_group` is the person's consent to a group of three or four.
    ///
    /// # Errors
    /// A `CoreErrorData` object.
    pub async fn take_part(&self, small_group: bool) -> Thrown<()> {
        self.handle.take_part(small_group).await.map_err(|fault| error(&fault))
    }

    /// Checks a value, given as UTF-8, against the current question; nothing is kept or sent.
    ///
    /// # Errors
    /// A `CoreErrorData` object whose message names the allowed range.
    pub async fn check_input(&self, text: Vec<u8>) -> Thrown<()> {
        self.handle.check_input(secret(text)).await.map_err(|fault| error(&fault))
    }

    /// Takes the person's value, given as UTF-8.
    ///
    /// # Errors
    /// As `check_input`.
    pub async fn submit(&self, text: Vec<u8>) -> Thrown<()> {
        self.handle.submit(secret(text)).await.map_err(|fault| error(&fault))
    }

    /// Host: closes the list on as many people as were counted.
    ///
    /// # Errors
    /// A `CoreErrorData` object.
    pub async fn lock(&self, heads: u32) -> Thrown<()> {
        self.handle.lock(heads as usize).await.map_err(|fault| error(&fault))
    }

    /// Host: asks the same people something new.
    ///
    /// # Errors
    /// A `CoreErrorData` object.
    pub async fn ask(&self, draft: JsValue) -> Thrown<()> {
        let plan = plan(&draft).map_err(|fault| error(&fault))?;
        self.handle.ask(plan).await.map_err(|fault| error(&fault))
    }

    /// What the relay stores, from a place in the log on: an array of `StoredEntry`.
    ///
    /// # Errors
    /// A `CoreErrorData` object while the relay cannot be reached.
    pub async fn stored(&self, from: u32) -> Thrown<JsValue> {
        let entries = self.handle.stored(from.into()).await.map_err(|fault| error(&fault))?;
        Ok(list(entries.iter().map(stored)))
    }

    /// The page came back: finds out at once whether the link still works.
    pub fn wake(&self) {
        self.handle.wake();
    }

    /// Goes; a host closes the room.
    pub fn leave(&self) {
        self.handle.leave();
    }
}

impl core::fmt::Debug for Room {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Room").finish_non_exhaustive()
    }
}

/// A page over plain http cannot vouch for itself, so no better tier is claimed.
fn policy(secure: bool) -> ClientPolicy {
    let tier_max = if secure { Tier::HostVerified } else { Tier::Unverified };
    ClientPolicy { tier_max, ..ClientPolicy::default() }
}

fn start(room: undertone_room::Room, platform: Browser, open: bool) -> Room {
    let (handle, calls) = channel();
    let (tell, told) = unbounded();
    let session = Session::new(room.identity(), open);
    wasm_bindgen_futures::spawn_local(drive(room, session, platform, MemoryLedger::default(), calls, tell));
    Room { handle, told: Rc::new(RefCell::new(Some(told))) }
}

/// What is not UTF-8 is no number either: the core refuses it like any other text.
fn secret(text: Vec<u8>) -> Secret<String> {
    Secret::new(String::from_utf8(text).unwrap_or_else(|_| "\u{fffd}".to_owned()))
}

fn stored(entry: &StoredEntry) -> JsValue {
    Fields::new()
        .set("sequence", entry.sequence as f64)
        .set("kind", entry.kind)
        .set("author", hex(&entry.author))
        .bytes("bytes", &entry.bytes)
        .done()
}

fn notice(told: &Told) -> JsValue {
    match told {
        Told::Link(up) => Fields::kind("link").set("up", *up),
        Told::Room(notice) => room_notice(notice),
    }
    .done()
}

fn room_notice(notice: &Notice) -> Fields {
    match notice {
        Notice::Opened { invite, code } => {
            Fields::kind("opened").set("invite", invite.as_str()).set("code", code.as_str())
        }
        Notice::Question { plan, task, group_min, small_group } => Fields::kind("question")
            .set("question", question(plan, task.as_ref()))
            .set("groupMin", *group_min)
            .set("smallGroup", *small_group),
        Notice::Lobby { joined, by_link, by_code } => {
            Fields::kind("lobby").count("joined", *joined).count("byLink", *by_link).count("byCode", *by_code)
        }
        Notice::Joined => Fields::kind("joined"),
        Notice::Locked { number, seats } => Fields::kind("locked").set("listNumber", *number).count("seats", *seats),
        Notice::Ready { seats, contributors, tier, remaining_ms } => Fields::kind("ready")
            .count("seats", *seats)
            .count("contributors", *contributors)
            .count("breakers", contributors.saturating_sub(1))
            .set("tier", tier.as_str())
            .set("remainingMs", *remaining_ms as f64),
        Notice::Progress { acknowledged, sent, of } => {
            Fields::kind("progress").count("acknowledged", *acknowledged).count("sent", *sent).count("of", *of)
        }
        Notice::Sent { sequence, receipt, masked } => {
            Fields::kind("sent").set("sequence", *sequence).set("receipt", hex(receipt)).bytes("masked", masked)
        }
        Notice::Result { outcome, included, confirmed, seats, contribution_in, tier } => Fields::kind("result")
            .set("figures", list(outcome.figures.iter().map(figure)))
            .count("included", *included)
            .count("confirmed", *confirmed)
            .count("seats", *seats)
            .set("contributionIn", *contribution_in)
            .set("tier", tier.as_str()),
        Notice::Fault { fault, sent, room_goes_on } => Fields::kind("fault")
            .set("code", fault.code().as_str())
            .set("phase", fault.phase().as_str())
            .set("seats", list(fault.culprits().iter().map(|seat| JsValue::from(seat.0))))
            .set("message", fault.message())
            .set("sentAnything", *sent)
            .set("roomGoesOn", *room_goes_on),
        Notice::Closed => Fields::kind("closed"),
    }
}

fn figure(figure: &Figure) -> JsValue {
    Fields::new()
        .set("name", figure.name)
        .set("value", figure.value.as_str())
        .set("unit", figure.unit.as_str())
        .set("rounded", figure.rounded)
        .done()
}
