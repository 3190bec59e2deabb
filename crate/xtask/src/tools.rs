//! The build tools: the wasm target, `wasm-bindgen` and `wasm-pack`.
//!
//! The two programs come from the registry and are built once per version into a cache outside
//! the tree, without optimisation: they run for seconds, building them fast matters more. Both
//! builds share one target folder.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

use crate::failure::{Context, Failure};
use crate::report::Done;
use crate::shell;
use crate::tree::Tree;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The only version tried with this tree. The registry's package, not npm's: that one downloads.
const WASM_PACK_VERSION: &str = "0.15.1";

/// A program that `cargo install` builds.
#[derive(Debug)]
pub(crate) struct Tool {
    package: &'static str,
    program: &'static str,
    version: String,
}

/// Gets tools, and remembers whether one had to be built in this run.
#[derive(Debug)]
pub(crate) struct Toolbox<'a> {
    tree: &'a Tree,
    built: Cell<bool>,
}

impl<'a> Toolbox<'a> {
    /// The tools of the tree's cache.
    pub(crate) fn new(tree: &'a Tree) -> Self {
        Self { tree, built: Cell::new(false) }
    }

    /// Whether this run built a tool, which decides the time budget of the tests.
    pub(crate) fn built_one(&self) -> bool {
        self.built.get()
    }

    /// The wasm target and `wasm-bindgen`: what every build of a wasm module needs.
    ///
    /// # Errors
    /// One of them cannot be installed.
    pub(crate) fn for_building(&self) -> Result<Done, Failure> {
        let target = self.wasm_target()?;
        let tool = self.get(&wasm_bindgen(self.tree)?)?;
        Ok(ran_if_either(target, tool))
    }

    /// `wasm-pack` besides, which only the tests use.
    ///
    /// # Errors
    /// One of them cannot be installed.
    pub(crate) fn for_testing(&self) -> Result<Done, Failure> {
        let building = self.for_building()?;
        let tool = self.get(&wasm_pack())?;
        if self.built_one() {
            self.drop_build_folder();
        }
        Ok(ran_if_either(building, tool))
    }

    fn wasm_target(&self) -> Result<Done, Failure> {
        let mut list = shell::program("rustup", &self.tree.root);
        let installed = shell::capture(list.args(["target", "list", "--installed"]))?;
        if installed.lines().any(|target| target == WASM_TARGET) {
            return Ok(Done::Unchanged);
        }
        let mut add = shell::program("rustup", &self.tree.root);
        shell::run(add.args(["target", "add", WASM_TARGET]))?;
        Ok(Done::Ran)
    }

    fn get(&self, tool: &Tool) -> Result<Done, Failure> {
        if tool.is_there(self.tree) {
            println!("{} {}: in the cache", tool.package, tool.version);
            return Ok(Done::Unchanged);
        }
        println!("{} {}: building once", tool.package, tool.version);
        self.built.set(true);
        tool.install(self.tree)?;
        if tool.is_there(self.tree) {
            return Ok(Done::Ran);
        }
        Err(Failure::new(format!("{} was installed but is not {}", tool.program, tool.version)))
    }

    /// Gigabytes that nothing reads once both tools are there.
    fn drop_build_folder(&self) {
        let _ = fs::remove_dir_all(build_folder(self.tree));
    }
}

impl Tool {
    /// The folder of the programs, for `PATH`.
    pub(crate) fn bin(&self, tree: &Tree) -> PathBuf {
        self.root(tree).join("bin")
    }

    /// The program itself.
    pub(crate) fn path(&self, tree: &Tree) -> PathBuf {
        self.bin(tree).join(self.program)
    }

    fn root(&self, tree: &Tree) -> PathBuf {
        tree.cache.join(format!("{}-{}", self.package, self.version))
    }

    fn is_there(&self, tree: &Tree) -> bool {
        let expected = format!("{} {}", self.program, self.version);
        shell::version(self.path(tree)).is_some_and(|found| found == expected)
    }

    /// From a folder outside the tree, so that the tree's cargo settings stay out of it; without
    /// `--locked`, because a lock file may name a version that a registry's mirror has not got.
    fn install(&self, tree: &Tree) -> Result<(), Failure> {
        fs::create_dir_all(&tree.cache).context(tree.cache.display())?;
        let mut cargo = shell::program("cargo", &tree.cache);
        cargo.args(["install", "--debug", "--root"]).arg(self.root(tree));
        cargo.arg("--target-dir").arg(build_folder(tree));
        cargo.arg(format!("{}@{}", self.package, self.version));
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
        cargo.env("CARGO_INCREMENTAL", "0");
        cargo.env_remove("CARGO_BUILD_TARGET");
        shell::run(&mut cargo)
    }
}

/// `wasm-bindgen` and its test runner, of the version that the tree's lock file has for the
/// library: the two speak a format of their own and have to be equal.
///
/// # Errors
/// There is no lock file, or it does not name the library.
pub(crate) fn wasm_bindgen(tree: &Tree) -> Result<Tool, Failure> {
    let lock = fs::read_to_string(tree.at("Cargo.lock")).context("Cargo.lock")?;
    let version = locked_version(&lock, "wasm-bindgen")
        .ok_or_else(|| Failure::new("Cargo.lock does not name one version of wasm-bindgen"))?;
    Ok(Tool { package: "wasm-bindgen-cli", program: "wasm-bindgen", version })
}

/// `wasm-pack`.
pub(crate) fn wasm_pack() -> Tool {
    Tool { package: "wasm-pack", program: "wasm-pack", version: WASM_PACK_VERSION.into() }
}

/// Removes the cache.
///
/// # Errors
/// It is there and cannot be removed.
pub(crate) fn clean(tree: &Tree) -> Result<(), Failure> {
    let mut folders = vec![build_folder(tree), wasm_pack().root(tree)];
    folders.extend(wasm_bindgen(tree).map(|tool| tool.root(tree)));
    for folder in folders.iter().filter(|folder| folder.exists()) {
        fs::remove_dir_all(folder).context(folder.display())?;
        println!("removed {}", folder.display());
    }
    Ok(())
}

fn build_folder(tree: &Tree) -> PathBuf {
    tree.cache.join("build")
}

fn ran_if_either(one: Done, other: Done) -> Done {
    if one == Done::Unchanged { other } else { one }
}

/// The version of a package that a lock file has exactly once.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    let mut versions = Vec::new();
    while lines.any(|line| line == name) {
        let version = lines.next()?.strip_prefix("version = \"")?;
        versions.push(version.strip_suffix('"')?.to_owned());
    }
    if versions.len() > 1 {
        return None;
    }
    versions.pop()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "\
[[package]]
name = \"wasm-bindgen\"
version = \"0.2.130\"
dependencies = [
 \"wasm-bindgen-macro\",
]

[[package]]
name = \"wasm-bindgen-macro\"
version = \"0.2.129\"
";

    #[test]
    fn the_version_is_read_from_the_lock_file() {
        let version = locked_version(LOCK, "wasm-bindgen");
        assert_eq!(version.as_deref(), Some("0.2.130"));
        assert_eq!(locked_version(LOCK, "wasm"), None);
    }

    #[test]
    fn two_versions_are_none() {
        assert_eq!(locked_version(&LOCK.repeat(2), "wasm-bindgen"), None);
    }
}
