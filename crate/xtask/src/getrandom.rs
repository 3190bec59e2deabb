//! One source of randomness in the wasm modules: a second version of `getrandom` would come
//! without the feature that binds it to the browser, and would not build or not run.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::report::Done;
use crate::shell;
use crate::tree::Tree;
use crate::wasm::PACKAGE;

/// The step: looks at what cargo would compile for wasm.
///
/// # Errors
/// None, or more than one version.
pub(crate) fn gate(tree: &Tree) -> Result<Done, Failure> {
    let mut cargo = shell::program("cargo", &tree.root);
    cargo.args(["tree", "--package", PACKAGE, "--edges", "normal"]);
    cargo.args(["--target", "wasm32-unknown-unknown", "--prefix", "none"]);
    let versions = versions(&shell::capture(&mut cargo)?);
    let list = versions.iter().cloned().collect::<Vec<_>>().join(", ");
    println!("getrandom in {PACKAGE}: {list}");
    if versions.len() == 1 {
        return Ok(Done::Ran);
    }
    Err(Failure::new(format!("{PACKAGE} needs exactly one version of getrandom, found: {list}")))
}

fn versions(tree: &str) -> BTreeSet<String> {
    let own = tree.lines().filter_map(|line| line.strip_prefix("getrandom v"));
    own.filter_map(|rest| rest.split_whitespace().next()).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_told_apart() {
        let tree = "a v1.0.0\ngetrandom v0.4.3\ngetrandom v0.4.3 (*)\ngetrandom-x v1.0.0\n";
        assert_eq!(versions(tree).len(), 1);
        assert_eq!(versions(&format!("{tree}getrandom v0.2.17\n")).len(), 2);
    }
}
