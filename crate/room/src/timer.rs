//! Deadlines, each counted from reading the entry that set it on a clock that never goes back.
//!
//! No rule that protects anybody looks at the time: it only decides how long to wait.

/// How much longer than agreed a seat waits, so that slow links do not split a room.
pub(crate) const GRACE_MS: u64 = 2_000;
/// How long the host may take to close the list: as long as a relay keeps a class room.
pub(crate) const LOBBY_MS: u64 = 2 * 3600 * 1000;
/// How long to wait for others to sign the result, which is shown meanwhile.
pub(crate) const CONFIRM_MS: u64 = 10_000;
/// Time to reveal and acknowledge that a host gives: a locked phone needs a moment to wake up.
pub(crate) const REVEAL_MS: u32 = 20_000;

/// What a room waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// The host to close the list.
    Lobby,
    /// Reveals and acknowledgements.
    Agreement,
    /// Values.
    Answers,
    /// Signatures on the result.
    Confirmations,
}

/// One deadline at a time: a later stage replaces an earlier one.
#[derive(Debug, Default)]
pub(crate) struct Timer {
    now: u64,
    due: Option<(u64, Waiting)>,
}

impl Timer {
    pub(crate) fn start(&mut self, waiting: Waiting, after_ms: u64) {
        self.due = Some((self.now.saturating_add(after_ms), waiting));
    }

    pub(crate) fn stop(&mut self) {
        self.due = None;
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.due.map(|(at, _)| at)
    }

    /// Moves on; a clock that went back is ignored. Tells, once, which wait is over.
    pub(crate) fn advance(&mut self, now: u64) -> Option<Waiting> {
        self.now = self.now.max(now);
        let over = self.due.filter(|(at, _)| *at <= self.now).map(|(_, waiting)| waiting);
        if over.is_some() {
            self.due = None;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_once_and_ignores_a_clock_that_goes_back() {
        let mut timer = Timer::default();
        timer.advance(1_000);
        timer.start(Waiting::Lobby, 500);
        assert_eq!(timer.advance(10), None);
        assert_eq!(timer.advance(1_499), None);
        assert_eq!(timer.advance(1_500), Some(Waiting::Lobby));
        assert_eq!(timer.advance(9_999), None);
    }
}
