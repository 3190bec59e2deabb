//! From a listening socket to HTTP, within the limits of a handshake.

use crate::clock::ms;
use crate::limits::{HEADER_BYTES_MAX, HEADERS_MAX};
use crate::places::Place;
use crate::relay::Shared;
use axum::Router;
use axum::extract::Extension;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::sleep;

/// Who is at the other end, and its place, which it keeps for as long as anything of it lives.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    _place: Arc<Place>,
}

/// Told when the relay stops: by its value, or by the end of its sender.
pub(crate) type Stop = watch::Receiver<()>;

/// Accepts connections until the relay stops.
pub(crate) async fn accept(listener: TcpListener, shared: Arc<Shared>, router: Router, mut stop: Stop) {
    loop {
        let accepted = tokio::select! {
            accepted = next(&listener, &shared) => accepted,
            _ = stop.changed() => return,
        };
        match accepted {
            Some((stream, peer)) => {
                let router = router.clone().layer(Extension(peer));
                tokio::spawn(http(stream, router, shared.links.header_read_ms, stop.clone()));
            }
            // Out of file descriptors, most likely: some come back.
            None => sleep(ms(ACCEPT_AGAIN_MS)).await,
        }
    }
}

/// How long to wait after the system refused to hand out a connection.
const ACCEPT_AGAIN_MS: u64 = 100;

/// The next connection, once there is a place for it.
async fn next(listener: &TcpListener, shared: &Shared) -> Option<(TcpStream, Peer)> {
    let place = Arc::new(shared.places.take().await?);
    let (stream, from): (TcpStream, SocketAddr) = listener.accept().await.ok()?;
    // Frames are flushed in batches already; waiting for more would only add latency.
    stream.set_nodelay(true).ok()?;
    Some((stream, Peer { address: from.ip(), _place: place }))
}

/// Speaks HTTP with one connection, until it becomes a WebSocket or ends.
async fn http(stream: TcpStream, router: Router, header_read_ms: u64, mut stop: Stop) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(ms(header_read_ms));
    builder.max_headers(HEADERS_MAX).max_buf_size(HEADER_BYTES_MAX);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = core::pin::pin!(connection.with_upgrades());
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stop.changed() => connection.as_mut().graceful_shutdown(),
    }
    drop(connection.await);
}
