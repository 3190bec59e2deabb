//! The machine of methods that hide values in a group: one element from each contributing seat, and
//! the logarithm of what they add up to.
//!
//! One round. A seat appends V_i as its [`Method`] makes it and, where the keys have no further round,
//! its key of the next life with the proof that it owns it. Everyone adds the V_i and looks for the sum
//! in its range.

use crate::service::{KeyLife, Party};
use undertone_machine::{Fault, FaultCode, KeysAfter, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_prim::codec::{Codec, DecodeError, Reader, Writer};
use undertone_prim::dlog::SumRange;
use undertone_prim::{
    AgreementKey, Element, Hash, Logarithm, POINT_BYTES, PROOF_BYTES, Proof, PublicPoint, Search, Transcript, Working,
};

/// How values are hidden.
pub(crate) trait Method: Send + Sync {
    /// How many rounds a key is good for among so many seats.
    fn rounds(&self, seats: usize) -> u32;

    /// V_i of the seat at a place among those that give a value; `None` for what cannot be.
    fn hide(&self, hiding: Hiding<'_>) -> Option<Element>;
}

/// What a value is hidden with.
pub(crate) struct Hiding<'a> {
    /// The own key; used up as far as this round goes.
    pub(crate) key: AgreementKey,
    /// The seats that give a value, in order, with their keys.
    pub(crate) keys: &'a [(Seat, PublicPoint)],
    pub(crate) me: Seat,
    pub(crate) round: u32,
    pub(crate) context: Hash,
    pub(crate) value: u64,
}

/// Bytes that a seat appends in a round, counted from 0, of so many that its key is good for.
pub(crate) const fn message_bytes(round: u32, rounds: u32) -> u64 {
    let renewal = if round + 1 < rounds { 0 } else { POINT_BYTES + PROOF_BYTES };
    (POINT_BYTES + renewal) as u64
}

/// Turns the sum of the values, each less the lowest, into figures.
pub(crate) type Finish = Box<dyn Fn(i64, usize) -> Outcome + Send>;

/// A seat's key of the next life.
struct Renewal {
    key: PublicPoint,
    proof: Proof,
}

impl Codec for Renewal {
    fn encode(&self, writer: &mut Writer) {
        self.key.encode(writer);
        self.proof.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { key: PublicPoint::decode(reader)?, proof: Proof::decode(reader)? })
    }
}

/// One party's side of a sum in a group.
struct GroupSum {
    to_send: Option<Vec<u8>>,
    me: Seat,
    context: Hash,
    contributors: Vec<Seat>,
    total: Element,
    search: Logarithm,
    /// Whether keys have no further round.
    is_last: bool,
    /// Keys of the next life: those that did not come are the old ones.
    keys: Vec<PublicPoint>,
    heard: Vec<Seat>,
    finish: Finish,
}

/// Makes the machine for values from 0 to `width`.
pub(crate) fn machine(
    method: &dyn Method,
    mut party: Party,
    width: u64,
    finish: Finish,
) -> Result<Box<dyn Machine>, Fault> {
    let internal = || Fault::new(FaultCode::Internal).at(Phase::Round);
    let life = party.keys.take().ok_or_else(internal)?;
    let (contributors, context) = (party.contributors(), party.context);
    let is_last = life.round.saturating_add(1) >= method.rounds(contributors.len());
    let keys = life.keys.clone();
    let to_send = hidden_input(method, &party, life, &contributors, width, is_last)?;
    let high = width.checked_mul(contributors.len() as u64).and_then(|high| i64::try_from(high).ok());
    let search = Logarithm::new(high.and_then(|high| SumRange::new(0, high).ok()).ok_or_else(internal)?);
    let (me, total, heard) = (party.me, Element::identity(), Vec::new());
    Ok(Box::new(GroupSum { to_send, me, context, contributors, total, search, is_last, keys, heard, finish }))
}

/// What this seat appends; `None` if it gives nothing, or gave it before a reload.
fn hidden_input(
    method: &dyn Method,
    party: &Party,
    life: KeyLife,
    contributors: &[Seat],
    width: u64,
    is_last: bool,
) -> Result<Option<Vec<u8>>, Fault> {
    let Some(input) = party.input.as_ref().filter(|_| party.contributes()) else { return Ok(None) };
    let (bad_input, internal) =
        (|| Fault::new(FaultCode::BadInput).in_field("value"), || Fault::new(FaultCode::Internal).at(Phase::Round));
    let own = life.own.ok_or_else(internal)?;
    let value = match input.values.expose().as_slice() {
        [value] => u64::try_from(*value).ok().filter(|value| *value <= width).ok_or_else(bad_input)?,
        _ => return Err(bad_input()),
    };
    let key = |seat: &Seat| Some((*seat, *life.keys.get(seat.index())?));
    let keys: Vec<_> = contributors.iter().filter_map(key).collect();
    let (me, round, context) = (party.me, life.round, party.context);
    let hidden = method.hide(Hiding { key: own.current, keys: &keys, me, round, context, value });
    let mut message = hidden.ok_or_else(internal)?.encode().to_vec();
    if is_last {
        let proof = own.next.prove(&proof_context(&context, me));
        message.extend(Renewal { key: *own.next.public(), proof }.to_bytes());
    }
    Ok(Some(message))
}

/// What a proof of possession of a next key is bound to.
fn proof_context(run: &Hash, seat: Seat) -> Hash {
    Transcript::new("next-key/v1").field(run).number(seat.0.into()).hash()
}

fn working(Working { done, of }: Working) -> Step {
    Step::Working { done, of }
}

/// Look-ups between two answers of a machine: some 10 ms in a browser on a slow device.
const LOOK_UPS: u32 = 1 << 15;

impl GroupSum {
    /// Takes a message, if it is one that an honest seat can have sent.
    fn take(&mut self, from: Seat, payload: &[u8]) -> Option<()> {
        if !self.contributors.contains(&from) || self.heard.contains(&from) {
            return None;
        }
        let (value, renewal) = payload.split_first_chunk::<POINT_BYTES>()?;
        // No honest seat's is neutral but with a chance of 1 in 2^252.
        let value = Element::decode(*value).filter(|value| !value.is_identity())?;
        match self.is_last {
            true => self.renew(from, &Renewal::from_bytes(renewal).ok()?)?,
            false if renewal.is_empty() => {}
            false => return None,
        }
        self.total = self.total + value;
        self.heard.push(from);
        Some(())
    }

    fn renew(&mut self, from: Seat, renewal: &Renewal) -> Option<()> {
        let proven = renewal.proof.holds(&renewal.key, &proof_context(&self.context, from));
        // A key that somebody has or had already is not new.
        let is_new = proven && !self.keys.contains(&renewal.key);
        *self.keys.get_mut(from.index()).filter(|_| is_new)? = renewal.key;
        Some(())
    }

    /// Looks on for the sum.
    fn search(&mut self) -> Result<Step, Fault> {
        match self.search.step(&self.total, LOOK_UPS) {
            Search::Working(how_far) => Ok(working(how_far)),
            Search::Found(sum) => Ok(Step::Done((self.finish)(sum, self.contributors.len()))),
            Search::NotInRange => Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round)),
        }
    }

    fn is_complete(&self) -> bool {
        self.heard.len() == self.contributors.len()
    }
}

impl Machine for GroupSum {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let (from, taken) = match mail {
            Mail::Entry { from, round: 0, kind: RoundKind::Masked, payload } => (from, self.take(from, payload)),
            Mail::Entry { from, .. } | Mail::Chunk { from, .. } => (from, None),
        };
        taken.ok_or_else(|| Fault::new(FaultCode::Malformed).at(Phase::Round).blaming(from))
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        if let Some(payload) = self.to_send.take() {
            return Ok(Step::Append { round: 0, kind: RoundKind::Masked, payload });
        }
        if self.is_complete() {
            return self.search();
        }
        // The own value has left, so nobody waits: the table can be made while others type.
        let prepared = if self.heard.contains(&self.me) { self.search.prepare(LOOK_UPS) } else { None };
        Ok(prepared.map_or(Step::Wait, working))
    }

    fn keys_after(&self) -> KeysAfter {
        match (self.is_complete(), self.is_last) {
            (false, _) => KeysAfter::None,
            (true, false) => KeysAfter::Same,
            (true, true) => KeysAfter::Next(self.keys.iter().map(Codec::to_bytes).collect()),
        }
    }
}
