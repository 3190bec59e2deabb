//! `cargo xtask serve`, and its parts `build` and `wasm`.

use crate::failure::Failure;
use crate::report::{Done, Report, seconds};
use crate::shell;
use crate::tools::Toolbox;
use crate::tree::Tree;
use crate::{npm, sizes, wasm, www};

/// Builds everything and becomes the relay, which prints the URL and its QR code.
///
/// # Errors
/// A step failed.
pub(crate) fn serve(tree: &Tree, args: &[String]) -> Result<(), Failure> {
    let mut report = Report::start();
    build_web(tree, &mut report)?;
    report.must("undertone", || build_undertone(tree))?;
    println!("\n{}\n", report.table());
    let mut undertone = shell::program(tree.undertone_bin(), &tree.root);
    shell::become_program(undertone.arg("serve").args(args))
}

/// The wasm modules, the web app and the size gates.
///
/// # Errors
/// A step failed.
pub(crate) fn build(tree: &Tree) -> Result<(), Failure> {
    let mut report = Report::start();
    build_web(tree, &mut report)?;
    report.must("sizes", || sizes::gate(tree))?;
    println!("\n{}", report.table());
    Ok(())
}

/// The wasm modules.
///
/// # Errors
/// A step failed.
pub(crate) fn wasm(tree: &Tree) -> Result<(), Failure> {
    let mut report = Report::start();
    build_modules(tree, &mut report)?;
    println!("\nall in {}", seconds(report.elapsed()));
    Ok(())
}

fn build_web(tree: &Tree, report: &mut Report) -> Result<(), Failure> {
    build_modules(tree, report)?;
    report.must("www", || www::build(tree))
}

fn build_modules(tree: &Tree, report: &mut Report) -> Result<(), Failure> {
    report.must("tools", || Toolbox::new(tree).for_building())?;
    report.must("npm", || npm::install(tree))?;
    report.must("wasm", || wasm::build(tree))
}

/// With the features of the whole workspace, so that dependencies compiled by the tests are found.
fn build_undertone(tree: &Tree) -> Result<Done, Failure> {
    let mut cargo = shell::program("cargo", &tree.root);
    cargo.args(["build", "--workspace", "--bin", "undertone"]);
    shell::run(&mut cargo)?;
    Ok(Done::Ran)
}
