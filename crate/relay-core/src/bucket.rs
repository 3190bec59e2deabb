//! A token bucket in one number.

use crate::Pace;

const NS_PER_MS: u128 = 1_000_000;

/// How much of a [`Pace`] is used up: the time, in nanoseconds, at which it will be whole again.
///
/// The virtual-scheduling form of the leaky bucket (ITU-T I.371): a unit moves that time on by its
/// cost, and the burst is how far it may lie ahead. No clock: the caller says what time it is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    whole_at_ns: u128,
}

impl Bucket {
    /// Takes units, even those that are not there, and says how long to wait for them, in
    /// milliseconds.
    ///
    /// For senders that can be made to wait: nothing is lost, they only get slower.
    pub(crate) fn charge(&mut self, pace: Pace, units: u64, now_ms: u64) -> u64 {
        self.whole_at_ns = self.after(pace, units, now_ms);
        let over = self.whole_at_ns.saturating_sub(now_ns(now_ms) + cost(pace, pace.burst));
        u64::try_from(over.div_ceil(NS_PER_MS)).unwrap_or(u64::MAX)
    }

    /// Takes a unit if it is there.
    pub(crate) fn take(&mut self, pace: Pace, now_ms: u64) -> Taken {
        let after = self.after(pace, 1, now_ms);
        if after > now_ns(now_ms) + cost(pace, pace.burst) {
            return Taken::No;
        }
        self.whole_at_ns = after;
        Taken::Yes
    }

    /// Whether a unit is there.
    pub(crate) fn has_one(self, pace: Pace, now_ms: u64) -> bool {
        self.after(pace, 1, now_ms) <= now_ns(now_ms) + cost(pace, pace.burst)
    }

    /// Gives a unit back.
    pub(crate) fn give_back(&mut self, pace: Pace) {
        self.whole_at_ns = self.whole_at_ns.saturating_sub(cost(pace, 1));
    }

    /// Whether it says no more than a new one would.
    pub(crate) fn is_whole(self, now_ms: u64) -> bool {
        self.whole_at_ns <= now_ns(now_ms)
    }

    fn after(self, pace: Pace, units: u64, now_ms: u64) -> u128 {
        self.whole_at_ns.max(now_ns(now_ms)) + cost(pace, units)
    }
}

/// Whether a unit was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It was, and is used now.
    Yes,
    /// It was not.
    No,
}

fn now_ns(now_ms: u64) -> u128 {
    u128::from(now_ms) * NS_PER_MS
}

fn cost(pace: Pace, units: u64) -> u128 {
    u128::from(units) * u128::from(pace.per_ms) * NS_PER_MS / u128::from(pace.units.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { units: 20, per_ms: 1_000, burst: 40 };

    #[test]
    fn a_burst_then_the_pace() {
        let mut bucket = Bucket::default();
        assert!((0..40).all(|_| bucket.take(PACE, 7) == Taken::Yes));
        assert_eq!(bucket.take(PACE, 7), Taken::No);
        assert_eq!(bucket.take(PACE, 56), Taken::No);
        assert_eq!(bucket.take(PACE, 57), Taken::Yes);
    }

    #[test]
    fn a_charge_says_how_long_to_wait() {
        let mut bucket = Bucket::default();
        assert_eq!(bucket.charge(PACE, 40, 0), 0);
        assert_eq!(bucket.charge(PACE, 1, 0), 50);
        assert_eq!(bucket.charge(PACE, 1, 100), 0);
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let mut bucket = Bucket::default();
        let pace = Pace { units: 1, per_ms: 1_000, burst: 1 };
        assert_eq!((bucket.take(pace, 0), bucket.take(pace, 0)), (Taken::Yes, Taken::No));
        assert!(!bucket.has_one(pace, 0) && !bucket.is_whole(0));
        bucket.give_back(pace);
        assert!(bucket.has_one(pace, 0) && bucket.is_whole(0));
        assert_eq!(bucket.take(pace, 0), Taken::Yes);
    }

    #[test]
    fn unlimited_never_waits() {
        let mut bucket = Bucket::default();
        assert!((0..1_000).all(|_| bucket.charge(Pace::UNLIMITED, 1 << 20, 5) == 0));
    }
}
