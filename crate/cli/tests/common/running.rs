//! A process of the program under test.

use std::process::{Child, Command, Stdio};

/// A process that is ended with the test, whatever happens.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    pub(crate) fn start(args: &[&str], input: Stdio, errors: Stdio) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_undertone"));
        command.args(args).stdin(input).stdout(Stdio::piped()).stderr(errors);
        Self(command.spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
