//! Sockets, clock and ledger of a browser's tab, worker, or of node with a WebSocket of its own.
//!
//! Nothing here needs a secure context: over plain http on a school's network there is a WebSocket,
//! a timer and a clock, and no more is asked for.

pub use crate::ledger::browser::{BrowserLedger, KeptSeat, Shelf};

use crate::{LinkError, Platform};
use bytes::Bytes;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use futures_util::{Sink, Stream};
use gloo_net::websocket::Message;
use gloo_net::websocket::futures::WebSocket;
use gloo_timers::future::TimeoutFuture;
use undertone_wire::SUBPROTOCOL;
use wasm_bindgen::JsCast;

/// The longest wait that a browser's timer takes.
const SLEEP_MS_MAX: u64 = i32::MAX as u64;

/// A page or worker that talks to one relay.
#[derive(Clone, Debug)]
pub struct Browser {
    url: String,
}

impl Browser {
    /// `url` is the relay's WebSocket address.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into() }
    }
}

impl Platform for Browser {
    type Link = BrowserLink;

    fn connect(&self) -> impl Future<Output = Result<BrowserLink, LinkError>> + 'static {
        // A browser's socket takes messages at once and tells by an error if it never opens.
        let socket = WebSocket::open_with_protocol(&self.url, SUBPROTOCOL);
        async move { socket.map(|socket| BrowserLink { socket }).map_err(|_| LinkError) }
    }

    fn sleep(&self, ms: u64) -> impl Future<Output = ()> + 'static {
        TimeoutFuture::new(u32::try_from(ms.min(SLEEP_MS_MAX)).unwrap_or(u32::MAX))
    }

    fn now_ms(&self) -> u64 {
        let performance = js_sys::Reflect::get(&js_sys::global(), &"performance".into()).ok();
        let performance = performance.and_then(|value| value.dyn_into::<web_sys::Performance>().ok());
        performance.map_or_else(js_sys::Date::now, |performance| performance.now()) as u64
    }
}

/// A browser's WebSocket.
pub struct BrowserLink {
    socket: WebSocket,
}

impl core::fmt::Debug for BrowserLink {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("BrowserLink").finish_non_exhaustive()
    }
}

impl Stream for BrowserLink {
    type Item = Result<Bytes, LinkError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let message = core::task::ready!(Pin::new(&mut self.socket).poll_next(context));
        Poll::Ready(message.map(|message| match message {
            Ok(Message::Bytes(bytes)) => Ok(Bytes::from(bytes)),
            Ok(Message::Text(_)) | Err(_) => Err(LinkError),
        }))
    }
}

impl Sink<Bytes> for BrowserLink {
    type Error = LinkError;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_ready(context).map_err(|_| LinkError)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Bytes) -> Result<(), LinkError> {
        Pin::new(&mut self.socket).start_send(Message::Bytes(message.into())).map_err(|_| LinkError)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_flush(context).map_err(|_| LinkError)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_close(context).map_err(|_| LinkError)
    }
}
