//! The table that a process keeps, so that it is made once and not for every sum.
//!
//! There is one base, so a table serves every range that it is large enough for, and there is at most
//! one: whoever needs a larger one works on that, and all who wait for it do. It holds nothing but
//! multiples of the base point, the same on every device.

use super::table::{Making, bits_for};
use super::{SumRange, Table};
use std::sync::{Arc, Mutex, PoisonError};

/// The table of this process, or what there is of it.
enum Kept {
    Nothing,
    Making(Making),
    Ready(Arc<Table>),
}

static KEPT: Mutex<Kept> = Mutex::new(Kept::Nothing);

/// How far a table is, in baby steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) done: u64,
    pub(crate) of: u64,
}

/// The table for sums of a range; or how far it is, after about `budget` more baby steps.
///
/// # Cost
/// Memory as [`Table::for_width`], once per process: at most 2.4 MiB while no range had 2^38 values or
/// more, 9.6 MiB after that. A search that began with a smaller table keeps that until it ends.
pub(crate) fn kept_table(range: SumRange, budget: u32) -> Result<Arc<Table>, Made> {
    // Whoever panicked in between left a table that is whole or one that goes on.
    work_on(&mut KEPT.lock().unwrap_or_else(PoisonError::into_inner), bits_for(range.width()), budget)
}

fn work_on(kept: &mut Kept, bits: u32, budget: u32) -> Result<Arc<Table>, Made> {
    match kept {
        Kept::Ready(table) if table.bits() >= bits => return Ok(Arc::clone(table)),
        Kept::Making(making) if making.bits() >= bits => {}
        // The smaller one goes first: never two of them.
        _ => *kept = Kept::Nothing,
    }
    let mut making = match core::mem::replace(kept, Kept::Nothing) {
        Kept::Making(making) => making,
        _ => Making::new(bits),
    };
    match making.step(budget) {
        Some(made) => {
            *kept = Kept::Making(making);
            Err(made)
        }
        None => {
            let table = Arc::new(making.finish());
            *kept = Kept::Ready(Arc::clone(&table));
            Ok(table)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until it is there; how often it was not.
    fn wait(kept: &mut Kept, bits: u32, budget: u32) -> (Arc<Table>, usize) {
        let mut waits = 0;
        loop {
            match work_on(kept, bits, budget) {
                Ok(table) => return (table, waits),
                Err(Made { done, of }) => assert!(done < of && of == 3 << (bits - 1), "{done} of {of}"),
            }
            waits += 1;
        }
    }

    #[test]
    fn a_table_is_made_once_in_steps_and_serves_smaller_ranges_too() {
        let mut kept = Kept::Nothing;
        let (table, waits) = wait(&mut kept, 10, 100);
        assert!((5..=16).contains(&waits), "{waits}");
        for bits in [10, 9, 5] {
            let (again, waits) = wait(&mut kept, bits, 0);
            assert!(Arc::ptr_eq(&table, &again) && waits == 0);
        }
        let (larger, waits) = wait(&mut kept, 11, u32::MAX);
        assert_eq!((larger.bits(), waits), (11, 0));
        assert!(Arc::ptr_eq(&larger, &wait(&mut kept, 10, 0).0));
        // The smaller one is only held here any more.
        assert_eq!((Arc::strong_count(&table), Arc::strong_count(&larger)), (1, 2));
    }

    #[test]
    fn who_needs_less_waits_for_what_is_under_way() {
        let mut kept = Kept::Nothing;
        assert_eq!(work_on(&mut kept, 9, 1).err().map(|made| made.of), Some(768));
        let before = work_on(&mut kept, 5, 1).err().map(|made| made.done);
        let after = work_on(&mut kept, 9, 1).err().map(|made| made.done);
        assert!(before < after);
        assert_eq!(wait(&mut kept, 9, 64).0.bits(), 9);
    }
}
