//! Keys of methods that use theirs up: which ones are in force, and which rounds of them this seat has
//! spent.
//!
//! The first life is shown with the other keys, committed to and proven. With its last round each value
//! carries its seat's key of the life that follows. A life serves one question after the other, all of
//! one method and on the same terms; after a question that failed, or was of another kind, there is none.

use crate::room::Room;
use crate::roster::Roster;
use crate::run::{MASKED, Run};
use undertone_machine::{Fault, FaultCode, KeysAfter, Phase};
use undertone_prim::Transcript;
use undertone_services::{KeyLife, KeyMemory, OwnKey, OwnKeys, PublicKey, find, prepare};
use undertone_wire::{EntryKind, Hash, MethodId, Place, Plan};

/// Public keys of all seats, and how many of their rounds are used.
pub(crate) struct Life {
    method: MethodId,
    terms: Hash,
    keys: Vec<PublicKey>,
    round: u32,
    origin: Origin,
    memory: KeyMemory,
}

/// In which of its own entries this seat announced its key.
#[derive(Clone, Copy)]
enum Origin {
    Reveal,
    /// With its value for an earlier question.
    Value(Place),
}

impl Life {
    /// The life that a roster begins with.
    pub(crate) fn first(roster: &Roster, method: MethodId, terms: Hash) -> Option<Self> {
        let keys: Option<Vec<_>> = roster.members.iter().map(|member| member.method_key).collect();
        let keys = keys.filter(|keys| !keys.is_empty())?;
        Some(Self { method, terms, keys, round: 0, origin: Origin::Reveal, memory: KeyMemory::default() })
    }

    /// The life that a run under this one leaves behind; `place` is that of this seat's value in it.
    fn after(&self, run: &Run, place: Place) -> Option<Self> {
        match run.keys_after() {
            KeysAfter::None => None,
            KeysAfter::Same => Some(self.one_round_on()),
            KeysAfter::Next(keys) => {
                let keys = keys.iter().map(|key| PublicKey::read(self.method, key)).collect::<Option<_>>()?;
                let (round, origin, memory) = (0, Origin::Value(place), KeyMemory::default());
                Some(Self { method: self.method, terms: self.terms, keys, round, origin, memory })
            }
        }
    }

    /// The same keys with one more of their rounds behind them.
    fn one_round_on(&self) -> Self {
        Self { keys: self.keys.clone(), round: self.round.saturating_add(1), memory: self.memory.clone(), ..*self }
    }

    /// Whether it serves questions of that method on those terms.
    fn serves(&self, method: MethodId, terms: &Hash) -> bool {
        self.method == method && self.terms == *terms
    }

    /// What acknowledgements say of it.
    pub(crate) fn hash(&self) -> Hash {
        let start = Transcript::new("key-life/v1").number(self.method as u64).number(self.round.into());
        let start = start.field(&self.terms).number(self.keys.len() as u64);
        self.keys.iter().fold(start, |transcript, key| transcript.field(&key.encoded())).hash()
    }
}

/// How a plan hides its values.
///
/// # Errors
/// [`FaultCode::UnknownService`].
pub(crate) fn method_of(plan: &Plan) -> Result<MethodId, Fault> {
    Ok(find(&plan.service)?.manifest().method)
}

impl Room {
    /// The method of the question in force.
    pub(crate) fn method(&self) -> Option<MethodId> {
        method_of(&self.facts.asked.as_ref()?.plan).ok()
    }

    /// The life that the current question leaves behind.
    pub(crate) fn next_life(&self) -> Option<Life> {
        // What hides a value under such keys is bound to its plan: whatever a question came to, or was
        // about, the keys are as good for the next. Two values for one plan are the ledger's to stop.
        if let Some(life) = self.life.as_ref().filter(|life| life.method.is_unbounded()) {
            return Some(life.one_round_on());
        }
        self.life_in_force()?.after(self.run.as_ref()?, self.place())
    }

    /// The keys that the question in force uses up, if its method does so.
    pub(crate) fn life_in_force(&self) -> Option<&Life> {
        let (method, terms) = (self.method()?, self.task()?.key_terms());
        self.life.as_ref().filter(|life| life.serves(method, &terms))
    }

    /// Whether there are keys for the question in force.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`].
    pub(crate) fn check_keys(&self) -> Result<(), Fault> {
        let has_keys = self.method() == Some(MethodId::Masks) || self.life_in_force().is_some();
        if has_keys { Ok(()) } else { Err(key_spent().at(Phase::Acknowledge)) }
    }

    /// Host: whether there will be keys for another question.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`], and what the plan's service says.
    pub(crate) fn check_next_keys(&self, plan: &Plan) -> Result<(), Fault> {
        let (method, terms) = (method_of(plan)?, prepare(plan)?.key_terms());
        let serves = || self.next_life().is_some_and(|life| life.serves(method, &terms));
        if method == MethodId::Masks || serves() { Ok(()) } else { Err(key_spent()) }
    }

    /// What the machine of this question gets.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`] if this seat has sent other values under its key than the log shows:
    /// whoever shows an older log wants a second one in the same round.
    pub(crate) fn keys_for_run(&self, sends: bool) -> Result<Option<KeyLife>, Fault> {
        let (Some(life), Some(asked)) = (self.life_in_force(), &self.facts.asked) else { return Ok(None) };
        if sends && !self.is_unspent(life) {
            return Err(key_spent().at(Phase::Round));
        }
        let own = OwnKeys { current: self.own_key(life), next: self.identity.next_key(life.method, &asked.hash) };
        let (round, keys, memory) = (life.round, life.keys.clone(), life.memory.clone());
        Ok(Some(KeyLife { round, keys, own: Some(own), memory }))
    }

    fn own_key(&self, life: &Life) -> OwnKey {
        match life.origin {
            Origin::Reveal => self.identity.method_key(life.method),
            Origin::Value(place) => self.identity.next_key(life.method, &place.plan),
        }
    }

    fn is_unspent(&self, life: &Life) -> bool {
        let sent = match life.origin {
            Origin::Reveal => self.outbox.values_since(EntryKind::Reveal, &self.place()),
            Origin::Value(place) => self.outbox.values_since(MASKED, &place),
        };
        life.method.is_unbounded() || sent == Some(life.round)
    }
}

fn key_spent() -> Fault {
    Fault::new(FaultCode::KeySpent).in_field("service")
}
