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
use undertone_prim::{AgreementKey, PublicPoint, Transcript};
use undertone_services::{KeyLife, OwnKeys, find, prepare};
use undertone_wire::{Codec, EntryKind, Hash, MethodId, Place, Plan};

/// Public keys of all seats, and how many of their rounds are used.
pub(crate) struct Life {
    method: MethodId,
    terms: Hash,
    keys: Vec<PublicPoint>,
    round: u32,
    origin: Origin,
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
        Some(Self { method, terms, keys, round: 0, origin: Origin::Reveal })
    }

    /// The life that a run under this one leaves behind; `place` is that of this seat's value in it.
    fn after(&self, run: &Run, place: Place) -> Option<Self> {
        let (keys, round, origin) = match run.keys_after() {
            KeysAfter::None => return None,
            KeysAfter::Same => (self.keys.clone(), self.round.saturating_add(1), self.origin),
            KeysAfter::Next(keys) => {
                let keys: Option<_> = keys.iter().map(|key| PublicPoint::from_bytes(key).ok()).collect();
                (keys?, 0, Origin::Value(place))
            }
        };
        Some(Self { method: self.method, terms: self.terms, keys, round, origin })
    }

    /// Whether it serves questions of that method on those terms.
    fn serves(&self, method: MethodId, terms: &Hash) -> bool {
        self.method == method && self.terms == *terms
    }

    /// What acknowledgements say of it.
    pub(crate) fn hash(&self) -> Hash {
        let start = Transcript::new("key-life/v1").number(self.method as u64).number(self.round.into());
        let start = start.field(&self.terms).number(self.keys.len() as u64);
        self.keys.iter().fold(start, |transcript, key| transcript.field(key.encoded())).hash()
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
        let own = OwnKeys { current: self.own_key(life), next: self.identity.next_key(&asked.hash) };
        Ok(Some(KeyLife { round: life.round, keys: life.keys.clone(), own: Some(own) }))
    }

    fn own_key(&self, life: &Life) -> AgreementKey {
        match life.origin {
            Origin::Reveal => self.identity.method_key(life.method),
            Origin::Value(place) => self.identity.next_key(&place.plan),
        }
    }

    fn is_unspent(&self, life: &Life) -> bool {
        let sent = match life.origin {
            Origin::Reveal => self.outbox.values_since(EntryKind::Reveal, &self.place()),
            Origin::Value(place) => self.outbox.values_since(MASKED, &place),
        };
        sent == Some(life.round)
    }
}

fn key_spent() -> Fault {
    Fault::new(FaultCode::KeySpent).in_field("service")
}
