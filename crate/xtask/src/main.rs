//! The project's two commands, `cargo xtask serve` and `cargo xtask test`, and their parts.
//!
//! Why a program and not a shell script: it is one thing to install (nothing), it runs where Rust
//! runs, and every step says what it does, how long it took, and stops with a sentence that helps.
//! The steps are idempotent: each compares a hash of its inputs with a stamp, so that a second
//! start takes seconds.

#![allow(clippy::disallowed_methods, reason = "xtask is a build tool: it times its steps with the wall clock")]

mod args;
mod browser;
mod failure;
mod getrandom;
mod npm;
mod prerequisites;
mod report;
mod serve;
mod shell;
mod sizes;
mod stamp;
mod test;
mod tools;
mod tree;
mod wasm;
mod www;

use std::process::ExitCode;

use args::Task;
use failure::Failure;
use tree::Tree;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {}", failure.message);
            ExitCode::from(failure.exit)
        }
    }
}

fn run() -> Result<(), Failure> {
    let task = Task::parse(std::env::args().skip(1))?;
    if let Task::Help = task {
        println!("{}", args::USAGE);
        return Ok(());
    }
    let tree = Tree::find()?;
    if let Task::CleanTools = task {
        return tools::clean(&tree);
    }
    prerequisites::check()?;
    match task {
        Task::Serve { args } => serve::serve(&tree, &args),
        Task::Test(options) => test::test(&tree, &options),
        Task::Build => serve::build(&tree),
        Task::Wasm => serve::wasm(&tree),
        Task::CleanTools | Task::Help => Ok(()),
    }
}
