//! `undertone bench room-cpu`: what a whole room costs, all seats and the relay together, and what the
//! same sum costs with JIFF in the same run.
//!
//! Each system runs as two processes, its server and all its parties, that know their own CPU time; a
//! meter between them counts bytes. The round begins when everyone is connected and, with us, has
//! acknowledged people and question; it ends when every party has the sums and, with us, they are signed
//! by all. What comes before is printed apart.

use super::jiff::{self, Jiff};
use super::meter::{Bytes, Meter};
use super::parties::value;
use super::side::{Side, cpu_ms};
use core::time::Duration;
use serde_json::{Map, Value, json};
use std::env;
use tokio::process::Command;
use undertone_machine::{Fault, FaultCode};

/// The name of this bench.
pub(super) const NAME: &str = "room-cpu";
/// Rooms of ours, if nobody says otherwise.
const SAMPLES: usize = 20;
/// Of the baseline, which takes long.
const FEW_SAMPLES: usize = 3;
/// What does not end by then is printed as a gap.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is added up.
#[derive(Clone, Copy)]
struct Job {
    name: &'static str,
    parties: usize,
    values: usize,
    /// What the baseline adds up, which takes long, and with 1,000 values at once loses its connections.
    baseline_values: usize,
}

impl Job {
    /// The same for the baseline.
    const fn of_baseline(self) -> Self {
        Self { values: self.baseline_values, ..self }
    }
}

const JOBS: [Job; 2] = [
    Job { name: "one value", parties: 50, values: 1, baseline_values: 1 },
    Job { name: "1,000 values", parties: 10, values: 1_000, baseline_values: 100 },
];

/// Prints the rows with `print` as they come.
///
/// # Errors
/// [`FaultCode::Internal`] if a process of ours fails or a sum is wrong.
pub(super) async fn room_cpu(runs: Option<usize>, print: impl Fn(&Value)) -> Result<(), Fault> {
    let jiff = Jiff::find().await;
    for job in JOBS {
        let ours = samples(job, None, runs.unwrap_or(SAMPLES)).await?;
        let theirs = match &jiff {
            Ok(jiff) => {
                let theirs = samples(job.of_baseline(), Some(jiff), runs.unwrap_or(FEW_SAMPLES)).await;
                theirs.map_err(|fault| fault.to_string())
            }
            Err(reason) => Err(reason.clone()),
        };
        print(&row(job, &ours, theirs.as_ref()));
    }
    Ok(())
}

fn row(job: Job, ours: &Samples, theirs: Result<&Samples, &String>) -> Value {
    let mut row = Map::new();
    let base = json!({ "bench": NAME, "name": job.name, "n": job.parties.to_string(), "target": "native",
        "value": ours.best.round.ms(), "median": ours.median_ms, "unit": "ms" });
    row.extend(base.as_object().cloned().unwrap_or_default());
    ours.best.describe("", &mut row);
    match theirs {
        Ok(theirs) => {
            row.insert("baseline".into(), json!(jiff::NAME));
            row.insert("baseline_value".into(), json!(theirs.best.round.ms()));
            if job.baseline_values != job.values {
                row.insert("baseline_values".into(), json!(job.baseline_values));
            }
            row.insert("ratio".into(), json!(theirs.best.round.ms() / ours.best.round.ms()));
            theirs.best.describe("baseline_", &mut row);
        }
        Err(reason) => {
            row.insert("baseline_gap".into(), json!(format!("{}: {reason}", jiff::NAME)));
        }
    }
    row.into()
}

/// Says in words what the line of a row leaves out; nothing for rows of other benches.
pub(super) fn explain(row: &Value) {
    let number = |name: &str| row.get(name).and_then(Value::as_f64);
    for (system, prefix) in [("undertone", ""), (jiff::NAME, "baseline_")] {
        for (title, part) in [("round", ""), ("join", "join_")] {
            let field = |name: &str| number(&format!("{prefix}{part}{name}"));
            let fields = (field("parties_ms"), field("server_ms"), field("up_bytes"), field("down_bytes"));
            if let (Some(parties), Some(server), Some(up), Some(down)) = fields {
                println!(
                    "  {system:<15} {title:<6} parties {parties:>8.1} ms  server {server:>8.1} ms  up {:>8.1} kB  down {:>8.1} kB",
                    up / 1e3,
                    down / 1e3
                );
            }
        }
    }
    if let Some(values) = row.get("baseline_values") {
        println!("  The baseline added up {values} values only; the ratio is to that.");
    }
    if let Some(gap) = row.get("baseline_gap").and_then(Value::as_str) {
        println!("  No baseline: {gap}");
    }
}

/// CPU time and bytes of one part of a run.
#[derive(Clone, Copy)]
struct Cost {
    parties_ms: f64,
    server_ms: f64,
    bytes: Bytes,
}

impl Cost {
    fn ms(self) -> f64 {
        self.parties_ms + self.server_ms
    }
}

#[derive(Clone, Copy)]
struct Run {
    join: Cost,
    round: Cost,
}

impl Run {
    fn describe(self, prefix: &str, row: &mut Map<String, Value>) {
        for (part, cost) in [("", self.round), ("join_", self.join)] {
            let mut say = |name: &str, value: Value| row.insert(format!("{prefix}{part}{name}"), value);
            say("parties_ms", json!(cost.parties_ms));
            say("server_ms", json!(cost.server_ms));
            say("up_bytes", json!(cost.bytes.up));
            say("down_bytes", json!(cost.bytes.down));
        }
    }
}

struct Samples {
    best: Run,
    median_ms: f64,
}

/// The run that took least in its round, and how long the round took in most.
async fn samples(job: Job, system: Option<&Jiff>, runs: usize) -> Result<Samples, Fault> {
    let mut all: Vec<Run> = Vec::new();
    for _ in 0..runs.max(1) {
        all.push(run(job, system).await?);
    }
    all.sort_by(|a, b| a.round.ms().total_cmp(&b.round.ms()));
    let (best, median) = (all.first().copied(), all.get(all.len() / 2));
    let samples = best.zip(median).map(|(best, median)| Samples { best, median_ms: median.round.ms() });
    samples.ok_or_else(|| failed("there was no run"))
}

/// One run in processes of its own.
async fn run(job: Job, system: Option<&Jiff>) -> Result<Run, Fault> {
    let mut server = match system {
        Some(jiff) => jiff.server()?,
        None => Side::start("relay", ours()?.arg("relay"))?,
    };
    let port = server.hear(PATIENCE).await?.get("port").and_then(Value::as_u64);
    let port = port.and_then(|port| u16::try_from(port).ok()).ok_or_else(|| failed("the server says no port"))?;
    let meter = Meter::start(([127, 0, 0, 1], port).into()).await.map_err(|error| failed(&error.to_string()))?;
    let url = format!("http://{}", meter.address());
    let mut parties = match system {
        Some(jiff) => jiff.parties(&url, job.parties, job.values)?,
        None => {
            let numbers = [job.parties.to_string(), job.values.to_string()];
            Side::start("parties", ours()?.args(["parties", &url]).args(numbers))?
        }
    };
    let (join, _) = so_far(&mut parties, &mut server, &meter).await?;
    parties.go_on().await?;
    let (end, said) = so_far(&mut parties, &mut server, &meter).await?;
    check(job, &said)?;
    let (parties_ms, server_ms) = (end.parties_ms - join.parties_ms, end.server_ms - join.server_ms);
    Ok(Run { join, round: Cost { parties_ms, server_ms, bytes: end.bytes.since(join.bytes) } })
}

/// This program, as one side.
fn ours() -> Result<Command, Fault> {
    let program = env::current_exe().map_err(|error| failed(&error.to_string()))?;
    let mut command = Command::new(program);
    command.arg("bench-side");
    Ok(command)
}

/// Waits until the parties say that a part is over; what was spent until then, and what they said.
async fn so_far(parties: &mut Side, server: &mut Side, meter: &Meter) -> Result<(Cost, Value), Fault> {
    let said = parties.hear(PATIENCE).await?;
    let parties_ms = cpu_ms(&said).ok_or_else(|| failed("the parties say no CPU time"))?;
    Ok((Cost { parties_ms, server_ms: server.cpu_ms().await?, bytes: meter.bytes() }, said))
}

/// A system that is fast and wrong is not measured.
fn check(job: Job, said: &Value) -> Result<(), Fault> {
    let sum = |at| (0..job.parties).map(|party| value(party, at)).sum::<u64>().to_string();
    let right: Vec<_> = (0..job.values).map(sum).collect();
    let is_right = said.get("sums") == Some(&json!(right)) && said.get("agree") == Some(&json!(true));
    if is_right { Ok(()) } else { Err(failed("the sums are wrong")) }
}

fn failed(reason: &str) -> Fault {
    Fault::new(FaultCode::Internal).saying(format!("The bench {NAME} failed: {reason}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { parties_ms: 3.0, server_ms: 1.0, bytes: Bytes { up: 7, down: 9 } };

    fn measured(times: f64) -> Samples {
        let round = Cost { parties_ms: COST.parties_ms * times, server_ms: COST.server_ms * times, ..COST };
        Samples { best: Run { join: COST, round }, median_ms: 5.0 * times }
    }

    #[test]
    fn a_row_holds_both_systems_or_says_what_is_missing() {
        let (ours, theirs) = (measured(1.0), measured(12.0));
        let row_of = |theirs| row(JOBS[0], &ours, theirs);
        let both = row_of(Ok(&theirs));
        assert_eq!((&both["value"], &both["ratio"], &both["n"]), (&json!(4.0), &json!(12.0), &json!("50")));
        assert_eq!((&both["baseline_value"], &both["baseline_join_up_bytes"]), (&json!(48.0), &json!(7)));
        assert_eq!(both.get("baseline_values"), None);
        let fewer = row(JOBS[1], &ours, Ok(&theirs));
        assert_eq!((&fewer["baseline_values"], JOBS[1].of_baseline().values), (&json!(100), 100));
        let gap = row_of(Err(&"no npm".to_owned()));
        assert_eq!(gap["baseline_gap"], json!("jiff-mpc 1.0.0: no npm"));
        assert_eq!((gap.get("ratio"), &gap["down_bytes"]), (None, &json!(9)));
    }

    #[test]
    fn wrong_sums_and_parties_that_disagree_are_no_measurement() {
        let job = Job { name: "", parties: 3, values: 2, baseline_values: 1 };
        // 0 + 37 + 74 and 1 + 38 + 75.
        assert!(check(job, &json!({ "sums": ["111", "114"], "agree": true })).is_ok());
        for wrong in
            [json!({ "sums": ["111", "114"], "agree": false }), json!({ "sums": ["111", "115"], "agree": true })]
        {
            assert!(check(job, &wrong).unwrap_err().message().contains("wrong"));
        }
    }
}
