//! `undertone join`.

use crate::args::Join;
use crate::output::Output;
use crate::{address, input, seat};
use futures_util::StreamExt;
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_net::native::Native;
use undertone_net::{Told, find_room};
use undertone_room::{ClientPolicy, Notice, Room};
use undertone_wire::{Hash, Invitation};

/// Takes part until the last wanted question is answered, or the room ends.
///
/// # Errors
/// The fault that ended it.
pub(crate) async fn join(args: Join) -> Result<(), Fault> {
    let output = Output { json: args.seat.json };
    let platform = Native::new(address::socket(args.relay.as_deref().unwrap_or(&args.invite))?);
    let (room, secret) = find(&platform, &args.invite).await?;
    let policy = ClientPolicy { small_group: args.small_group, pairs: args.pairs, ..ClientPolicy::default() };
    let mut driven =
        seat::start(&args.seat, platform, false, |seed, records| Room::guest(seed, room, secret, policy, records))?;
    let wanted = args.questions.unwrap_or_else(|| input::given(&args.seat));
    let mut guest = Guest { args: &args, wanted, asked: 0, joined: false };
    let mut ended = Ok(());
    while let Some(told) = driven.told.next().await {
        output.told(&told);
        let Told::Room(notice) = told else { continue };
        let done = guest.react(&driven.handle, notice).await;
        if !matches!(done, Ok(false)) {
            ended = done.map(|_| ());
            driven.handle.leave();
            break;
        }
    }
    let _ = driven.driving.await;
    ended
}

async fn find(platform: &Native, invite: &str) -> Result<(Hash, Option<Secret<[u8; 16]>>), Fault> {
    match Invitation::from_text(invite) {
        Ok(Invitation::Link(invite)) => Ok((invite.room, Some(invite.secret))),
        Ok(Invitation::Code(code)) => Ok((find_room(platform, code).await?, None)),
        Err(_) => Err(Fault::new(FaultCode::BadInvite).in_field("invite")),
    }
}

struct Guest<'a> {
    args: &'a Join,
    wanted: usize,
    asked: usize,
    joined: bool,
}

impl Guest<'_> {
    /// Does what a notice calls for; `true` when nothing is left to do.
    async fn react(&mut self, handle: &undertone_net::Handle, notice: Notice) -> Result<bool, Fault> {
        match notice {
            Notice::Question { task, .. } => {
                let index = self.asked;
                self.asked = self.asked.saturating_add(1);
                if !self.joined {
                    self.joined = true;
                    again_is_fine(handle.take_part(self.args.small_group).await, FaultCode::BadCall)?;
                }
                if task.question().quantity.is_some() {
                    again_is_fine(input::answer(handle, &self.args.seat, index).await, FaultCode::RoundSpent)?;
                }
                Ok(false)
            }
            Notice::Result { confirmed, seats, .. } => Ok(confirmed == seats && self.asked >= self.wanted),
            Notice::Fault { fault, room_goes_on: false, .. } => Err(fault),
            Notice::Fault { fault, .. } if self.asked >= self.wanted => Err(fault),
            Notice::Closed => Ok(true),
            _ => Ok(false),
        }
    }
}

/// A seat that was taken up again has already said it.
fn again_is_fine(done: Result<(), Fault>, code: FaultCode) -> Result<(), Fault> {
    done.or_else(|fault| if fault.code() == code { Ok(()) } else { Err(fault) })
}
