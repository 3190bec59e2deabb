//! Where things are: the source tree, cargo's target folder, the cache of tools.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The folders that the steps work on.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The workspace root.
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// Tools built from the registry, kept outside the tree so that a new clone finds them.
    pub(crate) cache: PathBuf,
}

impl Tree {
    /// The tree this program was built from.
    ///
    /// # Errors
    /// There is no folder to cache the tools in.
    pub(crate) fn find() -> Result<Self, Failure> {
        let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        root.pop();
        root.pop();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => root.join(folder),
            None => root.join("target"),
        };
        let cache = cache_folder()
            .ok_or_else(|| Failure::usage("no cache folder: set UNDERTONE_TOOLS to a folder outside the tree"))?;
        Ok(Self { root, target, cache })
    }

    /// A file or folder of the tree, named from its root.
    pub(crate) fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.root.join(path)
    }

    /// A program that npm installed.
    pub(crate) fn npm_bin(&self, name: &str) -> PathBuf {
        self.at("node_modules/.bin").join(name)
    }

    /// The command line program as the dev profile builds it.
    pub(crate) fn undertone_bin(&self) -> PathBuf {
        let name = format!("undertone{}", env::consts::EXE_SUFFIX);
        self.target.join("debug").join(name)
    }
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty());
    let folder = set("UNDERTONE_TOOLS").map(PathBuf::from);
    let folder = folder.or_else(|| Some(PathBuf::from(set("XDG_CACHE_HOME")?).join("undertone")));
    folder.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache/undertone")))
}
