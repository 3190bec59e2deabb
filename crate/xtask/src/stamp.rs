//! Deciding that nothing changed: a hash over the contents of a step's inputs, kept in a stamp.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure};

/// Folders that hold what a step or a tool wrote, never what a step reads.
const OUTPUT_FOLDERS: &[&str] = &["node_modules", "dist", "target", "generated"];

/// Did a step do its work or find it done?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// The inputs are those of the stamp and the outputs are there.
    Unchanged,
    /// The step has to run.
    Stale,
}

/// FNV-1a with 128 bits over names and contents of files. It guards against forgetting, not
/// against forgery, and needs no dependency.
#[derive(Debug, Clone)]
pub(crate) struct Inputs {
    root: PathBuf,
    state: u128,
}

impl Inputs {
    /// No inputs yet; files are named relative to `root`, so that a clone elsewhere hashes equal.
    pub(crate) fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), state: FNV_OFFSET }
    }

    /// Adds a word, for instance an option of the step itself.
    pub(crate) fn word(mut self, word: &str) -> Self {
        self.absorb(word.as_bytes());
        self
    }

    /// Adds a file, or all files below a folder for which `wanted` holds. What does not exist
    /// counts as such.
    ///
    /// # Errors
    /// Something exists and cannot be read.
    pub(crate) fn add(mut self, path: impl AsRef<Path>, wanted: fn(&Path) -> bool) -> Result<Self, Failure> {
        let path = self.root.join(path);
        if path.is_dir() {
            for file in files_below(&path)? {
                if wanted(&file) {
                    self.add_file(&file)?;
                }
            }
        } else if path.is_file() {
            self.add_file(&path)?;
        }
        Ok(self)
    }

    /// The hash in hex.
    pub(crate) fn hash(&self) -> String {
        format!("{:032x}", self.state)
    }

    fn add_file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        self.absorb(name.to_string_lossy().as_bytes());
        let contents = fs::read(path).context(path.display())?;
        self.absorb(&contents);
        Ok(())
    }

    /// The length first: no two lists of inputs run together to the same bytes.
    fn absorb(&mut self, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        for byte in length.to_le_bytes().iter().chain(bytes) {
            self.state = (self.state ^ u128::from(*byte)).wrapping_mul(FNV_PRIME);
        }
    }
}

/// The file that remembers the inputs of the last good run of a step.
#[derive(Debug)]
pub(crate) struct Stamp {
    path: PathBuf,
}

impl Stamp {
    /// The stamp kept in `path`.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Compares with the last good run; `outputs` have to be there still.
    pub(crate) fn check(&self, inputs: &Inputs, outputs: &[PathBuf]) -> Freshness {
        let remembered = fs::read_to_string(&self.path).unwrap_or_default();
        if remembered == inputs.hash() && outputs.iter().all(|it| it.exists()) {
            return Freshness::Unchanged;
        }
        Freshness::Stale
    }

    /// Forgets the last good run: called before outputs are touched.
    pub(crate) fn clear(&self) {
        let _ = fs::remove_file(&self.path);
    }

    /// Remembers a good run.
    ///
    /// # Errors
    /// The stamp cannot be written.
    pub(crate) fn set(&self, inputs: &Inputs) -> Result<(), Failure> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).context(folder.display())?;
        }
        fs::write(&self.path, inputs.hash()).context(self.path.display())
    }
}

/// Takes every file.
pub(crate) fn any(_: &Path) -> bool {
    true
}

/// All files below `folder`, sorted, without output folders and hidden ones.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).context(folder.display())? {
            let entry = entry.context(folder.display())?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let kind = entry.file_type().context(entry.path().display())?;
            if kind.is_file() {
                files.push(entry.path());
            } else if kind.is_dir() && !is_output(&name) {
                open.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_output(folder: &str) -> bool {
    folder.starts_with('.') || OUTPUT_FOLDERS.contains(&folder)
}

const FNV_OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own per test, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("xtask-stamp-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, contents: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }

        fn inputs(&self) -> Inputs {
            Inputs::new(&self.0).add("src", any).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_hash_is_fnv_1a() {
        let mut inputs = Inputs::new(Path::new("."));
        inputs.state = FNV_OFFSET;
        for byte in b"a" {
            inputs.state = (inputs.state ^ u128::from(*byte)).wrapping_mul(FNV_PRIME);
        }
        assert_eq!(inputs.hash(), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn contents_names_and_boundaries_count() {
        let folder = Folder::new("counts");
        folder.write("src/a", "1");
        let first = folder.inputs().hash();
        folder.write("src/a", "2");
        let changed = folder.inputs().hash();
        folder.write("src/a", "1");
        assert_eq!(folder.inputs().hash(), first);
        folder.write("src/deep/b", "1");
        let added = folder.inputs().hash();
        assert!(first != changed && first != added);
        let joined = Inputs::new(&folder.0).word("ab").word("c").hash();
        assert_ne!(joined, Inputs::new(&folder.0).word("a").word("bc").hash());
    }

    #[test]
    fn outputs_do_not_count() {
        let folder = Folder::new("outputs");
        folder.write("src/a", "1");
        let first = folder.inputs().hash();
        folder.write("src/node_modules/b", "1");
        folder.write("src/dist/b", "1");
        folder.write("src/.cache/b", "1");
        assert_eq!(folder.inputs().hash(), first);
    }

    #[test]
    fn a_stamp_needs_equal_inputs_and_its_outputs() {
        let folder = Folder::new("stamp");
        folder.write("src/a", "1");
        folder.write("out", "");
        let stamp = Stamp::new(folder.0.join("state/stamp"));
        let outputs = [folder.0.join("out")];
        assert_eq!(stamp.check(&folder.inputs(), &outputs), Freshness::Stale);
        stamp.set(&folder.inputs()).unwrap();
        assert_eq!(stamp.check(&folder.inputs(), &outputs), Freshness::Unchanged);
        fs::remove_file(&outputs[0]).unwrap();
        assert_eq!(stamp.check(&folder.inputs(), &outputs), Freshness::Stale);
        folder.write("out", "");
        folder.write("src/a", "2");
        assert_eq!(stamp.check(&folder.inputs(), &outputs), Freshness::Stale);
        stamp.clear();
        assert!(!folder.0.join("state/stamp").exists());
    }
}
