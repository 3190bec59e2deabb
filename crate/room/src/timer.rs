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
    /// The next reading of a series.
    Reading,
}

/// One deadline at a time: a later stage replaces an earlier one. Beside it, the host's schedule.
#[derive(Debug)]
pub(crate) struct Timer {
    now: u64,
    due: Option<(u64, Waiting)>,
    /// Host: when it asks for the next reading of a series.
    reading_at: Option<u64>,
    /// Until the time is told for the first time, the wait for a question has not begun.
    is_new: bool,
}

impl Timer {
    /// Waits for a question from when the time is told first.
    pub(crate) const fn new() -> Self {
        Self { now: 0, due: None, reading_at: None, is_new: true }
    }

    pub(crate) fn start(&mut self, waiting: Waiting, after_ms: u64) {
        self.is_new = false;
        self.due = Some((self.now.saturating_add(after_ms), waiting));
    }

    pub(crate) fn stop(&mut self) {
        self.is_new = false;
        self.due = None;
    }

    /// The room is over: nothing is due any more.
    pub(crate) fn end(&mut self) {
        self.stop();
        self.unschedule();
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
        let waiting = self.due.map(|(at, _)| at);
        waiting.into_iter().chain(self.reading_at).min()
    }

    /// Asks for the next reading after that time, unless it is known already when.
    pub(crate) fn schedule(&mut self, every_ms: u64) {
        self.reading_at = self.reading_at.or(Some(self.now.saturating_add(every_ms)));
    }

    /// There is nothing more to ask for.
    pub(crate) fn unschedule(&mut self) {
        self.reading_at = None;
    }

    /// Whether the next reading is due, which is told once; the one after it is due one time later. A
    /// device that slept goes on from now: nobody could answer what it missed.
    pub(crate) fn is_reading_due(&mut self, every_ms: u64) -> bool {
        let Some(at) = self.reading_at.filter(|at| *at <= self.now) else { return false };
        let next = at.saturating_add(every_ms);
        self.reading_at = Some(if next > self.now { next } else { self.now.saturating_add(every_ms) });
        true
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
    fn readings_keep_their_beat_and_what_was_slept_through_is_left_out() {
        let mut timer = Timer::new();
        timer.advance(1_000);
        timer.schedule(100);
        timer.schedule(500);
        timer.advance(1_099);
        assert_eq!((timer.due(), timer.is_reading_due(100)), (Some(1_100), false));
        timer.advance(1_130);
        assert!(timer.is_reading_due(100) && !timer.is_reading_due(100));
        timer.start(Waiting::Answers, 5_000);
        assert_eq!(timer.due(), Some(1_200));
        timer.advance(1_930);
        assert!(timer.is_reading_due(100));
        assert_eq!(timer.due(), Some(2_030));
        timer.unschedule();
        assert_eq!(timer.due(), Some(6_130));
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
