//! A process that is measured: it says JSON lines, and with them the CPU time that it has used.

use core::time::Duration;
use serde_json::Value;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use undertone_machine::{Fault, FaultCode};

/// A process with one side of a protocol. It ends with this.
pub(super) struct Side {
    name: &'static str,
    /// Killed when dropped.
    _child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Side {
    /// Starts it.
    ///
    /// # Errors
    /// [`FaultCode::Internal`] if it does not start.
    pub(super) fn start(name: &'static str, command: &mut Command) -> Result<Self, Fault> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.kill_on_drop(true).spawn().map_err(|error| failed(name, &error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(name, "no pipes"));
        };
        Ok(Self { name, _child: child, input, lines: BufReader::new(output).lines() })
    }

    /// The next line that it says.
    ///
    /// # Errors
    /// [`FaultCode::Internal`] if it takes longer than it may, ended, or said something else.
    pub(super) async fn hear(&mut self, limit: Duration) -> Result<Value, Fault> {
        let line = timeout(limit, self.lines.next_line()).await;
        let line = line.map_err(|_| failed(self.name, &format!("it was not done within {} s", limit.as_secs())))?;
        let line = line.ok().flatten().ok_or_else(|| failed(self.name, "it ended"))?;
        serde_json::from_str(&line).map_err(|_| failed(self.name, &line))
    }

    /// Lets it go on.
    ///
    /// # Errors
    /// [`FaultCode::Internal`] if it ended.
    pub(super) async fn go_on(&mut self) -> Result<(), Fault> {
        self.input.write_all(b"\n").await.map_err(|error| failed(self.name, &error.to_string()))
    }

    /// Its CPU time so far in milliseconds, if it is one that answers each line with that.
    ///
    /// # Errors
    /// As [`Side::hear`].
    pub(super) async fn cpu_ms(&mut self) -> Result<f64, Fault> {
        self.go_on().await?;
        cpu_ms(&self.hear(ANSWER).await?).ok_or_else(|| failed(self.name, "no CPU time"))
    }
}

/// The CPU time in a line.
pub(super) fn cpu_ms(said: &Value) -> Option<f64> {
    Some(said.get("cpu_us")?.as_f64()? / 1_000.0)
}

fn failed(name: &str, reason: &str) -> Fault {
    Fault::new(FaultCode::Internal).saying(format!("The process \"{name}\" of the bench failed: {reason}."))
}

/// For a process that may be busy.
const ANSWER: Duration = Duration::from_secs(30);
