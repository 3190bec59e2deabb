//! Layers point down: which crate may depend on which, and what the pure ones may not touch.
//!
//! The rules are functions over a [`Crate`] list, tested on planted violations; one test feeds
//! them with what `cargo metadata` says of this workspace.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand, Package};

/// A crate may depend only on crates named before it.
const ORDER: &[&str] = &[
    "machine",
    "math",
    "prim",
    "wire",
    "services",
    "room",
    "relay-core",
    "fsc",
    "net",
    "sim",
    "bench",
    "fuzz",
    "wasm",
    "relay",
    "node",
    "cli",
];

/// The last pure layer: no socket, clock, thread, ambient randomness, runtime or JavaScript.
const LAST_PURE: &str = "fsc";

/// The relay forwards what it cannot read: it knows frames and faults, nothing of rooms.
const RELAY_CORE_MAY_USE: &[&str] = &["machine", "wire"];

/// The facade sees all; xtask is no part of the product.
const EXEMPT: &[&str] = &["undertone", "xtask"];

/// What a pure crate may not name; also every crate that continues such a name with `-`.
const IMPURE: &[&str] =
    &["async-std", "futures", "getrandom", "gloo", "js-sys", "mio", "smol", "tokio", "wasm-bindgen", "web-sys"];

/// What the rules look at.
#[derive(Clone)]
struct Crate {
    name: String,
    /// Normal and build dependencies, for any target.
    uses: Vec<String>,
    manifest: String,
}

impl Crate {
    fn read(package: &Package) -> Self {
        let compiled = |kind| matches!(kind, DependencyKind::Normal | DependencyKind::Build);
        let uses = package.dependencies.iter().filter(|it| compiled(it.kind));
        Self {
            name: package.name.to_string(),
            uses: uses.map(|it| it.name.clone()).collect(),
            manifest: fs::read_to_string(&package.manifest_path).unwrap_or_default(),
        }
    }

    /// `undertone-wire` is `wire`.
    fn short(&self) -> &str {
        short(&self.name)
    }

    fn is_exempt(&self) -> bool {
        EXEMPT.contains(&self.name.as_str())
    }

    fn layer(&self) -> Option<usize> {
        layer(self.short())
    }

    fn is_pure(&self) -> bool {
        self.layer() <= layer(LAST_PURE)
    }

    /// The crates of ours that this one uses.
    fn ours(&self) -> impl Iterator<Item = &str> {
        self.uses.iter().filter_map(|it| it.strip_prefix("undertone-"))
    }
}

fn short(name: &str) -> &str {
    name.strip_prefix("undertone-").unwrap_or(name)
}

fn layer(short: &str) -> Option<usize> {
    ORDER.iter().position(|it| *it == short)
}

/// Every breach of every rule, in words.
fn breaches(crates: &[Crate]) -> Vec<String> {
    let mut found = Vec::new();
    for it in crates {
        if !inherits_lints(&it.manifest) {
            found.push(format!("{}: no `[lints] workspace = true`", it.name));
        }
        if it.is_exempt() {
            continue;
        }
        if it.layer().is_none() {
            found.push(format!("{}: has no place in the order of layers", it.name));
            continue;
        }
        found.extend(upward(it));
        found.extend(relay_core(it));
        found.extend(impure(it));
        found.extend(modelled(it));
    }
    found
}

/// A model of group and signatures protects nothing: it is for simulations.
fn modelled(it: &Crate) -> Option<String> {
    let asks = it.manifest.contains("\"model\"") && it.short() != "sim";
    asks.then(|| format!("{}: only sim may ask for the model of cryptography", it.short()))
}

fn upward(it: &Crate) -> Vec<String> {
    let up = it.ours().filter(|used| layer(used) >= it.layer() || layer(used).is_none());
    let mut found: Vec<_> = up.map(|used| format!("{} -> {used} points up", it.short())).collect();
    if it.uses.iter().any(|used| used == "undertone") {
        found.push(format!("{} uses the facade", it.short()));
    }
    found
}

fn relay_core(it: &Crate) -> Vec<String> {
    if it.short() != "relay-core" {
        return Vec::new();
    }
    let beyond = it.ours().filter(|used| !RELAY_CORE_MAY_USE.contains(used));
    beyond.map(|used| format!("relay-core may not use {used}")).collect()
}

fn impure(it: &Crate) -> Vec<String> {
    if !it.is_pure() {
        return Vec::new();
    }
    let used = it.uses.iter().filter(|used| is_impure(used));
    used.map(|used| format!("{} is pure and may not use {used}", it.short())).collect()
}

fn is_impure(name: &str) -> bool {
    let continues = |it: &str| {
        let rest = name.strip_prefix(it);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    IMPURE.iter().any(|it| continues(it))
}

/// Whether a manifest says `[lints] workspace = true`, in one of its two spellings.
fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(|line| line.replace(' ', ""));
    let mut in_table = false;
    lines.any(|line| {
        if line.starts_with('[') {
            in_table = line == "[lints]";
        }
        line == "lints.workspace=true" || (in_table && line == "workspace=true")
    })
}

#[test]
fn this_workspace_has_no_breach() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().unwrap();
    let crates: Vec<_> = metadata.workspace_packages().into_iter().map(Crate::read).collect();
    let names: BTreeSet<_> = crates.iter().map(Crate::short).collect();
    assert!(names.contains("machine") && names.contains("xtask"), "looked at {names:?}");
    assert_eq!(breaches(&crates), Vec::<String>::new());
}

/// The rules on a list of crates that keeps them all, with a breach planted by each test.
#[cfg(test)]
mod planted {
    use super::*;

    fn crate_using(name: &str, uses: &[&str]) -> Crate {
        Crate {
            name: name.into(),
            uses: uses.iter().map(|it| String::from(*it)).collect(),
            manifest: "[package]\nname = \"x\"\n\n[lints]\nworkspace = true\n".into(),
        }
    }

    fn sound() -> Vec<Crate> {
        vec![
            crate_using("undertone-machine", &["subtle"]),
            crate_using("undertone-wire", &["undertone-machine"]),
            crate_using("undertone-room", &["undertone-wire", "undertone-machine"]),
            crate_using("undertone-relay-core", &["undertone-wire"]),
            crate_using("undertone-net", &["undertone-room", "tokio", "getrandom"]),
            crate_using("undertone", &["undertone-net"]),
        ]
    }

    fn with(name: &str, uses: &[&str]) -> Vec<String> {
        let mut crates = sound();
        crates.push(crate_using(name, uses));
        breaches(&crates)
    }

    #[test]
    fn nothing_planted_nothing_found() {
        assert_eq!(breaches(&sound()), Vec::<String>::new());
    }

    #[test]
    fn the_model_of_cryptography_outside_of_simulations() {
        let mut crates = sound();
        crates[2].manifest.push_str("undertone-prim = { workspace = true, features = [\"model\"] }\n");
        assert_eq!(breaches(&crates), ["room: only sim may ask for the model of cryptography"]);
    }

    #[test]
    fn an_upward_edge() {
        let found = with("undertone-prim", &["undertone-room"]);
        assert_eq!(found, ["prim -> room points up"]);
    }

    #[test]
    fn the_facade_from_below() {
        assert_eq!(with("undertone-prim", &["undertone"]), ["prim uses the facade"]);
    }

    #[test]
    fn relay_core_looking_into_rooms() {
        let found = with("undertone-relay-core", &["undertone-machine", "undertone-room"]);
        assert_eq!(found, ["relay-core may not use room"]);
    }

    #[test]
    fn a_pure_crate_with_a_runtime() {
        for name in ["tokio", "futures-util", "js-sys", "wasm-bindgen-futures", "getrandom"] {
            let found = with("undertone-services", &[name]);
            assert_eq!(found, [format!("services is pure and may not use {name}")]);
        }
        assert!(with("undertone-services", &["tokiomancy"]).is_empty());
    }

    #[test]
    fn a_crate_without_a_layer() {
        let found = with("undertone-extra", &[]);
        assert_eq!(found, ["undertone-extra: has no place in the order of layers"]);
    }

    #[test]
    fn a_crate_with_its_own_lints() {
        for manifest in ["", "[lints]\n[x]\nworkspace = true", "[lints]\nworkspace = false"] {
            let mut crates = sound();
            crates[0].manifest = manifest.into();
            let expected = "undertone-machine: no `[lints] workspace = true`";
            assert_eq!(breaches(&crates), [expected]);
        }
        assert!(inherits_lints("lints.workspace = true"));
    }
}
