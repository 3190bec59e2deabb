//! Real processes that are killed while a question is open, and the sum that comes all the same.

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
use std::collections::BTreeSet;
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

const SEATS: usize = 30;
const GONE: usize = 6;
const DEADLINE: Duration = Duration::from_secs(10);

/// What a seat gives: a bit of its own, so that a sum says whose values are in it.
fn value(seat: usize) -> String {
    (1_u64 << seat).to_string()
}

fn joining(invite: &str, seat: usize) -> Running {
    undertone(&["join", invite, "--json", "--input", &value(seat)])
}

/// The sum of the first result, and of how many.
fn sum(lines: &mut impl Iterator<Item = Value>) -> Option<(u64, u64)> {
    let result = lines.find(|line| line["kind"] == "result")?;
    let sum = result["figures"][0]["value"].as_str().unwrap().parse().unwrap();
    Some((sum, result["included"].as_u64().unwrap()))
}

/// Kills a seat once it has said so many lines after everyone was ready.
fn doomed(mut seat: Running, after: usize) -> JoinHandle<()> {
    spawn(move || {
        let lines = json_lines(&mut seat).skip_while(|line| line["kind"] != "ready");
        for _ in lines.take(after + 1) {}
        drop(seat);
    })
}

#[test]
fn six_of_thirty_are_killed_at_any_moment_and_the_sum_comes_in_time() {
    let (_relay, url) = relay();
    let (people, most) = (SEATS.to_string(), value(SEATS));
    let host = ["host", "--relay", &url, "--json", "--people", &people, "--service", "sum", "--input", "1"];
    let params = ["--param", "drops=6", "--param", &format!("max={most}"), "--deadline", "10"];
    let mut host = undertone(&[&host[..], &params].concat());
    let mut told = json_lines(&mut host);
    let invite = told.find(|line| line["kind"] == "opened").unwrap()["invite"].as_str().unwrap().to_owned();

    // As much chance as a clock has: which seats, and how many lines they still read.
    let mut chance = Instant::now().elapsed().as_nanos() as u64 ^ u64::from(std::process::id());
    let mut below = |bound: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as usize % bound
    };
    let mut gone = BTreeSet::new();
    while gone.len() < GONE {
        gone.insert(1 + below(SEATS - 1));
    }
    let (mut staying, mut dying) = (Vec::new(), Vec::new());
    for seat in 1..SEATS {
        let process = joining(&invite, seat);
        if gone.contains(&seat) { dying.push(doomed(process, below(8))) } else { staying.push((seat, process)) }
    }

    let ready = told.find(|line| line["kind"] == "ready").unwrap();
    let started = Instant::now();
    assert_eq!((&ready["contributors"], &ready["breakers"]), (&SEATS.into(), &18.into()));
    let (total, included) = sum(&mut told).expect("the host shows a result");
    let took = started.elapsed();
    println!("{gone:?} killed, {included} included, {} ms after all were ready", took.as_millis());
    assert!(took < DEADLINE + Duration::from_secs(1), "{took:?}");
    assert!((24..=30).contains(&included) && u64::from(total.count_ones()) == included, "{included}: {total:b}");
    for (seat, mut process) in staying {
        assert_eq!(total >> seat & 1, 1, "seat {seat} stayed and is not in the sum");
        assert_eq!(sum(&mut json_lines(&mut process)), Some((total, included)), "seat {seat}");
    }
    assert_eq!(total & 1, 1, "the host's own value is in the sum");
    dying.into_iter().for_each(|dying| dying.join().unwrap());
}
