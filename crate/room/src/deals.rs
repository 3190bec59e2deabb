//! Rooms whose people may vanish: what each seat deals before it acknowledges, so that others can take
//! its masks off.
//!
//! All deals are there before anyone acknowledges, and acknowledgements say which: nobody masks with a
//! seat whose masks would stay.

use crate::room::{Room, Stage};
use undertone_machine::{Fault, FaultCode, Phase, RoundKind, Seat};
use undertone_prim::Transcript;
use undertone_services::SPARES;
use undertone_wire::{Author, EntryKind, Hash};

impl Room {
    /// How many of the people here may pool what they know, where some may vanish; `None` where everyone
    /// has to stay.
    pub(crate) fn colluders(&self) -> Option<usize> {
        let (task, roster) = (self.task().filter(|_| SPARES)?, self.roster.as_ref()?);
        task.colluders(roster.contributors())
    }

    /// Whether the question in force goes on without those who vanish.
    pub(crate) fn spares(&self) -> bool {
        self.colluders().is_some()
    }

    /// Deals, once there are seats, and checks what everyone dealt once all have.
    ///
    /// # Errors
    /// [`FaultCode::Malformed`] naming the seat whose deal is none.
    pub(crate) fn exchange_deals(&mut self) -> Result<(), Fault> {
        let place = self.place();
        let is_asked = self.spares() && self.stage == Stage::Agreeing && self.observer.is_none();
        if !is_asked || self.outbox.has_said(EntryKind::Ack, &place) {
            return Ok(());
        }
        if !self.outbox.has_said(EntryKind::Deal, &place)
            && let (Some(me), Some(roster), Some(asked)) = (self.me(), &self.roster, &self.facts.asked)
            && let Some(deal) = asked.task.deal(&self.party(me, roster, &asked.hash))?
        {
            self.say(place, EntryKind::Deal, deal)?;
        }
        if self.waits_for_deals() { Ok(()) } else { self.check_deals() }
    }

    fn check_deals(&self) -> Result<(), Fault> {
        let (Some(task), deals) = (self.task(), self.deals()) else { return Ok(()) };
        let dealers = self.dealers().into_iter().zip(&deals).enumerate();
        for (place, ((seat, _), deal)) in dealers {
            if !task.is_deal(deals.len(), place, deal) {
                return Err(Fault::new(FaultCode::Malformed).at(Phase::Acknowledge).blaming(seat));
            }
        }
        Ok(())
    }

    /// Those who deal, in order.
    fn dealers(&self) -> Vec<(Seat, Author)> {
        let seats = self.roster.iter().filter(|_| self.spares()).flat_map(crate::Roster::seats);
        seats.filter(|(_, member)| member.role.contributes()).map(|(seat, member)| (seat, member.author)).collect()
    }

    /// What they dealt, as far as it is here.
    pub(crate) fn deals(&self) -> Vec<Vec<u8>> {
        self.dealers().iter().filter_map(|(_, author)| self.deal_of(author)).cloned().collect()
    }

    pub(crate) fn deal_of(&self, author: &Author) -> Option<&Vec<u8>> {
        let place = self.place();
        self.facts.deals.get(&(place.list, place.plan))?.get(author)
    }

    /// Whether somebody has not dealt.
    pub(crate) fn waits_for_deals(&self) -> bool {
        self.dealers().iter().any(|(_, author)| self.deal_of(author).is_none())
    }

    /// What acknowledgements say of the deals, once all are here.
    pub(crate) fn deals_hash(&self) -> Option<Hash> {
        let start = Transcript::new("deals/v1");
        let mut dealers = self.dealers().into_iter();
        let hash = dealers
            .try_fold(start, |hash, (seat, author)| Some(hash.number(seat.0.into()).field(self.deal_of(&author)?)));
        hash.map(Transcript::hash)
    }

    /// Whether a seat said whose values are added: such seats are there to sign the result.
    pub(crate) fn has_said_set(&self, author: &Author) -> bool {
        let place = self.place();
        let rounds = self.facts.rounds.get(&(place.list, place.plan)).map_or(&[][..], Vec::as_slice);
        let is_set = |kind, round| kind == RoundKind::Share && round == SET_ROUND;
        rounds.iter().any(|said| is_set(said.kind, said.place.round) && said.header.author == *author)
    }
}

/// The round in which the host's seat says whose values are added, and others repeat it.
pub(crate) const SET_ROUND: u32 = 1;
