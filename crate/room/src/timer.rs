//! Deadlines, each counted from reading the entry that set it on a clock that never goes back.
//!
//! No rule that protects anybody looks at the time: it only decides how long to wait.

/// How much longer than agreed a seat waits, so that slow links do not split a room.
pub(crate) const GRACE_MS: u64 = 2_000;
/// How long to look at a room in which nothing is asked: a host opens it with its question.
pub(crate) const QUESTION_MS: u64 = 120_000;
/// How long the host may take to close the list: as long as a relay keeps a class room.
pub(crate) const LOBBY_MS: u64 = 2 * 3600 * 1000;
/// How long to wait for others to sign the result, which is shown meanwhile.
pub(crate) const CONFIRM_MS: u64 = 10_000;
/// Time to reveal and acknowledge that a host gives: a locked phone needs a moment to wake up.
pub(crate) const REVEAL_MS: u32 = 20_000;

/// What a room waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// The first question to come.
    Question,
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
#[derive(Debug)]
pub(crate) struct Timer {
    now: u64,
    due: Option<(u64, Waiting)>,
    /// Until the time is told for the first time, the wait for a question has not begun.
    is_new: bool,
}

impl Timer {
    /// Waits for a question from when the time is told first.
    pub(crate) const fn new() -> Self {
        Self { now: 0, due: None, is_new: true }
    }

    pub(crate) fn start(&mut self, waiting: Waiting, after_ms: u64) {
        self.is_new = false;
        self.due = Some((self.now.saturating_add(after_ms), waiting));
    }

    pub(crate) fn stop(&mut self) {
        self.is_new = false;
        self.due = None;
    }

    /// A question came: waits for no other.
    pub(crate) fn has_question(&mut self) {
        if self.is_new || self.waiting() == Some(Waiting::Question) {
            self.stop();
        }
    }

    pub(crate) fn waiting(&self) -> Option<Waiting> {
        self.due.map(|(_, waiting)| waiting)
    }

    pub(crate) const fn now(&self) -> u64 {
        self.now
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.due.map(|(at, _)| at)
    }

    /// Moves on; a clock that went back is ignored. Tells, once, which wait is over.
    pub(crate) fn advance(&mut self, now: u64) -> Option<Waiting> {
        self.now = self.now.max(now);
        if self.is_new {
            self.start(Waiting::Question, QUESTION_MS);
        }
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
    fn waits_for_a_question_from_the_first_time_told_on() {
        let mut timer = Timer::new();
        assert_eq!(timer.advance(7_000), None);
        assert_eq!(timer.advance(6_999 + QUESTION_MS), None);
        assert_eq!(timer.advance(7_000 + QUESTION_MS), Some(Waiting::Question));
        let mut asked = Timer::new();
        asked.advance(7_000);
        asked.has_question();
        assert_eq!((asked.due(), asked.advance(9_000 + QUESTION_MS)), (None, None));
    }

    #[test]
    fn tells_once_and_ignores_a_clock_that_goes_back() {
        let mut timer = Timer::new();
        timer.advance(1_000);
        timer.start(Waiting::Lobby, 500);
        assert_eq!(timer.advance(10), None);
        assert_eq!(timer.advance(1_499), None);
        assert_eq!(timer.advance(1_500), Some(Waiting::Lobby));
        assert_eq!(timer.advance(9_999), None);
    }
}
