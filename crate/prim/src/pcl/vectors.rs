//! Known answers: `vectors/pcl.json` has every seat's message under fixed seeds, and rounds that must
//! be refused. `UNDERTONE_BLESS=1` writes the file anew.

use super::tests::{CONTEXT, bounded, lives};
use super::*;
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/pcl.json");

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One round of a room, seat i with the value 1,000 i + 7.
fn answered([seats, colluders, rounds, round]: [u16; 4], full: bool) -> Value {
    let coefficients = if full { Coefficients::Full } else { Coefficients::Short };
    let graph = bounded(seats, colluders, u32::from(rounds));
    let message = |(me, mut life): (u64, KeyLife)| match life.message(&CONTEXT, u32::from(round), 1_000 * me + 7) {
        Ok(message) => json!(hex(&message.encode())),
        Err(refused) => json!(format!("{refused:?}")),
    };
    let messages: Vec<_> = (0..).zip(lives(&graph, coefficients)).map(message).collect();
    json!({ "seats": seats, "colluders": colluders, "rounds": rounds, "round": round, "full": full,
        "context": hex(&CONTEXT), "degree": graph.graph().degree(), "messages": messages })
}

#[test]
fn messages_are_the_known_ones_and_bad_rounds_are_refused() {
    let good = [([3, 0, 1, 0], false), ([14, 3, 4, 3], false), ([14, 3, 4, 0], true), ([12, 2, 2, 1], true)];
    let bad = [([5, 1, 1, 1], false), ([14, 3, 4, 4], true)];
    let of = |cases: &[([u16; 4], bool)]| cases.iter().map(|(case, full)| answered(*case, *full)).collect::<Vec<_>>();
    let found = json!({ "good": of(&good), "bad": of(&bad) });
    if std::env::var_os("UNDERTONE_BLESS").is_some() {
        std::fs::write(FILE, format!("{found:#}\n")).unwrap();
    }
    let known: Value = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    assert_eq!(found, known);
    assert!(known["bad"].as_array().unwrap().iter().all(|it| it["messages"][0] == "LifeOver"));
}
