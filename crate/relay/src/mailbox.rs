//! What waits for one connection.
//!
//! Entries of the log do not wait here: only the word that there are some. They are read from the
//! log as fast as the socket drains, so a slow reader or a late joiner costs nothing, and here are
//! only answers and pipes, both bounded.

use crate::limits::{ANSWERS_WAITING_MAX, QUEUE_BYTES_MAX, QUEUE_FRAMES_MAX, QUEUE_PIPE_FRAMES_MAX};
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use undertone_relay_core::Part;
use undertone_wire::Refusal;

/// A bounded queue with one reader, and the reason why its connection has to end.
#[derive(Debug, Default)]
pub(crate) struct Mailbox {
    queue: Mutex<Queue>,
    news: Notify,
    drained: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    mail: VecDeque<(Bytes, Part)>,
    answers: usize,
    answer_bytes: usize,
    log_has_news: bool,
    closing: Option<Refusal>,
}

/// What to do next for a connection.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Frames to send.
    pub(crate) frames: Vec<Bytes>,
    /// Whether to read the log.
    pub(crate) log_has_news: bool,
    /// Whether to end after that.
    pub(crate) close: Option<Refusal>,
}

impl Mailbox {
    /// Puts a frame in. If there are too many, the connection has to end.
    pub(crate) fn post(&self, frame: Bytes, part: Part) {
        let mut queue = self.lock();
        if queue.closing.is_none() {
            queue.push(frame, part);
        }
        drop(queue);
        self.news.notify_one();
    }

    /// There is something to read in the log.
    pub(crate) fn ring(&self) {
        self.lock().log_has_news = true;
        self.news.notify_one();
    }

    /// The connection has to end, after what waits already. The first reason counts.
    pub(crate) fn close(&self, reason: Refusal) {
        self.lock().closing.get_or_insert(reason);
        self.news.notify_one();
    }

    /// Takes up to so many frames.
    pub(crate) fn take(&self, most: usize) -> Batch {
        let mut queue = self.lock();
        let batch = queue.take(most);
        let is_quiet = queue.is_quiet();
        drop(queue);
        if is_quiet {
            self.drained.notify_one();
        }
        batch
    }

    /// Waits until there may be something to take.
    pub(crate) async fn news(&self) {
        self.news.notified().await;
    }

    /// Waits until few answers wait, so that reading on cannot overflow the queue. A connection
    /// that has to end is never quiet again.
    pub(crate) async fn quiet(&self) {
        while !self.lock().is_quiet() {
            self.drained.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, frame: Bytes, part: Part) {
        if part == Part::Log {
            self.answers += 1;
            self.answer_bytes += frame.len();
        }
        self.mail.push_back((frame, part));
        if self.overflows() {
            // Nobody reads it: what waited would only keep memory.
            *self = Self { closing: Some(Refusal::TooSlow), ..Self::default() };
        }
    }

    fn overflows(&self) -> bool {
        let pipe_frames = self.mail.len() - self.answers;
        let too_many = self.answers > QUEUE_FRAMES_MAX || pipe_frames > QUEUE_PIPE_FRAMES_MAX;
        too_many || self.answer_bytes > QUEUE_BYTES_MAX
    }

    fn take(&mut self, most: usize) -> Batch {
        let count = most.min(self.mail.len());
        let mut frames = Vec::with_capacity(count);
        for (frame, part) in self.mail.drain(..count) {
            if part == Part::Log {
                self.answers -= 1;
                self.answer_bytes -= frame.len();
            }
            frames.push(frame);
        }
        let close = self.closing.filter(|_| self.mail.is_empty());
        Batch { frames, log_has_news: core::mem::take(&mut self.log_has_news), close }
    }

    fn is_quiet(&self) -> bool {
        self.closing.is_none() && self.answers < ANSWERS_WAITING_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn frame(bytes: usize) -> Bytes {
        vec![0; bytes].into()
    }

    #[test]
    fn frames_come_in_order_and_the_end_comes_last() {
        let mailbox = Mailbox::default();
        (0..3).for_each(|byte| mailbox.post(Bytes::from(vec![byte]), Part::Log));
        mailbox.close(Refusal::BadFrame);
        mailbox.close(Refusal::Restarting);
        mailbox.post(frame(1), Part::Log);
        assert_eq!(mailbox.take(2), Batch { frames: vec![vec![0].into(), vec![1].into()], ..Batch::default() });
        let last = Batch { frames: vec![vec![2].into()], log_has_news: false, close: Some(Refusal::BadFrame) };
        assert_eq!(mailbox.take(2), last);
    }

    #[test]
    fn too_many_frames_or_bytes_end_the_connection_and_are_forgotten() {
        let floods = [
            (QUEUE_FRAMES_MAX, 1, Part::Log),
            (QUEUE_BYTES_MAX / (64 << 10), 64 << 10, Part::Log),
            (QUEUE_PIPE_FRAMES_MAX, 1, Part::Pipe),
        ];
        for (count, bytes, part) in floods {
            let mailbox = Mailbox::default();
            (0..count).for_each(|_| mailbox.post(frame(bytes), part));
            assert_eq!(mailbox.lock().closing, None);
            mailbox.post(frame(bytes), part);
            assert_eq!(mailbox.take(9), Batch { close: Some(Refusal::TooSlow), ..Batch::default() });
        }
    }

    #[test]
    fn news_is_never_missed() {
        let mailbox = Mailbox::default();
        assert!(mailbox.news().now_or_never().is_none());
        mailbox.ring();
        assert!(mailbox.news().now_or_never().is_some());
        assert!(mailbox.take(1).log_has_news && !mailbox.take(1).log_has_news);
    }

    #[test]
    fn a_connection_is_read_again_when_its_answers_are_gone() {
        let mailbox = Mailbox::default();
        (0..ANSWERS_WAITING_MAX).for_each(|_| mailbox.post(frame(1), Part::Log));
        assert!(mailbox.quiet().now_or_never().is_none());
        mailbox.take(1);
        assert!(mailbox.quiet().now_or_never().is_some());
        mailbox.close(Refusal::BadFrame);
        mailbox.take(99);
        assert!(mailbox.quiet().now_or_never().is_none());
    }
}
