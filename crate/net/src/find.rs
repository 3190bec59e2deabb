//! From four typed words to a room.

use crate::{LinkError, Platform};
use bytes::Bytes;
use core::pin::pin;
use futures_util::future::{Either, select};
use futures_util::{SinkExt, StreamExt};
use undertone_machine::{Fault, FaultCode, Phase};
use undertone_wire::{Frame, Hash, RoomCode};

/// How long a look-up may take.
const FIND_MS: u64 = 10_000;

/// Asks the relay which room has a code, and checks that the room fits the code.
///
/// # Errors
/// [`FaultCode::NoSuchRoom`], or [`FaultCode::LinkLost`] if the relay cannot be reached.
pub async fn find_room(platform: &impl Platform, code: RoomCode) -> Result<Hash, Fault> {
    let look_up = pin!(ask(platform, code));
    let answer = match select(look_up, pin!(platform.sleep(FIND_MS))).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(LinkError),
    };
    match answer {
        Ok(Some(Frame::Found { room })) if RoomCode::of(&room) == code => Ok(room),
        Ok(_) => Err(Fault::new(FaultCode::NoSuchRoom).at(Phase::Join)),
        Err(LinkError) => Err(Fault::new(FaultCode::LinkLost).at(Phase::Join)),
    }
}

async fn ask(platform: &impl Platform, code: RoomCode) -> Result<Option<Frame>, LinkError> {
    let mut link = platform.connect().await?;
    link.send(Frame::Find { code: code.number() }.to_message()).await?;
    let answer: Option<Result<Bytes, LinkError>> = link.next().await;
    let _ = link.close().await;
    answer.ok_or(LinkError)?.map(|message| Frame::from_message(&message).ok())
}
