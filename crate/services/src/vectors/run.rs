//! Plays all parties of a run over a perfect network, from fixed seeds.

use crate::method_keys::{KeyMemory, OwnKey, PublicKey};
use crate::service::{Input, KeyLife, OwnKeys, Party, Task};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use undertone_machine::{Fault, FaultCode, Machine, Mail, Outcome, Phase, Role, RoundKind, Seat, Secret, Step};
use undertone_prim::{Hash, PairwisePads, derive};
use undertone_wire::MethodId;

/// The hash over roster and plan in every vector.
pub const CONTEXT: Hash = [7; 32];

/// The host's seat in every vector.
pub const HOST: Seat = Seat(0);

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Into the log, to everyone.
    Log {
        /// Round of the run.
        round: u32,
        /// What it carries.
        kind: RoundKind,
    },
    /// Through a pipe.
    Pipe {
        /// The other end.
        to: Seat,
    },
}

/// What a seat said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its author.
    pub from: Seat,
    /// Which way it went.
    pub way: Way,
    /// The machine's own encoding, before sealing.
    pub bytes: Vec<u8>,
}

impl Message {
    /// The mail that others find, where it went into the log.
    #[must_use]
    pub fn entry(&self) -> Option<Mail<'_>> {
        match self.way {
            Way::Log { round, kind } => Some(Mail::Entry { from: self.from, round, kind, payload: &self.bytes }),
            Way::Pipe { .. } => None,
        }
    }
}

/// A run that came to its end.
#[derive(Debug)]
pub struct Run {
    /// What came out, seat by seat.
    pub outcomes: Vec<Outcome>,
    /// All messages, in the order in which a perfect network carries them.
    pub messages: Vec<Message>,
    /// The longest chain of messages of which each waits for the one before.
    pub rounds: u32,
}

impl Run {
    /// Bytes that a seat appended, and bytes that it sent through pipes.
    #[must_use]
    pub fn bytes_of(&self, seat: Seat) -> (u64, u64) {
        let own = self.messages.iter().filter(|message| message.from == seat);
        own.fold((0, 0), |(log, pipe), message| match message.way {
            Way::Log { .. } => (log + message.bytes.len() as u64, pipe),
            Way::Pipe { .. } => (log, pipe + message.bytes.len() as u64),
        })
    }
}

/// The key of two seats' pads.
#[must_use]
pub fn pad_key(one: Seat, other: Seat) -> Secret<[u8; 32]> {
    let [low, high] = [one.min(other), one.max(other)].map(|seat| seat.0.to_be_bytes());
    derive(&[low, high].concat(), "vector-pads/v1", &[])
}

/// One seat's randomness.
#[must_use]
pub fn seed(seat: Seat) -> Secret<[u8; 32]> {
    derive(&seat.0.to_be_bytes(), "vector-seed/v1", &[])
}

/// What a seat's key of a life is made from: the first in force, the second the one after it.
#[must_use]
pub fn key_seed(seat: Seat, life: u8) -> Secret<[u8; 32]> {
    derive(&seat.0.to_be_bytes(), "vector-key/v1", &[&[life]])
}

fn own_key(method: MethodId, seat: Seat, life: u8) -> OwnKey {
    OwnKey::new(method, key_seed(seat, life))
}

/// Public keys of all seats, of a method that has keys of its own; made once, there are many runs.
fn public_keys(method: MethodId, seats: u16) -> Vec<PublicKey> {
    static MADE: Mutex<Vec<((MethodId, u16), PublicKey)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let seats = if method == MethodId::Masks { 0 } else { seats };
    let key = |seat| match made.iter().find(|(of, _)| *of == (method, seat)) {
        Some((_, key)) => Some(*key),
        None => {
            let key = PublicKey::read(method, &own_key(method, Seat(seat), 1).public());
            made.extend(key.map(|key| ((method, seat), key)));
            key
        }
    };
    (0..seats).filter_map(key).collect()
}

/// What a seat remembers of its key: that is the same in every run.
fn memory(method: MethodId, me: Seat) -> KeyMemory {
    static KEPT: Mutex<Vec<((MethodId, Seat), KeyMemory)>> = Mutex::new(Vec::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, memory)) = kept.iter().find(|(of, _)| *of == (method, me)) {
        return memory.clone();
    }
    let memory = KeyMemory::default();
    kept.push(((method, me), memory.clone()));
    memory
}

/// A party whose secrets anyone can compute: for vectors and tests only. The last `computers` seats
/// add up for the others.
///
/// # Errors
/// What the task says of what they deal.
pub fn party(method: MethodId, task: &dyn Task, me: Seat, seats: u16, input: Option<Input>) -> Result<Party, Fault> {
    let computers = task.computers();
    let party = party_among(method, me, (seats, computers), input, public_keys(method, seats));
    Ok(Party { deals: deals(method, task, seats)?, ..party })
}

/// What all seats deal before they acknowledge; empty where nobody does.
///
/// # Errors
/// What the task says.
pub fn deals(method: MethodId, task: &dyn Task, seats: u16) -> Result<Vec<Vec<u8>>, Fault> {
    let people = usize::from(seats).saturating_sub(task.computers());
    if task.colluders(people).is_none() {
        return Ok(Vec::new());
    }
    let dealer = |me| party_among(method, Seat(me), (seats, task.computers()), None, public_keys(method, seats));
    let each = (0..seats).map(|me| task.deal(&dealer(me)));
    Ok(each.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// Of so many seats, the last ones of which add up.
fn party_among(
    method: MethodId,
    me: Seat,
    (seats, computers): (u16, usize),
    input: Option<Input>,
    keys: Vec<PublicKey>,
) -> Party {
    let [current, next] = [1, 2].map(|life| own_key(method, me, life));
    let own = Some(OwnKeys { current, next });
    let keys = Some(KeyLife { round: 0, keys, own, memory: memory(method, me) });
    let others = (0..seats).map(Seat).filter(|peer| *peer != me);
    let pads = PairwisePads::new(others.map(|peer| (peer, pad_key(me, peer))).collect());
    let mut roles = vec![Role::Contributor; usize::from(seats)];
    roles.iter_mut().rev().take(computers).for_each(|role| *role = Role::Compute);
    let (deals, host) = (Vec::new(), HOST);
    Party { me, roles, input, pads: Arc::new(pads), keys, deals, host, context: CONTEXT, seed: seed(me) }
}

/// The machines of all parties, seat by seat: whoever gives something, then those who add up for them.
///
/// # Errors
/// What the task says.
pub fn machines(
    method: MethodId,
    task: &dyn Task,
    mut inputs: Vec<Option<Input>>,
) -> Result<Vec<Box<dyn Machine>>, Fault> {
    let computers = task.computers();
    inputs.extend((0..computers).map(|_| None));
    let seats = u16::try_from(inputs.len()).map_err(|_| Fault::new(FaultCode::Internal))?;
    let keys = public_keys(method, seats);
    let (each, deals) = ((0..).map(Seat).zip(inputs), deals(method, task, seats)?);
    let party = |(me, input)| {
        let party = party_among(method, me, (seats, computers), input, keys.clone());
        task.machine(Party { deals: deals.clone(), ..party })
    };
    each.map(party).collect()
}

/// Runs all machines to their end.
///
/// In turns: all say what they can, then all that was said arrives. So whatever is said in a turn
/// waited for something of the turn before, and the number of turns is the longest chain.
///
/// # Errors
/// What a machine says; [`FaultCode::Missing`] if all wait for one another.
pub fn run(mut machines: Vec<Box<dyn Machine>>) -> Result<Run, Fault> {
    let mut pipes = Pipes::default();
    let mut run = Run { outcomes: Vec::new(), messages: Vec::new(), rounds: 0 };
    loop {
        let (mut said, mut outcomes) = (Vec::new(), Vec::new());
        for (seat, machine) in (0..).map(Seat).zip(&mut machines) {
            outcomes.extend(speak(seat, machine.as_mut(), &mut pipes, &mut said)?);
        }
        if said.is_empty() {
            run.outcomes = outcomes;
            let done = run.outcomes.len() == machines.len();
            return if done { Ok(run) } else { Err(Fault::new(FaultCode::Missing).at(Phase::Round)) };
        }
        run.rounds = run.rounds.saturating_add(1);
        for message in &said {
            deliver(message, &mut machines, &mut pipes)?;
        }
        run.messages.extend(said);
    }
}

/// Bytes under way, by (from, to).
type Pipes = BTreeMap<(Seat, Seat), VecDeque<u8>>;

/// Lets a machine say all that it can; gives its outcome if it is done.
fn speak(
    me: Seat,
    machine: &mut dyn Machine,
    pipes: &mut Pipes,
    said: &mut Vec<Message>,
) -> Result<Option<Outcome>, Fault> {
    loop {
        match machine.poll()? {
            Step::Append { round, kind, payload } => {
                said.push(Message { from: me, way: Way::Log { round, kind }, bytes: payload });
            }
            Step::Send { to, chunk } => said.push(Message { from: me, way: Way::Pipe { to }, bytes: chunk }),
            Step::Need { from, bytes } => {
                let pipe = pipes.entry((from, me)).or_default();
                if pipe.len() < bytes {
                    return Ok(None);
                }
                let chunk: Vec<u8> = pipe.drain(..bytes).collect();
                machine.handle(Mail::Chunk { from, bytes: &chunk })?;
            }
            Step::Working { .. } => {}
            Step::Wait => return Ok(None),
            Step::Done(outcome) => return Ok(Some(outcome)),
        }
    }
}

fn deliver(message: &Message, machines: &mut [Box<dyn Machine>], pipes: &mut Pipes) -> Result<(), Fault> {
    if let Way::Pipe { to } = message.way {
        pipes.entry((message.from, to)).or_default().extend(&message.bytes);
    }
    machines.iter_mut().try_for_each(|machine| message.entry().map_or(Ok(()), |mail| machine.handle(mail)))
}
