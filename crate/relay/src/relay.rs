//! Starting and stopping.

use crate::accept::{Stop, accept};
use crate::clock::{Clock, ms};
use crate::kept::{Kept, settle};
use crate::limits::STOP_MS;
use crate::metrics::Metrics;
use crate::places::Places;
use crate::routes::routes;
use crate::switchboard::Switchboard;
use crate::tap::{Tap, Way};
use crate::{Config, LinkLimits, Page};
use core::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{interval, timeout};
use undertone_relay_core::{ConnectionId, Hub};

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    pub(crate) switchboard: Switchboard,
    pub(crate) places: Places,
    pub(crate) metrics: Metrics,
    pub(crate) clock: Clock,
    pub(crate) links: LinkLimits,
    pub(crate) page: Page,
    pub(crate) origins: Vec<String>,
    tap: Option<Tap>,
}

impl Shared {
    /// Shows a frame to the tap, if there is one.
    pub(crate) fn tap(&self, way: Way, connection: ConnectionId, frame: &[u8]) {
        if let Some(tap) = &self.tap {
            tap.frame(way, connection, frame);
        }
    }
}

/// A relay that runs. When it is dropped it stops taking connections and ends those it has;
/// [`Running::shutdown`] also waits until they have heard of it.
pub struct Running {
    addresses: Vec<SocketAddr>,
    shared: Arc<Shared>,
    kept: Arc<Kept>,
    stop: watch::Sender<()>,
}

impl Running {
    /// The first address that it listens on.
    #[must_use]
    pub fn local_addr(&self) -> SocketAddr {
        self.addresses.first().copied().unwrap_or_else(|| SocketAddr::from(([0, 0, 0, 0], 0)))
    }

    /// All addresses that it listens on, in the order of the configuration.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Waits until the store failed, if it ever does. Everyone is told then that the relay restarts,
    /// and only a new one, with the store opened again, will do.
    pub async fn store_failed(&self) {
        self.kept.failed().await;
    }

    /// Stops: takes no more connections, tells those it has that it is restarting, and waits until
    /// all have heard it, at most [`STOP_MS`].
    pub async fn shutdown(self) {
        let shared = Arc::clone(&self.shared);
        drop(self);
        drop(timeout(ms(STOP_MS), shared.places.all_free()).await);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.send_replace(());
        self.shared.switchboard.stop();
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

/// Starts a relay on the current runtime.
///
/// # Errors
/// An address is taken or forbidden, the tap's file cannot be written, or the store failed.
pub async fn start(config: Config) -> io::Result<Running> {
    let mut listeners = Vec::new();
    for address in &config.listen {
        listeners.push(TcpListener::bind(address).await?);
    }
    let addresses = listeners.iter().map(TcpListener::local_addr).collect::<io::Result<_>>()?;
    let kept = Arc::<Kept>::default();
    config.store.watch(kept.teller());
    let shared = Arc::new(share(config)?);
    let (stop, stopped) = watch::channel(());
    let router = routes(Arc::clone(&shared));
    for listener in listeners {
        tokio::spawn(accept(listener, Arc::clone(&shared), router.clone(), stopped.clone()));
    }
    tokio::spawn(settle(Arc::clone(&shared), Arc::clone(&kept), stopped.clone()));
    tokio::spawn(sweep(Arc::clone(&shared), stopped));
    Ok(Running { addresses, shared, kept, stop })
}

fn share(config: Config) -> io::Result<Shared> {
    let clock = Clock::start();
    let hub = Hub::new(config.store, config.limits, clock.now_ms()).map_err(io::Error::other)?;
    Ok(Shared {
        hub,
        switchboard: Switchboard::new(),
        places: Places::new(config.links.connections),
        metrics: Metrics::new(),
        clock,
        links: config.links,
        page: config.page,
        origins: config.origins,
        tap: config.tap.map(Tap::open).transpose()?,
    })
}

/// Ends silent rooms, again and again.
async fn sweep(shared: Arc<Shared>, mut stop: Stop) {
    let mut pulse = interval(ms(SWEEP_MS));
    loop {
        tokio::select! {
            _ = pulse.tick() => shared.switchboard.deliver(shared.hub.sweep(shared.clock.now_ms())),
            _ = stop.changed() => return,
        }
    }
}

/// How often: an expired room is gone well within a minute.
const SWEEP_MS: u64 = 10_000;
