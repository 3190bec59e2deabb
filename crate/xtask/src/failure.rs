//! One failure type: a sentence for the person at the terminal, and the exit code.

use std::fmt::Display;

/// Exit code when a step failed.
const EXIT_FAILED: u8 = 1;

/// Exit code when the machine or the command line is not as it has to be.
const EXIT_USAGE: u8 = 2;

/// Why a step or the whole program stopped.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The sentence to print.
    pub(crate) message: String,
    /// The exit code of the process, if nothing handles this failure.
    pub(crate) exit: u8,
}

impl Failure {
    /// A step did not do what it should.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit: EXIT_FAILED }
    }

    /// A prerequisite is missing or the command line makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), exit: EXIT_USAGE }
    }
}

/// Says what was being done when an error of the system came up.
pub(crate) trait Context<T> {
    /// Puts `doing` before the error's own words.
    fn context(self, doing: impl Display) -> Result<T, Failure>;
}

impl<T, E: Display> Context<T> for Result<T, E> {
    fn context(self, doing: impl Display) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(format!("{doing}: {error}")))
    }
}
