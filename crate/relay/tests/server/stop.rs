//! Stopping: everyone hears of it, and nothing that was said before is lost.

use crate::client::{Client, GUEST, HOST, relay};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use undertone_wire::{Frame, Refusal};

#[tokio::test]
async fn everyone_is_told_that_the_relay_will_be_back() {
    let relay = relay().await;
    let address = relay.local_addr();
    let mut host = Client::seated(address, HOST).await;
    let mut guest = Client::seated(address, GUEST).await;
    let mut lobby = Client::connect(address).await;
    host.append(HOST, 0, b"last words").await;
    host.next_stored().await;
    let listen = async {
        for client in [&mut host, &mut guest, &mut lobby] {
            assert_eq!(client.end().await, (Some(Frame::Refused { reason: Refusal::Restarting }), Some(1012)));
        }
    };
    let start = Instant::now();
    tokio::join!(relay.shutdown(), listen);
    assert!(start.elapsed() < Duration::from_secs(4));
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}

#[tokio::test]
async fn what_was_acknowledged_was_also_shown() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    for sequence in 0..50 {
        host.append(HOST, sequence, &[1; 2_000]).await;
        while host.next_stored().await.0 < sequence {}
    }
    drop(relay);
    let mut read = 0;
    while let Ok(frame) = guest.next_or_close().await {
        read += u64::from(matches!(frame, Frame::Entry { sequence, .. } if sequence == read));
    }
    assert_eq!(read, 50);
}

#[tokio::test]
async fn a_connection_that_does_not_listen_does_not_hold_the_relay_up() {
    let relay = relay().await;
    let _deaf = Client::seated(relay.local_addr(), HOST).await;
    let start = Instant::now();
    relay.shutdown().await;
    assert!(start.elapsed() < Duration::from_secs(6));
}
