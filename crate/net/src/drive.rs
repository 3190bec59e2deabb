//! The loop that drives one room.

use crate::handle::{Call, Calls, Told};
use crate::session::{Incoming, Session};
use crate::{Ledger, LedgerError, LinkError, Platform};
use bytes::Bytes;
use core::future::Future;
use core::pin::{Pin, pin};
use futures_channel::{mpsc, oneshot};
use futures_util::future::{Either, select};
use futures_util::{FutureExt, SinkExt, StreamExt};
use std::collections::VecDeque;
use undertone_machine::Fault;
use undertone_room::{Action, Event, Room};
use undertone_wire::{Codec, Frame, Refusal};

/// Silence on the link after which it is tested.
const QUIET_MS: u64 = 20_000;
/// How long a test may take before the link counts as dead: waking phones find out within 5 s.
const PONG_MS: u64 = 3_000;
/// How long a message may wait in front of a socket that takes nothing.
const SEND_MS: u64 = 10_000;
/// First wait before connecting again; doubled each time up to the longest.
const RETRY_MS: u64 = 200;
const RETRY_MS_MAX: u64 = 5_000;
/// How long a seat without any deadline tries to reach the relay.
const GIVE_UP_MS: u64 = 20_000;
/// How long a room that is over tries to tell the relay so.
const FAREWELL_MS: u64 = 2_000;
/// Entries asked for at once when someone looks at what the relay stores.
const FETCH_COUNT: u16 = 256;

type Connecting<L> = Pin<Box<dyn Future<Output = Result<L, LinkError>>>>;

/// Who waits for stored entries.
type Fetching = oneshot::Sender<Result<Vec<Bytes>, Fault>>;

/// How the relay is reached at the moment.
enum Line<L> {
    Down { retry_at: u64 },
    Connecting(Connecting<L>),
    Up(L),
}

/// What woke the loop.
enum Woken<L> {
    Connected(Result<L, LinkError>),
    Message(Option<Result<Bytes, LinkError>>),
    Call(Option<Call>),
    Time,
}

struct Driver<P: Platform, S: Ledger> {
    room: Room,
    session: Session,
    platform: P,
    ledger: S,
    line: Line<P::Link>,
    tell: mpsc::UnboundedSender<Told>,
    /// Where reading was asked to start, and whom to answer: kept until answered, over any number of
    /// lost connections.
    fetches: VecDeque<(u64, Fetching)>,
    /// Connections that broke since one of them brought something.
    attempts: u32,
    /// Since when this seat has not been attached.
    away_since: Option<u64>,
    heard_at: u64,
    /// A ping is under way and must be answered by then.
    pong_by: Option<u64>,
    over_since: Option<u64>,
    /// Nobody holds a handle any more.
    abandoned: bool,
}

/// Drives a room until it is over.
///
/// Everything that the room wants stored goes to the ledger before anything is sent; everything that
/// it says is sent until the relay confirms it; everything it tells goes to `tell`. The room that is
/// over is given back: it can still be exported.
pub async fn drive<P: Platform, S: Ledger>(
    room: Room,
    session: Session,
    platform: P,
    ledger: S,
    mut calls: Calls,
    tell: mpsc::UnboundedSender<Told>,
) -> Room {
    let mut driver = Driver::new(room, session, platform, ledger, tell);
    while driver.turn().await {
        let woken = driver.wait(&mut calls).await;
        driver.take(woken);
    }
    driver.room
}

impl<P: Platform, S: Ledger> Driver<P, S> {
    fn new(room: Room, session: Session, platform: P, ledger: S, tell: mpsc::UnboundedSender<Told>) -> Self {
        let now = platform.now_ms();
        Self {
            room,
            session,
            ledger,
            line: Line::Down { retry_at: now },
            tell,
            fetches: VecDeque::new(),
            attempts: 0,
            away_since: Some(now),
            heard_at: now,
            pong_by: None,
            over_since: None,
            abandoned: false,
            platform,
        }
    }

    /// Does everything that can be done now. `false` when nothing is left to do.
    async fn turn(&mut self) -> bool {
        let now = self.platform.now_ms();
        self.room.handle(Event::Clock(now));
        self.keep_line(now);
        self.act().await;
        self.flush().await;
        if !self.room.is_over() {
            return true;
        }
        let since = *self.over_since.get_or_insert(now);
        !self.session.is_settled() && now < since.saturating_add(FAREWELL_MS)
    }

    /// Stores, sends and tells what the room wants, in its order.
    async fn act(&mut self) {
        while let Some(action) = self.room.poll() {
            match action {
                Action::Store { key, bytes } => match self.ledger.add(&key.to_string(), &bytes).await {
                    Ok(bytes) => self.room.handle(Event::Stored { key, bytes }),
                    Err(LedgerError) => self.room.handle(Event::StoreFailed),
                },
                Action::Append(entry) => self.session.append(entry),
                Action::Pipe { to, bytes } => self.session.send(&Frame::Pipe { to, bytes: bytes.into() }),
                Action::Credit { to, bytes } => self.session.send(&Frame::Credit { to, bytes }),
                Action::Notice(notice) => self.tell(Told::Room(notice)),
            }
        }
    }

    fn tell(&self, told: Told) {
        // Nobody listening any more is fine: the handle decides when the room ends.
        let _ = self.tell.unbounded_send(told);
    }

    async fn flush(&mut self) {
        let Line::Up(link) = &mut self.line else { return };
        let session = &mut self.session;
        let sending = async {
            while let Some(message) = session.next_out() {
                link.feed(message).await?;
            }
            link.flush().await
        };
        let patience = self.platform.sleep(SEND_MS);
        if !matches!(select(pin!(sending), pin!(patience)).await, Either::Left((Ok(()), _))) {
            self.lose_line();
        }
    }

    fn keep_line(&mut self, now: u64) {
        if self.pong_by.is_some_and(|by| by <= now) {
            self.lose_line();
        }
        match &self.line {
            Line::Up(_) if self.pong_by.is_none() && now >= self.heard_at.saturating_add(QUIET_MS) => self.ping(),
            Line::Down { retry_at } if *retry_at <= now => {
                self.line = Line::Connecting(Box::pin(self.platform.connect()));
            }
            _ => {}
        }
        let waited = self.away_since.is_some_and(|since| now.saturating_sub(since) >= GIVE_UP_MS);
        if waited && !self.room.has_deadline() {
            self.room.handle(Event::LinkLost);
        }
    }

    fn ping(&mut self) {
        let now = self.platform.now_ms();
        self.session.send(&Frame::Ping { nonce: now });
        self.pong_by = Some(now.saturating_add(PONG_MS));
    }

    fn lose_line(&mut self) {
        let now = self.platform.now_ms();
        if self.away_since.is_none() {
            self.away_since = Some(now);
            self.tell(Told::Link(false));
        }
        self.line = Line::Down { retry_at: now.saturating_add(self.retry_ms()) };
        self.attempts = self.attempts.saturating_add(1);
        self.pong_by = None;
        self.session.disconnected();
    }

    /// Doubling waits, spread by the seat's key so that a class does not come back all at once.
    fn retry_ms(&self) -> u64 {
        let doubled = RETRY_MS.saturating_mul(1 << self.attempts.min(8)).min(RETRY_MS_MAX);
        let spread = self.room.identity().author().first().map_or(0, |byte| u64::from(*byte));
        doubled.saturating_add(doubled.saturating_mul(spread) / 256)
    }

    /// Waits for whatever comes first.
    async fn wait(&mut self, calls: &mut Calls) -> Woken<P::Link> {
        let now = self.platform.now_ms();
        let due = self.due(now);
        let time = self.platform.sleep(due.saturating_sub(now)).map(|()| Woken::Time);
        let call = async {
            match self.abandoned {
                false => Woken::Call(calls.0.next().await),
                true => core::future::pending().await,
            }
        };
        match &mut self.line {
            Line::Down { .. } => first(call, time).await,
            Line::Connecting(connecting) => first(first(connecting.as_mut().map(Woken::Connected), call), time).await,
            Line::Up(link) => first(first(link.next().map(Woken::Message), call), time).await,
        }
    }

    fn due(&self, now: u64) -> u64 {
        let line = match &self.line {
            Line::Down { retry_at } => *retry_at,
            Line::Connecting(_) => now.saturating_add(SEND_MS),
            Line::Up(_) => self.pong_by.unwrap_or_else(|| self.heard_at.saturating_add(QUIET_MS)),
        };
        let farewell = self.over_since.map(|since| since.saturating_add(FAREWELL_MS));
        [self.room.wake_at(), farewell].into_iter().flatten().fold(line, u64::min)
    }

    fn take(&mut self, woken: Woken<P::Link>) {
        // What came is of now, not of when the wait began: deadlines that it sets count from here.
        self.room.handle(Event::Clock(self.platform.now_ms()));
        match woken {
            Woken::Time => {}
            Woken::Connected(Ok(link)) => {
                self.line = Line::Up(link);
                self.heard_at = self.platform.now_ms();
                self.session.connected();
            }
            Woken::Message(Some(Ok(message))) => self.hear(&message),
            Woken::Connected(Err(LinkError)) | Woken::Message(None | Some(Err(LinkError))) => self.lose_line(),
            Woken::Call(Some(call)) => self.call(call),
            Woken::Call(None) => {
                self.abandoned = true;
                self.room.leave();
            }
        }
    }

    fn hear(&mut self, message: &Bytes) {
        self.heard_at = self.platform.now_ms();
        match self.session.receive(message) {
            Incoming::Attached => {
                self.away_since = None;
                for (from, _) in &self.fetches {
                    self.session.send(&Frame::Fetch { from: *from, count: FETCH_COUNT });
                }
                self.tell(Told::Link(true));
            }
            Incoming::Entry(entry) => {
                self.attempts = 0;
                self.room.handle(Event::Entry(&entry));
            }
            Incoming::Piped(from, bytes) => self.room.handle(Event::Piped { from, bytes: &bytes }),
            Incoming::Credited(from, bytes) => self.room.handle(Event::Credited { from, bytes }),
            Incoming::Fetched(_, entries) => self.fetched(entries),
            Incoming::Pong => (self.attempts, self.pong_by) = (0, None),
            // A pipe to a seat that is away: the deadline tells, if it does not come back.
            Incoming::Nothing | Incoming::Refused(Refusal::PeerAway) => {}
            Incoming::Refused(reason) if reason.may_retry() => self.lose_line(),
            Incoming::Refused(reason) => self.room.handle(Event::Refused(reason)),
            Incoming::Nonsense => self.lose_line(),
        }
    }

    fn fetched(&mut self, entries: Vec<Bytes>) {
        let Some((_, answer)) = self.fetches.pop_front() else { return };
        let _ = answer.send(Ok(entries));
    }

    fn call(&mut self, call: Call) {
        let room = &mut self.room;
        let (done, answer) = match call {
            Call::TakePart(role, small_group, answer) => (room.take_part_as(role, small_group), answer),
            Call::CheckInput(text, answer) => (room.check_input(text.expose()), answer),
            Call::Submit(text, number, answer) => (room.submit_to(number, text.expose()), answer),
            Call::SubmitRows(rows, answer) => (room.submit_rows(&mut rows.expose().iter().map(String::as_str)), answer),
            Call::Lock(heads, computers, answer) => (room.lock_with(heads, &computers), answer),
            Call::Ask(plan, answer) => (room.ask(plan), answer),
            Call::Stored(from, answer) => return self.fetch(from, answer),
            Call::Record(with_key, answer) => {
                let _ = answer.send(export(room, with_key));
                return;
            }
            Call::Wake => return self.wake(),
            Call::Leave => return room.leave(),
        };
        let _ = answer.send(done);
    }

    /// The device was away: a link that is up may be dead, and one that is down may come up now.
    fn wake(&mut self) {
        match self.line {
            Line::Up(_) => self.ping(),
            Line::Down { .. } => {
                self.attempts = 0;
                self.line = Line::Down { retry_at: self.platform.now_ms() };
            }
            Line::Connecting(_) => {}
        }
    }

    fn fetch(&mut self, from: u64, answer: Fetching) {
        // Before the seat is attached nothing is sent; then all that waits is asked for.
        self.session.send(&Frame::Fetch { from, count: FETCH_COUNT });
        self.fetches.push_back((from, answer));
    }
}

/// The bytes of a room's record, as one piece.
///
/// # Errors
/// As [`Room::record`].
pub fn export(room: &Room, with_key: bool) -> Result<Vec<Bytes>, Fault> {
    Ok(vec![room.record(with_key)?.to_bytes().into()])
}

/// Whichever is ready first; the earlier one if both are.
async fn first<T>(one: impl Future<Output = T>, other: impl Future<Output = T>) -> T {
    match select(pin!(one), pin!(other)).await {
        Either::Left((value, _)) | Either::Right((value, _)) => value,
    }
}

#[cfg(test)]
#[cfg(feature = "native")]
mod tests {
    use super::*;
    use crate::{MemoryLedger, channel};
    use core::task::{Context, Poll};
    use core::time::Duration;
    use futures_util::{Sink, Stream};
    use std::sync::{Arc, Mutex};
    use tokio::time::Instant;
    use undertone_machine::{FaultCode, Secret};
    use undertone_room::{ClientPolicy, HostOptions, Notice};
    use undertone_wire::{with_room, without_room};

    /// A relay that is not there: no connection comes up or, as in a browser, one that breaks at once.
    struct Nowhere {
        started: Instant,
        opens: bool,
    }

    struct Broken;

    /// A connection that takes everything and brings nothing by itself.
    #[derive(Clone, Default)]
    struct Quiet {
        sent: Arc<Mutex<Vec<Frame>>>,
    }

    impl Quiet {
        fn fetches(&self) -> Vec<u64> {
            let sent = self.sent.lock().unwrap();
            let from = sent.iter().filter_map(|frame| match frame {
                Frame::Fetch { from, .. } => Some(*from),
                _ => None,
            });
            from.collect()
        }
    }

    impl Stream for Quiet {
        type Item = Result<Bytes, LinkError>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Pending
        }
    }

    impl Sink<Bytes> for Quiet {
        type Error = LinkError;
        fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
        fn start_send(self: Pin<&mut Self>, message: Bytes) -> Result<(), LinkError> {
            self.sent.lock().unwrap().push(Frame::from_message(&message).unwrap());
            Ok(())
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
        fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
    }

    /// A relay that the test speaks for.
    #[derive(Default)]
    struct Spoken {
        link: Quiet,
    }

    impl Platform for Spoken {
        type Link = Quiet;

        fn connect(&self) -> impl Future<Output = Result<Quiet, LinkError>> + 'static {
            core::future::ready(Ok(self.link.clone()))
        }

        fn sleep(&self, ms: u64) -> impl Future<Output = ()> + 'static {
            tokio::time::sleep(Duration::from_millis(ms))
        }

        fn now_ms(&self) -> u64 {
            0
        }
    }

    impl Stream for Broken {
        type Item = Result<Bytes, LinkError>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(Some(Err(LinkError)))
        }
    }

    impl Sink<Bytes> for Broken {
        type Error = LinkError;
        fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
        fn start_send(self: Pin<&mut Self>, _: Bytes) -> Result<(), LinkError> {
            Ok(())
        }
        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
        fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
            Poll::Ready(Ok(()))
        }
    }

    impl Platform for Nowhere {
        type Link = Broken;

        fn connect(&self) -> impl Future<Output = Result<Broken, LinkError>> + 'static {
            core::future::ready(if self.opens { Ok(Broken) } else { Err(LinkError) })
        }

        fn sleep(&self, ms: u64) -> impl Future<Output = ()> + 'static {
            tokio::time::sleep(Duration::from_millis(ms))
        }

        fn now_ms(&self) -> u64 {
            self.started.elapsed().as_millis() as u64
        }
    }

    fn guest() -> Room {
        Room::guest(Secret::new([1; 32]), [2; 32], None, ClientPolicy::default(), Vec::new()).unwrap()
    }

    /// A guest who has read a host's question.
    fn asked_guest() -> Room {
        let plan = undertone_services::draft("sum", "How much?", &[], "60").unwrap();
        let options = HostOptions { plan, group_min: 5, contribute: true, policy: ClientPolicy::default() };
        let mut host = Room::host(Secret::new([2; 32]), options, Vec::new()).unwrap();
        let id = host.identity().room();
        let mut room = Room::guest(Secret::new([1; 32]), id, None, ClientPolicy::default(), Vec::new()).unwrap();
        while let Some(action) = host.poll() {
            if let Action::Store { bytes, .. } = action {
                room.handle(Event::Entry(&bytes));
            }
        }
        while room.poll().is_some() {}
        room
    }

    #[tokio::test(start_paused = true)]
    async fn deadlines_count_from_when_their_entry_came_not_from_when_the_wait_for_it_began() {
        let platform = Nowhere { started: Instant::now(), opens: true };
        let mut room = asked_guest();
        room.take_part(false).unwrap();
        let Some(Action::Store { key, bytes }) = room.poll() else { panic!("nothing to store") };
        room.handle(Event::Stored { key, bytes: bytes.clone() });
        let session = Session::new(room.identity(), false);
        let mut driver = Driver::new(room, session, platform, MemoryLedger::default(), mpsc::unbounded().0);
        driver.turn().await;
        let (wait, before) = (Duration::from_secs(15), driver.platform.now_ms());
        tokio::time::advance(wait).await;
        let join = Frame::Entry { sequence: 0, entry: without_room(&bytes.into()) };
        driver.take(Woken::Message(Some(Ok(join.to_message()))));
        let lobby_ms = 2 * 3600 * 1000;
        assert_eq!(driver.room.wake_at(), Some(before + 15_000 + lobby_ms));
    }

    type Spoke = Driver<Spoken, MemoryLedger>;

    /// A connection comes up and the relay lets the seat in.
    async fn let_in(driver: &mut Spoke) {
        driver.take(Woken::Connected(Ok(driver.platform.link.clone())));
        driver.take(Woken::Message(Some(Ok(Frame::Attached { head: 0 }.to_message()))));
        driver.flush().await;
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_the_store_is_answered_once_over_lost_connections() {
        let room = guest();
        let session = Session::new(room.identity(), false);
        let (ledger, tell) = (MemoryLedger::default(), mpsc::unbounded().0);
        let mut driver = Driver::new(room, session, Spoken::default(), ledger, tell);
        let ((one, first), (other, second)) = (oneshot::channel(), oneshot::channel());
        // Asked before there is a connection, and while one is there; it breaks before any answer.
        driver.take(Woken::Call(Some(Call::Stored(3, one))));
        let_in(&mut driver).await;
        driver.take(Woken::Call(Some(Call::Stored(7, other))));
        driver.flush().await;
        driver.take(Woken::Message(Some(Err(LinkError))));
        assert_eq!(driver.platform.link.fetches(), [3, 7]);
        let_in(&mut driver).await;
        assert_eq!(driver.platform.link.fetches(), [3, 7, 3, 7]);
        for (from, entry) in [(3, &b"third"[..]), (7, b"seventh")] {
            let answer = Frame::Fetched { from, entries: vec![Bytes::from_static(entry)] };
            driver.take(Woken::Message(Some(Ok(answer.to_message()))));
        }
        let told = [first.await, second.await].map(|answer| answer.unwrap().unwrap());
        assert_eq!(
            (told.concat(), driver.fetches.len()),
            ([&b"third"[..], b"seventh"].map(|entry| with_room(&[2; 32], entry)).to_vec(), 0)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_device_that_wakes_tests_its_link_or_connects_at_once() {
        let room = guest();
        let session = Session::new(room.identity(), false);
        let (ledger, tell) = (MemoryLedger::default(), mpsc::unbounded().0);
        let mut driver = Driver::new(room, session, Spoken::default(), ledger, tell);
        let_in(&mut driver).await;
        driver.take(Woken::Call(Some(Call::Wake)));
        assert_eq!(driver.pong_by, Some(PONG_MS));
        // It was dead, and so were the next ones: by now the wait for another try is long.
        (0..8).for_each(|_| driver.lose_line());
        assert!(matches!(driver.line, Line::Down { retry_at } if retry_at >= RETRY_MS_MAX));
        driver.take(Woken::Call(Some(Call::Wake)));
        driver.keep_line(driver.platform.now_ms());
        assert!(matches!(driver.line, Line::Connecting(_)));
        assert!(driver.retry_ms() < RETRY_MS * 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_relay_that_is_not_there_is_given_up_after_twenty_seconds() {
        for opens in [false, true] {
            let platform = Nowhere { started: Instant::now(), opens };
            let started = platform.started;
            let room = guest();
            let session = Session::new(room.identity(), false);
            let (handle, calls) = channel();
            let (tell, mut told) = mpsc::unbounded();
            drive(room, session, platform, MemoryLedger::default(), calls, tell).await;
            let seconds = started.elapsed().as_secs();
            assert!((20..30).contains(&seconds), "{seconds} s");
            let mut faults = Vec::new();
            while let Some(told) = told.next().await {
                if let Told::Room(Notice::Fault { fault, .. }) = told {
                    faults.push(fault.code());
                }
            }
            assert_eq!(faults, [FaultCode::LinkLost]);
            assert!(handle.take_part(false).await.is_err());
        }
    }
}
