//! Readers that do not keep up.

use crate::client::{Client, GUEST, HOST, entry, metrics_say, relay, relay_with};
use std::time::Duration;
use undertone_relay::LinkLimits;
use undertone_wire::{Frame, Refusal};

#[tokio::test]
async fn a_slow_late_comer_gets_a_log_of_five_thousand_entries() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let rest = [7; 1_000];
    for sequence in 0..5_000 {
        host.append(HOST, sequence, &rest).await;
        if sequence % 16 == 15 {
            while host.next_stored().await.0 < sequence {}
        }
    }
    while host.next_stored().await.0 < 4_999 {}
    let mut slow = Client::narrow(relay.local_addr()).await;
    assert_eq!(slow.attach(GUEST, 0).await, 5_000);
    for place in 0..5_000_u32 {
        assert_eq!(slow.next_entry().await, (u64::from(place), entry(HOST, place, &rest)));
        if place % 100 == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // New entries while it is still reading old ones come in their turn.
        if place == 2_000 {
            host.append(HOST, 5_000, &rest).await;
        }
    }
    assert_eq!(slow.next_entry().await.0, 5_000);
}

#[tokio::test]
async fn a_reader_that_stops_is_dropped_and_can_read_on() {
    let relay = relay_with(LinkLimits { stall_ms: 300, ..LinkLimits::default() }).await;
    let mut stuck = Client::narrow(relay.local_addr()).await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    stuck.attach(GUEST, 0).await;
    let rest = vec![7; 60_000];
    for sequence in 0..300 {
        host.append(HOST, sequence, &rest).await;
        host.next_stored().await;
    }
    metrics_say(relay.local_addr(), "undertone_ended_total{reason=\"TooSlow\"} 1").await;
    metrics_say(relay.local_addr(), "undertone_seats 1").await;
    let mut read = 0;
    while let Ok(frame) = stuck.next_or_close().await {
        match frame {
            Frame::Entry { sequence, .. } => {
                assert_eq!(sequence, read);
                read += 1;
            }
            other => assert_eq!(other, Frame::Refused { reason: Refusal::TooSlow }),
        }
    }
    assert!(read < 300);
    let mut back = Client::connect(relay.local_addr()).await;
    assert_eq!(back.attach(GUEST, read).await, 300);
    for place in read..300 {
        assert_eq!(back.next_entry().await.0, place);
    }
}
