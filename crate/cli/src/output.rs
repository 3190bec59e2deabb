//! What happens, as sentences for people or as JSON for programs.

use serde_json::{Value, json};
use undertone_machine::{Figure, Seat};
use undertone_room::Notice;
use undertone_services::Question;
use undertone_wire::Series;

/// How to say it.
#[derive(Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    /// Says what a room told.
    pub(crate) fn told(self, notice: &Notice) {
        if self.json {
            if let Some(value) = object(notice) {
                println!("{value}");
            }
        } else if let Some(sentence) = sentence(notice) {
            println!("{sentence}");
        }
    }

    /// Says something that is no notice.
    pub(crate) fn say(self, kind: &str, sentence: &str, fields: Value) {
        if self.json {
            let mut value = json!({ "kind": kind });
            if let (Some(all), Value::Object(more)) = (value.as_object_mut(), fields) {
                all.extend(more);
            }
            println!("{value}");
        } else if !sentence.is_empty() {
            println!("{sentence}");
        }
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// So many digits of a key as people can compare.
pub(crate) fn short(key: &str) -> &str {
    key.get(..8).unwrap_or(key)
}

fn numbers(seats: &[Seat]) -> Vec<u16> {
    seats.iter().map(|seat| seat.0).collect()
}

/// Without whom a result came about.
fn left_out(wrong: &[Seat], missing: &[Seat]) -> String {
    let named = |seats: &[Seat]| seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(", ");
    let wrong = (!wrong.is_empty()).then(|| format!("What seat {} said does not fit the others.", named(wrong)));
    let missing = (!missing.is_empty()).then(|| format!("The result came about without seat {}.", named(missing)));
    wrong.into_iter().chain(missing).collect::<Vec<_>>().join("\n")
}

/// Who has to be trusted where some may vanish.
fn may_pool(breakers: usize, contributors: usize) -> String {
    let most = breakers.saturating_sub(1);
    format!(
        "Up to {most} of the {contributors} may pool what they know, and a relay with them: they see the result only."
    )
}

fn sentence(notice: &Notice) -> Option<String> {
    Some(match notice {
        Notice::Question { plan, task, .. } => {
            let Question { quantity, cells, .. } = task.question();
            let range = quantity.as_ref().map(|quantity| quantity.range_sentence()).unwrap_or_default();
            let schedule = plan.series.as_ref().map(schedule).unwrap_or_default();
            let asked = format!("Question {}: {} ({range}){schedule}", plan.number, plan.question);
            if cells.is_empty() { asked } else { format!("{asked}\nOne value for each of: {}.", cells.join("; ")) }
        }
        Notice::Lobby { joined, .. } => format!("{joined} people have joined."),
        Notice::Computers { offered, wanted } => {
            let keys: Vec<_> = offered.iter().map(|author| short(&hex(author)).to_owned()).collect();
            format!("{} of {wanted} seats that add up have joined: {}.", offered.len(), keys.join(", "))
        }
        Notice::LeftOut { wrong, missing } => left_out(wrong, missing),
        Notice::Joined => "You are in. Waiting for the host to start.".into(),
        Notice::Locked { seats, .. } => format!("The list is closed on {seats} seats."),
        Notice::Ready { contributors, breakers, tier, .. } => {
            let same = format!("Everyone sees the same people and question ({}).", tier.as_str());
            // Where everyone has to stay, it takes all others.
            if breakers.saturating_add(1) >= *contributors {
                same
            } else {
                format!("{same} {}", may_pool(*breakers, *contributors))
            }
        }
        Notice::Progress { sent, of, .. } => format!("{sent} of {of} values are in."),
        Notice::Working { .. } => return None,
        Notice::Sent { receipt, masked, .. } => {
            format!("Your masked value has left: {}\nReceipt: {}", hex(masked), hex(receipt))
        }
        Notice::Result { outcome, included, confirmed, seats, .. } => {
            let figures: Vec<_> = outcome.figures.iter().map(figure).collect();
            format!("{}\n{included} values, signed by {confirmed} of {seats} seats.", figures.join("\n"))
        }
        Notice::Fault { fault, sent, .. } => {
            let left = if *sent { "Your masked value had left this device." } else { "Nothing had left this device." };
            format!("{fault} {left}")
        }
        Notice::Closed => "The room is closed.".into(),
        Notice::Opened { .. } => return None,
    })
}

/// What whoever takes part in a series agrees to.
fn schedule(series: &Series) -> String {
    let time = match series.every_ms {
        ms if ms % 1000 == 0 => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    };
    format!("\nA reading every {time}, {} times.", series.count)
}

pub(crate) fn figure(figure: &Figure) -> String {
    let about = if figure.rounded { "about " } else { "" };
    format!("{}: {about}{} {}", figure.title(), figure.value, figure.unit).trim_end().to_owned()
}

fn object(notice: &Notice) -> Option<Value> {
    Some(match notice {
        Notice::Question { plan, task, .. } => json!({
            "kind": "question", "number": plan.number, "service": plan.service, "question": plan.question,
            "cells": task.question().cells,
            "series": plan.series.map(|it| json!({ "index": it.index, "count": it.count, "everyMs": it.every_ms })),
        }),
        Notice::Lobby { joined, by_link, by_code } => {
            json!({ "kind": "lobby", "joined": joined, "byLink": by_link, "byCode": by_code })
        }
        Notice::Computers { offered, wanted } => json!({
            "kind": "computers", "offered": offered.iter().map(|author| hex(author)).collect::<Vec<_>>(), "wanted": wanted,
        }),
        Notice::LeftOut { wrong, missing } => {
            json!({ "kind": "left-out", "wrong": numbers(wrong), "missing": numbers(missing) })
        }
        Notice::Joined => json!({ "kind": "joined" }),
        Notice::Locked { number, seats } => json!({ "kind": "locked", "listNumber": number, "seats": seats }),
        Notice::Ready { seats, contributors, breakers, tier, keys, .. } => json!({
            "kind": "ready", "seats": seats, "contributors": contributors, "breakers": breakers, "tier": tier.as_str(),
            "keys": keys.map(|keys| json!({ "round": keys.round, "rounds": keys.rounds })),
        }),
        Notice::Progress { acknowledged, sent, of } => {
            json!({ "kind": "progress", "acknowledged": acknowledged, "sent": sent, "of": of })
        }
        Notice::Working { done, of } => json!({ "kind": "working", "done": done, "of": of }),
        Notice::Sent { receipt, masked, .. } => {
            json!({ "kind": "sent", "receipt": hex(receipt), "masked": hex(masked) })
        }
        Notice::Result { outcome, included, confirmed, seats, contribution_in, tier } => json!({
            "kind": "result", "figures": outcome.figures.iter().map(figure_object).collect::<Vec<_>>(),
            "included": included, "confirmed": confirmed, "seats": seats,
            "contributionIn": contribution_in, "tier": tier.as_str(),
        }),
        Notice::Fault { fault, sent, number, .. } => json!({
            "kind": "fault", "code": fault.code().as_str(), "phase": fault.phase().as_str(), "message": fault.message(),
            "seats": numbers(fault.culprits()), "sentAnything": sent, "number": number,
        }),
        Notice::Closed => json!({ "kind": "closed" }),
        Notice::Opened { .. } => return None,
    })
}

pub(crate) fn figure_object(figure: &Figure) -> Value {
    json!({ "name": figure.name, "label": figure.label, "value": figure.value, "unit": figure.unit, "rounded": figure.rounded })
}
