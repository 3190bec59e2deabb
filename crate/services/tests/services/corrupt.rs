//! What becomes of a message that was changed, seen from the seat that reads it.
//!
//! Each seat is played alone, on what all others said in an honest run, with one message altered. It
//! must end in a fault that blames nobody but that message's author, or go on differently from the
//! honest run: no alteration is without effect, and none makes it panic or wait for ever.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::conformance::good;
use std::collections::{BTreeMap, VecDeque};
use undertone_machine::{Fault, LeftOut, Machine, Mail, Outcome, RoundKind, Seat, Step};
use undertone_services::vectors::{Message, Vector, Way, machines, party};
use undertone_services::{SERVICES, Task};

/// Vectors with longer runs are left out here: every bit is a run of its own.
const BITS_MAX: usize = 5_000;

/// The same where a few seats add up: it takes four of them until one can be spared.
const BITS_MAX_ADDING: usize = 8_500;

/// Each eleventh bit, which is another one of each byte, where a run takes a multiplication in a group for
/// every two seats.
const STRIDE_MASKED_TWICE: usize = 11;

/// Every bit natively. In wasm, where the same code runs several times slower, each eleventh, which is
/// another one of each byte.
const STRIDE: usize = if cfg!(target_arch = "wasm32") { 11 } else { 1 };

/// More steps than any run of that length takes.
const STEPS_MAX: usize = 10_000;

/// How a seat's run ended, if not in a fault.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Done(Outcome),
    /// It waits for what never comes; a room ends that at the deadline.
    Waits,
}

/// What one seat did: everything that it said, and its end.
#[derive(Debug, PartialEq, Eq)]
struct Played {
    said: Vec<Step>,
    end: Result<End, Fault>,
    /// Whose part was found not to fit, and whose could not be used.
    left_out: LeftOut,
}

/// A run short enough to alter bit by bit.
struct Honest {
    vector: Vector,
    task: Box<dyn Task>,
    messages: Vec<Message>,
    seats: u16,
}

impl Honest {
    /// The short runs of all services; each has at least one.
    fn all() -> Vec<Self> {
        let mut all = Vec::new();
        for name in SERVICES.iter().map(|service| service.manifest().name) {
            let before = all.len();
            all.extend(good(name).into_iter().map(Self::of).filter(Self::is_short));
            assert!(all.len() > before, "{name} has no vector with a short run");
        }
        all
    }

    fn of(vector: Vector) -> Self {
        let task = vector.task().unwrap();
        let run = vector.run(task.as_ref()).unwrap();
        Self { vector, task, messages: run.messages, seats: u16::try_from(run.outcomes.len()).unwrap() }
    }

    fn is_short(&self) -> bool {
        self.bits() <= if self.task.computers() > 0 || self.is_masked_twice() { BITS_MAX_ADDING } else { BITS_MAX }
    }

    fn is_masked_twice(&self) -> bool {
        self.task.drops() > 0
    }

    /// Bits of messages from one to the next that is changed.
    fn stride(&self) -> usize {
        if self.is_masked_twice() { STRIDE_MASKED_TWICE } else { STRIDE }
    }

    /// Whether the reader of a message has its outcome before that comes, and reads no further.
    fn is_unread(&self, index: usize) -> bool {
        let before = self.play(self.reader(&self.messages[index]), &self.messages[..index]);
        matches!(before.end, Ok(End::Done(_)))
    }

    fn bits(&self) -> usize {
        self.messages.iter().map(|message| 8 * message.bytes.len()).sum()
    }

    fn name(&self) -> String {
        format!("{}/{}", self.vector.service, self.vector.name)
    }

    /// Somebody who reads that message.
    fn reader(&self, message: &Message) -> Seat {
        match message.way {
            Way::Pipe { to } => to,
            Way::Log { .. } => Seat((message.from.0 + 1) % self.seats),
        }
    }

    /// Plays a seat on messages.
    fn play(&self, me: Seat, messages: &[Message]) -> Played {
        let input = self.vector.inputs(self.task.as_ref()).unwrap().into_iter().nth(me.index()).flatten();
        let party = party(self.vector.method().unwrap(), self.task.as_ref(), me, self.seats, input).unwrap();
        let mut machine = self.task.machine(party).unwrap();
        let mut said = Vec::new();
        let end = follow(machine.as_mut(), me, messages, &mut said);
        Played { said, end, left_out: machine.left_out() }
    }

    /// Plays the reader of one message, in whose place it finds others.
    fn replace(&self, index: usize, others: &[Message]) -> Played {
        let (before, after) = self.messages.split_at(index);
        let messages = [before, others, &after[1..]].concat();
        self.play(self.reader(&self.messages[index]), &messages)
    }

    /// All messages of one way, with their places.
    fn messages(&self, in_log: bool) -> impl Iterator<Item = (usize, &Message)> {
        self.messages.iter().enumerate().filter(move |(_, message)| message.entry().is_some() == in_log)
    }
}

fn follow(machine: &mut dyn Machine, me: Seat, messages: &[Message], said: &mut Vec<Step>) -> Result<End, Fault> {
    let mut pipes: BTreeMap<Seat, VecDeque<u8>> = BTreeMap::new();
    for message in messages.iter().filter(|message| message.way == Way::Pipe { to: me }) {
        pipes.entry(message.from).or_default().extend(&message.bytes);
    }
    let mut log = messages.iter().filter_map(Message::entry);
    for _ in 0..STEPS_MAX {
        match machine.poll()? {
            Step::Wait => match log.next() {
                Some(mail) => machine.handle(mail)?,
                None => return Ok(End::Waits),
            },
            Step::Need { from, bytes } => {
                let pipe = pipes.entry(from).or_default();
                if pipe.len() < bytes {
                    return Ok(End::Waits);
                }
                let chunk: Vec<u8> = pipe.drain(..bytes).collect();
                machine.handle(Mail::Chunk { from, bytes: &chunk })?;
            }
            Step::Working { .. } => {}
            Step::Done(outcome) => return Ok(End::Done(outcome)),
            step => said.push(step),
        }
    }
    panic!("no end after {STEPS_MAX} steps");
}

fn blamed(played: &Played) -> Option<&[Seat]> {
    played.end.as_ref().err().map(Fault::culprits)
}

fn with_bytes(message: &Message, bytes: &[u8]) -> Message {
    Message { bytes: bytes.to_vec(), ..message.clone() }
}

#[test]
fn alone_with_honest_messages_a_seat_ends_as_among_others() {
    for honest in Honest::all() {
        let known = honest.vector.run(honest.task.as_ref()).unwrap().outcomes;
        for (seat, outcome) in (0..).map(Seat).zip(known) {
            assert_eq!(honest.play(seat, &honest.messages).end, Ok(End::Done(outcome)), "{}", honest.name());
        }
    }
}

#[test]
fn every_flipped_bit_is_blamed_on_its_author_or_changes_what_follows() {
    for honest in Honest::all() {
        let right: Vec<_> = (0..honest.seats).map(|seat| honest.play(Seat(seat), &honest.messages)).collect();
        for (index, message) in honest.messages.iter().enumerate().filter(|(index, _)| !honest.is_unread(*index)) {
            for bit in (0..8 * message.bytes.len()).step_by(honest.stride()) {
                let mut flipped = message.clone();
                flipped.bytes[bit / 8] ^= 1 << (bit % 8);
                let played = honest.replace(index, &[flipped]);
                let name = format!("{}, bit {bit} of message {index}: {played:?}", honest.name());
                match blamed(&played) {
                    Some(culprits) => assert!(culprits.iter().all(|seat| *seat == message.from), "{name}"),
                    None => assert!(played.end != Ok(End::Waits), "{name}"),
                }
                assert!(played.left_out.wrong.iter().all(|seat| *seat == message.from), "{name}");
                assert!(played != right[honest.reader(message).index()], "{name}");
            }
        }
    }
}

#[test]
fn every_truncated_or_lengthened_entry_is_blamed_on_its_author() {
    for honest in Honest::all() {
        for (index, message) in honest.messages(true).filter(|(index, _)| !honest.is_unread(*index)) {
            let longer = [&message.bytes[..], &[0]].concat();
            let shorter = (0..message.bytes.len()).map(|cut| &message.bytes[..cut]);
            for bytes in shorter.chain([&longer[..], &[&longer[..], &longer[..]].concat()]) {
                let played = honest.replace(index, &[with_bytes(message, bytes)]);
                assert_eq!(blamed(&played), Some(&[message.from][..]), "{}: {} bytes", honest.name(), bytes.len());
            }
        }
    }
}

/// A pipe is a stream: what is missing is waited for until the deadline, what is too much moves the
/// rest.
#[test]
fn a_stream_with_missing_or_additional_bytes_blames_nobody_else() {
    for honest in Honest::all() {
        for (index, message) in honest.messages(false) {
            let longer = [&[0], &message.bytes[..]].concat();
            let shorter = (0..message.bytes.len()).map(|cut| &message.bytes[..cut]);
            for bytes in shorter.chain([&longer[..]]) {
                let played = honest.replace(index, &[with_bytes(message, bytes)]);
                let innocent = |seat: &Seat| *seat != message.from;
                assert!(!blamed(&played).unwrap_or_default().iter().any(innocent), "{}: {played:?}", honest.name());
            }
        }
    }
}

#[test]
fn an_entry_of_another_round_kind_or_seat_or_a_second_one_is_blamed_on_its_author() {
    for honest in Honest::all() {
        for (index, message) in honest.messages(true).filter(|(index, _)| !honest.is_unread(*index)) {
            let Way::Log { round, kind } = message.way else { continue };
            let kinds = (0..=u8::MAX).filter_map(RoundKind::from_wire).filter(|other| *other != kind);
            let elsewhere = kinds.map(|kind| Way::Log { round, kind });
            let elsewhere = elsewhere.chain([round + 1, u32::MAX].map(|round| Way::Log { round, kind }));
            let moved = elsewhere.map(|way| vec![Message { way, ..message.clone() }]);
            let strangers = [honest.seats, u16::MAX].map(|seat| vec![Message { from: Seat(seat), ..message.clone() }]);
            for others in moved.chain(strangers) {
                let played = honest.replace(index, &others);
                assert_eq!(blamed(&played), Some(&[others[0].from][..]), "{}: {others:?}", honest.name());
            }
            let twice = honest.replace(index, &[message.clone(), message.clone()]);
            if honest.messages(true).any(|(other, _)| other > index && !honest.is_unread(other)) {
                assert_eq!(blamed(&twice), Some(&[message.from][..]), "{}: message {index} twice", honest.name());
            } else {
                // Nobody reads on after the last one.
                assert_eq!(twice, honest.play(honest.reader(message), &honest.messages), "{}", honest.name());
            }
        }
    }
}

#[test]
fn mail_that_nobody_asked_for_is_blamed_on_its_author() {
    for honest in Honest::all() {
        let stranger = Seat(honest.seats);
        let entry = Mail::Entry { from: stranger, round: 0, kind: RoundKind::Masked, payload: &[0; 8] };
        for mail in [entry, Mail::Chunk { from: stranger, bytes: &[0; 16] }, Mail::Chunk { from: stranger, bytes: &[] }]
        {
            let inputs = honest.vector.inputs(honest.task.as_ref()).unwrap();
            for mut machine in machines(honest.vector.method().unwrap(), honest.task.as_ref(), inputs).unwrap() {
                let again = match &mail {
                    Mail::Entry { from, round, kind, payload } => {
                        Mail::Entry { from: *from, round: *round, kind: *kind, payload }
                    }
                    Mail::Chunk { from, bytes } => Mail::Chunk { from: *from, bytes },
                };
                assert_eq!(machine.handle(again).unwrap_err().culprits(), [stranger], "{}", honest.name());
            }
        }
    }
}
