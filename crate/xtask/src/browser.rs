//! Chromium and its driver, from the system's packages: a browser's own installer would download
//! from elsewhere.

use std::env;
use std::path::Path;

use crate::failure::Failure;
use crate::report::Done;
use crate::shell;
use crate::tree::Tree;

/// The driver's path, for wasm-pack.
pub(crate) const DRIVER: &str = "/usr/bin/chromedriver";

const CHROMIUM: &str = "/usr/bin/chromium";

const INSTALL: &str =
    "apt-get update && apt-get install -y --no-install-recommends chromium chromium-driver fonts-liberation";

/// Installs both if they are missing and can be.
///
/// # Errors
/// The installation failed, or a continuous integration run would have to skip the tests.
pub(crate) fn install(tree: &Tree) -> Result<Done, Failure> {
    if is_there() {
        return Ok(Done::Unchanged);
    }
    if !(is_root(tree) && shell::version("apt-get").is_some()) {
        return skip(format!("no Chromium: sudo sh -c '{INSTALL}'"));
    }
    let mut shell = shell::program("sh", &tree.root);
    shell.env("DEBIAN_FRONTEND", "noninteractive");
    shell::run(shell.args(["-c", INSTALL]))?;
    if is_there() {
        return Ok(Done::Ran);
    }
    let paths = format!("{CHROMIUM} and {DRIVER}");
    Err(Failure::new(format!("not at {paths} after `{INSTALL}`")))
}

/// Whether this is a continuous integration run, where a skipped test is an error.
pub(crate) fn in_ci() -> bool {
    let value = env::var("CI").unwrap_or_default();
    !matches!(value.as_str(), "" | "0" | "false")
}

fn skip(why: String) -> Result<Done, Failure> {
    if in_ci() {
        return Err(Failure::new(why));
    }
    println!("\n!!! BROWSER TESTS DO NOT RUN: {why}\n");
    Ok(Done::Skipped(why))
}

fn is_there() -> bool {
    Path::new(CHROMIUM).exists() && Path::new(DRIVER).exists()
}

fn is_root(tree: &Tree) -> bool {
    let id = shell::capture(shell::program("id", &tree.root).arg("-u"));
    id.is_ok_and(|id| id.trim() == "0")
}
