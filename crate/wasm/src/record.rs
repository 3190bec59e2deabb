//! Checking a record.

use crate::object::{Fields, error, figure, hex, list};
use undertone_room::{CheckedQuestion, Member, verify};
use undertone_services::find;
use undertone_wire::{Admission, RoomCode, room_of};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Checks the bytes of a record and gives a `Verified` object. Nothing is sent anywhere.
///
/// # Errors
/// A `CoreErrorData` object that says what does not hold.
#[wasm_bindgen]
pub fn verify_record(bytes: &[u8]) -> Result<JsValue, JsValue> {
    let verified = verify(bytes).map_err(|fault| error(&fault))?;
    let is_host = |member: &Member| room_of(&member.author) == verified.room;
    let host = verified.roster.members.iter().position(is_host).unwrap_or_default();
    Ok(Fields::new()
        .set("room", hex(&verified.room))
        .set("code", RoomCode::of(&verified.room).to_string())
        .set("tier", verified.roster.tier.as_str())
        .set("list", verified.list)
        .set("keyed", verified.keyed)
        .count("host", host)
        .set("seats", list(verified.roster.members.iter().map(seat)))
        .set("questions", list(verified.questions.iter().map(checked)))
        .done())
}

fn seat(member: &Member) -> JsValue {
    Fields::new()
        .set("author", hex(&member.author))
        .set("contributes", member.role.contributes())
        .set("byLink", member.admission == Admission::Link)
        .done()
}

fn checked(checked: &CheckedQuestion) -> JsValue {
    let plan = &checked.plan;
    let title = find(&plan.service).map_or("", |service| service.manifest().title);
    let figures = checked.outcome.as_ref().map_or(JsValue::NULL, |outcome| list(outcome.figures.iter().map(figure)));
    Fields::new()
        .set("number", plan.number)
        .set("service", plan.service.as_str())
        .set("title", title)
        .set("question", plan.question.as_str())
        .count("acknowledged", checked.acknowledged)
        .set("sent", list(checked.sent.iter().map(|seat| seat.0.into())))
        .count("confirmed", checked.confirmed)
        .set("figures", figures)
        .done()
}
