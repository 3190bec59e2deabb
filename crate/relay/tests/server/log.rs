//! The log over sockets: order, replay, coming back.

use crate::client::{Client, GUEST, HOST, entry, relay, room};
use undertone_wire::{Frame, Refusal, RoomCode};

#[tokio::test]
async fn entries_reach_everyone_and_late_comers_too() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    host.append(HOST, 0, b"open").await;
    assert_eq!(host.next_stored().await, (0, 0));
    guest.append(GUEST, 0, b"join").await;
    assert_eq!(guest.next_stored().await, (0, 1));
    let mut late = Client::connect(relay.local_addr()).await;
    assert_eq!(late.attach([3; 32], 0).await, 2);
    for client in [&mut guest, &mut late] {
        client.append([9; 32], 0, b"").await;
    }
    assert_eq!(late.next_entry().await, (0, entry(HOST, 0, b"open")));
    assert_eq!(late.next_entry().await, (1, entry(GUEST, 0, b"join")));
    assert_eq!(late.end().await, (Some(Frame::Refused { reason: Refusal::BadFrame }), Some(1002)));
}

#[tokio::test]
async fn a_device_that_lost_its_connection_reads_on_and_sends_again() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    for sequence in 0..20 {
        host.append(HOST, sequence, b"x").await;
    }
    assert_eq!((host.next_entry().await.0, host.next_entry().await.0), (0, 1));
    drop(host);
    let mut host = Client::connect(relay.local_addr()).await;
    let head = host.attach(HOST, 2).await;
    for sequence in 0..20 {
        host.append(HOST, sequence, b"x").await;
    }
    let mut acknowledged = Vec::new();
    let mut read = Vec::new();
    while acknowledged.len() < 20 || read.len() < 18 {
        match host.next().await {
            Frame::Stored { own, sequence } => acknowledged.push((own, sequence)),
            Frame::Entry { sequence, .. } => read.push(sequence),
            other => panic!("{other:?}"),
        }
    }
    acknowledged.sort_unstable();
    assert!(head <= 20 && acknowledged == (0..20).map(|own| (own, u64::from(own))).collect::<Vec<_>>());
    assert_eq!(read, (2..20).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_newer_window_of_the_same_device_takes_the_seat() {
    let relay = relay().await;
    let mut old = Client::seated(relay.local_addr(), HOST).await;
    let mut new = Client::seated(relay.local_addr(), HOST).await;
    assert_eq!(old.end().await, (Some(Frame::Refused { reason: Refusal::Displaced }), Some(1008)));
    new.append(HOST, 0, b"still here").await;
    assert_eq!(new.next_stored().await, (0, 0));
}

#[tokio::test]
async fn stored_bytes_can_be_fetched_and_rooms_found() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    host.append(HOST, 0, b"first").await;
    host.append(HOST, 1, b"second").await;
    assert_eq!(host.next_entry().await.0, 0);
    assert_eq!(host.next_entry().await.0, 1);
    host.send(&Frame::Fetch { from: 1, count: 5 }).await;
    let fetched = loop {
        if let Frame::Fetched { entries, .. } = host.next().await {
            break entries;
        }
    };
    assert_eq!(fetched, [entry(HOST, 1, b"second")]);
    let mut guest = Client::connect(relay.local_addr()).await;
    guest.send(&Frame::Find { code: RoomCode::of(&room()).number() }).await;
    assert_eq!(guest.next().await, Frame::Found { room: room() });
    guest.send(&Frame::Ping { nonce: 7 }).await;
    assert_eq!(guest.next().await, Frame::Pong { nonce: 7 });
}

#[tokio::test]
async fn a_seat_that_sends_too_fast_is_slowed_down_and_loses_nothing() {
    let config = undertone_relay::Config {
        page: undertone_relay::Page::None,
        ..undertone_relay::Config::new(([127, 0, 0, 1], 0).into())
    };
    let relay = undertone_relay::start(config).await.unwrap();
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let start = std::time::Instant::now();
    for sequence in 0..60 {
        host.append(HOST, sequence, b"burst").await;
    }
    for sequence in 0..60 {
        assert_eq!(host.next_stored().await.0, sequence);
    }
    assert!(start.elapsed().as_millis() >= 900, "20 a second after the first 40");
}
