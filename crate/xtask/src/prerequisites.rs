//! The two things that have to be there before anything else: rustup, and Node with npm.

use crate::failure::Failure;
use crate::shell;

/// The oldest Node that the web app's tools run on.
const NODE_MAJOR_MIN: u32 = 20;

const INSTALL_RUSTUP: &str = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh";

#[cfg(target_os = "macos")]
const INSTALL_NODE: &str = "brew install node";

#[cfg(not(target_os = "macos"))]
const INSTALL_NODE: &str =
    "curl -fsSL https://deb.nodesource.com/setup_22.x | sudo bash - && sudo apt-get install -y nodejs";

/// Checks all of them, so that one run names everything that is missing.
///
/// # Errors
/// Each missing one with the line that installs it; the exit code is 2.
pub(crate) fn check() -> Result<(), Failure> {
    let found = Found { rustup: shell::version("rustup"), node: shell::version("node"), npm: shell::version("npm") };
    let missing = found.missing();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(missing.join("\n")))
}

/// What each program said its version is.
struct Found {
    rustup: Option<String>,
    node: Option<String>,
    npm: Option<String>,
}

impl Found {
    fn missing(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.rustup.is_none() {
            lines.push(format!("rustup is missing; install it: {INSTALL_RUSTUP}"));
        }
        match self.node.as_deref().map(major) {
            None => lines.push(format!("node is missing; install it: {INSTALL_NODE}")),
            Some(Some(major)) if major >= NODE_MAJOR_MIN => {}
            Some(_) => lines.push(format!("node is older than {NODE_MAJOR_MIN}; install a newer one: {INSTALL_NODE}")),
        }
        if self.npm.is_none() {
            lines.push(format!("npm is missing; it comes with node: {INSTALL_NODE}"));
        }
        lines
    }
}

/// `v20.20.2` is 20.
fn major(version: &str) -> Option<u32> {
    version.trim_start_matches('v').split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rustup: Option<&str>, node: Option<&str>, npm: Option<&str>) -> Found {
        let own = |it: Option<&str>| it.map(String::from);
        Found { rustup: own(rustup), node: own(node), npm: own(npm) }
    }

    #[test]
    fn all_there() {
        let found = found(Some("rustup 1.28.2"), Some("v20.0.0"), Some("11.0.0"));
        assert!(found.missing().is_empty());
    }

    #[test]
    fn each_missing_one_is_named_with_its_line() {
        let lines = found(None, Some("v18.20.4"), None).missing();
        assert_eq!(lines.len(), 3);
        assert!(lines[0].ends_with(INSTALL_RUSTUP));
        assert!(lines[1].starts_with("node is older than 20") && lines[1].ends_with(INSTALL_NODE));
        assert!(lines[2].starts_with("npm is missing"));
    }

    #[test]
    fn an_unreadable_version_counts_as_old() {
        assert_eq!(found(Some(""), Some("nonsense"), Some("1")).missing().len(), 1);
    }
}
