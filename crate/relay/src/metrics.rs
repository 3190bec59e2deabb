//! What the relay's keeper sees: counts and sizes. No name of a room, a seat or an address.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use undertone_relay_core::Totals;
use undertone_wire::Refusal;

/// Counts of the server; those of the rooms are in [`Totals`].
#[derive(Debug)]
pub(crate) struct Metrics {
    received: Traffic,
    sent: Traffic,
    ended: Vec<AtomicU64>,
}

/// Frames of one way.
#[derive(Debug, Default)]
pub(crate) struct Traffic {
    frames: AtomicU64,
    bytes: AtomicU64,
}

impl Traffic {
    fn count(&self, bytes: usize) {
        self.frames.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let ended = (0..=u8::MAX).map(|_| AtomicU64::new(0)).collect();
        Self { received: Traffic::default(), sent: Traffic::default(), ended }
    }

    pub(crate) fn received(&self, bytes: usize) {
        self.received.count(bytes);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.sent.count(bytes);
    }

    /// A connection was ended by the relay.
    pub(crate) fn ended(&self, reason: Refusal) {
        if let Some(count) = self.ended.get(usize::from(reason as u8)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All of it, in Prometheus' text form.
    pub(crate) fn text(&self, totals: &Totals, connections: usize) -> String {
        let mut text = String::new();
        let load = |count: &AtomicU64| count.load(Ordering::Relaxed);
        gauge(&mut text, "rooms", totals.rooms());
        gauge(&mut text, "seats", totals.seats());
        gauge(&mut text, "connections", connections as u64);
        gauge(&mut text, "log_bytes", totals.log_bytes());
        counter(&mut text, "entries_total", totals.entries());
        counter(&mut text, "piped_bytes_total", totals.piped_bytes());
        counter(&mut text, "received_frames_total", load(&self.received.frames));
        counter(&mut text, "received_bytes_total", load(&self.received.bytes));
        counter(&mut text, "sent_frames_total", load(&self.sent.frames));
        counter(&mut text, "sent_bytes_total", load(&self.sent.bytes));
        self.ends(&mut text);
        text
    }

    fn ends(&self, text: &mut String) {
        text.push_str("# TYPE undertone_ended_total counter\n");
        let refusals = (0..=u8::MAX).filter_map(Refusal::from_wire);
        for (refusal, count) in refusals.filter_map(|it| Some((it, self.ended.get(usize::from(it as u8))?))) {
            let count = count.load(Ordering::Relaxed);
            writeln!(text, "undertone_ended_total{{reason=\"{refusal:?}\"}} {count}").unwrap_or_default();
        }
    }
}

fn gauge(text: &mut String, name: &str, value: u64) {
    line(text, "gauge", name, value);
}

fn counter(text: &mut String, name: &str, value: u64) {
    line(text, "counter", name, value);
}

fn line(text: &mut String, kind: &str, name: &str, value: u64) {
    writeln!(text, "# TYPE undertone_{name} {kind}\nundertone_{name} {value}").unwrap_or_default();
}
