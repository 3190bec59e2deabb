//! One folder per protocol or statistic.
//!
//! A service turns a [`Plan`], which is text that everyone agreed on, into a [`Task`]: checked
//! parameters that can read inputs, say what a run costs, compute the answer on plain numbers (the
//! oracle) and make the [`Machine`] of one party. The folders are found by the build; everything
//! else in the project goes through [`SERVICES`] and knows none of them by name.

mod columns;
mod group_sum;
mod masked_sum;
mod rows;
mod service;
mod shared_sum;
mod steps;
#[cfg(feature = "vectors")]
pub mod vectors;

pub use service::{
    Audience, Cost, Input, KeyLife, Manifest, OwnKeys, Param, ParamKind, Party, Question, Service, Task,
};

use undertone_machine::{Fault, FaultCode};
use undertone_wire::{Codec, Plan, Series, limits};

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// Known answers of all services: (service, name, JSON).
#[cfg(feature = "vectors")]
pub static VECTORS: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// The wasm modules, by their number in an invite. Numbers are never reused.
pub const MODULES: &[&str] = &["sums", "groups", "shares"];

/// Whether this build holds services whose values are added by a few seats.
pub const HOLDS_SHARES: bool = cfg!(feature = "shares");

/// The number of a module.
#[must_use]
pub fn module_number(name: &str) -> u8 {
    let number = MODULES.iter().position(|module| *module == name);
    number.and_then(|number| u8::try_from(number).ok()).unwrap_or_default()
}

/// The service of that name.
///
/// # Errors
/// [`FaultCode::UnknownService`].
pub fn find(name: &str) -> Result<&'static dyn Service, Fault> {
    let found = SERVICES.iter().find(|service| service.manifest().name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = SERVICES.iter().map(|service| service.manifest().name).collect();
        let message = format!("There is no service of that name. Known: {}.", known.join(", "));
        Fault::new(FaultCode::UnknownService).in_field("service").saying(message)
    })
}

/// Reads the parameters of a plan.
///
/// # Errors
/// [`FaultCode::UnknownService`] or [`FaultCode::BadPlan`] with the field to mend.
pub fn prepare(plan: &Plan) -> Result<Box<dyn Task>, Fault> {
    find(&plan.service)?.prepare(plan)
}

/// Makes a plan from what a host typed, and checks all of it.
///
/// # Errors
/// [`FaultCode::UnknownService`] or [`FaultCode::BadPlan`] with the field to mend.
pub fn draft(service: &str, question: &str, params: &[(&str, &str)], deadline_s: &str) -> Result<Plan, Fault> {
    let manifest = find(service)?.manifest();
    let mut sorted: Vec<(String, String)> = Vec::with_capacity(params.len());
    for (name, value) in params {
        let place = sorted.partition_point(|(other, _)| other.as_str() < *name);
        sorted.insert(place, ((*name).to_owned(), value.trim().to_owned()));
    }
    if let Some((name, _)) = sorted.iter().find(|(name, _)| manifest.params.iter().all(|param| param.name != name)) {
        let known: Vec<_> = manifest.params.iter().map(|param| param.name).collect();
        return Err(bad_plan("params", format!("Unknown parameter \"{name}\". Known: {}.", known.join(", "))));
    }
    let plan = Plan {
        number: 1,
        service: manifest.name.to_owned(),
        question: question.trim().to_owned(),
        params: sorted,
        rounds: 1,
        deadline_ms: parse_deadline(deadline_s)?,
        fresh_keys: false,
        series: None,
    };
    if plan.question.len() > limits::QUESTION_BYTES_MAX {
        let message = format!("The question may have at most {} bytes.", limits::QUESTION_BYTES_MAX);
        return Err(bad_plan("question", message));
    }
    let bytes = plan.to_bytes();
    if bytes.len() > limits::PLAN_BYTES_MAX || Plan::from_bytes(&bytes).is_err() {
        return Err(too_long(manifest, &plan));
    }
    prepare(&plan).map(|_| plan)
}

/// Makes a plan the first reading of a series: a reading each `every`, such as 60s, so many times.
///
/// Whoever has the time to answer from the question alone has at most the time until the next reading.
///
/// # Errors
/// [`FaultCode::BadPlan`] with the field to mend.
pub fn series(plan: Plan, every: &str, readings: &str) -> Result<Plan, Fault> {
    let (shortest, longest) = (limits::EVERY_MS_MIN, limits::EVERY_MS_MAX);
    let every_ms = parse_every(every.trim()).filter(|ms| (shortest..=longest).contains(ms)).ok_or_else(|| {
        let message = format!("The time between readings: from {shortest}ms to {}h, such as 60s.", longest / 3_600_000);
        bad_plan("every", message)
    })?;
    let count = readings.trim().parse().ok().filter(|count| (1..=limits::READINGS_MAX).contains(count));
    let count = count.ok_or_else(|| {
        bad_plan("readings", format!("The number of readings: a whole number from 1 to {}.", limits::READINGS_MAX))
    })?;
    let deadline_ms = plan.deadline_ms.min(every_ms);
    Ok(Plan { deadline_ms, series: Some(Series { every_ms, count, index: 1 }), ..plan })
}

/// A whole number of ms, s, m or h; without a unit, of seconds.
fn parse_every(text: &str) -> Option<u64> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
    let unit = units.iter().find_map(|(name, ms)| text.strip_suffix(name).map(|number| (number, *ms)));
    let (number, ms) = unit.unwrap_or((text, 1_000));
    number.parse::<u64>().ok()?.checked_mul(ms)
}

/// Names the parameter that no plan can hold.
fn too_long(manifest: &Manifest, plan: &Plan) -> Fault {
    let long = |param: &&Param| plan.param(param.name).len() > limits::PARAM_BYTES_MAX;
    let field = manifest.params.iter().find(long).map_or("params", |param| param.name);
    bad_plan(field, "A parameter is given twice or is too long.".into())
}

const DEADLINE_S_MIN: u64 = 2;

fn parse_deadline(text: &str) -> Result<u64, Fault> {
    let longest = limits::DEADLINE_MS_MAX / 1000;
    match text.trim().parse::<u64>() {
        Ok(seconds) if (DEADLINE_S_MIN..=longest).contains(&seconds) => Ok(seconds.saturating_mul(1000)),
        _ => {
            let message =
                format!("The time to answer must be a whole number of seconds from {DEADLINE_S_MIN} to {longest}.");
            Err(bad_plan("deadline", message))
        }
    }
}

fn bad_plan(field: &'static str, message: String) -> Fault {
    Fault::new(FaultCode::BadPlan).in_field(field).saying(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_a_question_with_a_schedule() {
        let plan = draft("sum", "How much?", &[], "600").unwrap();
        let parsed = |every: &str, readings: &str| series(plan.clone(), every, readings);
        for (every, every_ms) in [("60s", 60_000), ("60", 60_000), ("500ms", 500), ("1m", 60_000), ("1h", 3_600_000)] {
            let plan = parsed(every, "500").unwrap();
            assert_eq!(plan.series, Some(Series { every_ms, count: 500, index: 1 }), "{every}");
            assert_eq!(plan.deadline_ms, every_ms.min(600_000), "{every}");
            assert_eq!(Plan::from_bytes(&plan.to_bytes()), Ok(plan));
        }
        let field = |done: Result<Plan, Fault>| done.unwrap_err().field();
        for every in ["", "0", "10ms", "2h", "1.5s", "-1", "ms", "99999999999999999999h"] {
            assert_eq!(field(parsed(every, "5")), Some("every"), "{every}");
        }
        for readings in ["", "0", "10001", "-1", "5.5"] {
            assert_eq!(field(parsed("1s", readings)), Some("readings"), "{readings}");
        }
    }
}
