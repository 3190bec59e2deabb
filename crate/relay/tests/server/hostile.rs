//! Messages that no device of ours sends.

use crate::client::{Client, GUEST, HOST, relay};
use tokio_tungstenite::tungstenite::Message;
use undertone_wire::limits::LOG_FRAME_BYTES_MAX;
use undertone_wire::{Frame, Refusal};

async fn answer(message: Message) -> (Option<Frame>, Option<u16>) {
    let relay = relay().await;
    let mut client = Client::seated(relay.local_addr(), HOST).await;
    client.send_raw(message).await;
    client.end().await
}

fn refused(reason: Refusal, code: u16) -> (Option<Frame>, Option<u16>) {
    (Some(Frame::Refused { reason }), Some(code))
}

#[tokio::test]
async fn frames_beyond_their_kinds_limit() {
    let mut append = vec![2; LOG_FRAME_BYTES_MAX];
    append.push(0);
    assert_eq!(answer(Message::Binary(append.into())).await, refused(Refusal::TooLarge, 1009));
    let pipe = [vec![4], vec![0; (1 << 20) + 33]].concat();
    assert_eq!(answer(Message::Binary(pipe.into())).await, refused(Refusal::TooLarge, 1009));
}

#[tokio::test]
async fn messages_beyond_every_limit_end_the_connection_alone() {
    let relay = relay().await;
    let mut host = Client::seated(relay.local_addr(), HOST).await;
    let mut guest = Client::seated(relay.local_addr(), GUEST).await;
    let sent = guest.send_raw(Message::Binary(vec![4; 3 << 20].into()));
    sent.await;
    assert!(matches!(guest.end().await, (None | Some(Frame::Refused { reason: Refusal::BadFrame }), _)));
    host.append(HOST, 0, b"unharmed").await;
    assert_eq!(host.next_stored().await, (0, 0));
}

#[tokio::test]
async fn text_empty_and_unknown_messages() {
    for message in [Message::text("hello"), Message::Binary(vec![].into()), Message::Binary(vec![0x7f, 1].into())] {
        assert_eq!(answer(message).await, refused(Refusal::BadFrame, 1002));
    }
}
