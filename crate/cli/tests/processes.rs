//! Rooms of real processes over the real relay: each seat its own socket, keys and file ledger.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and measures time"
)]

#[path = "common/running.rs"]
mod running;
#[path = "common/seats.rs"]
mod seats;

use running::Running;
use seats::{json_lines, relay, undertone};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The JSON lines of a process up to the first of that kind.
fn until(lines: &mut impl Iterator<Item = Value>, kind: &str) -> Value {
    lines.find(|line| line["kind"] == kind).unwrap_or_else(|| panic!("it never said {kind}"))
}

fn figure(result: &Value, name: &str) -> String {
    let figures = result["figures"].as_array().unwrap();
    figures.iter().find(|figure| figure["name"] == name).unwrap()["value"].as_str().unwrap().to_owned()
}

fn join(invite: &str, ledger: &Path, input: &str) -> Running {
    undertone(&["join", invite, "--json", "--ledger", ledger.to_str().unwrap(), "--input", input])
}

#[test]
fn thirty_processes_from_lock_to_result_in_three_seconds() {
    const SEATS: u32 = 30;
    let folder = tempfile::tempdir().unwrap();
    let (_relay, url) = relay();
    let people = SEATS.to_string();
    let ledger = folder.path().join("host");
    let arguments = ["host", "--relay", &url, "--json", "--people", &people, "--param", "max=1000", "--input", "0"];
    let mut host = undertone(&[&arguments[..], &["--ledger", ledger.to_str().unwrap()]].concat());
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, "opened")["invite"].as_str().unwrap().to_owned();
    let seat = |seat: u32| join(&invite, &folder.path().join(seat.to_string()), &seat.to_string());
    let _guests: Vec<_> = (1..SEATS).map(seat).collect();

    let result = told.by_ref().find(|line| line["kind"] == "result" && line["confirmed"] == SEATS).unwrap();
    assert_eq!(figure(&result, "sum"), (0..SEATS).sum::<u32>().to_string());
    assert_eq!(figure(&result, "count"), people);
    let ms = until(&mut told, "timing")["lockToResultMs"].as_u64().unwrap();
    println!("lock to result, 30 processes, signed by all: {ms} ms");
    assert!(ms < 3_000, "{ms} ms");
}

/// Four programs give a value and end once it is acknowledged; three others add up.
#[test]
fn programs_end_after_their_acknowledgement_and_the_result_still_comes() {
    let (_relay, url) = relay();
    let mut host =
        undertone(&["host", "--relay", &url, "--json", "--people", "5", "--service", "shares", "--input", "1"]);
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, "opened")["invite"].as_str().unwrap().to_owned();
    let _adding: Vec<_> = (0..3).map(|_| undertone(&["join", &invite, "--json", "--add-up"])).collect();
    let person = |value: u32| undertone(&["join", &invite, "--json", "--then-leave", "--input", &value.to_string()]);
    for mut person in (2..6).map(person).collect::<Vec<_>>() {
        let lines: Vec<_> = json_lines(&mut person).collect();
        assert!(lines.iter().any(|line| line["kind"] == "sent") && lines.iter().all(|line| line["kind"] != "fault"));
        assert!(person.0.wait().unwrap().success());
    }
    let result = told.by_ref().find(|line| line["kind"] == "result" && line["confirmed"] == 3).unwrap();
    assert_eq!((figure(&result, "sum"), figure(&result, "people")), ("15".into(), "5".into()));
    assert_eq!((&result["seats"], &result["included"]), (&3.into(), &5.into()));
}

#[test]
fn a_killed_process_comes_back_as_the_same_seat() {
    let folder = tempfile::tempdir().unwrap();
    let (_relay, url) = relay();
    let mut host = undertone(&[
        "host",
        "--relay",
        &url,
        "--json",
        "--people",
        "3",
        "--group-min",
        "3",
        "--service",
        "sum",
        "--input",
        "1",
    ]);
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, "opened")["invite"].as_str().unwrap().to_owned();
    let small = |ledger: &Path| {
        undertone(&["join", &invite, "--json", "--small-group", "--input", "20", "--ledger", ledger.to_str().unwrap()])
    };
    let (one, two): (PathBuf, PathBuf) = (folder.path().join("one"), folder.path().join("two"));
    let mut killed = small(&one);
    until(&mut json_lines(&mut killed), "joined");
    drop(killed);
    assert!(fs::metadata(&one).unwrap().len() > 0);
    let _again = small(&one);
    let _other = small(&two);
    let result = told.find(|line| line["kind"] == "result" && line["confirmed"] == 3).unwrap();
    assert_eq!(figure(&result, "sum"), "41");
}

#[test]
fn a_bad_value_is_refused_with_the_allowed_range_and_nothing_is_sent() {
    let (_relay, url) = relay();
    let mut host =
        undertone(&["host", "--relay", &url, "--json", "--people", "5", "--param", "max=50", "--param", "unit=EUR"]);
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, "opened")["invite"].as_str().unwrap().to_owned();
    for value in ["abc", "NaN", "", "51", "-1", "1.5", "10^400", &"9".repeat(401)] {
        let output = Command::new(env!("CARGO_BIN_EXE_undertone"))
            .args(["join", &invite, "--input", value])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{value}: {said}");
        assert!(said.contains("Allowed: 0 to 50 EUR, whole numbers only. (bad-input)"), "{value}: {said}");
    }
}

#[test]
fn an_invite_that_leads_nowhere_ends_with_a_reason() {
    let started = Instant::now();
    let (_relay, url) = relay();
    let code = ["join", "acid acorn acre acts", "--relay", &url, "--input", "1"];
    let wrong: [&[&str]; 2] = [&code, &["join", "http://localhost:1/#nonsense", "--input", "1"]];
    for (arguments, expected) in wrong.iter().zip(["no-such-room", "bad-invite"]) {
        let output = Command::new(env!("CARGO_BIN_EXE_undertone")).args(*arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(expected), "{said}");
    }
    assert!(started.elapsed() < Duration::from_secs(15));
}

#[test]
fn ten_megabytes_echo_through_a_pipe_of_the_real_relay() {
    let (_relay, url) = relay();
    let arguments = ["host", "--relay", &url, "--json", "--people", "2", "--group-min", "2", "--pairs"];
    let service = ["--service", "echo", "--param", "bytes=10000000", "--param", "chunk=900000"];
    let mut host = undertone(&[&arguments[..], &service[..]].concat());
    let mut told = json_lines(&mut host);
    let invite = until(&mut told, "opened")["invite"].as_str().unwrap().to_owned();
    let _guest = undertone(&["join", &invite, "--json", "--pairs"]);
    let result = told.find(|line| line["kind"] == "result" && line["confirmed"] == 2).unwrap();
    assert_eq!(figure(&result, "echoed"), "10000000");
}
