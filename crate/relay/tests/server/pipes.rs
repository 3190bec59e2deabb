//! Bulk between two seats.

use crate::client::{Client, GUEST, HOST, relay};
use bytes::Bytes;
use undertone_wire::limits::{PIPE_FRAME_BYTES_MAX, PIPE_WINDOW_BYTES};
use undertone_wire::{Frame, Refusal};

#[tokio::test]
async fn thirty_two_mebibytes_flow_as_fast_as_credit_comes() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    let chunk = Bytes::from(vec![5; PIPE_FRAME_BYTES_MAX]);
    let (mut sent, mut window, total) = (0, PIPE_WINDOW_BYTES, 32 << 20);
    let reader = tokio::spawn(async move {
        let mut received = 0;
        while received < total {
            let Frame::Piped { from: HOST, bytes } = guest.next().await else { panic!("not a pipe") };
            received += bytes.len();
            guest.send(&Frame::Credit { to: HOST, bytes: bytes.len() as u32 }).await;
        }
        guest
    });
    while sent < total {
        while window >= chunk.len() && sent < total {
            host.send(&Frame::Pipe { to: GUEST, bytes: chunk.clone() }).await;
            (window, sent) = (window - chunk.len(), sent + chunk.len());
        }
        if let Frame::Credited { from: GUEST, bytes } = host.next().await {
            window += bytes as usize;
        }
    }
    reader.await.unwrap();
}

#[tokio::test]
async fn a_sender_without_credit_is_cut_and_an_absent_receiver_named() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    host.send(&Frame::Pipe { to: GUEST, bytes: Bytes::from_static(b"x") }).await;
    assert_eq!(host.next().await, Frame::Refused { reason: Refusal::PeerAway });
    let _guest = Client::seated(relay.local_addr(), GUEST).await;
    for _ in 0..=PIPE_WINDOW_BYTES / PIPE_FRAME_BYTES_MAX {
        host.send(&Frame::Pipe { to: GUEST, bytes: vec![0; PIPE_FRAME_BYTES_MAX].into() }).await;
    }
    assert_eq!(host.end().await, (Some(Frame::Refused { reason: Refusal::NoCredit }), Some(1008)));
}
