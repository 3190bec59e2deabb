//! Two seats send bytes to and fro through a pipe.
//!
//! It computes nothing that anyone keeps secret: it proves that pipes carry bytes in order, whole
//! and no faster than the other end takes them, and measures how fast that is.

use crate::bad_plan;
use crate::service::{Audience, Cost, Input, Manifest, Param, ParamKind, Party, Question, Service, Task};
use std::collections::VecDeque;
use undertone_machine::{Fault, FaultCode, Figure, Machine, Mail, Outcome, Phase, Seat, Step};
use undertone_prim::derive;
use undertone_wire::{MethodId, Plan};

/// The service.
pub(crate) static SERVICE: Echo = Echo;

/// What it says about itself.
pub(crate) const MANIFEST: Manifest = Manifest {
    name: "echo",
    title: "Echo",
    summary: "Sends bytes to the other seat and back through a pipe.",
    module: "sums",
    audience: Audience::Developers,
    method: MethodId::Masks,
    seats_min: 2,
    seats_max: 2,
    params: &[
        Param::new("bytes", "Bytes to send", "1048576", ParamKind::Whole),
        Param::new("chunk", "Bytes of a chunk", "65536", ParamKind::Whole),
    ],
    outputs: &["echoed"],
};

/// Enough to see backpressure at work, small enough to end in seconds on a phone.
const BYTES_MAX: u64 = 64 << 20;
/// Largest chunk: below the limit of a pipe frame with its seal.
const CHUNK_MAX: u64 = 1_000_000;
/// Chunks under way at once.
const PIPELINE: usize = 4;

pub(crate) struct Echo;

impl Service for Echo {
    fn manifest(&self) -> &'static Manifest {
        &MANIFEST
    }

    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        let number = |param: &'static str, default: u64, max: u64| match plan.param(param) {
            "" => Ok(default),
            given => given.parse().ok().filter(|value| (1..=max).contains(value)).ok_or_else(|| {
                bad_plan(param, format!("A whole number of bytes from 1 to {max}."))
            }),
        };
        let chunk = number("chunk", 65_536, CHUNK_MAX)?;
        let bytes = number("bytes", 1 << 20, BYTES_MAX)?;
        Ok(Box::new(EchoTask { question: Question { quantity: None, rows_max: 0, cells: Vec::new() }, bytes, chunk }))
    }
}

struct EchoTask {
    question: Question,
    bytes: u64,
    chunk: u64,
}

impl EchoTask {
    fn outcome(&self) -> Outcome {
        let value = self.bytes.to_string();
        Outcome { figures: vec![Figure::new("echoed", value, "B")] }
    }

    /// Lengths of the chunks, in order.
    fn chunks(&self) -> VecDeque<usize> {
        let (whole, rest) = (self.bytes / self.chunk, self.bytes % self.chunk);
        (0..whole).map(|_| self.chunk as usize).chain((rest > 0).then_some(rest as usize)).collect()
    }
}

impl Task for EchoTask {
    fn question(&self) -> &Question {
        &self.question
    }

    fn read(&self, _text: &str) -> Result<Input, Fault> {
        Err(Fault::new(FaultCode::BadInput).in_field("value").saying("This service takes no value."))
    }

    fn read_rows(&self, _rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault> {
        self.read("")
    }

    fn oracle(&self, _inputs: &[Input]) -> Result<Outcome, Fault> {
        Ok(self.outcome())
    }

    fn cost(&self, _contributors: usize) -> Cost {
        let chunks = self.bytes.div_ceil(self.chunk);
        // There and back, for as many chunks as are under way at once.
        let rounds = chunks.div_ceil(PIPELINE as u64).saturating_mul(2);
        Cost { rounds: u32::try_from(rounds).unwrap_or(u32::MAX), log_bytes: 0, deal_bytes: 0, pipe_bytes: self.bytes, compute_bytes: 0 }
    }

    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault> {
        let (chunks, outcome) = (self.chunks(), self.outcome());
        Ok(match party.me {
            Seat(0) => Box::new(Caller { party, to_send: chunks.into_iter().zip(0..).collect(), sent: VecDeque::new(), outcome }),
            _ => Box::new(Answerer { expected: chunks, answer: None, outcome }),
        })
    }
}

/// Seat 0: sends random bytes and checks that they come back.
struct Caller {
    party: Party,
    to_send: VecDeque<(usize, u32)>,
    sent: VecDeque<(usize, u32)>,
    outcome: Outcome,
}

impl Caller {
    fn chunk(&self, (length, number): (usize, u32)) -> Vec<u8> {
        let block = *derive(self.party.seed.expose(), "echo/v1", &[&number.to_be_bytes()]).expose();
        block.into_iter().cycle().take(length).collect()
    }
}

const OTHER: [Seat; 2] = [Seat(1), Seat(0)];

impl Machine for Caller {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let [other, _] = OTHER;
        let bytes = chunk_of(mail, other)?;
        let expected = self.sent.pop_front().ok_or_else(|| broken(other))?;
        if bytes == self.chunk(expected) { Ok(()) } else { Err(broken(other)) }
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        let [other, _] = OTHER;
        if self.sent.len() < PIPELINE
            && let Some(next) = self.to_send.pop_front()
        {
            self.sent.push_back(next);
            return Ok(Step::Send { to: other, chunk: self.chunk(next) });
        }
        Ok(match self.sent.front() {
            Some((bytes, _)) => Step::Need { from: other, bytes: *bytes },
            None => Step::Done(self.outcome.clone()),
        })
    }
}

/// Seat 1: sends back what comes.
struct Answerer {
    expected: VecDeque<usize>,
    answer: Option<Vec<u8>>,
    outcome: Outcome,
}

impl Machine for Answerer {
    fn handle(&mut self, mail: Mail<'_>) -> Result<(), Fault> {
        let [_, caller] = OTHER;
        let bytes = chunk_of(mail, caller)?;
        if self.expected.pop_front() != Some(bytes.len()) {
            return Err(broken(caller));
        }
        self.answer = Some(bytes.to_vec());
        Ok(())
    }

    fn poll(&mut self) -> Result<Step, Fault> {
        let [_, caller] = OTHER;
        if let Some(chunk) = self.answer.take() {
            return Ok(Step::Send { to: caller, chunk });
        }
        Ok(match self.expected.front() {
            Some(bytes) => Step::Need { from: caller, bytes: *bytes },
            None => Step::Done(self.outcome.clone()),
        })
    }
}

/// What came through the pipe; anything else is blamed on its author.
fn chunk_of(mail: Mail<'_>, other: Seat) -> Result<&[u8], Fault> {
    match mail {
        Mail::Chunk { from, bytes } if from == other => Ok(bytes),
        Mail::Chunk { from, .. } | Mail::Entry { from, .. } => Err(broken(from)),
    }
}

fn broken(seat: Seat) -> Fault {
    Fault::new(FaultCode::PipeBroken).at(Phase::Round).blaming(seat)
}
