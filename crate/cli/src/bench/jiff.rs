//! JIFF, which rooms are measured against: its npm package in a pinned version, in a cache of its own.

use super::side::Side;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;
use tokio::time::{Duration, timeout};
use undertone_machine::Fault;

/// What is measured against.
pub(super) const NAME: &str = "jiff-mpc 1.0.0";
/// Its scripts and lock file, from the top of the source tree.
const SCRIPTS: &str = "benches/jiff";
const FILES: [&str; 2] = ["package.json", "package-lock.json"];
/// For the package and 130 that it needs.
const INSTALL: Duration = Duration::from_secs(300);

/// Where the package is installed.
pub(super) struct Jiff {
    folder: PathBuf,
}

impl Jiff {
    /// Takes what the cache holds, or installs it first: exactly the versions and contents of the lock
    /// file, and none of their scripts.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub(super) async fn find() -> Result<Self, String> {
        let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let cache = cache.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
        let folder = cache.ok_or("there is no folder for caches")?.join("undertone/jiff-mpc-1.0.0");
        if !is_same(&folder) {
            install(&folder).await?;
        }
        Ok(Self { folder })
    }

    /// Its server.
    ///
    /// # Errors
    /// As [`Side::start`].
    pub(super) fn server(&self) -> Result<Side, Fault> {
        Side::start("JIFF server", &mut self.node("server.mjs"))
    }

    /// All its parties, which add up so many values each.
    ///
    /// # Errors
    /// As [`Side::start`].
    pub(super) fn parties(&self, url: &str, parties: usize, values: usize) -> Result<Side, Fault> {
        let numbers = [parties.to_string(), values.to_string()];
        Side::start("JIFF parties", self.node("parties.mjs").arg(url).args(numbers))
    }

    fn node(&self, script: &str) -> Command {
        let mut node = Command::new("node");
        node.arg(Path::new(SCRIPTS).join(script)).arg(&self.folder);
        node
    }
}

/// Whether the folder was installed from this lock file.
fn is_same(folder: &Path) -> bool {
    let lock = |folder: &Path| fs::read(folder.join("package-lock.json")).ok();
    lock(folder).is_some_and(|installed| lock(Path::new(SCRIPTS)) == Some(installed))
}

/// Installs beside the folder first, so that a half of it is never taken for the whole.
async fn install(folder: &Path) -> Result<(), String> {
    let partial = folder.with_extension("partial");
    let told = |error: std::io::Error| format!("{}: {error}", partial.display());
    let _ = fs::remove_dir_all(&partial);
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(&partial).map_err(told)?;
    for file in FILES {
        let from = Path::new(SCRIPTS).join(file);
        fs::copy(&from, partial.join(file)).map_err(|_| format!("there is no {}", from.display()))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&partial);
    npm.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let done = timeout(INSTALL, npm.status()).await.map_err(|_| "npm did not end")?;
    match done {
        Ok(status) if status.success() => fs::rename(&partial, folder).map_err(told),
        Ok(_) => Err("npm could not install it".to_owned()),
        Err(error) => Err(format!("npm does not start: {error}")),
    }
}
