//! Keys of methods that use theirs up: which ones are in force, and whether this seat's own is unspent.
//!
//! The first life is shown with the other keys, committed to and proven. From then on each value
//! carries its seat's key for the question that follows. A key is good for the seat's next value and
//! for no other: after a question that failed, or that another method answered, there is none.

use crate::room::Room;
use crate::roster::Roster;
use crate::run::{MASKED, Run};
use undertone_machine::{Fault, FaultCode, Phase};
use undertone_prim::{AgreementKey, PublicPoint, Transcript};
use undertone_services::{KeyLife, OwnKeys, find};
use undertone_wire::{Codec, EntryKind, Hash, MethodId, Place, Plan};

/// Public keys of all seats for one question.
pub(crate) struct Life {
    method: MethodId,
    keys: Vec<PublicPoint>,
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
    pub(crate) fn first(roster: &Roster, method: MethodId) -> Option<Self> {
        let keys: Option<Vec<_>> = roster.members.iter().map(|member| member.method_key).collect();
        Some(Self { method, keys: keys.filter(|keys| !keys.is_empty())?, origin: Origin::Reveal })
    }

    /// The life that a run leaves behind.
    pub(crate) fn after(run: &Run, method: MethodId, place: Place) -> Option<Self> {
        let keys = run.next_keys();
        let keys: Option<Vec<_>> = keys.iter().map(|key| PublicPoint::from_bytes(key).ok()).collect();
        Some(Self { method, keys: keys.filter(|keys| !keys.is_empty())?, origin: Origin::Value(place) })
    }

    /// Whether it is of that method.
    pub(crate) fn is_for(&self, method: MethodId) -> bool {
        self.method == method
    }

    /// What acknowledgements say of it.
    pub(crate) fn hash(&self) -> Hash {
        let start = Transcript::new("key-life/v1").number(self.method as u64).number(self.keys.len() as u64);
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
        Life::after(self.run.as_ref()?, self.method()?, self.place())
    }

    /// The keys that the question in force uses up, if its method does so.
    pub(crate) fn life_in_force(&self) -> Option<&Life> {
        self.life.as_ref().filter(|life| self.method().is_some_and(|method| life.is_for(method)))
    }

    /// Whether there are keys for a method.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`].
    pub(crate) fn check_keys(&self, method: MethodId) -> Result<(), Fault> {
        let has_keys = method == MethodId::Masks || self.life.as_ref().is_some_and(|life| life.is_for(method));
        if has_keys { Ok(()) } else { Err(Fault::new(FaultCode::KeySpent).at(Phase::Acknowledge).in_field("service")) }
    }

    /// What the machine of this question gets.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`] if this seat has sent a value since it announced its key: whoever shows
    /// an older log wants a second one under the same key.
    pub(crate) fn keys_for_run(&self, sends: bool) -> Result<Option<KeyLife>, Fault> {
        let (Some(life), Some(asked)) = (self.life_in_force(), &self.facts.asked) else { return Ok(None) };
        if sends && !self.is_unspent(life.origin) {
            return Err(Fault::new(FaultCode::KeySpent).at(Phase::Round));
        }
        let own = OwnKeys { current: self.own_key(life), next: self.identity.next_key(&asked.hash) };
        Ok(Some(KeyLife { keys: life.keys.clone(), own: Some(own) }))
    }

    fn own_key(&self, life: &Life) -> AgreementKey {
        match life.origin {
            Origin::Reveal => self.identity.method_key(life.method),
            Origin::Value(place) => self.identity.next_key(&place.plan),
        }
    }

    fn is_unspent(&self, origin: Origin) -> bool {
        match origin {
            Origin::Reveal => self.outbox.sent_no_value_since(EntryKind::Reveal, &self.place()),
            Origin::Value(place) => self.outbox.sent_no_value_since(MASKED, &place),
        }
    }
}
