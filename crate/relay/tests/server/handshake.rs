//! Who gets in.

use crate::client::{Client, GUEST, HOST, config, get, handshake, http, metrics_say, relay, relay_with};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Error;
use undertone_relay::{Config, LinkLimits, start};
use undertone_wire::{Frame, Refusal};

/// The status of a handshake with some headers changed.
async fn status(relay: SocketAddr, changes: &[(&'static str, Option<&str>)]) -> u16 {
    let mut request = handshake(relay);
    for (name, value) in changes {
        match value {
            Some(value) => drop(request.headers_mut().insert(*name, value.parse().unwrap())),
            None => drop(request.headers_mut().remove(*name)),
        }
    }
    match client_async(request, TcpStream::connect(relay).await.unwrap()).await {
        Ok((_, response)) => response.status().as_u16(),
        Err(Error::Http(response)) => response.status().as_u16(),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn the_subprotocol_is_the_version() {
    let relay = relay().await;
    let ask = async |value| status(relay.local_addr(), &[("sec-websocket-protocol", value)]).await;
    assert_eq!(ask(Some("undertone.v1")).await, 101);
    assert_eq!(ask(Some("undertone.v2, undertone.v1")).await, 101);
    assert_eq!(ask(Some("undertone.v2")).await, 400);
    assert_eq!(ask(None).await, 400);
}

#[tokio::test]
async fn pages_of_other_sites_may_not_connect() {
    let relay = start(Config { origins: vec!["class.example".into()], ..config() }).await.unwrap();
    let own = format!("http://{}", relay.local_addr());
    let ask = async |origin: &str| status(relay.local_addr(), &[("origin", Some(origin))]).await;
    assert_eq!(ask(&own).await, 101);
    assert_eq!(ask("https://class.example").await, 101);
    assert_eq!(ask("https://evil.example").await, 403);
    assert_eq!(ask("null").await, 403);
}

#[tokio::test]
async fn plain_requests_and_long_heads_are_refused() {
    let relay = relay().await;
    assert!(get(relay.local_addr(), "/ws", "").await.0.starts_with("http/1.1 4"));
    let long = format!("X-Long: {}\r\n", "a".repeat(9_000));
    assert!(get(relay.local_addr(), "/", &long).await.0.starts_with("http/1.1 431"));
    let many = (0..70).map(|number| format!("X-{number}: a\r\n")).collect::<String>();
    assert!(get(relay.local_addr(), "/", &many).await.0.starts_with("http/1.1 431"));
    assert!(http(relay.local_addr(), "nonsense\r\n\r\n").await.0.starts_with("http/1.1 400"));
}

#[tokio::test]
async fn half_a_request_is_cut() {
    let relay = relay_with(LinkLimits { header_read_ms: 100, ..LinkLimits::default() }).await;
    let (start, mut answer) = (Instant::now(), Vec::new());
    let mut stream = TcpStream::connect(relay.local_addr()).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"GET / HTTP/1.1\r\nHost: ").await.unwrap();
    stream.read_to_end(&mut answer).await.unwrap_or_default();
    assert!(start.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn a_connection_that_never_speaks_is_cut() {
    let relay = relay_with(LinkLimits { first_frame_ms: 100, ..LinkLimits::default() }).await;
    let mut client = Client::connect(relay.local_addr()).await;
    assert_eq!(client.end().await, (Some(Frame::Refused { reason: Refusal::TooSlow }), Some(1013)));
}

#[tokio::test]
async fn idle_connections_are_asked_and_dead_ones_dropped() {
    let links = LinkLimits { first_frame_ms: 200, ping_ms: 200, silence_ms: 500, ..LinkLimits::default() };
    let relay = relay_with(links).await;
    let mut alive = Client::seated(relay.local_addr(), HOST).await;
    let _dead = Client::seated(relay.local_addr(), GUEST).await;
    // Reading answers the pings; the one that is not read from answers nothing.
    for _ in 0..6 {
        let message = alive.next_raw().await;
        assert!(message.as_ref().is_some_and(|it| it.is_ping()), "{message:?}");
    }
    metrics_say(relay.local_addr(), "undertone_seats 1").await;
    metrics_say(relay.local_addr(), "undertone_ended_total{reason=\"TooSlow\"} 1").await;
}

#[tokio::test]
async fn so_many_connections_and_the_next_one_waits() {
    let relay = relay_with(LinkLimits { connections: 2, ..LinkLimits::default() }).await;
    let (first, _second) = (Client::connect(relay.local_addr()).await, Client::connect(relay.local_addr()).await);
    let mut third = tokio::spawn(Client::connect(relay.local_addr()));
    assert!(tokio::time::timeout(Duration::from_millis(300), &mut third).await.is_err());
    drop(first);
    third.await.unwrap();
}
