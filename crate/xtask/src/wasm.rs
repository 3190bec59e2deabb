//! The wasm modules: compile, bind, optimise; each only when its inputs changed.
//!
//! `crate/wasm` is built once per module, chosen by a feature. A new module is a row of
//! [`MODULES`].

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Context, Failure};
use crate::report::Done;
use crate::shell;
use crate::stamp::{Freshness, Inputs, Stamp, any};
use crate::tools;
use crate::tree::Tree;

/// The package that the modules of rooms and records are built from.
pub(crate) const PACKAGE: &str = "undertone-wasm";

/// All modules.
pub(crate) const MODULES: &[Module] = &[
    // Its few multiplications happen while people join, and it is what everyone waits for first.
    Module {
        name: "sums",
        package: PACKAGE,
        feature: "front",
        // The kernels of its masks are in `math`.
        compiled: &[SMALL_CURVE, "profile.wasm.package.undertone-prim.opt-level='s'"],
        brotli_max: 120_000,
        brotli_aim: 90_000,
        lazy: false,
    },
    // What `sums` can do, with values in groups and their sums read from the exponent.
    Module {
        name: "groups",
        package: PACKAGE,
        feature: "groups",
        compiled: &[SMALL_CURVE],
        brotli_max: 140_000,
        brotli_aim: 130_000,
        lazy: true,
    },
    // What `sums` can do, with values cut into shares for a few seats that add up.
    Module {
        name: "shares",
        package: PACKAGE,
        feature: "shares",
        compiled: &[SMALL_CURVE],
        brotli_max: 140_000,
        brotli_aim: 130_000,
        lazy: true,
    },
    // What `sums` can do, also where people may vanish.
    Module {
        name: "drops",
        package: PACKAGE,
        feature: "drops",
        compiled: &[SMALL_CURVE],
        brotli_max: 140_000,
        brotli_aim: 130_000,
        lazy: true,
    },
    // Rooms with values behind a pairing and no others, which would not fit. The curve is small at the
    // price of time, of which a seat still has plenty, and signatures are checked without tables.
    Module {
        name: "pairing",
        package: PACKAGE,
        feature: "pairing",
        compiled: &[
            "profile.wasm.package.curve25519-dalek.opt-level='z'",
            "profile.wasm.package.sha2.opt-level='z'",
            "profile.wasm.package.undertone-math.opt-level='z'",
            "profile.wasm.package.undertone-prim.opt-level='z'",
        ],
        brotli_max: 140_000,
        brotli_aim: 130_000,
        lazy: true,
    },
    // Rooms of every method can be checked, so it grows with them.
    Module {
        name: "record",
        package: PACKAGE,
        feature: "record",
        // Nobody waits for a record as for a room.
        compiled: &[SMALL_CURVE, "profile.wasm.package.undertone-prim.opt-level='s'"],
        brotli_max: 120_000,
        brotli_aim: 90_000,
        lazy: true,
    },
    // What benches run in node and, for those who want to know, in the page.
    Module {
        name: "bench",
        package: "undertone-bench",
        feature: "",
        // What ours is measured against shall be as fast as it can be, also where modules take it small.
        compiled: &["profile.wasm.package.chacha20.opt-level=3"],
        brotli_max: 160_000,
        brotli_aim: 140_000,
        lazy: true,
    },
];

/// Two thirds as fast and 6 kB less. What is left to it is a secret
/// multiplication or two for each person; the long sums of `pcl` over public keys have a kernel of their own.
const SMALL_CURVE: &str = "profile.wasm.package.curve25519-dalek.opt-level='s'";

/// One artefact.
#[derive(Debug)]
pub(crate) struct Module {
    /// The name of its files.
    pub(crate) name: &'static str,
    /// What it is compiled from.
    pub(crate) package: &'static str,
    /// The package's feature that makes it this module.
    feature: &'static str,
    /// What is compiled otherwise than the profile says.
    compiled: &'static [&'static str],
    /// The build fails above so many bytes, compressed.
    pub(crate) brotli_max: u64,
    /// What we would like it to be.
    pub(crate) brotli_aim: u64,
    /// A first visit does without it: only a screen that few people open loads it and its worker.
    pub(crate) lazy: bool,
}

/// Higher levels make larger modules, compressed. Each of the others is worth some hundred bytes: the
/// last one, of which most comes, puts functions beside each other that are of one kind.
const OPTIMISATIONS: [&str; 16] = [
    "-O1",
    "--shrink-level",
    "2",
    "--dae-optimizing",
    "--generate-global-effects",
    "--duplicate-function-elimination",
    "--simplify-locals",
    "--vacuum",
    "--merge-blocks",
    "--dce",
    "--remove-unused-module-elements",
    "--code-folding",
    "--reorder-locals",
    "--merge-locals",
    "--rse",
    "--reorder-functions-by-name",
];

/// What a module is compiled from, besides the crates.
const INPUT_FILES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
    "rust-toolchain.toml",
    "crate/xtask/src/wasm.rs",
    "node_modules/binaryen/package.json",
];

/// The crates that end up in a module.
const INPUT_CRATES: &[&str] = &["machine", "math", "prim", "wire", "services", "room", "net", "bench", "wasm"];

/// Builds every module whose inputs changed.
///
/// # Errors
/// One of the programs failed.
pub(crate) fn build(tree: &Tree) -> Result<Done, Failure> {
    let inputs = inputs(tree)?;
    let mut done = Done::Unchanged;
    for module in MODULES {
        if module.build(tree, &inputs)? == Done::Ran {
            done = Done::Ran;
        }
    }
    Ok(done)
}

fn inputs(tree: &Tree) -> Result<Inputs, Failure> {
    let mut inputs = Inputs::new(&tree.root);
    for file in INPUT_FILES {
        inputs = inputs.add(file, any)?;
    }
    for name in INPUT_CRATES {
        inputs = inputs.add(Path::new("crate").join(name), compiled)?;
    }
    Ok(inputs)
}

/// Tests and prose are not compiled into a module.
fn compiled(file: &Path) -> bool {
    let test = file.components().any(|part| part.as_os_str() == "tests");
    let prose = file.extension().is_some_and(|it| it == "md");
    !test && !prose
}

impl Module {
    fn build(&self, tree: &Tree, inputs: &Inputs) -> Result<Done, Failure> {
        let folder = tree.at("pkg/wasm").join(self.name);
        let stamp = Stamp::new(folder.with_extension("stamp"));
        let inputs = inputs.clone().word(self.name);
        let outputs = [folder.join(format!("{}.js", self.name)), self.wasm(&folder)];
        if stamp.check(&inputs, &outputs) == Freshness::Unchanged {
            println!("{}: unchanged", self.name);
            return Ok(Done::Unchanged);
        }
        stamp.clear();
        let _ = fs::remove_dir_all(&folder);
        self.compile(tree)?;
        self.bind(tree, &folder)?;
        self.optimise(tree, &folder)?;
        stamp.set(&inputs)?;
        Ok(Done::Ran)
    }

    /// The arguments that choose this module, for cargo and for wasm-pack.
    pub(crate) fn cargo_args(&self, tree: &Tree) -> Vec<String> {
        let mut args = ["--no-default-features", "--features", self.feature, "--config"].map(str::to_owned).to_vec();
        args.extend(self.compiled.iter().flat_map(|it| [it.to_string(), "--config".to_owned()]));
        args.push(format!("target.wasm32-unknown-unknown.rustflags=[{}]", neutral_paths(tree).join(",")));
        args
    }

    fn wasm(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}_bg.wasm", self.name))
    }

    fn compile(&self, tree: &Tree) -> Result<(), Failure> {
        let mut cargo = shell::program("cargo", &tree.root);
        cargo.args(["build", "--lib", "--package", self.package, "--profile", "wasm"]);
        cargo.args(["--target", "wasm32-unknown-unknown"]);
        shell::run(cargo.args(self.cargo_args(tree)))
    }

    fn bind(&self, tree: &Tree, folder: &Path) -> Result<(), Failure> {
        let library = self.package.replace('-', "_");
        let compiled = tree.target.join("wasm32-unknown-unknown/wasm");
        let program = tools::wasm_bindgen(tree)?.path(tree);
        let mut bindgen = shell::program(program, &tree.root);
        bindgen.args(["--target", "web", "--out-name", self.name]);
        bindgen.arg("--out-dir").arg(folder);
        shell::run(bindgen.arg(compiled.join(library).with_extension("wasm")))
    }

    /// The optimiser reads from the module which instructions it may use.
    fn optimise(&self, tree: &Tree, folder: &Path) -> Result<(), Failure> {
        let wasm = self.wasm(folder);
        let optimised = wasm.with_extension("optimised");
        let mut wasm_opt = shell::program(tree.npm_bin("wasm-opt"), &tree.root);
        wasm_opt.args(OPTIMISATIONS).arg(&wasm).arg("-o").arg(&optimised);
        shell::run(&mut wasm_opt)?;
        fs::rename(&optimised, &wasm).context(wasm.display())
    }
}

/// Panic messages name source files. Where those lie on the machine that built the module is
/// nobody's business, and would make every machine's module another one.
fn neutral_paths(tree: &Tree) -> Vec<String> {
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let cargo = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    let neutral = |from: &Path, to: &str| format!("{:?}", format!("--remap-path-prefix={}={to}", from.display()));
    vec![neutral(&cargo.join("registry/src"), "dependencies"), neutral(&tree.root, ".")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_prose_are_no_inputs() {
        assert!(compiled(Path::new("crate/wire/src/frame.rs")));
        assert!(compiled(Path::new("crate/wire/build.rs")));
        assert!(!compiled(Path::new("crate/wire/tests/frame.rs")));
        assert!(!compiled(Path::new("crate/services/src/sum/README.md")));
    }
}
