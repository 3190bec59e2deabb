//! The machine of methods that hide values in a group: one element from each contributing seat, and
//! the logarithm of what they add up to.
//!
//! One round. A seat appends V_i as its [`Method`] makes it and, where the keys have no further round,
//! its key of the next life with the proof that it owns it. Everyone adds the V_i and looks for the sum
//! in its range.

use crate::method_keys::{KeyMemory, OwnKey, PublicKey};
use crate::service::{KeyLife, Party};
use undertone_machine::{Fault, FaultCode, KeysAfter, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_prim::codec::Codec;
use undertone_prim::dlog::{SumRange, WIDTH_MAX};
use undertone_prim::{Element, Hash, POINT_BYTES, PROOF_BYTES, Proof, PublicPoint, Transcript};

/// How values are hidden.
pub(crate) trait Method: Send + Sync {
    /// In which group.
    type Value: Hidden;

    /// How many rounds a key is good for among so many seats.
    fn rounds(&self, seats: usize) -> u32;

    /// V_i of the seat at a place among those that give a value; `None` for what cannot be.
    fn hide(&self, hiding: Hiding<'_>) -> Option<Self::Value>;
}

/// Rounds of a key that is never used up.
pub const UNBOUNDED: u32 = u32::MAX;

/// An element of a group in which the sum is in the exponent; written additively.
pub(crate) trait Hidden: Copy + Send + 'static {
    /// Bytes of an encoding.
    const BYTES: usize;
    /// The widest range in which a sum is looked for.
    const WIDTH_MAX: u64;

    fn neutral() -> Self;
    fn plus(self, other: Self) -> Self;
    fn encoded(&self) -> Vec<u8>;

    /// Reads an encoding of an element of the group's order other than the neutral one: no honest
    /// seat's is that but with a chance below 2^-250.
    fn read(bytes: &[u8]) -> Option<Self>;

    /// The exponent, in time that depends on it.
    fn logarithm_vartime(&self, range: SumRange) -> Option<i64>;
}

impl Hidden for Element {
    const BYTES: usize = POINT_BYTES;
    const WIDTH_MAX: u64 = WIDTH_MAX;

    fn neutral() -> Self {
        Self::identity()
    }

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn encoded(&self) -> Vec<u8> {
        self.encode().to_vec()
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        Self::decode(bytes.try_into().ok()?).filter(|value| !value.is_identity())
    }

    fn logarithm_vartime(&self, range: SumRange) -> Option<i64> {
        Self::logarithm_vartime(self, range)
    }
}

/// What a value is hidden with.
pub(crate) struct Hiding<'a> {
    /// The own key; used up as far as this round goes.
    pub(crate) own: OwnKey,
    /// What was computed with it before.
    #[cfg_attr(not(feature = "pairing"), allow(dead_code, reason = "no method of this build remembers anything"))]
    pub(crate) memory: KeyMemory,
    /// The seats that give a value, in order, with their keys.
    pub(crate) keys: &'a [(Seat, PublicKey)],
    pub(crate) me: Seat,
    pub(crate) round: u32,
    pub(crate) context: Hash,
    pub(crate) value: u64,
}

impl Hiding<'_> {
    /// The keys as elements of ristretto255.
    pub(crate) fn ristretto(&self) -> Option<Vec<(Seat, PublicPoint)>> {
        self.keys.iter().map(|(seat, key)| Some((*seat, key.ristretto()?))).collect()
    }
}

/// Bytes that a seat appends in a round, counted from 0, of so many that its key is good for.
pub(crate) const fn message_bytes<V: Hidden>(round: u32, rounds: u32) -> u64 {
    let renewal = if round + 1 < rounds { 0 } else { POINT_BYTES + PROOF_BYTES };
    (V::BYTES + renewal) as u64
}

/// Turns the sum of the values, each less the lowest, into figures.
pub(crate) type Finish = Box<dyn Fn(i64, usize) -> Outcome + Send>;

/// A seat's key of the next life: only keys of ristretto255 are used up.
struct Renewal {
    key: PublicPoint,
    proof: Proof,
}

impl Renewal {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (key, proof) = bytes.split_at_checked(POINT_BYTES)?;
        Some(Self { key: PublicPoint::from_bytes(key).ok()?, proof: Proof::from_bytes(proof).ok()? })
    }
}

/// One party's side of a sum in a group.
struct GroupSum<V> {
    to_send: Option<Vec<u8>>,
    context: Hash,
    contributors: Vec<Seat>,
    total: V,
    /// Most that a seat's value can be, less the lowest.
    width: u64,
    /// Whether keys have no further round.
    is_last: bool,
    /// Keys of the next life: those that did not come are the old ones.
    keys: Vec<PublicKey>,
    heard: Vec<Seat>,
    finish: Finish,
}

/// Makes the machine for values from 0 to `width`.
pub(crate) fn machine<M: Method>(
    method: &M,
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
    let (total, heard) = (M::Value::neutral(), Vec::new());
    Ok(Box::new(GroupSum { to_send, context, contributors, total, width, is_last, keys, heard, finish }))
}

/// What this seat appends; `None` if it gives nothing, or gave it before a reload.
fn hidden_input<M: Method>(
    method: &M,
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
    let (me, round, context, memory) = (party.me, life.round, party.context, life.memory);
    let hidden = method.hide(Hiding { own: own.current, memory, keys: &keys, me, round, context, value });
    let mut message = hidden.ok_or_else(internal)?.encoded();
    if is_last {
        message.extend(own.next.public().encoded());
        message.extend(own.next.prove(&proof_context(&context, me)));
    }
    Ok(Some(message))
}

/// What a proof of possession of a next key is bound to.
fn proof_context(run: &Hash, seat: Seat) -> Hash {
    Transcript::new("next-key/v1").field(run).number(seat.0.into()).hash()
}

impl<V: Hidden> GroupSum<V> {
    /// Takes a message, if it is one that an honest seat can have sent.
    fn take(&mut self, from: Seat, payload: &[u8]) -> Option<()> {
        if !self.contributors.contains(&from) || self.heard.contains(&from) {
            return None;
        }
        let (value, renewal) = payload.split_at_checked(V::BYTES)?;
        let value = V::read(value)?;
        match self.is_last {
            true => self.renew(from, &Renewal::read(renewal)?)?,
            false if renewal.is_empty() => {}
            false => return None,
        }
        self.total = self.total.plus(value);
        self.heard.push(from);
        Some(())
    }

    fn renew(&mut self, from: Seat, renewal: &Renewal) -> Option<()> {
        let proven = renewal.proof.holds(&renewal.key, &proof_context(&self.context, from));
        // A key that somebody has or had already is not new.
        let key = PublicKey::Ristretto(renewal.key);
        let is_new = proven && !self.keys.contains(&key);
        *self.keys.get_mut(from.index()).filter(|_| is_new)? = key;
        Some(())
    }

    fn is_complete(&self) -> bool {
        self.heard.len() == self.contributors.len()
    }
}

impl<V: Hidden> Machine for GroupSum<V> {
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
        match (self.is_complete(), self.is_last) {
            (false, _) => KeysAfter::None,
            (true, false) => KeysAfter::Same,
            (true, true) => KeysAfter::Next(self.keys.iter().map(PublicKey::encoded).collect()),
        }
    }
}
