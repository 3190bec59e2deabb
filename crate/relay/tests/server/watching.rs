//! What a keeper sees, and what a tap shows.

use crate::client::{Client, GUEST, HOST, config, entry, get, metrics_say, relay, room};
use std::fmt::Write;
use std::fs;
use undertone_relay::{Config, TapTo, start};
use undertone_wire::{Codec, Frame};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[tokio::test]
async fn metrics_count_and_name_nobody() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    host.append(HOST, 0, b"canary-3141592653").await;
    host.next_entry().await;
    for line in ["undertone_rooms 1", "undertone_seats 1", "undertone_connections 1", "undertone_entries_total 1"] {
        metrics_say(relay.local_addr(), line).await;
    }
    let (_, text) = get(relay.local_addr(), "/metrics", "").await;
    for secret in ["canary", "3141592653", &hex(b"canary"), &hex(&room()), &hex(&HOST), "127.0.0.1"] {
        assert!(!text.contains(secret), "{secret}");
    }
    assert!(text.lines().all(|line| line.starts_with('#') || line.starts_with("undertone_")));
    drop(host);
    metrics_say(relay.local_addr(), "undertone_connections 0").await;
}

#[tokio::test]
async fn a_tap_holds_every_frame_of_both_ways() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tap.txt");
    let relay = start(Config { tap: Some(TapTo::File(file.clone())), ..config() }).await.unwrap();
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    host.append(HOST, 0, b"seen").await;
    guest.next_entry().await;
    host.send(&Frame::Pipe { to: GUEST, bytes: b"piped"[..].into() }).await;
    guest.next().await;
    relay.shutdown().await;
    let text = fs::read_to_string(&file).unwrap();
    let frames = [
        ('>', 1, Frame::Append { entry: entry(HOST, 0, b"seen") }),
        ('<', 1, Frame::Stored { own: 0, sequence: 0 }),
        ('<', 2, Frame::Entry { sequence: 0, entry: entry(HOST, 0, b"seen") }),
        ('>', 1, Frame::Pipe { to: GUEST, bytes: b"piped"[..].into() }),
        ('<', 2, Frame::Piped { from: HOST, bytes: b"piped"[..].into() }),
    ];
    for (way, connection, frame) in frames {
        let line = format!("{way} {connection} {}", hex(&frame.to_bytes()));
        assert!(text.lines().any(|it| it == line), "{line}");
    }
}
