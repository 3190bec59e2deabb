//! `undertone bench`.
//!
//! A row is timed in samples, each long enough for the clock. What counts is CPU time of this thread:
//! on a shared machine the wall clock measures the neighbours. A baseline is timed right after what
//! is held against it. What whole rooms cost is measured by processes instead: `room_cpu.rs`.

mod jiff;
mod meter;
mod parties;
mod room_cpu;
mod side;

pub(crate) use parties::side;

use crate::args::{Bench, Target};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use undertone_bench::{BENCHES, Row, Work, find};
use undertone_machine::{Fault, FaultCode};

/// Samples of each row, if nobody says otherwise.
const SAMPLES: usize = 25;
/// Of a baseline that takes long; it is there for the ratio.
const FEW_SAMPLES: usize = 5;
const LONG_NS: u64 = 200_000_000;
/// A sample repeats the work until it takes at least so long.
const SAMPLE_NS: u64 = 2_000_000;
/// Where the build puts the module, and what times it.
const MODULE: &str = "pkg/wasm/bench";
const SCRIPT: &str = "benches/run.mjs";

/// Times a bench and prints its rows.
///
/// # Errors
/// [`FaultCode::BadCall`] for a name that no bench has, or where the wasm module is not built;
/// [`FaultCode::Internal`] if node fails.
pub(crate) fn bench(args: &Bench) -> Result<(), Fault> {
    let chosen: Vec<_> = match args.name.as_str() {
        "all" => BENCHES.iter().collect(),
        room_cpu::NAME => Vec::new(),
        name => vec![find(name).ok_or_else(|| unknown(name))?],
    };
    let module = module(args)?;
    if cfg!(debug_assertions) && args.target != Target::Wasm {
        eprintln!(
            "This is a development build: native rows count with `cargo run --release -p undertone-cli -- bench`."
        );
    }
    for bench in chosen {
        if args.target != Target::Wasm {
            natively(bench, args);
        }
        if let Some(module) = &module {
            in_node(module, bench.name, args.runs)?.iter().for_each(|row| print(row, args.json));
        }
    }
    if args.target != Target::Wasm && ["all", room_cpu::NAME].contains(&args.name.as_str()) {
        rooms(args)?;
    }
    Ok(())
}

/// Whole rooms of native processes.
fn rooms(args: &Bench) -> Result<(), Fault> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Fault::new(FaultCode::Internal).saying(error.to_string()))?;
    runtime.block_on(room_cpu::room_cpu(args.runs, |row| print(row, args.json)))
}

fn unknown(name: &str) -> Fault {
    let known: Vec<_> = BENCHES.iter().map(|bench| bench.name).chain([room_cpu::NAME]).collect();
    let message = format!("There is no bench \"{name}\". Known: all, {}.", known.join(", "));
    Fault::new(FaultCode::BadCall).in_field("name").saying(message)
}

/// The folder of the wasm module, if its rows are wanted.
fn module(args: &Bench) -> Result<Option<PathBuf>, Fault> {
    if args.target == Target::Native || args.name == room_cpu::NAME {
        return Ok(None);
    }
    let folder = args.module.clone().unwrap_or_else(|| PathBuf::from(MODULE));
    if folder.join("bench_bg.wasm").is_file() && Path::new(SCRIPT).is_file() {
        return Ok(Some(folder));
    }
    let message = format!(
        "The wasm module is not in {}: run `cargo xtask build` at the top of the source tree, or ask for --target native.",
        folder.display()
    );
    Err(Fault::new(FaultCode::BadCall).in_field("module").saying(message))
}

/// Times all rows of a bench, and what authors published beside them.
fn natively(bench: &undertone_bench::Bench, args: &Bench) {
    let rows = (bench.rows)();
    let mut ratios = Vec::new();
    for row in &rows {
        let value = native(bench.name, row, args.runs);
        print(&value, args.json);
        if row.published.is_some() {
            ratios.extend(value.get("ratio").and_then(Value::as_f64).map(|ratio| (row, ratio)));
        }
    }
    // Averages over a table, as in the paper: one for each kind of row.
    for group in ratios.chunk_by(|(a, _), (b, _)| a.name == b.name) {
        let Some(((row, _), published)) = group.first().and_then(|first| Some((first, first.0.published?))) else {
            continue;
        };
        let mean = group.iter().map(|(_, ratio)| ratio).sum::<f64>() / group.len() as f64;
        print_mean(
            &json!({ "bench": bench.name, "name": row.name, "target": "native", "mean_ratio": mean, "published": published }),
            args.json,
        );
    }
}

fn native(bench: &str, row: &Row, runs: Option<usize>) -> Value {
    let ours = measure((row.work)(), SAMPLES, runs);
    let mut value = json!({ "bench": bench, "name": row.name, "n": row.n, "target": "native",
        "value": ours.best, "median": ours.median, "unit": "ms" });
    if let (Some(baseline), Some(fields)) = (&row.baseline, value.as_object_mut()) {
        let theirs = measure((baseline.work)(), FEW_SAMPLES, runs);
        fields.insert("baseline".into(), json!(baseline.name));
        fields.insert("baseline_value".into(), json!(theirs.best));
        fields.insert("ratio".into(), json!(theirs.best / ours.best));
    }
    if let (Some(bytes), Some(fields)) = (row.bytes, value.as_object_mut()) {
        fields.insert("gbps".into(), json!(bytes as f64 / ours.best / 1e6));
    }
    if let (Some(published), Some(fields)) = (row.published, value.as_object_mut()) {
        fields.insert("published_ratio".into(), json!(published));
    }
    value
}

/// Time of one repetition, in milliseconds.
struct Timed {
    best: f64,
    median: f64,
}

/// Takes `few` samples of what takes long, or as many as are asked for.
fn measure(mut work: Work, few: usize, runs: Option<usize>) -> Timed {
    let mut times = 1_u32;
    while timed(&mut work, times) < SAMPLE_NS && times < 1 << 24 {
        times = times.saturating_mul(2);
    }
    let usual = if timed(&mut work, 1) > LONG_NS { few } else { SAMPLES };
    let samples = runs.map_or(usual, |runs| runs.max(1));
    let mut samples: Vec<_> = (0..samples).map(|_| timed(&mut work, times) as f64 / f64::from(times) / 1e6).collect();
    samples.sort_by(f64::total_cmp);
    let at = |index: usize| samples.get(index).copied().unwrap_or(f64::NAN);
    Timed { best: at(0), median: at(samples.len() / 2) }
}

fn timed(work: &mut Work, times: u32) -> u64 {
    let start = cpu_ns();
    (0..times).for_each(|_| work());
    cpu_ns().saturating_sub(start)
}

/// CPU time of this thread.
fn cpu_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(now.tv_sec)
        .unwrap_or_default()
        .saturating_mul(1_000_000_000)
        .saturating_add(now.tv_nsec.unsigned_abs())
}

/// The rows that node printed.
fn in_node(module: &Path, bench: &str, runs: Option<usize>) -> Result<Vec<Value>, Fault> {
    let failed = |message: String| Fault::new(FaultCode::Internal).saying(message);
    let runs = runs.map(|runs| runs.to_string());
    let output = Command::new("node").arg(SCRIPT).arg(module).arg(bench).args(runs).output();
    let output = output.map_err(|error| failed(format!("Node does not start: {error}.")))?;
    if !output.status.success() {
        return Err(failed(format!("Node failed: {}", String::from_utf8_lossy(&output.stderr))));
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    lines.lines().map(|line| serde_json::from_str(line).map_err(|error| failed(error.to_string()))).collect()
}

fn print_mean(mean: &Value, json: bool) {
    let number = |name: &str| mean.get(name).and_then(Value::as_f64).unwrap_or_default();
    if json {
        println!("{mean}");
    } else {
        let name = mean.get("name").and_then(Value::as_str).unwrap_or_default();
        println!("{name}: {:.0}x on average; the paper has {:.0}x", number("mean_ratio"), number("published"));
    }
}

fn print(row: &Value, json: bool) {
    if json {
        println!("{row}");
        return;
    }
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let number = |name: &str| row.get(name).and_then(Value::as_f64).unwrap_or_default();
    let ratio = match text("baseline") {
        "" => String::new(),
        baseline => format!("  {:.1}x {baseline} ({:.4} ms)", number("ratio"), number("baseline_value")),
    };
    let speed = if row.get("gbps").is_some() { format!("  {:.2} GB/s", number("gbps")) } else { String::new() };
    println!(
        "{:<14} {:<14} {:>6}  {:<6} {:>11.4} ms  median {:>11.4} ms{speed}{ratio}",
        text("bench"),
        text("name"),
        text("n"),
        text("target"),
        number("value"),
        number("median"),
    );
    room_cpu::explain(row);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(name: &str, target: Target) -> Bench {
        Bench { name: name.to_owned(), json: true, target, module: Some("/nowhere".into()), runs: None }
    }

    #[test]
    fn unknown_names_and_missing_modules_are_named() {
        let fault = bench(&args("nothing", Target::Native)).unwrap_err();
        assert!(fault.message().contains("masks-message"), "{fault}");
        let fault = bench(&args("masks-message", Target::Wasm)).unwrap_err();
        assert!(fault.message().contains("cargo xtask build"), "{fault}");
        assert_eq!(fault.code().family(), undertone_machine::Family::Caller);
    }

    #[test]
    fn a_row_has_a_value_a_median_and_a_ratio() {
        let rows = (find("recovery").unwrap().rows)();
        let row = native("recovery", rows.iter().find(|row| row.is_small).unwrap(), None);
        let number = |name: &str| row[name].as_f64().unwrap();
        assert!(number("value") > 0.0 && number("median") >= number("value"));
        assert!(number("ratio") > 1.0, "{row}");
        assert_eq!((row["bench"].as_str(), row["baseline"].as_str()), (Some("recovery"), Some("lambda")));
    }
}
