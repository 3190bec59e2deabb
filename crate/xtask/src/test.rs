//! `cargo xtask test`: every test there is, a table of times, and a verdict.
//!
//! Steps that do not need each other go on after a failure, so that one run shows all of them.
//! Clippy, the native tests and the program for the end-to-end tests come from one build: cargo
//! wraps the compiler of workspace members in clippy, which lints and compiles at once.

use std::process::Command;
use std::time::Duration;

use crate::args::{Depth, TestOptions};
use crate::failure::Failure;
use crate::report::{Done, Report, Verdict, seconds};
use crate::shell;
use crate::tools::{self, Toolbox};
use crate::tree::Tree;
use crate::wasm::{self, MODULES, Module, PACKAGE};
use crate::{browser, getrandom, npm, sizes, www};

/// On two cores with the tools in the cache.
const BUDGET_WARM: Duration = Duration::from_secs(30 * 60);

/// On two cores with nothing but the prerequisites.
const BUDGET_COLD: Duration = Duration::from_secs(45 * 60);

/// How long one test in wasm may take, in seconds: a debug build on a busy machine.
const WASM_TEST_TIMEOUT_S: &str = "300";

/// A row of the table.
struct Step {
    name: &'static str,
    /// Steps that have to have passed.
    needs: &'static [&'static str],
    run: fn(&Session<'_>) -> Result<Done, Failure>,
}

/// All steps, each after those it needs. The web app comes before the native build because the
/// relay embeds it.
const STEPS: &[Step] = &[
    Step::new("fmt", &[], |it| it.fmt()),
    Step::new("tools", &[], |it| it.tools.for_testing()),
    Step::new("chromium", &[], |it| browser::install(it.tree)),
    Step::new("npm", &[], |it| npm::install(it.tree)),
    Step::new("wasm", &["tools", "npm"], |it| wasm::build(it.tree)),
    Step::new("www", &["wasm"], |it| www::build(it.tree)),
    Step::new("sizes", &["www"], |it| sizes::gate(it.tree)),
    Step::new("lint", &[], |it| it.lint()),
    Step::new("native", &["lint"], |it| it.native()),
    Step::new("doctest", &["lint"], |it| it.doctest()),
    Step::new("getrandom", &[], |it| getrandom::gate(it.tree)),
    Step::new("wasm-pack-build", &["wasm"], |it| it.wasm_pack_build()),
    Step::new("wasm-node", &["tools"], |it| it.wasm_node()),
    Step::new("wasm-chromium", &["tools", "chromium"], |it| it.wasm_chromium()),
    Step::new("www-test", &["www"], |it| it.www_test()),
    Step::new("e2e", &["www", "lint", "chromium"], |it| it.e2e()),
];

/// Runs the steps and prints the table; the last line counts them.
///
/// # Errors
/// A step failed; in a continuous integration run also a skipped step, or more time than budgeted.
pub(crate) fn test(tree: &Tree, options: &TestOptions) -> Result<(), Failure> {
    let chosen = choose(&options.only)?;
    let session = Session { tree, tools: Toolbox::new(tree), depth: options.depth };
    let mut report = Report::start();
    for step in STEPS.iter().filter(|step| chosen.contains(&step.name)) {
        match step.obstacle(&report) {
            Some(verdict) => report.note(step.name, Duration::ZERO, verdict),
            None => drop(report.run(step.name, || (step.run)(&session))),
        }
    }
    conclude(&report, session.budget())
}

fn conclude(report: &Report, budget: Duration) -> Result<(), Failure> {
    let (total, limit) = (seconds(report.elapsed()), seconds(budget));
    println!("\n{}\n", report.table());
    let late = report.elapsed() > budget;
    let verdict = if late { "ABOVE THE BUDGET" } else { "ok" };
    println!("time {total} of at most {limit}: {verdict}");
    let tally = report.tally();
    println!("{}", tally.line());
    let complaint = match (tally.failed, browser::in_ci()) {
        (1.., _) => "some steps failed",
        (0, true) if tally.skipped > 0 => "a step was skipped",
        (0, true) if late => "the time budget is exceeded",
        (0, _) => return Ok(()),
    };
    Err(Failure::new(complaint))
}

/// The named steps and all that they need; all steps if none is named.
fn choose(only: &[String]) -> Result<Vec<&'static str>, Failure> {
    let names = || STEPS.iter().map(|step| step.name);
    if let Some(unknown) = only.iter().find(|it| !names().any(|name| name == *it)) {
        let known = names().collect::<Vec<_>>().join(", ");
        return Err(Failure::usage(format!("no step `{unknown}`; there are: {known}")));
    }
    if only.is_empty() {
        return Ok(names().collect());
    }
    let mut chosen: Vec<_> = names().filter(|name| only.iter().any(|it| it == name)).collect();
    for step in STEPS.iter().rev() {
        if chosen.contains(&step.name) {
            chosen.extend(step.needs);
        }
    }
    Ok(chosen)
}

impl Step {
    const fn new(
        name: &'static str,
        needs: &'static [&'static str],
        run: fn(&Session<'_>) -> Result<Done, Failure>,
    ) -> Self {
        Self { name, needs, run }
    }

    /// Why this step cannot start.
    fn obstacle(&self, report: &Report) -> Option<Verdict> {
        let ended = |need: &&'static str| Some((*need, report.verdict(need)?));
        let ends: Vec<_> = self.needs.iter().filter_map(ended).collect();
        let failed = ends.iter().find(|it| matches!(it.1, Verdict::Failed(_)));
        if let Some((need, _)) = failed {
            return Some(Verdict::Failed(format!("not run: needs {need}")));
        }
        let skipped = ends.iter().find(|it| matches!(it.1, Verdict::Done(Done::Skipped(_))));
        skipped.map(|(need, _)| Verdict::Done(Done::Skipped(format!("needs {need}"))))
    }
}

/// What the steps share.
struct Session<'a> {
    tree: &'a Tree,
    tools: Toolbox<'a>,
    depth: Depth,
}

impl Session<'_> {
    fn budget(&self) -> Duration {
        if self.tools.built_one() { BUDGET_COLD } else { BUDGET_WARM }
    }

    fn fmt(&self) -> Result<Done, Failure> {
        ran(self.program("cargo").args(["fmt", "--all", "--check"]))
    }

    /// Compiles everything native once: libraries, programs, tests, examples; linting it.
    fn lint(&self) -> Result<Done, Failure> {
        let mut cargo = self.linting("cargo");
        cargo.args(["build", "--workspace", "--lib", "--bins", "--tests", "--examples"]);
        ran(&mut cargo)
    }

    fn native(&self) -> Result<Done, Failure> {
        let mut cargo = self.linting("cargo");
        cargo.args(["test", "--workspace", "--lib", "--bins", "--tests", "--examples"]);
        cargo.arg("--no-fail-fast");
        if self.depth == Depth::Full {
            cargo.args(["--", "--include-ignored"]);
        }
        ran(&mut cargo)
    }

    fn doctest(&self) -> Result<Done, Failure> {
        let mut cargo = self.linting("cargo");
        ran(cargo.args(["test", "--workspace", "--doc", "--no-fail-fast"]))
    }

    /// The crate stays one that `wasm-pack` builds: same profile and features as our own build,
    /// so that it finds everything compiled.
    fn wasm_pack_build(&self) -> Result<Done, Failure> {
        for module in MODULES.iter().filter(|module| module.package == PACKAGE) {
            self.wasm_pack_build_one(module)?;
        }
        Ok(Done::Ran)
    }

    fn wasm_pack_build_one(&self, module: &Module) -> Result<(), Failure> {
        let out = self.tree.target.join("xtask/wasm-pack").join(module.name);
        let mut wasm_pack = self.wasm_pack()?;
        wasm_pack.args(["build", "--no-pack", "--mode", "no-install", "--target", "web"]);
        wasm_pack.args(["--profile", "wasm", "--out-name", module.name]);
        wasm_pack.arg("--out-dir").arg(out).arg(".").arg("--");
        shell::run(wasm_pack.args(module.cargo_args(self.tree)))
    }

    fn wasm_node(&self) -> Result<Done, Failure> {
        let mut wasm_pack = self.wasm_pack_test()?;
        ran(wasm_pack.args(["--node", "."]))
    }

    fn wasm_chromium(&self) -> Result<Done, Failure> {
        let mut wasm_pack = self.wasm_pack_test()?;
        wasm_pack.args(["--headless", "--chrome", "--chromedriver", browser::DRIVER]);
        ran(wasm_pack.args([".", "--features", "browser-tests"]))
    }

    /// In debug, linting: the code behind `cfg(target_arch = "wasm32")` is compiled nowhere else.
    fn wasm_pack_test(&self) -> Result<Command, Failure> {
        let mut wasm_pack = self.wasm_pack()?;
        shell::lint_while_building(&mut wasm_pack, &self.tree.root);
        wasm_pack.env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_TIMEOUT_S);
        wasm_pack.args(["test", "--mode", "no-install"]);
        Ok(wasm_pack)
    }

    /// With all that it would otherwise download found in `PATH`.
    fn wasm_pack(&self) -> Result<Command, Failure> {
        let bindgen = tools::wasm_bindgen(self.tree)?.bin(self.tree);
        let path = shell::path_with(&[bindgen, self.tree.at("node_modules/.bin")])?;
        let program = tools::wasm_pack().path(self.tree);
        let mut command = shell::program(program, &self.tree.at("crate/wasm"));
        command.env("PATH", path);
        Ok(self.with_depth(command))
    }

    fn www_test(&self) -> Result<Done, Failure> {
        ran(self.program("npm").args(["test", "--workspace", "www"]))
    }

    fn e2e(&self) -> Result<Done, Failure> {
        let mut npm = self.program("npm");
        npm.env("UNDERTONE_BIN", self.tree.undertone_bin());
        ran(npm.args(["test", "--workspace", "tests/browser"]))
    }

    fn linting(&self, name: &str) -> Command {
        let mut command = self.program(name);
        shell::lint_while_building(&mut command, &self.tree.root);
        command
    }

    fn program(&self, name: &str) -> Command {
        self.with_depth(shell::program(name, &self.tree.root))
    }

    /// Tests read from the environment whether to run their heavy rows.
    fn with_depth(&self, mut command: Command) -> Command {
        match self.depth {
            Depth::Usual => command.env_remove("UNDERTONE_FULL"),
            Depth::Full => command.env("UNDERTONE_FULL", "1"),
        };
        command
    }
}

fn ran(command: &mut Command) -> Result<Done, Failure> {
    shell::run(command).map(|()| Done::Ran)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_after_what_they_need() {
        for (index, step) in STEPS.iter().enumerate() {
            for need in step.needs {
                let before = STEPS[..index].iter().any(|it| it.name == *need);
                assert!(before, "{} needs {need}", step.name);
            }
        }
    }

    #[test]
    fn only_brings_what_is_needed() {
        let mut chosen = choose(&["www".into()]).unwrap();
        chosen.sort_unstable();
        chosen.dedup();
        assert_eq!(chosen, ["npm", "tools", "wasm", "www"]);
        assert_eq!(choose(&[]).unwrap().len(), STEPS.len());
        assert!(choose(&["wwww".into()]).unwrap_err().message.contains("www-test"));
    }

    #[test]
    fn a_step_does_not_start_without_what_it_needs() {
        let step = Step::new("c", &["a", "b"], |it| it.fmt());
        let mut report = Report::start();
        report.run("a", || Ok(Done::Ran));
        assert_eq!(step.obstacle(&report), None);
        report.run("b", || Ok(Done::Skipped("not here".into())));
        let skipped = Verdict::Done(Done::Skipped("needs b".into()));
        assert_eq!(step.obstacle(&report), Some(skipped));
        let mut report = Report::start();
        report.run("a", || Err(Failure::new("no")));
        let failed = Verdict::Failed("not run: needs a".into());
        assert_eq!(step.obstacle(&report), Some(failed));
    }

    #[test]
    fn a_failure_fails_the_whole() {
        let mut report = Report::start();
        report.run("a", || Ok(Done::Ran));
        assert!(conclude(&report, BUDGET_WARM).is_ok());
        report.run("b", || Err(Failure::new("no")));
        assert!(conclude(&report, BUDGET_WARM).is_err());
    }
}
