//! `undertone`: serve a relay with the web app, host a room, join one, check a record, simulate many,
//! measure, write known answers.

#![allow(clippy::disallowed_methods, reason = "the outer layer is where clocks and randomness come in")]

mod address;
mod args;
mod bench;
mod follow;
mod host;
mod input;
mod join;
mod output;
mod readings;
mod record;
mod seat;
mod serve;
mod simulate;
mod vectors;
mod verify;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;
use undertone_machine::Family;

fn main() -> ExitCode {
    let args = Args::parse();
    let Ok(runtime) = tokio::runtime::Builder::new_multi_thread().enable_all().build() else {
        eprintln!("undertone: the operating system gives this program no threads or timers.");
        return ExitCode::FAILURE;
    };
    let done = match args.command {
        Command::Serve(serve) => runtime.block_on(serve::serve(serve)),
        Command::Host(host) => runtime.block_on(host::host(host)),
        Command::Join(join) => runtime.block_on(join::join(join)),
        Command::Verify(args) => return verify::verify(&args),
        Command::Simulate(simulate) => simulate::simulate(&simulate),
        Command::Bench(bench) => bench::bench(&bench),
        Command::BenchSide(part) => bench::side(&part),
        Command::Vectors(args) => vectors::vectors(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("undertone: {fault}");
            // As usual for command lines: 2 where the call itself was wrong.
            if fault.code().family() == Family::Caller { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
