//! The known answers, read by a program that shares no code with this one.
//!
//! `tests/vectors/decode.py` recomputes figures and masked messages with the integers and hashes of
//! Python's own library. What it cannot read must be there for a reason that this file names.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Services whose messages are not masked values: nothing of them is added up.
const OTHER_METHODS: &[&str] = &["echo"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the decoder says of a folder; `None` where there is no Python, which CI does not accept.
fn decode(folder: &Path) -> Option<Output> {
    let run = Command::new("python3").arg(root().join("tests/vectors/decode.py")).arg(folder).output();
    if run.is_err() {
        assert!(std::env::var_os("CI").is_none(), "python3 is missing, and in CI nothing is left out");
        eprintln!("LEFT OUT: python3 is missing, so the known answers were not decoded");
    }
    run.ok()
}

#[test]
fn an_independent_decoder_recomputes_all_known_answers() {
    let Some(run) = decode(&root().join("crate/services/src")) else { return };
    let (said, wrong) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{wrong}");
    let unread = said.trim().rsplit("not read: ").next().expect("the last line names what was not read");
    let odd: Vec<_> = unread.split(", ").filter(|it| *it != "none" && !is_of_another_method(it)).collect();
    assert!(odd.is_empty(), "tests/vectors/decode.py reads no {odd:?}");
}

fn is_of_another_method(vector: &str) -> bool {
    vector.split_once('/').is_some_and(|(service, _)| OTHER_METHODS.contains(&service))
}

#[test]
fn the_decoder_notices_another_value_key_or_proof_in_a_group() {
    let known = root().join("crate/services/src/kdk/known/negative.json");
    let known: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(known).expect("the file is there")).expect("it is JSON");
    let message = |seat: usize| known["messages"][seat]["bytes"].as_str().expect("bytes are text").to_owned();
    let (one, other) = (message(0), message(1));
    // Parts of another seat's message: an element in each place, but not this seat's.
    let swapped = [
        (format!("{}{}", &other[..64], &one[64..]), "the messages add up to others"),
        (format!("{}{}{}", &one[..64], &other[64..128], &one[128..]), "sends another key"),
        (format!("{}{}", &one[..128], &other[128..]), "proves nothing"),
    ];
    for (bytes, complaint) in swapped {
        let mut changed = known.clone();
        changed["messages"][0]["bytes"] = bytes.into();
        let Some(run) = decode(folder_with("kdk", &changed.to_string()).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains(complaint), "{complaint}: {wrong}");
    }
}

/// Values that change places add up to the same, so only who recomputes each one sees it.
#[test]
fn the_decoder_notices_values_of_pcl_that_change_places() {
    for vector in ["meters", "negative_full", "ring"] {
        let known = root().join(format!("crate/services/src/pcl/known/{vector}.json"));
        let mut known: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(known).expect("the file is there")).expect("it is JSON");
        let message = |seat: usize| known["messages"][seat]["bytes"].as_str().expect("bytes are text").to_owned();
        let (one, other) = (message(0), message(1));
        known["messages"][0]["bytes"] = format!("{}{}", &other[..64], &one[64..]).into();
        known["messages"][1]["bytes"] = format!("{}{}", &one[..64], &other[64..]).into();
        known["vector"] = "negative".into();
        let Some(run) = decode(folder_with("pcl", &known.to_string()).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains("seat 0 sends another value"), "{vector}: {wrong}");
    }
}

#[test]
fn the_decoder_notices_another_value_seat_or_order_where_a_pairing_hides() {
    let known = root().join("crate/services/src/kdk-pairing/known/meters.json");
    let known: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(known).expect("the file is there")).expect("it is JSON");
    let message = |seat: usize| known["messages"][seat]["bytes"].as_str().expect("bytes are text").to_owned();
    let stray = format!("{}1", "0".repeat(575));
    let changes = [
        ([message(1), message(1)], "the messages multiply to others"),
        ([message(1), message(0)], "seats send values of different rounds"),
        ([stray, message(1)], "an element of another order"),
    ];
    for (messages, complaint) in changes {
        let mut changed = known.clone();
        changed["vector"] = "negative".into();
        for (seat, bytes) in messages.into_iter().enumerate() {
            changed["messages"][seat]["bytes"] = bytes.into();
        }
        let Some(run) = decode(folder_with("kdk-pairing", &changed.to_string()).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains(complaint), "{complaint}: {wrong}");
    }
}

#[test]
fn the_decoder_notices_a_changed_bit_in_whatever_is_said_of_shares() {
    let known = root().join("crate/services/src/shares/known/spare_seats.json");
    let known: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(known).expect("the file is there")).expect("it is JSON");
    let complaints = ["does not open", "checks other shares", "signs another set", "says another sum"];
    for (round, complaint) in (0..).zip(complaints) {
        let mut changed = known.clone();
        changed["vector"] = "negative".into();
        let messages = changed["messages"].as_array_mut().expect("messages are a list");
        let message = messages.iter_mut().find(|message| message["round"] == round).expect("each round is there");
        let bytes = message["bytes"].as_str().expect("bytes are text");
        // The last bit: of an envelope's tag, a combination, a hash or a share.
        let last = if bytes.ends_with('0') { "1" } else { "0" };
        let bytes = format!("{}{last}", &bytes[..bytes.len() - 1]);
        message["bytes"] = bytes.into();
        let Some(run) = decode(folder_with("shares", &changed.to_string()).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains(complaint), "{complaint}: {wrong}");
    }
}

#[test]
fn the_decoder_notices_a_changed_bit_in_whatever_is_said_where_people_may_vanish() {
    let known = root().join("crate/services/src/sum/known/drops.json");
    let known: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(known).expect("the file is there")).expect("it is JSON");
    // The last bit of a message changes, or of what a seat dealt.
    let flipped =
        |bytes: &str| format!("{}{}", &bytes[..bytes.len() - 1], if bytes.ends_with('0') { "1" } else { "0" });
    let complaints =
        [("masked", "sends other bytes"), ("share", "says another set"), ("opening", "opens something else")];
    let mut changed: Vec<_> =
        complaints.map(|(kind, complaint)| (with_message(&known, kind, flipped), complaint)).into();
    let mut dealt = known.clone();
    dealt["deals"][1] = flipped(known["deals"][1].as_str().expect("bytes are text")).into();
    changed.push((dealt, "does not open"));
    for (mut known, complaint) in changed {
        known["vector"] = "negative".into();
        let Some(run) = decode(folder_with("sum", &known.to_string()).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains(complaint), "{complaint}: {wrong}");
    }
}

/// The same with another first message of a kind.
fn with_message(known: &serde_json::Value, kind: &str, change: impl Fn(&str) -> String) -> serde_json::Value {
    let mut known = known.clone();
    let messages = known["messages"].as_array_mut().expect("messages are a list");
    let message = messages.iter_mut().find(|message| message["kind"] == kind).expect("each kind is there");
    message["bytes"] = change(message["bytes"].as_str().expect("bytes are text")).into();
    known
}

#[test]
fn the_decoder_notices_a_changed_bit_in_messages_figures_and_inputs() {
    let known = root().join("crate/services/src/sum/known/negative.json");
    let text = std::fs::read_to_string(known).expect("the file is there");
    let changes = [
        ("\"value\": \"-6", "\"value\": \"-7", "the inputs add up to other figures"),
        ("\"-5\"", "\"-4\"", "the inputs add up to other figures"),
        ("\"bytes\": \"d", "\"bytes\": \"c", "the messages add up to others"),
        ("\"key\": \"", "\"key\": \"ff", "sends other bytes"),
    ];
    for (from, to, complaint) in changes {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        let Some(run) = decode(folder_with("sum", &changed).path()) else { return };
        let wrong = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && wrong.contains(complaint), "{from}: {wrong}");
    }
    let Some(run) = decode(folder_with("sum", &text).path()) else { return };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

fn folder_with(service: &str, known: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder for this test");
    let path: PathBuf = folder.path().join(service).join("known");
    std::fs::create_dir_all(&path).expect("a folder in it");
    std::fs::write(path.join("negative.json"), known).expect("a file in that");
    folder
}
