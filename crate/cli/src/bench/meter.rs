//! A stretch of wire that counts what passes.
//!
//! It stands between parties and server of whatever is measured, so that both systems are counted by
//! the same means: bytes of the connections, with everything that their protocols put around a message.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

/// Bytes in each direction, so far or in between.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    /// From parties to the server.
    pub(super) up: u64,
    /// From the server to parties.
    pub(super) down: u64,
}

impl Bytes {
    /// What came since then.
    pub(super) const fn since(self, then: Self) -> Self {
        Self { up: self.up.saturating_sub(then.up), down: self.down.saturating_sub(then.down) }
    }
}

#[derive(Default)]
struct Counts {
    up: AtomicU64,
    down: AtomicU64,
}

/// Takes connections for a server and counts.
pub(super) struct Meter {
    address: SocketAddr,
    counts: Arc<Counts>,
}

impl Meter {
    /// Takes connections on a free port of this machine, as long as the runtime runs.
    ///
    /// # Errors
    /// There is no free port.
    pub(super) async fn start(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let (address, counts) = (listener.local_addr()?, Arc::<Counts>::default());
        tokio::spawn(accept(listener, server, Arc::clone(&counts)));
        Ok(Self { address, counts })
    }

    /// Where it takes connections.
    pub(super) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn bytes(&self) -> Bytes {
        Bytes { up: self.counts.up.load(Relaxed), down: self.counts.down.load(Relaxed) }
    }
}

async fn accept(listener: TcpListener, server: SocketAddr, counts: Arc<Counts>) {
    while let Ok((party, _)) = listener.accept().await {
        tokio::spawn(join(party, server, Arc::clone(&counts)));
    }
}

/// Passes on both directions until both are closed.
async fn join(party: TcpStream, server: SocketAddr, counts: Arc<Counts>) -> io::Result<()> {
    let server = TcpStream::connect(server).await?;
    // A message is passed on when it comes, as it would be without the meter.
    party.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_party, to_party) = party.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = tokio::join!(pass(from_party, to_server, &counts.up), pass(from_server, to_party, &counts.down));
    up.and(down)
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, count: &AtomicU64) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let length = from.read(&mut buffer).await?;
        let read = buffer.get(..length).unwrap_or_default();
        if read.is_empty() {
            return to.shutdown().await;
        }
        count.fetch_add(read.len() as u64, Relaxed);
        to.write_all(read).await?;
    }
}

/// Read at once.
const BUFFER_BYTES: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_passes_is_counted_in_its_direction_and_not_changed() {
        let server = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let meter = Meter::start(server.local_addr().unwrap()).await.unwrap();
        let mut party = TcpStream::connect(meter.address()).await.unwrap();
        let (mut served, _) = server.accept().await.unwrap();
        party.write_all(&[7; 40_000]).await.unwrap();
        let mut came = vec![0; 40_000];
        served.read_exact(&mut came).await.unwrap();
        assert_eq!((came, meter.bytes()), (vec![7; 40_000], Bytes { up: 40_000, down: 0 }));
        let before = meter.bytes();
        served.write_all(b"done").await.unwrap();
        drop(served);
        let mut answer = Vec::new();
        party.read_to_end(&mut answer).await.unwrap();
        assert_eq!((&answer[..], meter.bytes().since(before)), (&b"done"[..], Bytes { up: 0, down: 4 }));
    }
}
