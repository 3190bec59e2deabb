//! The web app: `npm run build` in `www`, only when its inputs changed.

use std::path::Path;

use crate::failure::Failure;
use crate::report::Done;
use crate::shell;
use crate::sizes;
use crate::stamp::{Freshness, Inputs, Stamp, any};
use crate::tree::Tree;

/// Builds `www/dist`, and prints what a first visit loads.
///
/// # Errors
/// The build failed.
pub(crate) fn build(tree: &Tree) -> Result<Done, Failure> {
    let inputs = inputs(tree)?;
    let stamp = Stamp::new(tree.at("node_modules/.undertone/www.stamp"));
    let outputs = [tree.at("www/dist/index.html")];
    if stamp.check(&inputs, &outputs) == Freshness::Unchanged {
        return Ok(Done::Unchanged);
    }
    stamp.clear();
    let mut npm = shell::program("npm", &tree.root);
    shell::run(npm.args(["run", "build", "--workspace", "www"]))?;
    stamp.set(&inputs)?;
    println!("{}", sizes::measure(tree)?.table());
    Ok(Done::Ran)
}

fn inputs(tree: &Tree) -> Result<Inputs, Failure> {
    Inputs::new(&tree.root)
        .add("package.json", any)?
        .add("package-lock.json", any)?
        .add("www", any)?
        .add("pkg", not_a_stamp)?
        .add("crate/services/src", is_panel)
}

fn not_a_stamp(file: &Path) -> bool {
    file.extension().is_none_or(|it| it != "stamp")
}

/// A service's own picture, which the web app loads when it is needed.
fn is_panel(file: &Path) -> bool {
    file.file_name().is_some_and(|it| it == "panel.ts")
}
