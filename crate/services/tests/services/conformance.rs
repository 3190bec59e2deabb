//! What every service must do, checked over the registry: no service is named here.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use undertone_machine::{Fault, Machine, Mail, Outcome, Role, Seat, Secret, Step};
use undertone_prim::{Pads, PairwisePads, derive};
use undertone_services::{Input, Party, SERVICES, Task, VECTORS, draft, prepare};

fn vectors(service: &str) -> Vec<(String, Value)> {
    let own = VECTORS.iter().filter(|(of, ..)| *of == service);
    own.map(|(_, name, json)| (format!("{service}/{name}"), serde_json::from_str(json).unwrap())).collect()
}

fn task(service: &str, vector: &Value) -> Result<Box<dyn Task>, Fault> {
    let params = vector["params"].as_object().unwrap();
    let params: Vec<_> = params.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())).collect();
    prepare(&draft(service, "?", &params, "60")?)
}

fn rows(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect()
}

fn inputs(task: &dyn Task, vector: &Value) -> Vec<Option<Input>> {
    let read = |value: &Value| {
        task.question().quantity.as_ref().map(|_| task.read_rows(&mut rows(value).into_iter()).unwrap())
    };
    vector["inputs"].as_array().unwrap().iter().map(read).collect()
}

fn pads(me: usize, n: usize) -> Arc<dyn Pads> {
    let key = |peer: usize| (Seat(peer as u16), derive(&[me.min(peer) as u8, me.max(peer) as u8], "test/v1", &[]));
    Arc::new(PairwisePads::new((0..n).filter(|peer| *peer != me).map(key).collect()))
}

fn party(me: usize, n: usize, input: Option<Input>) -> Party {
    let (roles, seed) = (vec![Role::Contributor; n], Secret::new([me as u8; 32]));
    Party { me: Seat(me as u16), roles, input, pads: pads(me, n), context: [7; 32], seed }
}

/// Runs all machines over a perfect network, and counts what each appended and sent.
struct Run {
    outcomes: Vec<Outcome>,
    log_bytes: Vec<usize>,
    pipe_bytes: Vec<usize>,
}

fn run(mut machines: Vec<Box<dyn Machine>>) -> Result<Run, Fault> {
    let n = machines.len();
    let mut pipes: BTreeMap<(usize, usize), VecDeque<u8>> = BTreeMap::new();
    let (mut outcomes, mut log_bytes, mut pipe_bytes) = (vec![None; n], vec![0; n], vec![0; n]);
    for _ in 0..1_000_000 {
        for me in 0..n {
            match machines[me].poll()? {
                Step::Append { round, kind, payload } => {
                    log_bytes[me] += payload.len();
                    let mail = || Mail::Entry { from: Seat(me as u16), round, kind, payload: &payload };
                    machines.iter_mut().try_for_each(|machine| machine.handle(mail()))?;
                }
                Step::Send { to, chunk } => {
                    pipe_bytes[me] += chunk.len();
                    pipes.entry((me, to.index())).or_default().extend(chunk);
                }
                Step::Need { from, bytes } => {
                    let pipe = pipes.entry((from.index(), me)).or_default();
                    if pipe.len() >= bytes {
                        let chunk: Vec<u8> = pipe.drain(..bytes).collect();
                        machines[me].handle(Mail::Chunk { from, bytes: &chunk })?;
                    }
                }
                Step::Wait => {}
                Step::Done(outcome) => outcomes[me] = Some(outcome),
            }
        }
        if outcomes.iter().all(Option::is_some) {
            return Ok(Run { outcomes: outcomes.into_iter().flatten().collect(), log_bytes, pipe_bytes });
        }
    }
    panic!("no result after a million steps");
}

#[test]
fn good_vectors_give_their_figures_by_oracle_and_by_machines() {
    for service in SERVICES.iter().map(|service| service.manifest().name) {
        let all = vectors(service);
        let good: Vec<_> = all.iter().filter(|(_, vector)| vector.get("figures").is_some()).collect();
        assert!(!good.is_empty(), "{service} has no good vector");
        for (name, vector) in good {
            let task = task(service, vector).unwrap();
            let n = inputs(task.as_ref(), vector).len();
            let oracle = task.oracle(&inputs(task.as_ref(), vector).into_iter().flatten().collect::<Vec<_>>()).unwrap();
            let figures = vector["figures"].as_object().unwrap();
            assert_eq!(oracle.figures.len(), figures.len(), "{name}");
            for figure in &oracle.figures {
                assert_eq!(figures[figure.title()].as_str(), Some(figure.value.as_str()), "{name}: {}", figure.title());
            }
            let seats = inputs(task.as_ref(), vector).into_iter().enumerate();
            let machines = seats.map(|(me, input)| task.machine(party(me, n, input)).unwrap()).collect();
            let run = run(machines).unwrap();
            assert!(run.outcomes.iter().all(|outcome| *outcome == oracle), "{name}");
            let cost = task.cost(n);
            assert!(run.log_bytes.iter().all(|bytes| *bytes as u64 == cost.log_bytes), "{name}: cost model");
            assert_eq!(run.pipe_bytes.iter().max().copied().unwrap_or_default() as u64, cost.pipe_bytes, "{name}");
        }
    }
}

#[test]
fn bad_vectors_are_refused_in_the_same_words_everywhere() {
    for service in SERVICES.iter().map(|service| service.manifest().name) {
        let all = vectors(service);
        let bad: Vec<_> = all.iter().filter(|(_, vector)| vector.get("code").is_some()).collect();
        assert!(!bad.is_empty(), "{service} has no bad vector");
        for (name, vector) in bad {
            let fault = match task(service, vector) {
                Err(fault) => fault,
                Ok(task) => task.read_rows(&mut rows(&vector["bad_input"]).into_iter()).unwrap_err(),
            };
            assert_eq!(Some(fault.code().as_str()), vector["code"].as_str(), "{name}");
            assert_eq!(fault.field(), vector["field"].as_str(), "{name}");
            assert_eq!(Some(fault.message()), vector["message"].as_str(), "{name}");
        }
    }
}

#[test]
fn manifests_are_whole() {
    for service in SERVICES {
        let manifest = service.manifest();
        assert!(VECTORS.iter().any(|(of, ..)| *of == manifest.name), "{} is not its folder's name", manifest.name);
        assert!(!manifest.outputs.is_empty() && manifest.seats_min >= 2 && manifest.seats_max >= manifest.seats_min);
        assert!(draft(manifest.name, "?", &[("nonsense", "1")], "60").is_err(), "{}", manifest.name);
    }
}

#[test]
fn every_truncated_or_lengthened_entry_is_blamed_on_its_author() {
    for service in SERVICES.iter().map(|service| service.manifest().name) {
        for (name, vector) in vectors(service).iter().filter(|(_, vector)| vector.get("figures").is_some()) {
            let task = task(service, vector).unwrap();
            let all = inputs(task.as_ref(), vector);
            let n = all.len();
            let mut machines: Vec<_> =
                all.into_iter().enumerate().map(|(me, input)| task.machine(party(me, n, input)).unwrap()).collect();
            let (first, rest) = machines.split_first_mut().unwrap();
            let Step::Append { round, kind, payload } = rest[0].poll().unwrap() else { continue };
            for cut in 0..payload.len() {
                let mail = Mail::Entry { from: Seat(1), round, kind, payload: &payload[..cut] };
                assert_eq!(first.handle(mail).unwrap_err().culprits(), [Seat(1)], "{name} cut at {cut}");
            }
            let long = [&payload[..], &[0]].concat();
            let mail = Mail::Entry { from: Seat(1), round, kind, payload: &long };
            assert_eq!(first.handle(mail).unwrap_err().culprits(), [Seat(1)], "{name} lengthened");
        }
    }
}
