//! The table that a process keeps, so that it is made once and not for every sum.
//!
//! There is one base in a group, so a table serves every range that it is large enough for, and there is
//! at most one: whoever needs a larger one works on that, and all who wait for it do. It holds nothing but
//! multiples of the base, the same on every device.

use crate::Working;
use std::sync::{Arc, Mutex, PoisonError};

/// A table under way.
pub(crate) trait Making: Sized {
    /// What becomes of it.
    type Table;

    /// Begins a table of that size, or of the nearest there is.
    fn new(bits: u32) -> Self;

    /// How large the table will be.
    fn bits(&self) -> u32;

    /// Enters about so many more baby steps, at least one; how far it is, or `None` when all are in.
    fn step(&mut self, budget: u32) -> Option<Working>;

    /// The table, whole once there are no more steps.
    fn finish(self) -> Self::Table;

    /// A table in one go.
    fn whole(bits: u32) -> Self::Table {
        let mut making = Self::new(bits);
        while making.step(u32::MAX).is_some() {}
        making.finish()
    }
}

/// The table of this process, or what there is of it.
pub(crate) enum Kept<M: Making> {
    Nothing,
    Making(M),
    Ready(u32, Arc<M::Table>),
}

impl<M: Making> Kept<M> {
    /// The table, if it has so many bits or more; or how far it is, after about `budget` more baby steps.
    fn work_on(&mut self, bits: u32, budget: u32) -> Result<Arc<M::Table>, Working> {
        match self {
            Self::Ready(ready, table) if *ready >= bits => return Ok(Arc::clone(table)),
            Self::Making(making) if making.bits() >= bits => {}
            // The smaller one goes first: never two of them.
            _ => *self = Self::Nothing,
        }
        let mut making = match core::mem::replace(self, Self::Nothing) {
            Self::Making(making) => making,
            _ => M::new(bits),
        };
        if let Some(made) = making.step(budget) {
            *self = Self::Making(making);
            return Err(made);
        }
        let (bits, table) = (making.bits(), Arc::new(making.finish()));
        *self = Self::Ready(bits, Arc::clone(&table));
        Ok(table)
    }
}

/// As [`Kept::work_on`], for all threads of a process.
pub(crate) fn work_on<M: Making>(kept: &Mutex<Kept<M>>, bits: u32, budget: u32) -> Result<Arc<M::Table>, Working> {
    // Whoever panicked in between left a table that is whole or one that goes on.
    kept.lock().unwrap_or_else(PoisonError::into_inner).work_on(bits, budget)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dlog::table::{Begun, bits_for};
    use std::sync::Weak;

    type OfCurve = Kept<Begun>;

    /// Works until it is there; how often it was not.
    fn wait<M: Making>(kept: &mut Kept<M>, bits: u32, budget: u32) -> (Arc<M::Table>, usize) {
        let (mut waits, mut before) = (0, 0);
        loop {
            match kept.work_on(bits, budget) {
                Ok(table) => return (table, waits),
                Err(Working { done, of }) => {
                    assert!(before < done && done < of && of == 3 << (bits - 1), "{done} of {of}");
                    before = done;
                }
            }
            waits += 1;
        }
    }

    fn is_made_once<M: Making>() {
        let mut kept = Kept::<M>::Nothing;
        let (table, waits) = wait(&mut kept, 10, 100);
        assert!((5..=16).contains(&waits), "{waits}");
        for bits in [10, 9, 5] {
            let (again, waits) = wait(&mut kept, bits, 0);
            assert!(Arc::ptr_eq(&table, &again) && waits == 0);
        }
        let (larger, waits) = wait(&mut kept, 11, u32::MAX);
        assert!(!Arc::ptr_eq(&table, &larger) && waits == 0);
        assert!(Arc::ptr_eq(&larger, &wait(&mut kept, 10, 0).0));
        // The smaller one is only held here any more.
        assert_eq!((Arc::strong_count(&table), Arc::strong_count(&larger)), (1, 2));
    }

    #[test]
    fn a_table_is_made_once_in_steps_and_serves_smaller_ranges_too() {
        is_made_once::<Begun>();
        #[cfg(feature = "pairing")]
        is_made_once::<crate::pairing::BegunTraces>();
    }

    #[test]
    fn who_needs_less_waits_for_what_is_under_way_and_who_needs_more_begins_anew() {
        let mut kept = OfCurve::Nothing;
        assert_eq!(kept.work_on(9, 1).err().map(|made| made.of), Some(768));
        let before = kept.work_on(5, 1).err().map(|made| made.done);
        let after = kept.work_on(9, 1).err().map(|made| made.done);
        assert!(before < after);
        let larger = kept.work_on(10, 1).err();
        assert!(larger.is_some_and(|made| made.of == 1536 && Some(made.done) < after), "{larger:?}");
        assert_eq!(wait(&mut kept, 10, 64).0.bits(), 10);
    }

    /// Widths in any order: one table at a time, and none larger than is said.
    #[test]
    fn memory_stays_within_its_bounds_whatever_is_asked_for() {
        let (mut kept, mut former) = (OfCurve::Nothing, Weak::new());
        let (small, large) = (24 * (1 << 20) / 10, 96 * (1 << 20) / 10);
        for (width, most) in [(0, 2_500), (3_000, 16_000), (1 << 37, small), (100, small), (1 << 40, large), (1, large)]
        {
            let (table, _) = wait(&mut kept, bits_for(width), 1 << 15);
            assert!(table.bytes() <= most, "{} for {width}", table.bytes());
            let is_same = former.upgrade().is_some_and(|former| Arc::ptr_eq(&former, &table));
            assert!(is_same || former.strong_count() == 0, "two tables at {width}");
            former = Arc::downgrade(&table);
        }
        assert_eq!(former.strong_count(), 1);
        for log in 0..=40 {
            let bits = bits_for(1 << log);
            assert!(bits <= if log < 38 { 18 } else { 20 }, "2^{bits} for 2^{log}");
        }
    }

    #[test]
    fn a_table_of_a_panicked_thread_goes_on() {
        let kept = Mutex::new(OfCurve::Nothing);
        assert!(work_on(&kept, 8, 1).is_err());
        std::thread::scope(|scope| {
            let held = scope.spawn(|| {
                let _held = kept.lock().unwrap();
                panic!("on purpose");
            });
            assert!(held.join().is_err());
        });
        assert!(kept.is_poisoned());
        assert_eq!(work_on(&kept, 8, u32::MAX).map(|table| table.bits()), Ok(8));
    }
}
