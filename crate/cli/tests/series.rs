//! Series of real processes over the real relay: each seat follows rows of its own.
//!
//! Forty readings of seven seats, or five hundred of 23 with `UNDERTONE_FULL=1`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/running.rs"]
mod running;
#[path = "common/seats.rs"]
mod seats;

use running::Running;
use seats::{json_lines, relay, undertone};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{ChildStdin, Stdio};

/// The first line of one of these kinds.
fn next(lines: &mut impl Iterator<Item = Value>, kinds: &[&str]) -> Value {
    let is_one = |line: &Value| kinds.iter().any(|kind| line["kind"] == *kind);
    lines.find(is_one).unwrap_or_else(|| panic!("it never said one of {kinds:?}"))
}

fn host(url: &str, people: usize, arguments: &[&str]) -> (Running, impl Iterator<Item = Value> + use<>, String) {
    let people = people.to_string();
    let always = ["host", "--relay", url, "--json", "--people", &people, "--group-min", "3", "--param", "max=1000000"];
    let mut host = undertone(&[&always[..], arguments].concat());
    let mut told = json_lines(&mut host);
    let invite = next(&mut told, &["opened"])["invite"].as_str().unwrap().to_owned();
    (host, told, invite)
}

#[test]
fn every_sum_of_a_long_series_is_right_while_keys_are_renewed() {
    let full = std::env::var_os("UNDERTONE_FULL").is_some();
    let (seats, readings): (u64, u64) = if full { (23, 500) } else { (7, 40) };
    let folder = tempfile::tempdir().unwrap();
    let value = |seat: u64, reading: u64| seat * 1_000 + reading;
    let file = |seat: u64| {
        let path = folder.path().join(format!("{seat}.csv"));
        let rows: Vec<_> = (1..=readings).map(|reading| format!("{reading},{}\n", value(seat, reading))).collect();
        fs::write(&path, format!("reading,use\n{}", rows.concat())).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (_relay, url) = relay();
    let (own, count) = (file(0), readings.to_string());
    let question = ["--service", "pcl", "--every", "500ms", "--readings", &count, "--follow", &own, "--column", "use"];
    let (mut process, told, invite) = host(&url, seats as usize, &question);
    let guest = |seat: u64| undertone(&["join", &invite, "--json", "--follow", &file(seat), "--column", "use"]);
    let mut guests: Vec<_> = (1..seats).map(guest).collect();

    let (mut computed, mut gaps, mut last, mut lives) = (0, 0, 0, 0);
    for line in told.filter(|line| line["kind"] == "reading" || line["kind"] == "gap") {
        let index = line["index"].as_u64().unwrap();
        assert_eq!((index, line["count"].as_u64()), (last + 1, Some(readings)));
        last = index;
        if line["kind"] == "gap" {
            gaps += 1;
            continue;
        }
        let right: u64 = (0..seats).map(|seat| value(seat, index)).sum();
        assert_eq!(line["figures"][0]["value"], right.to_string(), "reading {index}");
        assert_eq!(line["included"].as_u64(), Some(seats));
        computed += 1;
        let (round, rounds) = (line["keys"]["round"].as_u64().unwrap(), line["keys"]["rounds"].as_u64().unwrap());
        assert!((1..=rounds).contains(&round));
        lives += u64::from(round == 1);
    }
    println!("{seats} processes: {computed} of {readings} readings, {gaps} gaps, {lives} lives of keys");
    assert_eq!(last, readings);
    // A machine that is busy with other tests may be late now and then; what is late is a gap.
    assert!(computed * 10 >= readings * 9, "{gaps} gaps");
    assert!(lives > 1 && process.0.wait().unwrap().success());
    guests.iter_mut().for_each(|guest| assert!(guest.0.wait().unwrap().success()));
}

/// Says one row.
fn row(input: &mut ChildStdin, row: &str) {
    writeln!(input, "{row}").unwrap();
    input.flush().unwrap();
}

#[test]
fn a_row_that_is_late_is_a_gap_and_no_other_readings_value() {
    let (_relay, url) = relay();
    let question = ["--service", "sum", "--every", "3s", "--readings", "9"];
    let (_host, mut told, invite) = host(&url, 3, &question);
    let guest = || {
        let arguments = ["join", &invite, "--json", "--small-group", "--follow", "-"];
        Running::start(&arguments, Stdio::piped(), Stdio::inherit())
    };
    let mut guests = [guest(), guest(), guest()];
    let mut inputs = guests.each_mut().map(|guest| guest.0.stdin.take().unwrap());
    let mut reading = |kind: &str| {
        let line = next(&mut told, &["reading", "gap"]);
        assert_eq!(line["kind"], kind, "{line}");
        (line["index"].as_u64().unwrap(), line["figures"][0]["value"].as_str().map(str::to_owned))
    };
    // Early rows wait: two are ahead of everything.
    for (input, rows) in inputs.iter_mut().zip([["1", "10"], ["2", "20"], ["3", "30"]]) {
        rows.iter().for_each(|line| row(input, line));
    }
    assert_eq!(reading("reading"), (1, Some("6".to_owned())));
    assert_eq!(reading("reading"), (2, Some("60".to_owned())));
    // The third reading lacks a row, which comes when it is over; the empty row of the fourth is no zero.
    row(&mut inputs[0], "100");
    row(&mut inputs[1], "200");
    assert_eq!(reading("gap"), (3, None));
    for (input, rows) in inputs.iter_mut().zip([["1000", "5"], ["2000", "5"], ["300", ""]]) {
        rows.iter().for_each(|line| row(input, line));
    }
    assert_eq!(reading("gap"), (4, None));
    row(&mut inputs[2], "6");
    assert_eq!(reading("reading"), (5, Some("16".to_owned())));
    // At the end of its rows a seat leaves in order.
    let [input, ..] = inputs;
    drop(input);
    assert!(guests[0].0.wait().unwrap().success());
}
