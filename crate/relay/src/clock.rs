//! The one clock of the relay.

use std::time::{Duration, Instant};

/// Milliseconds since the relay started. It never goes back, and no time of day comes near a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Instant,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    pub(crate) fn now_ms(self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Milliseconds as the runtime takes them.
pub(crate) const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
