//! What every service must do, checked over the registry: no service is named here.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::draw::{Draw, sizes};
use serde_json::Value;
use std::collections::BTreeSet;
use undertone_machine::{Outcome, Seat};
use undertone_services::vectors::{KNOWN, Run, Vector, deals, machines, run};
use undertone_services::{Input, SERVICES, Task, draft};
use undertone_wire::MethodId;

/// Sizes of rooms at which a service's formula of costs is held against what was sent.
const MEASURED_AT: [u16; 4] = [3, 5, 10, 30];

/// Draws for each vector and size.
const DRAWS: u64 = 3;

/// The vectors of a service of which figures come.
pub(crate) fn good(service: &str) -> Vec<Vector> {
    Vector::all().unwrap().into_iter().filter(|vector| vector.service == service && vector.is_good()).collect()
}

#[test]
fn manifests_are_whole() {
    for service in SERVICES {
        let manifest = service.manifest();
        let name = manifest.name;
        assert!(Vector::all().unwrap().iter().any(|it| it.service == name), "{name} is not its folder's name");
        assert!(!manifest.outputs.is_empty() && manifest.seats_min >= 2 && manifest.seats_max >= manifest.seats_min);
        assert!(draft(name, "?", &[], "60").is_ok(), "{name} cannot be asked with its defaults");
        assert!(draft(name, "?", &[("nonsense", "1")], "60").is_err(), "{name}");
    }
}

#[test]
fn every_service_has_good_vectors_and_bad_ones() {
    let all = Vector::all().unwrap();
    for name in SERVICES.iter().map(|service| service.manifest().name) {
        for kind in [true, false] {
            assert!(all.iter().any(|it| it.service == name && it.is_good() == kind), "{name}: good is {kind}");
        }
        let called = |it: &Vector| it.name.starts_with("bad_") != it.is_good();
        assert!(all.iter().filter(|it| it.service == name).all(called), "{name}: bad ones are called bad_");
    }
}

/// Oracle and machines against what is written by hand, refusals word by word, and all bytes against
/// the files: so a file is stale nowhere, and native and wasm send the same.
#[test]
fn known_answers_are_those_of_this_program() {
    let all = Vector::all().unwrap();
    for vector in &all {
        let known = vector.known().unwrap_or_else(|fault| panic!("{fault}"));
        let there = KNOWN.iter().find(|(service, name, _)| (*service, *name) == (vector.service, vector.name));
        let there = there.map(|(.., text)| serde_json::from_str::<Value>(text).unwrap());
        let name = format!("{}/{}", vector.service, vector.name);
        assert!(there == Some(known), "{name} is stale: run `undertone vectors --out crate/services/src`");
    }
    let explained: BTreeSet<_> = all.iter().map(|vector| (vector.service, vector.name)).collect();
    let odd: Vec<_> = KNOWN.iter().filter(|(service, name, _)| !explained.contains(&(*service, *name))).collect();
    assert!(odd.is_empty(), "no vector explains {odd:?}");
}

#[test]
fn machines_give_what_the_oracle_gives_for_inputs_drawn_from_the_question() {
    for service in SERVICES.iter().map(|service| service.manifest()) {
        for vector in good(service.name) {
            let task = vector.task().unwrap();
            for n in sizes(service, task.as_ref(), 3..=10) {
                for number in 0..DRAWS {
                    let inputs =
                        || Draw::new(&[vector.name, &n.to_string(), &number.to_string()]).inputs(task.as_ref(), n);
                    let outcomes = play(service.method, task.as_ref(), inputs()).outcomes;
                    let right = oracle(task.as_ref(), inputs());
                    let name = format!("{}/{} with {n} seats, draw {number}", service.name, vector.name);
                    assert_eq!(outcomes.len(), usize::from(n) + task.computers(), "{name}");
                    assert!(outcomes.iter().all(|outcome| *outcome == right), "{name}: {outcomes:?}, not {right:?}");
                    assert!(right.figures.iter().all(|figure| service.outputs.contains(&figure.name)), "{name}");
                }
            }
        }
    }
}

#[test]
fn costs_are_a_formula_that_measurement_bears_out() {
    for service in SERVICES.iter().map(|service| service.manifest()) {
        for vector in good(service.name) {
            let task = vector.task().unwrap();
            for n in sizes(service, task.as_ref(), MEASURED_AT) {
                // Before there is a machine or an input.
                let cost = task.cost(usize::from(n));
                let run = play(service.method, task.as_ref(), Draw::new(&[vector.name]).inputs(task.as_ref(), n));
                let name = format!("{}/{} with {n} seats", service.name, vector.name);
                let sent: Vec<_> = (0..n).map(|seat| run.bytes_of(Seat(seat))).collect();
                assert!(sent.iter().all(|(log, _)| *log == cost.log_bytes), "{name}: {sent:?}, not {cost:?}");
                assert_eq!(sent.iter().map(|(_, pipe)| *pipe).max(), Some(cost.pipe_bytes), "{name}");
                let dealt = deals(service.method, task.as_ref(), n + task.computers() as u16).unwrap();
                let is_told = |deal: &Vec<u8>| deal.len() as u64 == cost.deal_bytes;
                assert!(dealt.iter().all(is_told) && dealt.is_empty() == (cost.deal_bytes == 0), "{name}: {cost:?}");
                let computers = u16::try_from(task.computers()).unwrap();
                let adding: Vec<_> = (n..n + computers).map(|seat| run.bytes_of(Seat(seat))).collect();
                assert!(adding.iter().all(|sent| *sent == (cost.compute_bytes, 0)), "{name}: {adding:?}, not {cost:?}");
                assert_eq!(run.rounds, cost.rounds, "{name}");
            }
            // As large as a room may be: a formula costs nothing to ask.
            assert!(task.cost(service.seats_max).rounds >= 1, "{}", vector.name);
        }
    }
}

fn play(method: MethodId, task: &dyn Task, inputs: Vec<Option<Input>>) -> Run {
    run(machines(method, task, inputs).unwrap()).unwrap()
}

fn oracle(task: &dyn Task, inputs: Vec<Option<Input>>) -> Outcome {
    task.oracle(&inputs.into_iter().flatten().collect::<Vec<_>>()).unwrap()
}
