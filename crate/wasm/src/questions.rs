//! Services and questions.

use crate::object::{Fields, error, list, number, text, texts};
use undertone_machine::{Fault, FaultCode, Secret};
use undertone_services::{Audience, Manifest, Param, ParamKind, SERVICES, Task, draft, find, series};
use undertone_wire::{Plan, Series};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The services of this module: an array of `ServiceInfo`.
#[wasm_bindgen]
#[must_use]
pub fn services() -> JsValue {
    list(SERVICES.iter().map(|service| info(service.manifest())))
}

fn info(manifest: &Manifest) -> JsValue {
    let audience = match manifest.audience {
        Audience::People => "people",
        Audience::Developers => "developers",
    };
    Fields::new()
        .set("name", manifest.name)
        .set("title", manifest.title)
        .set("summary", manifest.summary)
        .set("module", manifest.module)
        .count("seatsMin", manifest.seats_min)
        .count("seatsMax", manifest.seats_max)
        .set("audience", audience)
        .set("params", list(manifest.params.iter().map(param)))
        .done()
}

fn param(param: &Param) -> JsValue {
    let kind = match param.kind {
        ParamKind::Text => "text",
        ParamKind::Number => "decimal",
        ParamKind::Whole => "numeric",
    };
    Fields::new()
        .set("name", param.name)
        .set("title", param.title)
        .set("hint", param.hint)
        .set("default", param.default)
        .set("mode", kind)
        .set("rare", param.rare)
        .done()
}

/// Parses a `QuestionDraft` and throws the sentence that belongs under the field to mend.
///
/// # Errors
/// A `CoreErrorData` object.
#[wasm_bindgen]
pub fn check_question(question: &JsValue) -> Result<(), JsValue> {
    plan(question).map(|_| ()).map_err(|fault| error(&fault))
}

/// Reads a `QuestionDraft`.
pub(crate) fn plan(question: &JsValue) -> Result<Plan, Fault> {
    let values = texts(question, "params");
    let params: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let plan =
        draft(&text(question, "service"), &text(question, "question"), &params, &text(question, "deadlineSeconds"))?;
    let (every_ms, readings) = (number(question, "everyMs"), number(question, "readings"));
    if every_ms == 0 && readings == 0 { Ok(plan) } else { series(plan, every_ms, readings) }
}

/// A plan and its task as a `Question`.
pub(crate) fn question(plan: &Plan, task: &dyn Task) -> JsValue {
    let manifest = find(&plan.service).map(undertone_services::Service::manifest).ok();
    let quantity = task.question().quantity.as_ref();
    let bound = |units: Option<i128>| {
        quantity.zip(units).map_or_else(String::new, |(quantity, units)| quantity.decimal(units).to_string())
    };
    let outputs = manifest.map_or(&[][..], |manifest| manifest.outputs);
    Fields::new()
        .set("number", plan.number)
        .set("service", plan.service.as_str())
        .set("title", manifest.map_or("", |manifest| manifest.title))
        .set("question", plan.question.as_str())
        .set("unit", quantity.map_or("", |quantity| quantity.unit()))
        .set("min", bound(quantity.map(|quantity| quantity.min())))
        .set("max", bound(quantity.map(|quantity| quantity.max())))
        .set("decimals", quantity.map_or(0, |quantity| quantity.decimals()))
        .set("rowsMax", task.question().rows_max as f64)
        .set("cells", list(task.question().cells.iter().map(|cell| JsValue::from(cell.as_str()))))
        .set("deadlineSeconds", (plan.deadline_ms / 1000) as f64)
        .set(
            "params",
            plan.params.iter().fold(Fields::new(), |all, (name, value)| all.set(name, value.as_str())).done(),
        )
        .set("series", plan.series.map_or(JsValue::NULL, readings))
        .set("outputs", list(outputs.iter().map(|name| JsValue::from(*name))))
        .done()
}

/// Which reading of a series a question is.
fn readings(series: Series) -> JsValue {
    Fields::new().set("index", series.index).set("count", series.count).set("everyMs", series.every_ms as f64).done()
}

/// Fresh randomness; a source that is absent or constant is refused.
pub(crate) fn seed() -> Result<Secret<[u8; 32]>, Fault> {
    let refused =
        || Fault::new(FaultCode::Internal).saying("This device has no source of randomness, so nothing was started.");
    let (mut seed, mut other) = (Secret::new([0; 32]), Secret::new([0; 32]));
    fill(seed.expose_mut()).ok_or_else(refused)?;
    fill(other.expose_mut()).ok_or_else(refused)?;
    let constant = seed.expose() == other.expose() || *seed.expose() == [0; 32];
    if constant { Err(refused()) } else { Ok(seed) }
}

#[allow(clippy::disallowed_methods, reason = "the outer layer is where randomness comes in")]
fn fill(bytes: &mut [u8]) -> Option<()> {
    getrandom::fill(bytes).ok()
}
