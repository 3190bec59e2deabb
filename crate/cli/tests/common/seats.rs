//! A relay and seats around it, and what they print.

use crate::running::Running;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

pub(crate) fn undertone(args: &[&str]) -> Running {
    Running::start(args, Stdio::null(), Stdio::inherit())
}

pub(crate) fn relay() -> (Running, String) {
    let mut relay = undertone(&["serve", "--listen", "127.0.0.1:0"]);
    let lines = BufReader::new(relay.0.stdout.take().unwrap()).lines();
    let url = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("Undertone is at ").map(str::to_owned));
    (relay, url.expect("no address printed"))
}

pub(crate) fn json_lines(process: &mut Running) -> impl Iterator<Item = Value> + use<> {
    let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).map(|line| serde_json::from_str(&line).unwrap())
}
