//! A seat's dealings with a relay that says anything, by lists of operations.

use crate::codecs::must;
use crate::ops::Ops;
use crate::{Broken, Verdict};
use bytes::Bytes;
use undertone_machine::Secret;
use undertone_net::{Incoming, Session};
use undertone_room::Identity;
use undertone_wire::{Frame, Header};

/// Entries come to the room once each and in their order, and before the relay let the seat in nothing
/// but the request for that is sent.
pub(crate) fn run(bytes: &[u8]) -> Result<Verdict, Broken> {
    let identity = Identity::guest(Secret::new([1; 32]), [2; 32]);
    let mut session = Session::new(&identity, false);
    let (mut ops, mut read, mut attached, mut own) = (Ops::new(bytes), 0_u64, false, 0_u32);
    while let Some(op) = ops.next_of(7) {
        match op {
            0 => {
                session.connected();
                attached = false;
            }
            1 => {
                session.disconnected();
                must(session.next_out().is_none(), "a lost connection keeps what it had not sent")?;
                attached = false;
            }
            2 => {
                session.append(entry(&identity, own));
                own = own.saturating_add(1);
            }
            3 => session.send(&Frame::Ping { nonce: 0 }),
            _ => hear(&mut session, ops.bytes(), &mut read, &mut attached)?,
        }
        sent(&mut session, attached, read)?;
    }
    Ok(if read > 0 { Verdict::Taken } else { Verdict::Refused })
}

fn hear(session: &mut Session, message: &[u8], read: &mut u64, attached: &mut bool) -> Result<(), Broken> {
    let message = Bytes::copy_from_slice(message);
    match session.receive(&message) {
        Incoming::Attached => *attached = true,
        Incoming::Entry(_) => {
            let place = match Frame::from_message(&message) {
                Ok(Frame::Entry { sequence, .. }) => Some(sequence),
                _ => None,
            };
            must(place == Some(*read), "an entry was taken out of its order")?;
            *read = read.saturating_add(1);
        }
        Incoming::Nonsense => {
            session.disconnected();
            session.connected();
            *attached = false;
            *read = goes_on_from(session, *read)?;
        }
        _ => {}
    }
    Ok(())
}

/// After nonsense reading goes on where it stopped, or all is read again.
fn goes_on_from(session: &mut Session, read: u64) -> Result<u64, Broken> {
    match session.next_out().map(|message| Frame::from_message(&message)) {
        Some(Ok(Frame::Attach { from, .. })) if from == read || from == 0 => Ok(from),
        _ => Err(Broken("reading goes on elsewhere")),
    }
}

fn sent(session: &mut Session, attached: bool, read: u64) -> Result<(), Broken> {
    while let Some(message) = session.next_out() {
        match Frame::from_message(&message) {
            Ok(Frame::Attach { from, .. }) => must(from == read, "reading does not go on where it stopped")?,
            Ok(_) => must(attached, "something is sent before the relay let the seat in")?,
            Err(_) => return Err(Broken("a device sends what cannot be read")),
        }
    }
    Ok(())
}

fn entry(identity: &Identity, sequence: u32) -> Vec<u8> {
    let header = Header { room: identity.room(), author: identity.author(), sequence };
    [&header.room[..], &[1], &header.author, &header.sequence.to_be_bytes()].concat()
}
