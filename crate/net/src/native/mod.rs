//! Sockets, clock and file of a native process.

pub use crate::ledger::file::{FileLedger, ledger_records};

use crate::{LinkError, Platform};
use bytes::Bytes;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use futures_util::{Sink, Stream};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};
use undertone_wire::SUBPROTOCOL;
use undertone_wire::limits::PIPE_FRAME_BYTES_MAX;

/// How long a connection may take to come up.
const CONNECT_MS: u64 = 10_000;
/// Room for a frame's number and addresses around its content.
const SPARE_BYTES: usize = 4096;

/// A native process that talks to one relay.
#[derive(Clone, Debug)]
pub struct Native {
    url: String,
    started: Instant,
}

impl Native {
    /// `url` is the relay's WebSocket address, such as `ws://localhost:8080/ws`.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "the outer layer is where clocks are read")]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), started: Instant::now() }
    }
}

impl Platform for Native {
    type Link = NativeLink;

    fn connect(&self) -> impl Future<Output = Result<NativeLink, LinkError>> + 'static {
        let url = self.url.clone();
        async move {
            let mut request = url.into_client_request().map_err(|_| LinkError)?;
            request.headers_mut().insert("sec-websocket-protocol", HeaderValue::from_static(SUBPROTOCOL));
            let most = Some(PIPE_FRAME_BYTES_MAX + SPARE_BYTES);
            let config = WebSocketConfig::default().max_message_size(most).max_frame_size(most).read_buffer_size(8192);
            let connecting = connect_async_with_config(request, Some(config), true);
            let connected = tokio::time::timeout(Duration::from_millis(CONNECT_MS), connecting).await;
            let (socket, _) = connected.map_err(|_| LinkError)?.map_err(|_| LinkError)?;
            Ok(NativeLink { socket })
        }
    }

    fn sleep(&self, ms: u64) -> impl Future<Output = ()> + 'static {
        tokio::time::sleep(Duration::from_millis(ms))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// A WebSocket.
#[derive(Debug)]
pub struct NativeLink {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Stream for NativeLink {
    type Item = Result<Bytes, LinkError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            return Poll::Ready(match core::task::ready!(Pin::new(&mut self.socket).poll_next(context)) {
                Some(Ok(Message::Binary(bytes))) => Some(Ok(bytes)),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                Some(_) => Some(Err(LinkError)),
                None => None,
            });
        }
    }
}

impl Sink<Bytes> for NativeLink {
    type Error = LinkError;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_ready(context).map_err(|_| LinkError)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Bytes) -> Result<(), LinkError> {
        Pin::new(&mut self.socket).start_send(Message::Binary(message)).map_err(|_| LinkError)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_flush(context).map_err(|_| LinkError)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), LinkError>> {
        Pin::new(&mut self.socket).poll_close(context).map_err(|_| LinkError)
    }
}
