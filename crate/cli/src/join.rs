//! `undertone join`.

use crate::args::Join;
use crate::output::{Output, hex, short};
use crate::readings::{Ended, Part};
use crate::seat::React;
use crate::{address, input, seat};
use serde_json::json;
use undertone_machine::{Fault, FaultCode, Role, Secret};
use undertone_net::find_room;
use undertone_net::native::Native;
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
    let driven = seat::start(&args.seat, platform, false, |seed, records| {
        let room = Room::guest(seed, room, secret, policy, records)?;
        if args.add_up {
            let key = hex(&room.identity().author());
            output.say("adding", &format!("This seat offers to add up, as {}.", short(&key)), json!({ "key": key }));
        }
        Ok(room)
    })?;
    let wanted = args.questions.unwrap_or_else(|| input::given(&args.seat));
    let mut guest = Guest { args: &args, wanted, asked: 0, joined: false, part: Part::default() };
    driven.follow(output, &mut guest).await
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
    part: Part,
}

impl React for Guest<'_> {
    async fn react(&mut self, handle: &undertone_net::Handle, notice: Notice) -> Result<bool, Fault> {
        match self.part.ended(&notice) {
            Ended::Series => return Ok(true),
            Ended::Reading if self.args.seat.follow.is_some() => return Ok(false),
            _ => {}
        }
        match notice {
            Notice::Question { plan, task, .. } => {
                let index = self.asked;
                self.asked = self.asked.saturating_add(1);
                if !self.joined {
                    self.joined = true;
                    let role = if self.args.add_up { Role::Compute } else { Role::Contributor };
                    again_is_fine(handle.take_part_as(role, self.args.small_group).await, FaultCode::BadCall)?;
                }
                let seat = &self.args.seat;
                if plan.series.is_some() && self.args.questions.is_none() && seat.input.is_empty() {
                    self.wanted = usize::MAX;
                }
                if self.args.add_up {
                    return Ok(false);
                }
                if !self.part.asked(&plan, seat, handle)? && task.question().quantity.is_some() {
                    again_is_fine(input::answer(handle, seat, index, plan.number).await, FaultCode::RoundSpent)?;
                }
                Ok(false)
            }
            Notice::Sent { .. } => Ok(self.args.then_leave && self.asked >= self.wanted),
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
