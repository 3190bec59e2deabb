//! Keys of methods that use theirs up: which ones are in force, and which rounds of them this seat has
//! spent.
//!
//! A life of keys is one key of each seat, good for as many rounds as its method bears; each question
//! that it serves uses up one, whether or not it comes to a result. The first life is shown with the
//! other keys, committed to and proven. With the values of its last round travel the keys of the next.
//! Where none are left, because that question failed, or the method or its terms are others, the host
//! says so in its question, and everyone shows a new key before acknowledging. Both follow from the
//! host's own chain of questions, so all seats agree on the life and on the round.

use crate::Member;
use crate::identity::fresh_key_context;
use crate::room::{Room, Stage};
use crate::roster::{Roster, proven};
use crate::run::{MASKED, Run};
use undertone_machine::{Fault, FaultCode, KeysAfter, Phase, Seat};
use undertone_prim::Transcript;
use undertone_services::{
    KeyLife, KeyMemory, METHOD_KEYS, OwnKey, OwnKeys, PublicKey, Task, UNBOUNDED, USES_KEYS_UP, find, prepare,
};
use undertone_wire::{Author, Codec, EntryKind, Hash, KeyOffer, MethodId, Place, Plan};
use vecmap::{VecMap, VecSet};

/// Public keys of all seats, and how many of their rounds are used.
pub(crate) struct Life {
    serves: Need,
    keys: Vec<PublicKey>,
    /// Rounds that questions have used up.
    round: u32,
    /// Rounds that there are.
    rounds: u32,
    /// Parts of rounds that this seat has said since, in questions that the log shows.
    said: u32,
    origin: Origin,
    memory: KeyMemory,
}

/// In which of its own entries this seat announced its key.
#[derive(Clone, Copy)]
enum Origin {
    Reveal,
    /// With its value for an earlier question.
    Value(Place),
    /// For a question, because there were no keys.
    Rekey(Place),
}

/// Of which method a question needs keys, and on which terms.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Need {
    method: MethodId,
    terms: Hash,
}

impl Need {
    /// `None` for a question that needs no keys but those of pairs.
    fn of(plan: &Plan, task: &dyn Task) -> Option<Self> {
        if !METHOD_KEYS {
            return None;
        }
        let method = method_of(plan).ok().filter(|method| *method != MethodId::Masks)?;
        Some(Self { method, terms: task.key_terms() })
    }
}

impl Life {
    fn new(serves: Need, rounds: u32, keys: Vec<PublicKey>, origin: Origin) -> Self {
        Self { serves, keys, round: 0, rounds, said: 0, origin, memory: KeyMemory::default() }
    }

    /// What acknowledgements say of it.
    pub(crate) fn hash(&self) -> Hash {
        let start = Transcript::new("key-life/v1").number(self.serves.method as u64).number(self.round.into());
        let start = start.field(&self.serves.terms).number(self.keys.len() as u64);
        self.keys.iter().fold(start, |transcript, key| transcript.field(&key.encoded())).hash()
    }

    /// Which round the question in force uses, from 1, of how many; `None` where that has no end.
    pub(crate) fn meter(&self) -> Option<crate::KeyMeter> {
        let meter = crate::KeyMeter { round: self.round.saturating_add(1), rounds: self.rounds };
        (self.rounds < UNBOUNDED).then_some(meter)
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

    /// What keys the question in force needs; `None` if it needs none.
    fn need(&self) -> Option<Need> {
        let asked = self.facts.asked.as_ref()?;
        Need::of(&asked.plan, asked.task.as_ref())
    }

    /// The keys that the question in force uses up, if its method does so.
    pub(crate) fn life_in_force(&self) -> Option<&Life> {
        let need = self.need()?;
        self.life.as_ref().filter(|life| life.serves == need)
    }

    /// For how many rounds new keys serve the question in force.
    fn rounds(&self, roster: &Roster) -> u32 {
        self.task().map_or(0, |task| task.key_rounds(roster.contributors()))
    }

    /// Whether everyone has to show a new key for the question in force, and not all have.
    pub(crate) fn waits_for_keys(&self) -> bool {
        USES_KEYS_UP && self.is_fresh() && self.need().is_some() && self.life.is_none()
    }

    /// Whether the host says that there are no keys for the question in force.
    fn is_fresh(&self) -> bool {
        self.facts.asked.as_ref().is_some_and(|asked| asked.plan.fresh_keys)
    }

    /// Whether there are keys for the question in force.
    ///
    /// # Errors
    /// [`FaultCode::KeySpent`].
    pub(crate) fn check_keys(&self) -> Result<(), Fault> {
        let has_keys = self.need().is_none() || self.life_in_force().is_some();
        if has_keys { Ok(()) } else { Err(key_spent().at(Phase::Acknowledge)) }
    }

    /// The life that the roster begins with, if the question in force is of its method.
    pub(crate) fn first_life(&self, roster: &Roster) -> Option<Life> {
        let keys: Option<Vec<_>> = roster.members.iter().map(|member| member.method_key).collect();
        let keys = keys.filter(|keys| !keys.is_empty() && !self.is_fresh())?;
        Some(Life::new(self.need()?, self.rounds(roster), keys, Origin::Reveal))
    }

    /// The life that the current question leaves behind.
    fn next_life(&mut self) -> Option<Life> {
        if !METHOD_KEYS {
            return None;
        }
        let used = self.life_in_force().is_some();
        let (place, said) = (self.place(), self.outbox.values_about(&self.place().plan));
        let life = self.life.take()?;
        let round = life.round.saturating_add(used.into());
        if round < life.rounds {
            return Some(Life { round, said: life.said.saturating_add(said), ..life });
        }
        if !USES_KEYS_UP {
            return None;
        }
        let KeysAfter::Next(keys) = self.run.as_ref().map(Run::keys_after)? else { return None };
        let keys: Option<_> = keys.iter().map(|key| PublicKey::read(life.serves.method, key)).collect();
        Some(Life::new(life.serves, life.rounds, keys?, Origin::Value(place)))
    }

    /// Goes on to the life for the next question: where its host sees none, there is none.
    pub(crate) fn turn_life(&mut self, plan: &Plan) {
        self.life = self.next_life().filter(|_| !plan.fresh_keys);
    }

    /// Host: whether a question that is asked now finds no keys of its method.
    ///
    /// # Errors
    /// What the plan's service says.
    pub(crate) fn lacks_keys(&self, plan: &Plan) -> Result<bool, Fault> {
        let Some(need) = Need::of(plan, prepare(plan)?.as_ref()) else { return Ok(false) };
        let used = u32::from(self.life_in_force().is_some());
        let brings = || self.run.as_ref().is_some_and(|run| matches!(run.keys_after(), KeysAfter::Next(_)));
        let lasts = |life: &&Life| life.round.saturating_add(used) < life.rounds || brings();
        Ok(self.life.as_ref().filter(lasts).is_none_or(|life| life.serves != need))
    }

    /// Shows a new key where the question asks for one, and takes everyone's once all are there.
    ///
    /// # Errors
    /// [`FaultCode::BadKey`] naming the seat whose proof does not hold, or whose key someone else shows.
    pub(crate) fn renew_keys(&mut self) -> Result<(), Fault> {
        let (Some(roster), Some(need), Stage::Agreeing) = (&self.roster, self.need(), self.stage) else {
            return Ok(());
        };
        if !self.waits_for_keys() {
            return Ok(());
        }
        let place = self.place();
        if self.observer.is_none() && !self.outbox.has_said(EntryKind::Rekey, &place) {
            let offer = self.identity.fresh_offer(need.method, &roster.hash, &place.plan).to_bytes();
            return self.say(place, EntryKind::Rekey, offer);
        }
        let shown = self.facts.fresh_keys.get(&(place.list, place.plan));
        let Some(shown) = shown.filter(|shown| shown.len() == roster.members.len()) else { return Ok(()) };
        let keys = self.check_fresh(roster, shown, need.method, &place.plan)?;
        self.life = Some(Life::new(need, self.rounds(roster), keys, Origin::Rekey(place)));
        Ok(())
    }

    fn check_fresh(
        &self,
        roster: &Roster,
        shown: &VecMap<Author, KeyOffer>,
        method: MethodId,
        plan: &Hash,
    ) -> Result<Vec<PublicKey>, Fault> {
        let (room, mut seen) = (self.identity.room(), VecSet::new());
        let mut check = |(seat, member): (Seat, &Member)| {
            let context = fresh_key_context(&room, &member.author, &roster.hash, plan);
            let offer = shown.get(&member.author).filter(|offer| offer.method == method);
            let key = offer.and_then(|offer| proven(offer, &context)).filter(|key| seen.insert(key.encoded()));
            key.ok_or_else(|| Fault::new(FaultCode::BadKey).at(Phase::Acknowledge).blaming(seat))
        };
        roster.seats().map(&mut check).collect()
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
        let own =
            OwnKeys { current: self.own_key(life), next: self.identity.next_key(life.serves.method, &asked.hash) };
        let (round, keys, memory) = (life.round, life.keys.clone(), life.memory.clone());
        Ok(Some(KeyLife { round, keys, own: Some(own), memory }))
    }

    fn own_key(&self, life: &Life) -> OwnKey {
        let method = life.serves.method;
        match life.origin {
            Origin::Reveal => self.identity.method_key(method),
            Origin::Value(place) => self.identity.next_key(method, &place.plan),
            Origin::Rekey(place) => self.identity.fresh_key(method, &place.plan),
        }
    }

    fn is_unspent(&self, life: &Life) -> bool {
        let said = match life.origin {
            Origin::Reveal => self.outbox.values_since(EntryKind::Reveal, &self.place()),
            Origin::Value(place) => self.outbox.values_since(MASKED, &place),
            Origin::Rekey(place) => self.outbox.values_since(EntryKind::Rekey, &place),
        };
        said == Some(life.said)
    }
}

fn key_spent() -> Fault {
    Fault::new(FaultCode::KeySpent).in_field("service")
}
