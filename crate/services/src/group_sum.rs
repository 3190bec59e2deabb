//! The machine of methods that hide values in a group: one element from each contributing seat, and
//! the logarithm of what they add up to.
//!
//! One round. A seat appends V_i as its [`Method`] makes it and, where the keys have no further round,
//! its key of the next life with the proof that it owns it. Everyone adds the V_i and looks for the sum
//! in its range.

use crate::method_keys::{KeyMemory, OwnKey, PublicKey};
use crate::service::{KeyLife, Party};
use undertone_machine::{Fault, FaultCode, KeysAfter, Machine, Mail, Outcome, Phase, RoundKind, Seat, Step};
use undertone_prim::dlog::{SumRange, WIDTH_MAX};
use undertone_prim::{
    Element, GroupKey, Hash, Logarithm, POINT_BYTES, PROOF_BYTES, Search, Searchable, Transcript, Working,
};
use undertone_wire::MethodId;

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
pub(crate) trait Hidden: Searchable<Table: Send + Sync, Solver: Send> + Copy + Send + 'static {
    /// Bytes of an encoding.
    const BYTES: usize;
    /// The widest range in which a sum is looked for.
    const WIDTH_MAX: u64;
    /// Look-ups between two answers of a machine: some 10 ms in a browser on a slow device.
    const LOOK_UPS: u32;

    fn neutral() -> Self;
    fn plus(self, other: Self) -> Self;
    fn encoded(&self) -> Vec<u8>;

    /// Reads an encoding of an element of the group's order other than the neutral one: no honest
    /// seat's is that but with a chance below 2^-250.
    fn read(bytes: &[u8]) -> Option<Self>;
}

impl Hidden for Element {
    const BYTES: usize = POINT_BYTES;
    const WIDTH_MAX: u64 = WIDTH_MAX;
    const LOOK_UPS: u32 = 1 << 15;

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
}

/// What a value is hidden with.
pub(crate) struct Hiding<'a> {
    /// The own key; used up as far as this round goes.
    pub(crate) own: OwnKey,
    /// What was computed with it before.
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
    pub(crate) fn group(&self) -> Option<Vec<(Seat, GroupKey)>> {
        self.keys.iter().map(|(seat, key)| Some((*seat, key.group()?))).collect()
    }
}

/// Bytes that a seat appends in a round, counted from 0, of so many that its key is good for.
pub(crate) const fn message_bytes<V: Hidden>(round: u32, rounds: u32) -> u64 {
    let renewal = if round + 1 < rounds { 0 } else { POINT_BYTES + PROOF_BYTES };
    (V::BYTES + renewal) as u64
}

/// Turns the sum of the values, each less the lowest, into figures.
pub(crate) type Finish = Box<dyn Fn(u64, usize) -> Result<Outcome, Fault> + Send>;

/// A seat's key of the next life: only keys of ristretto255 are used up.
struct Renewal<'a> {
    key: PublicKey,
    proof: &'a [u8],
}

impl<'a> Renewal<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (key, proof) = bytes.split_at_checked(POINT_BYTES)?;
        // All methods of that group read a key alike.
        PublicKey::read(MethodId::Kdk, key).map(|key| Self { key, proof })
    }
}

/// One party's side of a sum in a group.
struct GroupSum<V: Hidden> {
    to_send: Option<Vec<u8>>,
    me: Seat,
    context: Hash,
    contributors: Vec<Seat>,
    total: V,
    search: Logarithm<V>,
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
    let high = width.checked_mul(contributors.len() as u64).and_then(|high| i64::try_from(high).ok());
    let search = Logarithm::new(high.and_then(|high| SumRange::new(0, high).ok()).ok_or_else(internal)?);
    let (me, total, heard) = (party.me, M::Value::neutral(), Vec::new());
    Ok(Box::new(GroupSum { to_send, me, context, contributors, total, search, is_last, keys, heard, finish }))
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
        let (key, proof) = own.next.offer(&proof_context(&context, me));
        message.extend(key.into_iter().chain(proof));
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

    fn renew(&mut self, from: Seat, Renewal { key, proof }: &Renewal<'_>) -> Option<()> {
        // A key that somebody has or had already is not new.
        let is_new = !self.keys.contains(key) && key.is_proven(proof, &proof_context(&self.context, from));
        *self.keys.get_mut(from.index()).filter(|_| is_new)? = *key;
        Some(())
    }

    /// Looks on for the sum.
    fn search(&mut self) -> Result<Step, Fault> {
        match self.search.step(&self.total, V::LOOK_UPS) {
            Search::Working(how_far) => Ok(working(how_far)),
            Search::Found(sum) => (self.finish)(sum.unsigned_abs(), self.contributors.len()).map(Step::Done),
            Search::NotInRange => Err(Fault::new(FaultCode::SumOutOfRange).at(Phase::Round)),
        }
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
        if self.is_complete() {
            return self.search();
        }
        // The own value has left, so nobody waits: the table can be made while others type.
        let prepared = if self.heard.contains(&self.me) { self.search.prepare(V::LOOK_UPS) } else { None };
        Ok(prepared.map_or(Step::Wait, working))
    }

    fn keys_after(&self) -> KeysAfter {
        match (self.is_complete(), self.is_last) {
            (false, _) => KeysAfter::None,
            (true, false) => KeysAfter::Same,
            (true, true) => KeysAfter::Next(self.keys.iter().map(PublicKey::encoded).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::{Figure, Secret};
    use undertone_prim::{AgreementKey, kdk_message};

    /// s times the base point: the message of a seat that is alone.
    fn times_base(s: u64) -> Element {
        kdk_message(AgreementKey::from_seed(&Secret::new([1; 32])), Seat(0), &[], s).unwrap()
    }

    /// The machine of a seat that gives nothing, once two have given these out of 0 to `width`.
    fn heard<V: Hidden>(width: i64, values: [V; 2]) -> GroupSum<V> {
        let search = Logarithm::new(SumRange::new(0, 2 * width).unwrap());
        let contributors = vec![Seat(0), Seat(1)];
        let finish = |sum: u64, _| Ok(Outcome { figures: vec![Figure::new("sum", sum.to_string(), "")] });
        let (context, keys, total) = ([0; 32], Vec::new(), V::neutral());
        let mut machine = GroupSum {
            to_send: None,
            me: Seat(2),
            context,
            contributors,
            total,
            search,
            is_last: false,
            keys,
            heard: Vec::new(),
            finish: Box::new(finish),
        };
        for (from, value) in [Seat(0), Seat(1)].into_iter().zip(values) {
            assert_eq!(machine.poll(), Ok(Step::Wait), "nothing is its own yet");
            let mail = Mail::Entry { from, round: 0, kind: RoundKind::Masked, payload: &value.encoded() };
            machine.handle(mail).unwrap();
        }
        machine
    }

    /// The sum, and how often the machine said before that it works. Other tests may begin a larger table.
    fn sum<V: Hidden>(mut machine: GroupSum<V>) -> Result<(String, usize), Fault> {
        let mut steps = 0;
        loop {
            match machine.poll()? {
                Step::Working { done, of } => {
                    assert!(done < of);
                    steps += 1;
                }
                Step::Done(outcome) => return Ok((outcome.figures[0].value.clone(), steps)),
                step => panic!("{step:?}"),
            }
        }
    }

    fn ends_and_beyond<V: Hidden>(width: i64, times: fn(u64) -> V) {
        let high = width as u64;
        assert_eq!(sum(heard(width, [times(1), times(2)])).unwrap().0, "3");
        assert_eq!(sum(heard(width, [times(high), times(high)])).unwrap().0, (2 * width).to_string());
        for more in [1, 2 * high + 1, 1 << 50] {
            let fault = sum(heard(width, [times(high), times(high + more)])).unwrap_err();
            assert_eq!((fault.code(), fault.phase()), (FaultCode::SumOutOfRange, Phase::Round), "{more}");
            // Nobody can be named, and what it says is that there is no result.
            assert!(fault.culprits().is_empty());
            assert_eq!(fault.message(), "The masks did not cancel to a possible sum, so no result is shown.");
        }
    }

    #[test]
    fn a_sum_outside_the_range_is_a_fault_that_says_so() {
        ends_and_beyond(5_000, times_base);
        ends_and_beyond(1 << 31, times_base);
        #[cfg(feature = "pairing")]
        ends_and_beyond(5_000, |s| undertone_prim::pairing::TargetElement::power_vartime(s as i64));
    }

    #[test]
    fn the_widest_range_is_searched_in_steps() {
        let width = WIDTH_MAX as i64 / 2;
        let (found, steps) = sum(heard(width, [times_base(width as u64), times_base(width as u64 - 1)])).unwrap();
        assert_eq!(found, (2 * width - 1).to_string());
        // With the table there, look-ups are left for ten steps.
        assert!(steps >= 10, "{steps}");
    }
}
