//! One room for one worker.

use crate::object::{Fields, error, figure, hex, list};
use crate::questions::{plan, question, seed};
use core::pin::Pin;
use futures_channel::mpsc::{UnboundedReceiver, unbounded};
use futures_util::StreamExt;
use js_sys::{Promise, Uint8Array};
use std::cell::RefCell;
use std::rc::Rc;
#[cfg(feature = "shares")]
use undertone_machine::Role;
#[cfg(feature = "sums")]
use undertone_machine::Seat;
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_net::browser::{Browser, BrowserLedger, KeptSeat, Shelf};
use undertone_net::{Handle, Reply, Session, StoredEntry, Told, channel, drive, export, find_room};
use undertone_room::{ClientPolicy, HostOptions, KeyMeter, Notice, Tier};
use undertone_services::MODULES;
use undertone_wire::{Hash, Invitation, Plan};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A seat in a room, driven in this worker until the room is over.
#[wasm_bindgen]
pub struct Room {
    handle: Handle,
    // Taken while `next` waits, so that two waits at once are refused instead of mixed.
    told: Rc<RefCell<Option<UnboundedReceiver<Told>>>>,
    /// The room once it is over: it can still be exported.
    ended: Rc<RefCell<Option<undertone_room::Room>>>,
    #[cfg(feature = "shares")]
    key: String,
}

#[wasm_bindgen]
impl Room {
    /// Opens a room with a first question, or takes up the one whose seat the ledger has: a promise of a
    /// `Room`.
    ///
    /// Rejects with a `CoreErrorData` object for a question that cannot be asked.
    pub fn host(
        relay: String,
        draft: &JsValue,
        contribute: bool,
        group_min: u16,
        secure: bool,
        ledger: Shelf,
    ) -> Promise {
        sit(relay, secure, ledger, plan(draft).map(|plan| Way::Host { plan, contribute, group_min }))
    }

    /// Looks into a room by link, fragment or code, from the seat that the ledger has in it, or from a
    /// new one: a promise of a `Room`. Nothing new is said before `take_part`.
    ///
    /// Rejects with a `CoreErrorData` object for an invite that cannot be read or leads nowhere.
    pub fn join(relay: String, invite: String, secure: bool, ledger: Shelf) -> Promise {
        sit(relay, secure, ledger, Ok(Way::Invited(invite)))
    }

    /// Takes up a guest's seat that the ledger has: a promise of a `Room`.
    pub fn resume(relay: String, room: Vec<u8>, secure: bool, ledger: Shelf) -> Promise {
        sit(relay, secure, ledger, room.try_into().map(Way::Back).map_err(|_| bad_invite()))
    }

    /// A promise of the next `Notice`, or of undefined after the room is over. One call at a time.
    pub fn next(&self) -> Promise {
        let waiting = Rc::clone(&self.told);
        promise(async move {
            let taken = waiting.borrow_mut().take();
            let mut told = taken.ok_or_else(|| Fault::new(FaultCode::BadCall))?;
            let next = told.next().await;
            waiting.replace(Some(told));
            Ok(next.map_or(JsValue::UNDEFINED, |told| notice(&told)))
        })
    }

    /// Asks for a seat. `small_group` is the person's consent to a group of three or four.
    pub fn take_part(&self, small_group: bool) -> Promise {
        done(self.handle.take_part(small_group))
    }

    /// Checks a value, given as UTF-8, against the current question; nothing is kept or sent.
    /// Rejects with a message that names the allowed range.
    pub fn check_input(&self, text: Vec<u8>) -> Promise {
        done(self.handle.check_input(secret(text)))
    }

    /// Takes the person's value for the question of that number, or for the current one, given as
    /// UTF-8. Rejects as `check_input`, and for a question that is over.
    pub fn submit(&self, text: Vec<u8>, number: Option<u16>) -> Promise {
        done(self.handle.submit(secret(text), number))
    }

    /// Host: closes the list on as many people as were counted.
    pub fn lock(&self, heads: u32) -> Promise {
        done(self.handle.lock(heads as usize))
    }

    /// Guest: offers to add up for the others, without giving a value.
    #[cfg(feature = "shares")]
    pub fn add_up(&self, small_group: bool) -> Promise {
        done(self.handle.take_part_as(Role::Compute, small_group))
    }

    /// Host: closes the list with these of those who offer to add up, given as their keys of 32 bytes one
    /// after the other; all of them if none are given.
    #[cfg(feature = "shares")]
    pub fn lock_with(&self, heads: u32, computers: &[u8]) -> Promise {
        done(self.handle.lock_with(heads as usize, computers.as_chunks().0.to_vec()))
    }

    /// This seat's key, by which a host tells apart who offers to add up.
    #[cfg(feature = "shares")]
    #[must_use]
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// Host: asks the same people something new.
    pub fn ask(&self, draft: &JsValue) -> Promise {
        match plan(draft) {
            Ok(plan) => done(self.handle.ask(plan)),
            Err(fault) => Promise::reject(&error(&fault)),
        }
    }

    /// What the relay stores, from a place in the log on: a promise of an array of `StoredEntry`.
    pub fn stored(&self, from: u32) -> Promise {
        let handle = self.handle.clone();
        promise(async move { Ok(list(handle.stored(from.into()).await?.iter().map(stored))) })
    }

    /// What the room said so far, with the key to its results or without: a promise of the bytes of a
    /// record, in a list of one, for `verify_record`.
    pub fn record(&self, with_key: bool) -> Promise {
        let (handle, ended) = (self.handle.clone(), Rc::clone(&self.ended));
        promise(async move {
            let over = ended.borrow().as_ref().map(|room| export(room, with_key));
            let pieces = match over {
                Some(pieces) => pieces?,
                None => handle.record(with_key).await?,
            };
            Ok(list(pieces.iter().map(|bytes| Uint8Array::from(&bytes[..]).into())))
        })
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

/// A promise of nothing but that it is done.
fn done(reply: Reply<()>) -> Promise {
    promise(async move { reply.await.map(|()| JsValue::UNDEFINED) })
}

/// A promise that rejects with a `CoreErrorData` object. Boxed, so that all calls share one copy of
/// the code around them.
fn promise(work: impl Future<Output = Result<JsValue, Fault>> + 'static) -> Promise {
    type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;
    let work: Work = Box::pin(async move { work.await.map_err(|fault| error(&fault)) });
    wasm_bindgen_futures::future_to_promise(work)
}

/// A page over plain http cannot vouch for itself, so no better tier is claimed.
fn policy(secure: bool) -> ClientPolicy {
    let tier_max = if secure { Tier::HostVerified } else { Tier::Unverified };
    ClientPolicy { tier_max, ..ClientPolicy::default() }
}

/// How somebody comes to a seat.
enum Way {
    Host { plan: Plan, contribute: bool, group_min: u16 },
    Invited(String),
    Back(Hash),
}

/// A seed and an invite's secret: together they are all that a seat has to hide.
const SECRETS_BYTES: usize = 32 + 16;

/// Takes a seat, kept or new. One future for all ways, which would otherwise be three.
fn sit(relay: String, secure: bool, shelf: Shelf, way: Result<Way, Fault>) -> Promise {
    promise(async move {
        let (platform, ledger) = (Browser::new(relay), BrowserLedger::new(shelf));
        let mut policy = policy(secure);
        let (mut options, mut room, mut invited) = (None, Hash::default(), None);
        match way? {
            Way::Host { plan, contribute, group_min } => {
                policy.small_group = group_min < undertone_room::GROUP_MIN_DEFAULT;
                options = Some(HostOptions { plan, group_min, contribute, policy });
            }
            Way::Back(kept) => room = kept,
            Way::Invited(text) => match Invitation::from_text(&text).map_err(|_| bad_invite())? {
                Invitation::Link(invite) => {
                    holds(invite.module)?;
                    (room, invited) = (invite.room, Some(invite.secret));
                }
                Invitation::Code(code) => room = find_room(&platform, code).await?,
            },
        }
        let kept = ledger.open(&room, &fresh(invited)?).await;
        let KeptSeat { small_group, secrets, said } = kept.map_err(|_| Fault::new(FaultCode::StoreFailed))?;
        let (seed, secret) = apart(&secrets)?;
        let open = options.is_some();
        let room = match options {
            Some(options) => undertone_room::Room::host(seed, options, said)?,
            None => {
                policy.small_group = small_group;
                undertone_room::Room::guest(seed, room, secret, policy, said)?
            }
        };
        Ok(start(room, platform, ledger, open).into())
    })
}

/// The secrets of a new seat.
fn fresh(invited: Option<Secret<[u8; 16]>>) -> Result<Secret<Vec<u8>>, Fault> {
    // Room for both from the start: growing would leave a copy behind.
    let mut fresh = Secret::new(Vec::with_capacity(SECRETS_BYTES));
    fresh.expose_mut().extend_from_slice(seed()?.expose());
    if let Some(secret) = invited {
        fresh.expose_mut().extend_from_slice(secret.expose());
    }
    Ok(fresh)
}

type Secrets = (Secret<[u8; 32]>, Option<Secret<[u8; 16]>>);

fn apart(secrets: &Secret<Vec<u8>>) -> Result<Secrets, Fault> {
    let torn = || Fault::new(FaultCode::StoreFailed);
    let (seed, secret) = secrets.expose().split_first_chunk().ok_or_else(torn)?;
    Ok((Secret::new(*seed), secret.first_chunk().copied().map(Secret::new)))
}

fn bad_invite() -> Fault {
    Fault::new(FaultCode::BadInvite).in_field("invite")
}

fn start(room: undertone_room::Room, platform: Browser, ledger: BrowserLedger, open: bool) -> Room {
    let (handle, calls) = channel();
    let (tell, told) = unbounded();
    let session = Session::new(room.identity(), open);
    let ended = Rc::new(RefCell::new(None));
    let keep = Rc::clone(&ended);
    #[cfg(feature = "shares")]
    let key = hex(&room.identity().author());
    wasm_bindgen_futures::spawn_local(async move {
        let room = drive(room, session, platform, ledger, calls, tell).await;
        keep.replace(Some(room));
    });
    let told = Rc::new(RefCell::new(Some(told)));
    Room {
        handle,
        told,
        ended,
        #[cfg(feature = "shares")]
        key,
    }
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
        #[cfg(feature = "shares")]
        Notice::Computers { offered, wanted } => Fields::kind("computers")
            .set("offered", list(offered.iter().map(|author| hex(author).into())))
            .count("wanted", *wanted),
        #[cfg(feature = "sums")]
        Notice::LeftOut { wrong, missing } => {
            let seats = |seats: &[Seat]| list(seats.iter().map(|seat| JsValue::from(seat.0)));
            Fields::kind("leftOut").set("wrong", seats(wrong)).set("missing", seats(missing))
        }
        // Said only where a few seats add up, or some may vanish.
        #[cfg(not(feature = "shares"))]
        Notice::Computers { .. } => Fields::new(),
        #[cfg(not(feature = "sums"))]
        Notice::LeftOut { .. } => Fields::new(),
        Notice::Joined => Fields::kind("joined"),
        Notice::Locked { number, seats } => Fields::kind("locked").set("listNumber", *number).count("seats", *seats),
        Notice::Ready { seats, contributors, breakers, tier, remaining_ms, keys } => Fields::kind("ready")
            .count("seats", *seats)
            .count("contributors", *contributors)
            .count("breakers", *breakers)
            .set("tier", tier.as_str())
            .set("remainingMs", *remaining_ms as f64)
            .set("keys", keys.map_or(JsValue::NULL, meter)),
        Notice::Progress { acknowledged, sent, of } => {
            Fields::kind("progress").count("acknowledged", *acknowledged).count("sent", *sent).count("of", *of)
        }
        Notice::Working { done, of } => Fields::kind("working").set("done", *done as f64).set("of", *of as f64),
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
        Notice::Fault { fault, sent, room_goes_on, number } => Fields::kind("fault")
            .set("code", fault.code().as_str())
            .set("phase", fault.phase().as_str())
            .set("seats", list(fault.culprits().iter().map(|seat| JsValue::from(seat.0))))
            .set("message", fault.message())
            .set("field", fault.field().map_or(JsValue::NULL, JsValue::from))
            .set("sentAnything", *sent)
            .set("roomGoesOn", *room_goes_on)
            .set("number", *number),
        Notice::Closed => Fields::kind("closed"),
    }
}

fn meter(keys: KeyMeter) -> JsValue {
    Fields::new().set("round", keys.round).set("rounds", keys.rounds).done()
}

/// Whether this build holds the services of a room.
fn holds(module: u8) -> Result<(), Fault> {
    let is_here = [
        cfg!(feature = "sums"),
        cfg!(feature = "groups"),
        cfg!(feature = "pairing"),
        cfg!(feature = "shares"),
        cfg!(feature = "drops"),
    ];
    match MODULES.get(usize::from(module)) {
        Some(_) if is_here.get(usize::from(module)) == Some(&true) => Ok(()),
        Some(name) => Err(Fault::new(FaultCode::OtherModule).in_field(name)),
        None => Err(Fault::new(FaultCode::BadInvite).in_field("invite")),
    }
}
