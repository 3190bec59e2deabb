//! The npm packages of the web app and of the browser tests, from one lock file.

use crate::failure::Failure;
use crate::report::Done;
use crate::shell;
use crate::stamp::{Freshness, Inputs, Stamp, any};
use crate::tree::Tree;

/// `npm ci`, unless what is installed is what the lock file says.
///
/// # Errors
/// `npm ci` failed.
pub(crate) fn install(tree: &Tree) -> Result<Done, Failure> {
    let inputs = Inputs::new(&tree.root).add("package-lock.json", any)?;
    // Inside node_modules, which `npm ci` empties first: a broken install leaves no stamp.
    let stamp = Stamp::new(tree.at("node_modules/.undertone/npm.stamp"));
    if stamp.check(&inputs, &[tree.at("node_modules/.bin")]) == Freshness::Unchanged {
        return Ok(Done::Unchanged);
    }
    let mut npm = shell::program("npm", &tree.root);
    shell::run(npm.args(["ci", "--no-audit", "--no-fund"]))?;
    stamp.set(&inputs)?;
    Ok(Done::Ran)
}
