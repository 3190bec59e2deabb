//! The machine of the method `masks` in rooms where some may vanish: double masking, after Bonawitz and
//! others (Practical Secure Aggregation for Privacy-Preserving Machine Learning, 2017).
//!
//! Before it acknowledges, each contributing seat *deals*: it draws two seeds for this question, shows
//! the public key that follows from one of them, and cuts both into shares for others. Then, as entries:
//! 0, *masked*: seat i appends y_i = m_i + s_i + sum_{j>i} p_ij - sum_{j<i} p_ij, where s_i follows from
//! the one seed and the pads p from the other. 1, *set*: once all have, or the time is over, the host's
//! seat says whose values are added, with a hash over them, and everyone who sees the same repeats it. 2,
//! *opening*: once a quorum said the same, each seat opens for everyone the share that it holds of one
//! seed: of s_i for those who are in the set, so that their sum comes free, and of the pads for those who
//! are not, so that theirs go. Of nobody are both opened, which alone would show a value.
//!
//! The self-mask s_i is a pad that i shares with nobody: a last seat which adds zero and of whose pads
//! everyone learns, as of the pads of those who are missing.

mod deal;
mod openings;
mod terms;

use crate::masked_sum::{self, Finish, Total};
use crate::service::Party;
use deal::{Bound, Deal, Seed};
use openings::Openings;
pub(crate) use terms::{DROPS, MODULE, Terms, drops, most_drops};
use undertone_machine::{Fault, FaultCode, LeftOut, Machine, Mail, Outcome, Phase, RoundKind, Seat, Secret, Step};
use undertone_math::{Field127, Ring};
use undertone_prim::{AgreementKey, Hash, PairwisePads, Transcript};

/// Who shares the pads that are self-masks: after all others, so that these add theirs.
const NOBODY: Seat = Seat(u16::MAX);

/// How often the time is told to be over before all give up: to hear the host's set, and then to hear
/// the others, each with one more for a slow link.
const PATIENCE: usize = 4;

/// Bytes of what one contributing seat deals before it acknowledges.
pub(crate) fn deal_bytes(terms: &Terms) -> usize {
    deal::bytes(terms.holder_count())
}

/// Bytes that one contributing seat says beside its masked value.
pub(crate) fn words_bytes(terms: &Terms) -> usize {
    set_bytes(terms.people).saturating_add(openings::bytes(terms.holder_count()))
}

const fn set_bytes(people: usize) -> usize {
    people.div_ceil(8).saturating_add(32)
}

/// What this party deals; `None` if it gives nothing.
pub(crate) fn deal(party: &Party, terms: &Terms) -> Result<Option<Vec<u8>>, Fault> {
    let seats = party.contributors();
    let Some(me) = seats.iter().position(|seat| *seat == party.me) else { return Ok(None) };
    let bound = Bound { context: &party.context, seats: &seats };
    deal::write(party, terms, &bound, me).map(Some).ok_or_else(|| Fault::new(FaultCode::Internal))
}

/// Whether bytes are a deal of the contributing seat at that place.
pub(crate) fn is_deal(terms: &Terms, place: usize, bytes: &[u8]) -> bool {
    Deal::read(terms, place, bytes).is_some()
}

/// One party's side of the sum.
struct ResilientSum {
    party: Party,
    terms: Terms,
    ring: Ring,
    length: usize,
    /// The contributing seats; what follows goes by their places here.
    seats: Vec<Seat>,
    me: Option<usize>,
    deals: Vec<Deal>,
    masked: Vec<Option<Vec<u8>>>,
    /// What the host's seat said of the set.
    proposed: Option<Vec<u8>>,
    /// The same, once it was checked and all of its values are here.
    included: Option<Vec<bool>>,
    /// What each seat said of the set.
    signed: Vec<Option<Vec<u8>>>,
    openings: Openings,
    to_send: Option<Vec<u8>>,
    /// Which of its words this seat has offered to say.
    offered: u32,
    /// How often the time was over.
    late: usize,
    finish: Finish,
}

/// Makes the machine.
///
/// # Errors
/// [`FaultCode::BadInput`] if the input has another length, [`FaultCode::Malformed`] naming the seat whose
/// deal is none.
pub(crate) fn machine(
    mut party: Party,
    terms: Terms,
    ring: Ring,
    length: usize,
    finish: Finish,
) -> Result<Box<dyn Machine>, Fault> {
    let (seats, input) = (party.contributors(), party.input.take());
    let read = |(place, seat): (usize, &Seat)| {
        let bytes = party.deals.get(place).map_or(&[][..], Vec::as_slice);
        Deal::read(&terms, place, bytes).ok_or_else(|| malformed(*seat))
    };
    let deals = seats.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let (people, me) = (seats.len(), seats.iter().position(|seat| *seat == party.me));
    let mut sum = ResilientSum {
        me,
        openings: Openings::new(people),
        masked: vec![None; people],
        signed: vec![None; people],
        proposed: None,
        included: None,
        to_send: None,
        offered: 0,
        late: 0,
        deals,
        seats,
        terms,
        ring,
        length,
        finish,
        party,
    };
    if let (Some(input), Some(me)) = (input, me) {
        sum.to_send = Some(sum.mask_own(me, input.values.expose())?);
    }
    Ok(Box::new(sum))
}

fn malformed(seat: Seat) -> Fault {
    Fault::new(FaultCode::Malformed).at(Phase::Round).blaming(seat)
}

impl ResilientSum {
    fn bound(&self) -> Bound<'_> {
        Bound { context: &self.party.context, seats: &self.seats }
    }

    /// The seats at places.
    fn seats_of(&self, places: impl IntoIterator<Item = usize>) -> Vec<Seat> {
        places.into_iter().filter_map(|place| self.seats.get(place).copied()).collect()
    }

    /// The seats of which something holds.
    fn seats_where(&self, holds: impl Fn(usize) -> bool) -> Vec<Seat> {
        self.seats_of((0..self.terms.people).filter(|place| holds(*place)))
    }

    /// What a seat would send for some values, given the keys of its pads.
    fn mask(&self, me: Seat, values: &[i128], keys: Vec<(Seat, Secret<[u8; 32]>)>) -> Result<Vec<u8>, Fault> {
        let peers: Vec<_> = keys.iter().map(|(peer, _)| *peer).collect();
        let context = Transcript::new("resilient-round/v1").field(&self.party.context).number(0).hash();
        masked_sum::mask_in(self.ring, values, me, &peers, &PairwisePads::new(keys), &context)
            .ok_or_else(|| Fault::new(FaultCode::Internal).at(Phase::Round))
    }

    /// The keys of the pads that a seat shares with some of its neighbours.
    fn pair_keys(
        &self,
        me: usize,
        key: &AgreementKey,
        neighbours: impl IntoIterator<Item = usize>,
    ) -> Vec<(Seat, Secret<[u8; 32]>)> {
        let shared = |place: usize| {
            let (seat, deal) = self.seats.get(place).zip(self.deals.get(place))?;
            Some((*seat, self.bound().pad_key(key, [me, place], &deal.point)))
        };
        neighbours.into_iter().filter_map(shared).collect()
    }

    fn mask_own(&self, me: usize, values: &[i128]) -> Result<Vec<u8>, Fault> {
        if values.len() != self.length {
            return Err(Fault::new(FaultCode::BadInput).in_field("value"));
        }
        let key = self.bound().pair_key(me, deal::seed(&self.party, Seed::Pairs));
        let mut keys = self.pair_keys(me, &key, self.terms.neighbours(me));
        keys.push((NOBODY, self.bound().self_key(me, deal::seed(&self.party, Seed::Own))));
        self.mask(self.party.me, values, keys)
    }

    fn take(&mut self, from: Seat, round: u32, kind: RoundKind, payload: &[u8]) -> Option<()> {
        let place = self.seats.iter().position(|seat| *seat == from);
        let (slot, bytes) = match (round, kind, place) {
            (0, RoundKind::Masked, Some(place)) => {
                (self.masked.get_mut(place)?, self.length.checked_mul(self.ring.bytes())?)
            }
            (1, RoundKind::Share, _) => return self.take_set(from, place, payload),
            // An opening comes after its author's word on the set.
            (2, RoundKind::Opening, Some(place)) if self.signed.get(place)?.is_some() => {
                (self.openings.slot(place)?, openings::bytes(self.terms.holder_count()))
            }
            _ => return None,
        };
        put(slot, payload, bytes)
    }

    fn take_set(&mut self, from: Seat, place: Option<usize>, payload: &[u8]) -> Option<()> {
        let bytes = set_bytes(self.terms.people);
        let odd = self.terms.people % 8;
        let last = payload.get(self.terms.people / 8).copied().unwrap_or_default();
        if odd > 0 && last.checked_shr(u32::try_from(odd).ok()?).unwrap_or_default() != 0 {
            return None;
        }
        if from == self.party.host {
            put(&mut self.proposed, payload, bytes)?;
        } else {
            place?;
        }
        place.map_or(Some(()), |place| put(self.signed.get_mut(place)?, payload, bytes))
    }

    /// Checks the set that the host's seat proposed.
    ///
    /// # Errors
    /// [`FaultCode::IncludedSet`] naming the host if it must not be opened, [`FaultCode::SplitView`] if its
    /// values are others here.
    fn review(&mut self) -> Result<(), Fault> {
        let (Some(proposed), None) = (&self.proposed, &self.included) else { return Ok(()) };
        let Some((hash, bits)) = proposed.split_last_chunk().map(|(bits, hash): (_, &Hash)| (hash, bits)) else {
            return Ok(());
        };
        let bit = |at: usize| bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let included: Vec<bool> = (0..self.terms.people).map(bit).collect();
        if !self.terms.admits(&included) {
            return Err(Fault::new(FaultCode::IncludedSet).at(Phase::Round).blaming(self.party.host));
        }
        match self.set_hash(&included) {
            Some(own) if own == *hash => self.included = Some(included),
            Some(_) => return Err(Fault::new(FaultCode::SplitView).at(Phase::Round).saying(SPLIT)),
            // Some of its values are still under way.
            None => {}
        }
        Ok(())
    }

    /// Hash over a set and its values; `None` if one of these is not here.
    fn set_hash(&self, included: &[bool]) -> Option<Hash> {
        let start = Transcript::new("included-set/v1").field(&self.party.context).number(included.len() as u64);
        let mut members = self.seats.iter().zip(&self.masked).zip(included).filter(|(_, included)| **included);
        let hash =
            members.try_fold(start, |hash, ((seat, value), _)| Some(hash.number(seat.0.into()).field(value.as_ref()?)));
        hash.map(Transcript::hash)
    }

    /// Host: the set of all values that are here, once that is everyone's, or the time is over.
    fn proposal(&self) -> Option<Vec<u8>> {
        let included: Vec<bool> = self.masked.iter().map(Option::is_some).collect();
        let is_due = self.late > 0 || included.iter().all(|included| *included);
        let hash = self.set_hash(&included).filter(|_| is_due && self.terms.admits(&included))?;
        let mut bytes = vec![0; self.terms.people.div_ceil(8)];
        for (at, _) in included.iter().enumerate().filter(|(_, included)| **included) {
            bytes.iter_mut().skip(at / 8).take(1).for_each(|byte| *byte |= 1 << (at % 8));
        }
        bytes.extend_from_slice(&hash);
        Some(bytes)
    }

    /// Whether a quorum said the set that was checked here.
    fn is_agreed(&self) -> bool {
        let same = self.signed.iter().filter(|signed| signed.is_some() && **signed == self.proposed);
        self.included.is_some() && same.count() >= self.terms.quorum
    }

    /// What this seat has to say next, if it heard enough.
    fn next_word(&mut self) -> Option<Step> {
        let (round, kind, payload) = match self.offered {
            0 if self.party.me == self.party.host && self.proposed.is_none() => (1, RoundKind::Share, self.proposal()?),
            // Also a seat that is not in the set says it: late.
            0 if self.me.is_some() && self.included.is_some() => (1, RoundKind::Share, self.proposed.clone()?),
            // What it said is what the log shows, also after a reload: else it opens nothing.
            1 if self.is_agreed() && self.signed.get(self.me?) == Some(&self.proposed) => {
                (2, RoundKind::Opening, self.own_opening(self.me?)?)
            }
            _ => return None,
        };
        self.offered = round;
        Some(Step::Append { round, kind, payload })
    }

    fn own_opening(&self, me: usize) -> Option<Vec<u8>> {
        let bound = self.bound();
        let mut out = self.proposed.as_ref()?.last_chunk::<32>()?.to_vec();
        for dealer in self.terms.holders(me) {
            let (deal, kind) = (self.deals.get(dealer)?, self.kind(dealer));
            let both = bound.open(&self.party, me, dealer, deal).map(Secret::new);
            let share = both.as_ref().and_then(|both| both.expose().as_chunks().0.get(kind as usize));
            let share = share.filter(|share| deal.is_dealt(&bound, dealer, me, kind, &share[..]));
            out.extend_from_slice(share.unwrap_or(&openings::NOT_HELD));
        }
        Some(out)
    }

    /// Which seed of a seat is opened.
    fn kind(&self, place: usize) -> Seed {
        let included = self.included.as_ref().and_then(|included| included.get(place));
        if included == Some(&true) { Seed::Own } else { Seed::Pairs }
    }

    /// Puts the sum together, once enough is open.
    fn finish(&mut self) -> Result<Option<Outcome>, Fault> {
        if !self.is_agreed() {
            return Ok(None);
        }
        self.read_openings();
        let Some(seeds) = self.openings.seeds(self.terms.threshold) else { return Ok(None) };
        let sums = self.add_up(&seeds)?;
        let included = self.included.iter().flatten().filter(|included| **included).count();
        (self.finish)(&sums, included).map(Some)
    }

    fn read_openings(&mut self) {
        let Some(set) = self.proposed.as_ref().and_then(|proposed| proposed.last_chunk().copied()) else { return };
        let mut openings = core::mem::take(&mut self.openings);
        openings.read(&set, |holder, share, at| {
            let dealer = *self.deals.get(holder)?.holders.get(at)?;
            let deal = self.deals.get(dealer)?;
            let is_dealt = deal.is_dealt(&self.bound(), dealer, holder, self.kind(dealer), share);
            is_dealt.then_some(dealer)
        });
        self.openings = openings;
    }

    /// The sums, given one seed of each seat.
    ///
    /// # Errors
    /// [`FaultCode::BadKey`] naming a seat that dealt shares of another seed than it committed to.
    fn add_up(&self, seeds: &[Field127]) -> Result<Vec<i128>, Fault> {
        let (bound, zeros) = (self.bound(), vec![0_i128; self.length]);
        let mut total = Total::new(self.ring, self.length);
        let mut own = Vec::new();
        for (place, (seed, seat)) in seeds.iter().zip(&self.seats).enumerate() {
            let kind = self.kind(place);
            if !self.deals.get(place).is_some_and(|deal| deal.is_seed(&bound, place, kind, *seed)) {
                return Err(Fault::new(FaultCode::BadKey).at(Phase::Round).blaming(*seat).saying(MISDEALT));
            }
            if kind == Seed::Own {
                total.add(self.masked.get(place).and_then(Option::as_deref).unwrap_or_default());
                own.push((*seat, bound.self_key(place, *seed)));
            } else {
                // All that the seat would have added if its value were zero.
                let added = self.terms.neighbours(place).into_iter().filter(|other| self.kind(*other) == Seed::Own);
                let keys = self.pair_keys(place, &bound.pair_key(place, *seed), added);
                total.add(&self.mask(*seat, &zeros, keys)?);
            }
        }
        total.add(&self.mask(NOBODY, &zeros, own)?);
        Ok(total.sums())
    }

    /// Why there is no sum although the time is over, and who is silent.
    fn stuck(&self) -> Fault {
        let same = |place: usize| self.signed.get(place).is_some_and(|signed| *signed == self.proposed);
        let (code, silent) = match (&self.proposed, &self.included) {
            (None, _) if self.party.me == self.party.host => {
                (FaultCode::Missing, self.seats_where(|place| self.masked.get(place).is_none_or(Option::is_none)))
            }
            (None, _) => (FaultCode::HostSilent, Vec::new()),
            // The host says that there are values which never came here.
            (Some(_), None) => (FaultCode::IncludedSet, Vec::new()),
            (Some(_), Some(_)) if self.is_agreed() => {
                (FaultCode::Missing, self.seats_where(|place| !self.openings.is_used(place)))
            }
            // Too many to be spared say another set.
            (Some(_), Some(_)) if (0..self.terms.people).any(|place| self.said_another(place)) => {
                return Fault::new(FaultCode::SplitView).at(Phase::Round).saying(SPLIT);
            }
            (Some(_), Some(_)) => (FaultCode::Missing, self.seats_where(|place| !same(place))),
        };
        Fault::new(code).at(Phase::Round).blaming_all(silent)
    }

    /// Whether a seat said another set than the host's seat here.
    fn said_another(&self, place: usize) -> bool {
        let signed = self.signed.get(place).and_then(Option::as_ref);
        signed.is_some_and(|signed| self.proposed.as_ref().is_some_and(|proposed| proposed != signed))
    }
}

/// Takes what is said once, in so many bytes.
fn put(slot: &mut Option<Vec<u8>>, payload: &[u8], bytes: usize) -> Option<()> {
    if slot.is_some() || payload.len() != bytes {
        return None;
    }
    *slot = Some(payload.to_vec());
    Some(())
}

impl Machine for ResilientSum {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let (from, taken) = match mail {
            Mail::Entry { from, round, kind, payload } => (from, self.take(from, round, kind, payload)),
            Mail::Chunk { from, .. } => (from, None),
        };
        taken.ok_or_else(|| malformed(from))?;
        self.review()
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        if let Some(payload) = self.to_send.take() {
            return Ok(Step::Append { round: 0, kind: RoundKind::Masked, payload });
        }
        if let Some(step) = self.next_word() {
            return Ok(step);
        }
        Ok(self.finish()?.map_or(Step::Wait, Step::Done))
    }

    fn overdue(&mut self) -> Result<bool, Fault> {
        self.late = self.late.saturating_add(1);
        if self.late > PATIENCE { Err(self.stuck()) } else { Ok(true) }
    }

    fn included(&self) -> Option<Vec<Seat>> {
        self.included.as_ref().map(|_| self.seats_where(|place| self.kind(place) == Seed::Own))
    }

    fn left_out(&self) -> LeftOut {
        let unused = |place: usize| self.said_another(place) || self.openings.is_of_another(place);
        LeftOut { wrong: self.seats_where(|place| self.openings.is_wrong(place)), missing: self.seats_where(unused) }
    }
}

/// The words of a split view once values are out.
const SPLIT: &str = "Not everyone sees the same values, so nothing more was opened.";
/// The words for a seat that dealt other shares than it said.
const MISDEALT: &str = "A participant dealt shares that do not fit, so its mask cannot be taken off.";
