//! What a first visit loads, compressed, and the budgets for it.
//!
//! A visitor pays for every file before the page can be used. Counted is every file of `www/dist`
//! except those that the page only loads when it needs them (the bundler's manifest says which),
//! pictures of the installed app, and the service worker, which is fetched after the page works.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::failure::{Context, Failure};
use crate::report::Done;
use crate::shell;
use crate::stamp::files_below;
use crate::tree::Tree;
use crate::wasm::{MODULES, Module};

/// All of the first load: 1 s at 1.6 Mbit/s, a slow phone.
const FIRST_LOAD_MAX: u64 = 180_000;

/// What we would like it to be.
const FIRST_LOAD_AIM: u64 = 140_000;

/// Endings of files that a first visit does not need.
const NOT_COUNTED: &[&str] = &["br", "gz", "map", "png", "svg", "ico", "webmanifest"];

/// Prints the compressed size of each file named as an argument, a line each.
const BROTLI_JS: &str = "\
const { constants: c, brotliCompressSync } = require('node:zlib');
const { readFileSync } = require('node:fs');
const params = { [c.BROTLI_PARAM_QUALITY]: 11 };
for (const f of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(f), { params }).length);";

/// The step: prints the table.
///
/// # Errors
/// A budget is exceeded, or there is nothing to measure.
pub(crate) fn gate(tree: &Tree) -> Result<Done, Failure> {
    let sizes = measure(tree)?;
    println!("{}", sizes.table());
    let exceeded = sizes.exceeded();
    if exceeded.is_empty() {
        return Ok(Done::Ran);
    }
    Err(Failure::new(exceeded.join("; ")))
}

/// Measures the files of the first load.
///
/// # Errors
/// There is no built web app, or it cannot be read.
pub(crate) fn measure(tree: &Tree) -> Result<Sizes, Failure> {
    let dist = tree.at("www/dist");
    let lazy = lazy_files(&dist)?;
    let files: Vec<PathBuf> = files_below(&dist)?
        .into_iter()
        .filter(|file| is_counted(file))
        .filter(|file| !lazy.contains(&relative(&dist, file)) || is_lazy(&relative(&dist, file)))
        .collect();
    let bytes = compressed(tree, &files)?;
    let names = files.iter().map(|file| relative(&dist, file));
    Ok(Sizes { files: names.zip(bytes).collect() })
}

/// Files and their compressed sizes.
#[derive(Debug)]
pub(crate) struct Sizes {
    files: Vec<(String, u64)>,
}

/// A limit and what it is held against.
struct Budget {
    name: String,
    /// None: the file is not there.
    bytes: Option<u64>,
    max: u64,
    aim: u64,
}

impl Sizes {
    /// A line per file, then a line per budget.
    pub(crate) fn table(&self) -> String {
        let mut files = self.files.clone();
        files.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let mut lines = vec![format!("{:<44} {:>9}", "first load", "brotli")];
        lines.extend(files.iter().map(|(name, bytes)| format!("{name:<44} {bytes:>9}")));
        lines.extend(self.budgets().iter().map(Budget::line));
        lines.join("\n")
    }

    fn exceeded(&self) -> Vec<String> {
        let budgets = self.budgets();
        let bad = budgets.iter().filter(|budget| !budget.holds());
        bad.map(Budget::line).collect()
    }

    fn budgets(&self) -> Vec<Budget> {
        let mut budgets: Vec<_> = MODULES.iter().map(|it| self.module(it)).collect();
        budgets.push(Budget {
            name: "first load".into(),
            bytes: Some(self.files.iter().filter(|(name, _)| !is_lazy(name)).map(|(_, bytes)| bytes).sum()),
            max: FIRST_LOAD_MAX,
            aim: FIRST_LOAD_AIM,
        });
        budgets
    }

    fn module(&self, module: &Module) -> Budget {
        let own = |name: &str| is_of_module(name, module.name);
        let file = self.files.iter().find(|(name, _)| own(name));
        Budget {
            name: format!("{} wasm", module.name),
            bytes: file.map(|(_, bytes)| *bytes),
            max: module.brotli_max,
            aim: module.brotli_aim,
        }
    }
}

impl Budget {
    fn holds(&self) -> bool {
        self.bytes.is_some_and(|bytes| bytes <= self.max)
    }

    fn line(&self) -> String {
        let Some(bytes) = self.bytes else {
            return format!("{}: not found in the web app", self.name);
        };
        let verdict = if !self.holds() {
            "TOO LARGE"
        } else if bytes > self.aim {
            "ok, above the aim"
        } else {
            "ok"
        };
        let Self { name, max, aim, .. } = self;
        format!("{name}: {bytes} bytes of at most {max} (aim {aim}): {verdict}")
    }
}

/// Whether a file is the module or the worker (`assets/record-Ba3k.js`) of a lazy module: the
/// bundler's manifest does not say what a worker loads.
fn is_lazy(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let worker = |module: &str| file.strip_prefix(module).is_some_and(|rest| rest.starts_with('-'));
    MODULES.iter().any(|module| module.lazy && (is_of_module(name, module.name) || worker(module.name)))
}

/// `assets/sums_bg-Ba3k.wasm` is of `sums`.
fn is_of_module(name: &str, module: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.ends_with(".wasm") && file.starts_with(&format!("{module}_bg"))
}

fn is_counted(file: &Path) -> bool {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let service_worker = file.file_name().is_some_and(|name| name == "sw.js");
    !service_worker && !NOT_COUNTED.contains(&ending.as_ref())
}

/// With `/` on every system, as the manifest has it.
fn relative(folder: &Path, file: &Path) -> String {
    let path = file.strip_prefix(folder).unwrap_or(file);
    path.to_string_lossy().replace('\\', "/")
}

/// Sizes after compression: of the file that the build wrote beside it, else computed.
fn compressed(tree: &Tree, files: &[PathBuf]) -> Result<Vec<u64>, Failure> {
    let mut node = shell::program("node", &tree.root);
    let missing = |file: &&PathBuf| !beside(file).exists();
    node.args(["-e", BROTLI_JS, "--"]).args(files.iter().filter(missing));
    let printed = shell::capture(&mut node)?;
    let mut computed = printed.lines().map(str::parse);
    let size = |file: &PathBuf| match fs::metadata(beside(file)) {
        Ok(built) => Ok(built.len()),
        Err(_) => computed
            .next()
            .transpose()
            .context("brotli")?
            .ok_or_else(|| Failure::new(format!("no compressed size of {}", file.display()))),
    };
    files.iter().map(size).collect()
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".br");
    name.into()
}

/// Files that only a dynamic import reaches.
fn lazy_files(dist: &Path) -> Result<BTreeSet<String>, Failure> {
    let path = dist.join(".vite/manifest.json");
    let text = fs::read_to_string(&path).context(format!("{} (is www built?)", path.display()))?;
    let manifest = serde_json::from_str(&text).context(path.display())?;
    Ok(only_dynamic(&manifest))
}

fn only_dynamic(manifest: &Value) -> BTreeSet<String> {
    let chunks = manifest.as_object().into_iter().flatten();
    let with = |flag: &'static str| {
        let has = move |chunk: &Value| chunk.get(flag) == Some(&Value::Bool(true));
        chunks.clone().filter(move |it| has(it.1)).map(|it| it.0.as_str())
    };
    let first = reached(manifest, with("isEntry"));
    let later = reached(manifest, with("isDynamicEntry"));
    later.difference(&first).cloned().collect()
}

/// The files of some chunks and of all that they import statically, workers with what those import.
fn reached<'a>(manifest: &'a Value, from: impl Iterator<Item = &'a str>) -> BTreeSet<String> {
    let mut open: Vec<&str> = from.collect();
    let mut seen = BTreeSet::new();
    let mut files = BTreeSet::new();
    while let Some(key) = open.pop() {
        let Some(chunk) = manifest.get(key).filter(|_| seen.insert(key)) else {
            continue;
        };
        let own = chunk.get("file").and_then(Value::as_str).into_iter();
        let beside = strings(chunk, "css").chain(strings(chunk, "assets"));
        files.extend(own.chain(beside).map(String::from));
        open.extend(strings(chunk, "imports"));
        open.extend(strings(chunk, "assets").filter_map(|file| chunk_of(manifest, file)));
    }
    files
}

/// The chunk of a file that another chunk names as its asset: a worker's.
fn chunk_of<'a>(manifest: &'a Value, file: &str) -> Option<&'a str> {
    let mut chunks = manifest.as_object()?.iter();
    let worker = chunks.find(|(_, chunk)| chunk.get("file").and_then(Value::as_str) == Some(file));
    worker.map(|(key, _)| key.as_str())
}

fn strings<'a>(chunk: &'a Value, field: &str) -> impl Iterator<Item = &'a str> {
    let list = chunk.get(field).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(sums: u64, rest: u64) -> Sizes {
        let file = |name: &str, bytes| (String::from(name), bytes);
        let lazy = ["record", "groups", "shares", "drops", "pairing", "bench"]
            .map(|name| [format!("assets/{name}_bg-Ba3k.wasm"), format!("assets/{name}-Ba3k.js")]);
        let lazy = lazy.iter().flatten().map(|name| file(name, 90_000)).collect::<Vec<_>>();
        let first = [file("assets/sums_bg-Ba3k.wasm", sums), file("index.html", rest)];
        Sizes { files: first.into_iter().chain(lazy).collect() }
    }

    #[test]
    fn within_the_budgets() {
        assert!(sizes(120_000, 60_000).exceeded().is_empty());
    }

    #[test]
    fn above_a_budget_is_named() {
        let exceeded = sizes(120_001, 60_000).exceeded();
        assert_eq!(exceeded.len(), 2);
        assert!(exceeded[0].starts_with("sums wasm: 120001") && exceeded[0].ends_with("TOO LARGE"));
        assert!(exceeded[1].starts_with("first load: 180001"));
    }

    #[test]
    fn a_missing_module_is_not_a_small_one() {
        let none = Sizes { files: Vec::new() };
        assert_eq!(
            none.exceeded(),
            ["sums", "groups", "shares", "drops", "pairing", "record", "bench"]
                .map(|name| format!("{name} wasm: not found in the web app"))
        );
    }

    #[test]
    fn what_only_a_dynamic_import_reaches_is_lazy() {
        let manifest = serde_json::json!({
            "index.html": {
                "file": "main.js", "isEntry": true, "imports": ["_shared.js"],
                "dynamicImports": ["panel.ts"], "css": ["main.css"], "assets": ["worker.js"],
            },
            "_shared.js": { "file": "shared.js" },
            "panel.ts": {
                "file": "panel.js", "isDynamicEntry": true,
                "imports": ["_shared.js", "_chart.js"], "css": ["panel.css"],
            },
            "_chart.js": { "file": "chart.js", "imports": ["panel.ts"] },
            "worker": { "file": "worker.js", "isWorkerEntry": true, "assets": ["core.wasm"], "dynamicImports": ["more"] },
            "more": { "file": "more.js", "isDynamicEntry": true, "imports": ["worker"], "assets": ["more.wasm"] },
        });
        let lazy: Vec<_> = only_dynamic(&manifest).into_iter().collect();
        assert_eq!(lazy, ["chart.js", "more.js", "more.wasm", "panel.css", "panel.js"]);
    }

    #[test]
    fn pictures_and_the_service_worker_are_not_counted() {
        for name in ["index.html", "assets/main.js", "assets/sums_bg.wasm", "a.css"] {
            assert!(is_counted(Path::new(name)), "{name}");
        }
        for name in ["sw.js", "a.js.br", "a.map", "icon.png", "app.webmanifest"] {
            assert!(!is_counted(Path::new(name)), "{name}");
        }
    }
}
