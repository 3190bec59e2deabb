//! One folder per protocol or statistic.
//!
//! A service turns a [`Plan`], which is text that everyone agreed on, into a [`Task`]: checked
//! parameters that can read inputs, say what a run costs, compute the answer on plain numbers (the
//! oracle) and make the [`Machine`] of one party. The folders are found by the build; everything
//! else in the project goes through [`SERVICES`] and knows none of them by name.

mod cells;
mod collusion;
#[cfg_attr(not(feature = "sums"), allow(dead_code, reason = "only masks need it"))]
mod columns;
mod envelope;
mod group_sum;
#[cfg_attr(not(feature = "sums"), allow(dead_code, reason = "only masks need it"))]
mod masked_sum;
mod method_keys;
#[cfg_attr(not(all(feature = "sums", feature = "drops")), allow(dead_code, reason = "only some masks need it"))]
mod resilient_sum;
mod rows;
mod service;
mod shared_sum;
mod steps;
#[cfg(feature = "vectors")]
pub mod vectors;

pub use group_sum::UNBOUNDED;
pub use method_keys::{KeyMemory, OwnKey, PublicKey};
pub use service::{
    Audience, Cost, Input, KeyLife, Manifest, OwnKeys, Param, ParamKind, Party, Question, Service, Task,
};

use undertone_machine::{Fault, FaultCode};
use undertone_wire::{Codec, Plan, Series, limits};

include!(concat!(env!("OUT_DIR"), "/registry.rs"));

/// Known answers of all services: (service, name, JSON).
#[cfg(feature = "vectors")]
pub static VECTORS: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// Whether this build holds methods with keys of their own. Where it does not, no room ever needs any.
pub const METHOD_KEYS: bool = cfg!(any(feature = "groups", feature = "pairing"));

/// Whether some of them use keys up. Where none does, no room ever needs new ones.
pub const USES_KEYS_UP: bool = cfg!(feature = "groups");

/// Whether this build holds services whose values are added by a few seats.
pub const HOLDS_SHARES: bool = cfg!(feature = "shares");

/// Whether this build holds methods that take the masks of pairs.
pub const MASKS: bool = cfg!(feature = "sums");

/// Whether this build holds questions under masks that people may vanish from.
pub const SPARES: bool = cfg!(all(feature = "sums", feature = "drops"));

/// Whether this build holds services that come to an end without some who took part.
pub const GOES_ON_WITHOUT: bool = HOLDS_SHARES || SPARES;

/// The wasm modules, by their number in an invite. Numbers are never reused.
pub const MODULES: &[&str] = &["sums", "groups", "pairing", "shares", "drops"];

/// The module that holds a question: its service's, or where people may vanish the one that holds what that
/// needs.
///
/// # Errors
/// [`FaultCode::UnknownService`].
pub fn module_of(plan: &Plan) -> Result<&'static str, Fault> {
    let manifest = find(&plan.service)?.manifest();
    let knows = manifest.params.iter().any(|param| param.name == resilient_sum::DROPS.name);
    let spares = knows && !matches!(plan.param(resilient_sum::DROPS.name), "" | "0");
    Ok(if spares { resilient_sum::MODULE } else { manifest.module })
}

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

/// Makes a plan the first reading of a series: so many readings, one each `every_ms`.
///
/// The time to answer is at most the time until the next reading.
///
/// # Errors
/// [`FaultCode::BadPlan`] with the field to mend.
pub fn series(plan: Plan, every_ms: u64, readings: u64) -> Result<Plan, Fault> {
    if !(limits::EVERY_MS_MIN..=limits::EVERY_MS_MAX).contains(&every_ms) {
        return Err(bad_plan("every", "The time between readings: from a quarter of a second to an hour.".into()));
    }
    let count = u16::try_from(readings).ok().filter(|count| (1..=limits::READINGS_MAX).contains(count));
    let count = count.ok_or_else(|| bad_plan("readings", "The number of readings: from 1 to 10000.".into()))?;
    let deadline_ms = plan.deadline_ms.min(every_ms);
    Ok(Plan { deadline_ms, series: Some(Series { every_ms, count, index: 1 }), ..plan })
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
        let parsed = |every_ms, readings| series(plan.clone(), every_ms, readings);
        for every_ms in [limits::EVERY_MS_MIN, 60_000, limits::EVERY_MS_MAX] {
            let plan = parsed(every_ms, 500).unwrap();
            assert_eq!(plan.series, Some(Series { every_ms, count: 500, index: 1 }));
            assert_eq!(plan.deadline_ms, every_ms.min(600_000));
            assert_eq!(Plan::from_bytes(&plan.to_bytes()), Ok(plan));
        }
        let refusal = |every_ms, readings| {
            let fault = parsed(every_ms, readings).unwrap_err();
            (fault.field(), fault.message().to_owned())
        };
        for every_ms in [0, limits::EVERY_MS_MIN - 1, limits::EVERY_MS_MAX + 1, u64::MAX] {
            assert_eq!(refusal(every_ms, 5).0, Some("every"), "{every_ms}");
        }
        for readings in [0, 10_001, u64::MAX] {
            let (field, message) = refusal(1_000, readings);
            assert!(message.contains(&limits::READINGS_MAX.to_string()));
            assert_eq!(field, Some("readings"), "{readings}");
        }
    }
}
