//! The machine of methods that hide values in a group: one element from each contributing seat, and
//! the logarithm of what they add up to.
//!
//! One round. With V_i as the method makes it, a seat appends (V_i, its key of the next life, the
//! proof that it owns that key), and everyone adds the V_i and looks for the sum in its range.

use crate::service::{KeyLife, Party};
use undertone_machine::{Fault, FaultCode, KeysAfter, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_prim::codec::{Codec, DecodeError, Reader, Writer};
use undertone_prim::dlog::SumRange;
use undertone_prim::{Element, Hash, POINT_BYTES, PROOF_BYTES, Proof, PublicPoint, Transcript, kdk_message};

/// Bytes that a seat appends.
pub(crate) const MESSAGE_BYTES: u64 = (2 * POINT_BYTES + PROOF_BYTES) as u64;

/// Turns the sum of the values, each less the lowest, into figures.
pub(crate) type Finish = Box<dyn Fn(i64, usize) -> Outcome + Send>;

/// What a seat appends.
struct Message {
    /// The hidden value; no honest seat's is neutral but with a chance of 1 in 2^252.
    value: PublicPoint,
    next: PublicPoint,
    proof: Proof,
}

impl Codec for Message {
    fn encode(&self, writer: &mut Writer) {
        self.value.encode(writer);
        self.next.encode(writer);
        self.proof.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            value: PublicPoint::decode(reader)?,
            next: PublicPoint::decode(reader)?,
            proof: Proof::decode(reader)?,
        })
    }
}

/// One party's side of a sum in a group.
struct GroupSum {
    to_send: Option<Vec<u8>>,
    context: Hash,
    contributors: Vec<Seat>,
    total: Element,
    /// Most that a seat's value can be, less the lowest.
    width: u64,
    /// Keys of the next life: those that did not come are the old ones.
    keys: Vec<PublicPoint>,
    renewed: Vec<Seat>,
    finish: Finish,
}

/// Makes the machine for values from 0 to `width`.
pub(crate) fn machine(mut party: Party, width: u64, finish: Finish) -> Result<Box<dyn Machine>, Fault> {
    let internal = || Fault::new(FaultCode::Internal).at(Phase::Round);
    let life = party.keys.take().ok_or_else(internal)?;
    let (contributors, context) = (party.contributors(), party.context);
    let keys = life.keys.clone();
    let to_send = hidden_input(&party, life, &contributors, width)?;
    let total = Element::identity();
    Ok(Box::new(GroupSum { to_send, context, contributors, total, width, keys, renewed: Vec::new(), finish }))
}

/// What this seat appends; `None` if it gives nothing, or gave it before a reload.
fn hidden_input(party: &Party, life: KeyLife, contributors: &[Seat], width: u64) -> Result<Option<Vec<u8>>, Fault> {
    let Some(input) = party.input.as_ref().filter(|_| party.contributes()) else { return Ok(None) };
    let bad_input = || Fault::new(FaultCode::BadInput).in_field("value");
    let own = life.own.ok_or_else(|| Fault::new(FaultCode::Internal).at(Phase::Round))?;
    let value = match input.values.expose().as_slice() {
        [value] => u64::try_from(*value).ok().filter(|value| *value <= width).ok_or_else(bad_input)?,
        _ => return Err(bad_input()),
    };
    let key = |seat: &Seat| Some((*seat, *life.keys.get(seat.index())?));
    let keys: Vec<_> = contributors.iter().filter_map(key).collect();
    let hidden = PublicPoint::from_bytes(&kdk_message(own.current, party.me, &keys, value).encode());
    let value = hidden.map_err(|_| Fault::new(FaultCode::Internal).at(Phase::Round))?;
    let proof = own.next.prove(&proof_context(&party.context, party.me));
    Ok(Some(Message { value, next: *own.next.public(), proof }.to_bytes()))
}

/// What a proof of possession of a next key is bound to.
fn proof_context(run: &Hash, seat: Seat) -> Hash {
    Transcript::new("next-key/v1").field(run).number(seat.0.into()).hash()
}

impl GroupSum {
    /// Takes a message, if it is one that an honest seat can have sent.
    fn take(&mut self, from: Seat, payload: &[u8]) -> Option<()> {
        if !self.contributors.contains(&from) || self.renewed.contains(&from) {
            return None;
        }
        let message = Message::from_bytes(payload).ok()?;
        let proven = message.proof.holds(&message.next, &proof_context(&self.context, from));
        // A key that somebody has or had already is not new.
        if !proven || self.keys.contains(&message.next) {
            return None;
        }
        *self.keys.get_mut(from.index())? = message.next;
        self.total = self.total + message.value.element();
        self.renewed.push(from);
        Some(())
    }

    fn is_complete(&self) -> bool {
        self.renewed.len() == self.contributors.len()
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
        if !self.is_complete() {
            return Ok(Step::Wait);
        }
        let out_of_range = || Fault::new(FaultCode::SumOutOfRange).at(Phase::Round);
        let seats = self.contributors.len();
        let high = self.width.checked_mul(seats as u64).and_then(|high| i64::try_from(high).ok());
        let range = high.and_then(|high| SumRange::new(0, high).ok()).ok_or_else(out_of_range)?;
        let sum = self.total.logarithm_vartime(range).ok_or_else(out_of_range)?;
        Ok(Step::Done((self.finish)(sum, seats)))
    }

    fn keys_after(&self) -> KeysAfter {
        if self.is_complete() {
            KeysAfter::Next(self.keys.iter().map(Codec::to_bytes).collect())
        } else {
            KeysAfter::None
        }
    }
}
