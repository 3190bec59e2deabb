//! Starting other programs: in the tree, with a clean environment, their output streamed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Context, Failure};

/// Variables that `cargo run` sets for this program. A build script that watches one of them
/// would run again, and its dependants be compiled again, for a cargo started from here.
const SET_BY_CARGO_RUN: &[&str] = &["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];

/// A program to run in `folder`, without what `cargo run` put in our own environment.
pub(crate) fn program(name: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.current_dir(folder);
    for (name, _) in env::vars_os() {
        let inherited = name.to_string_lossy();
        if SET_BY_CARGO_RUN.iter().any(|it| inherited.starts_with(it)) {
            command.env_remove(name);
        }
    }
    command
}

/// Makes every build of `command` lint as it compiles: cargo wraps the compiler of workspace
/// members, and only theirs, in clippy. Dependencies are shared with unwrapped builds.
pub(crate) fn lint_while_building(command: &mut Command, root: &Path) {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    command.env("CLIPPY_CONF_DIR", root);
}

/// Runs to the end, output streamed.
///
/// # Errors
/// It could not start, or ended with anything but success.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", line(command));
    let status = command.status().context(line(command))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("{}: {status}", line(command))))
}

/// Runs to the end and gives what it printed.
///
/// # Errors
/// It could not start, or ended with anything but success; its error output is streamed.
pub(crate) fn capture(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.context(line(command))?;
    if !output.status.success() {
        return Err(Failure::new(format!("{}: {}", line(command), output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What `program --version` prints, if there is such a program.
pub(crate) fn version(program: impl AsRef<OsStr>) -> Option<String> {
    let mut command = Command::new(program);
    let output = command.arg("--version").stderr(Stdio::null()).output().ok()?;
    let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(printed)
}

/// `PATH` with `first` looked in before the rest.
///
/// # Errors
/// A folder's name holds the separator.
pub(crate) fn path_with(first: &[PathBuf]) -> Result<std::ffi::OsString, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = first.iter().cloned().chain(env::split_paths(&path));
    env::join_paths(folders).context("PATH")
}

/// Replaces this process by `command`, so that signals reach it and its exit code is ours.
///
/// # Errors
/// It could not start, or, where a process cannot be replaced, it failed.
pub(crate) fn become_program(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", line(command));
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(command);
        Err(error).context(line(command))
    }
    #[cfg(not(unix))]
    run(command)
}

fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(OsStr::to_string_lossy));
    words.join(" ")
}
