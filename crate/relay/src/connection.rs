//! One WebSocket: a half that reads and a half that writes, in one task.

use crate::clock::ms;
use crate::limits::{BATCH, CLOSING_MS};
use crate::mailbox::Mailbox;
use crate::relay::Shared;
use crate::tap::Way;
use axum::Error;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::time::{Interval, MissedTickBehavior, interval_at, sleep, timeout};
use undertone_relay_core::Visitor;
use undertone_wire::{Codec, Frame, Refusal};

type Sink = SplitSink<WebSocket, Message>;
type Stream = SplitStream<WebSocket>;

/// Serves a connection to its end.
pub(crate) async fn serve(shared: Arc<Shared>, socket: WebSocket, address: IpAddr) {
    let visitor = shared.hub.connect(address);
    let mailbox = shared.switchboard.open(visitor.id());
    let now_ms = shared.clock.now_ms();
    let connection =
        Connection { shared, visitor, mailbox, heard_ms: AtomicU64::new(now_ms), spoke: AtomicBool::new(false) };
    let (mut sink, mut stream) = socket.split();
    let end = tokio::select! {
        end = connection.read(&mut stream) => end,
        end = connection.write(&mut sink) => end,
    };
    // The seat is free for the next connection before the last frames are out.
    connection.leave();
    connection.say_goodbye(end, sink, stream).await;
}

/// How a connection ends.
enum End {
    /// The other side left, or cannot be reached.
    Gone,
    /// The relay ends it.
    Refused(Refusal),
}

struct Connection {
    shared: Arc<Shared>,
    visitor: Visitor,
    mailbox: Arc<Mailbox>,
    heard_ms: AtomicU64,
    spoke: AtomicBool,
}

impl Connection {
    /// Reads messages until the other side leaves.
    async fn read(&self, stream: &mut Stream) -> End {
        loop {
            self.mailbox.quiet().await;
            let message = match stream.next().await {
                Some(Ok(message)) => message,
                // Broken framing, a message beyond any limit, or a broken line; the first two can
                // still be answered.
                Some(Err(_)) => return End::Refused(Refusal::BadFrame),
                None => return End::Gone,
            };
            self.heard_ms.store(self.shared.clock.now_ms(), Ordering::Relaxed);
            match message {
                Message::Binary(bytes) => self.handle(&bytes).await,
                Message::Text(_) => self.mailbox.close(Refusal::BadFrame),
                Message::Ping(_) | Message::Pong(_) => {}
                Message::Close(_) => return End::Gone,
            }
        }
    }

    async fn handle(&self, message: &Bytes) {
        self.spoke.store(true, Ordering::Relaxed);
        self.shared.metrics.received(message.len());
        self.shared.tap(Way::In, self.visitor.id(), message);
        let handled = self.shared.hub.handle(&self.visitor, message, self.shared.clock.now_ms());
        self.shared.switchboard.deliver(handled.outputs);
        if handled.pause_ms > 0 {
            sleep(ms(handled.pause_ms)).await;
        }
    }

    /// Writes what waits, in batches, until there is a reason to end.
    async fn write(&self, sink: &mut Sink) -> End {
        let mut pulse = self.pulse();
        let mut log_has_more = false;
        loop {
            let mut batch = self.mailbox.take(BATCH.entries);
            log_has_more |= batch.log_has_news;
            if log_has_more {
                let entries = self.shared.hub.entries(&self.visitor, BATCH);
                log_has_more = !entries.is_empty();
                batch.frames.extend(entries);
            }
            let is_idle = batch.frames.is_empty();
            if let Err(end) = self.send(sink, batch.frames).await {
                return end;
            }
            // A relay that stops shows first what it acknowledged.
            if let Some(reason) = batch.close.filter(|it| *it != Refusal::Restarting || !log_has_more) {
                return End::Refused(reason);
            }
            if is_idle && !log_has_more {
                self.wait(&mut pulse, sink).await;
            }
        }
    }

    /// Feeds a batch to the socket and flushes once.
    async fn send(&self, sink: &mut Sink, frames: Vec<Bytes>) -> Result<(), End> {
        if frames.is_empty() {
            return Ok(());
        }
        for frame in frames {
            self.shared.metrics.sent(frame.len());
            self.shared.tap(Way::Out, self.visitor.id(), &frame);
            self.unless_stalled(sink.feed(Message::Binary(frame))).await?;
        }
        self.unless_stalled(sink.flush()).await
    }

    /// Gives a socket so long to take one frame.
    async fn unless_stalled(&self, write: impl Future<Output = Result<(), Error>>) -> Result<(), End> {
        match timeout(ms(self.shared.links.stall_ms), write).await {
            Ok(written) => written.map_err(|_| End::Gone),
            Err(_) => Err(End::Refused(Refusal::TooSlow)),
        }
    }

    /// Waits for news, and looks after the connection meanwhile.
    async fn wait(&self, pulse: &mut Interval, sink: &mut Sink) {
        tokio::select! {
            () = self.mailbox.news() => {}
            _ = pulse.tick() => self.look_after(sink).await,
        }
    }

    /// Ends a connection that says nothing, and asks one that is only idle whether it is there.
    async fn look_after(&self, sink: &mut Sink) {
        let silent_ms = self.shared.clock.now_ms().saturating_sub(self.heard_ms.load(Ordering::Relaxed));
        if silent_ms >= self.shared.links.silence_ms || !self.spoke.load(Ordering::Relaxed) {
            self.mailbox.close(Refusal::TooSlow);
            return;
        }
        // A ping that does not get out is one that is not answered.
        self.unless_stalled(sink.send(Message::Ping(Bytes::new()))).await.unwrap_or_default();
    }

    /// Beats first when the first frame must be there, then as often as pings are due.
    fn pulse(&self) -> Interval {
        let first = tokio::time::Instant::now() + ms(self.shared.links.first_frame_ms);
        let mut pulse = interval_at(first, ms(self.shared.links.ping_ms));
        pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
        pulse
    }

    fn leave(&self) {
        self.shared.switchboard.forget(self.visitor.id());
        self.shared.hub.disconnect(&self.visitor, self.shared.clock.now_ms());
    }

    /// Says why, and waits a moment for the other side to have heard it: a socket that is dropped
    /// with unread bytes takes its last words with it.
    async fn say_goodbye(&self, end: End, mut sink: Sink, mut stream: Stream) {
        let goodbye = async {
            if let End::Refused(reason) = end {
                self.shared.metrics.ended(reason);
                let last = Bytes::from(Frame::Refused { reason }.to_bytes());
                self.send(&mut sink, vec![last]).await.ok()?;
                sink.send(Message::Close(Some(close_frame(reason)))).await.ok()?;
            }
            while let Some(Ok(_)) = stream.next().await {}
            sink.close().await.ok()
        };
        drop(timeout(ms(CLOSING_MS), goodbye).await);
    }
}

/// The WebSocket's own way to say it, for whoever does not read frames.
fn close_frame(reason: Refusal) -> CloseFrame {
    let code = match reason {
        Refusal::Restarting => close_code::RESTART,
        Refusal::TooSlow => close_code::AGAIN,
        Refusal::TooLarge => close_code::SIZE,
        Refusal::BadFrame => close_code::PROTOCOL,
        _ => close_code::POLICY,
    };
    CloseFrame { code, reason: Utf8Bytes::from_static(reason.sentence()) }
}
