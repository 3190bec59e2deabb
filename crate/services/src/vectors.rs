//! Known answers: from the vectors that a service's folder brings along to files that say, byte for
//! byte, what every seat sends.
//!
//! A vector in `NAME/vectors` is written by hand: parameters, inputs, and the figures or the fault to
//! come. From it follows a file in `NAME/known`, for other implementations, other targets and
//! decoders: the same, with the seeds and every message of the run.

mod run;

pub use run::{CONTEXT, HOST, Message, Run, Way, deals, key_seed, machines, pad_key, party, run, seed};

use crate::service::{Input, Task};
use crate::{VECTORS, draft, find, prepare};
use serde_json::{Map, Value, json};
use undertone_machine::{Fault, FaultCode, Outcome, Seat};
use undertone_prim::Transcript;
use undertone_wire::{EntryKind, MethodId};

/// Files of known answers as they are in the tree: (service, name, JSON).
pub static KNOWN: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/known.rs"));

/// Longer messages are told by their hash: a vector is read by people too.
const HEX_BYTES_MAX: usize = 4096;

/// Time to answer in every vector.
const DEADLINE_S: &str = "60";

/// A vector as it is written in a service's folder.
#[derive(Debug)]
pub struct Vector {
    /// The service that it is about.
    pub service: &'static str,
    /// The file's name, without its ending.
    pub name: &'static str,
    json: Value,
}

impl Vector {
    /// All vectors, by service and name.
    ///
    /// # Errors
    /// [`FaultCode::Internal`] naming a file that is no JSON.
    pub fn all() -> Result<Vec<Self>, Fault> {
        VECTORS.iter().map(|(service, name, text)| Self::parse(service, name, text)).collect()
    }

    fn parse(service: &'static str, name: &'static str, text: &str) -> Result<Self, Fault> {
        let json = serde_json::from_str(text).map_err(|error| wrong(service, name, &error.to_string()))?;
        Ok(Self { service, name, json })
    }

    /// Whether figures come out; from all others a fault.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.json.get("figures").is_some()
    }

    /// The service with this vector's parameters.
    ///
    /// # Errors
    /// What the service says, if this is a vector about that.
    pub fn task(&self) -> Result<Box<dyn Task>, Fault> {
        let params: Vec<_> = self.object("params").map(|(name, value)| (name, text(value))).collect();
        prepare(&draft(self.service, "?", &params, DEADLINE_S)?)
    }

    /// What each seat gives, as a column.
    #[must_use]
    pub fn columns(&self) -> Vec<Vec<&str>> {
        list(&self.json, "inputs").map(|rows| rows.as_array().into_iter().flatten().map(text).collect()).collect()
    }

    /// What each seat gives, as its task reads it.
    ///
    /// # Errors
    /// What the task says.
    pub fn inputs(&self, task: &dyn Task) -> Result<Vec<Option<Input>>, Fault> {
        let takes = task.question().quantity.is_some();
        let read = |rows: Vec<&str>| takes.then(|| task.read_rows(&mut rows.into_iter())).transpose();
        self.columns().into_iter().map(read).collect()
    }

    /// How the service hides values.
    ///
    /// # Errors
    /// [`FaultCode::UnknownService`].
    pub fn method(&self) -> Result<MethodId, Fault> {
        Ok(find(self.service)?.manifest().method)
    }

    /// Plays the run.
    ///
    /// # Errors
    /// What the task or a machine says.
    pub fn run(&self, task: &dyn Task) -> Result<Run, Fault> {
        run(machines(self.method()?, task, self.inputs(task)?)?)
    }

    /// The file of known answers that follows from this vector.
    ///
    /// # Errors
    /// [`FaultCode::Internal`] if the oracle, the machines and what is written here disagree.
    pub fn known(&self) -> Result<Value, Fault> {
        let mut known = json!({ "service": self.service, "vector": self.name });
        let told = ["about", "params", "inputs", "bad_input"].into_iter();
        let told = told.filter_map(|key| Some((key.to_owned(), self.json.get(key)?.clone())));
        let came = if self.is_good() { self.answer()? } else { self.refusal()? };
        if let Value::Object(all) = &mut known {
            all.extend(told.chain(came));
        }
        Ok(known)
    }

    fn answer(&self) -> Result<Map<String, Value>, Fault> {
        let task = self.task()?;
        let right = task.oracle(&self.inputs(task.as_ref())?.into_iter().flatten().collect::<Vec<_>>())?;
        let run = self.run(task.as_ref())?;
        let written: Map<String, Value> =
            right.figures.iter().map(|it| (it.title().to_owned(), it.value.as_str().into())).collect();
        if self.json.get("figures") != Some(&Value::Object(written)) {
            return Err(self.wrong("the oracle gives other figures"));
        }
        if run.outcomes.iter().any(|outcome| *outcome != right) {
            return Err(self.wrong("the machines give other figures than the oracle"));
        }
        let seats = u16::try_from(run.outcomes.len()).map_err(|_| self.wrong("too many seats"))?;
        let computers = task.computers();
        let cost = task.cost(run.outcomes.len().saturating_sub(computers));
        let mut known = Map::from_iter([
            ("seeds".to_owned(), seeds(seats, self.method()?)),
            ("figures".to_owned(), figures(&right)),
            ("rounds".to_owned(), run.rounds.into()),
            ("log_bytes".to_owned(), cost.log_bytes.into()),
            ("pipe_bytes".to_owned(), cost.pipe_bytes.into()),
            ("messages".to_owned(), run.messages.iter().map(message).collect()),
        ]);
        let deals = deals(self.method()?, task.as_ref(), seats)?;
        if !deals.is_empty() {
            known.insert("deal_bytes".to_owned(), cost.deal_bytes.into());
            known.insert("drops".to_owned(), task.drops().into());
            known.insert("deals".to_owned(), deals.iter().map(|deal| hex(deal)).collect());
        }
        if computers > 0 {
            known.insert("computers".to_owned(), computers.into());
            known.insert("compute_bytes".to_owned(), cost.compute_bytes.into());
        }
        Ok(known)
    }

    fn refusal(&self) -> Result<Map<String, Value>, Fault> {
        let column: Vec<_> = list(&self.json, "bad_input").map(text).collect();
        let fault = match self.task() {
            Err(fault) => fault,
            Ok(task) => match task.read_rows(&mut column.into_iter()) {
                Err(fault) => fault,
                Ok(_) => return Err(self.wrong("nothing is refused")),
            },
        };
        let told = json!({ "code": fault.code().as_str(), "field": fault.field(), "message": fault.message() });
        let written = json!({
            "code": self.json.get("code"), "field": self.json.get("field"), "message": self.json.get("message"),
        });
        if told == written {
            Ok(Map::from_iter([("fault".to_owned(), told)]))
        } else {
            Err(self.wrong(&told.to_string()))
        }
    }

    fn object(&self, key: &str) -> impl Iterator<Item = (&str, &Value)> {
        self.json.get(key).and_then(Value::as_object).into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }

    fn wrong(&self, what: &str) -> Fault {
        wrong(self.service, self.name, what)
    }
}

fn wrong(service: &str, name: &str, what: &str) -> Fault {
    Fault::new(FaultCode::Internal).saying(format!("The vector {service}/{name} is wrong: {what}."))
}

fn list<'a>(json: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    json.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn figures(outcome: &Outcome) -> Value {
    let each = outcome.figures.iter().map(
        |it| json!({ "name": it.name, "label": it.label, "value": it.value, "unit": it.unit, "rounded": it.rounded }),
    );
    each.collect()
}

/// All secrets of the run. They protect nobody, so they may leave `Secret`.
fn seeds(seats: u16, method: MethodId) -> Value {
    let all = || (0..seats).map(Seat);
    let pads = all().flat_map(|one| all().filter(move |other| one < *other).map(move |other| (one, other)));
    let pads = pads.map(|(one, other)| json!({ "seats": [one.0, other.0], "key": hex(pad_key(one, other).expose()) }));
    let mut told = json!({
        "context": hex(&CONTEXT),
        "seats": all().map(|it| hex(seed(it).expose())).collect::<Value>(),
        "pads": pads.collect::<Value>(),
    });
    if let (true, Value::Object(fields)) = (method != MethodId::Masks, &mut told) {
        let lives = |it: Seat| [1, 2].map(|life| hex(key_seed(it, life).expose()));
        fields.insert("keys".into(), all().map(|it| json!(lives(it))).collect());
    }
    told
}

fn message(message: &Message) -> Value {
    let mut told = match message.way {
        Way::Log { round, kind } => {
            json!({ "from": message.from.0, "round": round, "kind": EntryKind::Round(kind).as_str() })
        }
        Way::Pipe { to } => json!({ "from": message.from.0, "to": to.0 }),
    };
    if let Value::Object(all) = &mut told {
        if message.bytes.len() <= HEX_BYTES_MAX {
            all.insert("bytes".into(), hex(&message.bytes).into());
        } else {
            all.insert("length".into(), message.bytes.len().into());
            let hash = Transcript::new("vector-message/v1").field(&message.bytes).hash();
            all.insert("hash".into(), hex(&hash).into());
        }
    }
    told
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
