//! The command line.

use crate::failure::Failure;

/// What `cargo xtask help` prints.
pub(crate) const USAGE: &str = "\
cargo xtask serve [ARGS...]             build everything, start the relay with the page; ARGS go to `undertone serve`
cargo xtask test [--full] [--only STEP] run every test; --full adds the heavy rows; --only runs a step and what it needs
cargo xtask build                       the wasm modules, the web app and the size table
cargo xtask wasm                        the wasm modules
cargo xtask clean-tools                 remove the cached build tools

The build tools are cached in $UNDERTONE_TOOLS, else in `undertone` in the user's cache folder.";

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Build everything and start the relay.
    Serve {
        /// Passed through to `undertone serve`.
        args: Vec<String>,
    },
    /// Run the tests.
    Test(TestOptions),
    /// Build the wasm modules and the web app.
    Build,
    /// Build the wasm modules.
    Wasm,
    /// Remove the cached tools.
    CleanTools,
    /// Print the usage.
    Help,
}

/// Which tests to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TestOptions {
    /// The steps named on the command line; none means all of them.
    pub(crate) only: Vec<String>,
    /// How much of each step runs.
    pub(crate) depth: Depth,
}

/// Whether the heavy rows of the tests run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What runs at every push.
    #[default]
    Usual,
    /// The heavy rows too.
    Full,
}

impl Task {
    /// Reads the arguments after `cargo xtask`.
    ///
    /// # Errors
    /// An unknown command or option, with the usage.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let task = match args.next().as_deref() {
            Some("serve") => return Ok(Self::serve(args)),
            Some("test") => return TestOptions::parse(args).map(Self::Test),
            Some("build") => Self::Build,
            Some("wasm") => Self::Wasm,
            Some("clean-tools") => Self::CleanTools,
            Some("help" | "--help" | "-h") => return Ok(Self::Help),
            Some(other) => return Err(unknown(other)),
            None => return Err(Failure::usage(USAGE)),
        };
        args.next().map_or(Ok(task), |extra| Err(unknown(&extra)))
    }

    fn serve(args: impl Iterator<Item = String>) -> Self {
        Self::Serve { args: args.skip_while(|arg| arg == "--").collect() }
    }
}

impl TestOptions {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--full" => options.depth = Depth::Full,
                "--only" => {
                    let step = args.next();
                    let step = step.ok_or_else(|| Failure::usage("--only needs a step's name"))?;
                    options.only.push(step);
                }
                other => return Err(unknown(other)),
            }
        }
        Ok(options)
    }
}

fn unknown(arg: &str) -> Failure {
    Failure::usage(format!("unknown argument `{arg}`\n\n{USAGE}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Task, Failure> {
        Task::parse(line.split_whitespace().map(String::from))
    }

    #[test]
    fn serve_passes_its_arguments_on() {
        let args = vec!["--port".into(), "0".into()];
        assert_eq!(parse("serve -- --port 0").unwrap(), Task::Serve { args });
    }

    #[test]
    fn test_takes_full_and_only() {
        let expected = TestOptions { only: vec!["fmt".into(), "e2e".into()], depth: Depth::Full };
        assert_eq!(parse("test --only fmt --full --only e2e").unwrap(), Task::Test(expected));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in ["", "tset", "build now", "test --fast", "test --only"] {
            assert_eq!(parse(line).unwrap_err().exit, 2, "{line}");
        }
    }
}
