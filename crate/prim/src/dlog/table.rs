//! The table of baby steps: which $i$ a key may belong to, and the giant steps that go with it.

use super::SumRange;
use super::fan::{Fan, REACH_MAX, Spokes};
use super::kept::{Kept, Making, work_on};
use super::point::Point;
use super::slots::Slots;
use crate::Working;
use std::sync::{Arc, Mutex};

/// The smallest table: 47 baby steps.
pub const TABLE_BITS_MIN: u32 = 5;
/// The largest table: a slot has 11 bits of the key beside 21 of the index; fewer would be too few.
pub const TABLE_BITS_MAX: u32 = 20;

/// $iB$ for $1 \le i < m$ and $k(2m - 1)B$ for the giant steps, with $m = 3 \cdot 2^{bits-1}$.
///
/// Made on the device, in less time than it would take to fetch, and good for any number of sums.
pub struct Table {
    slots: Slots,
    giants: Spokes,
}

impl Table {
    /// A table of $3 \cdot 2^{bits-1} - 1$ baby steps; `bits` is brought between [`TABLE_BITS_MIN`] and
    /// [`TABLE_BITS_MAX`].
    ///
    /// # Cost
    /// About half a look-up's time for every baby step; $9.5 \cdot 2^{bits}$ bytes, and up to 20 kB.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        Begun::whole(bits)
    }

    /// A table that suits ranges of that many values: a few kB for those of a classroom, at most 2.4 MiB
    /// below 2^38 values, 9.5 MiB above.
    #[must_use]
    pub fn for_width(width: u64) -> Self {
        Self::new(bits_for(width))
    }

    /// The table that this process keeps for ranges up to that one; or how far it is, after about `budget`
    /// more baby steps.
    ///
    /// # Cost
    /// Memory as [`for_width`](Self::for_width), once per process: at most 2.4 MiB while no range had 2^38
    /// values or more, 9.6 MiB after that. A search that began with a smaller table keeps that until it ends.
    pub(crate) fn kept(range: SumRange, budget: u32) -> Result<Arc<Self>, Working> {
        work_on(&KEPT, bits_for(range.width()), budget)
    }

    /// The logarithm of half the number of slots.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.slots.bits()
    }

    /// Bytes that the table takes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.bytes() + self.giants.reach() * size_of::<Point>()
    }

    /// The number of baby steps, and one more.
    pub(crate) const fn count(&self) -> u64 {
        self.slots.count() as u64
    }

    /// $m - 1$: a centre finds every sum up to this far from it.
    pub(super) const fn arm(&self) -> i64 {
        (3 << (self.slots.bits() - 1)) - 1
    }

    /// Sums that a look-up at the middle of them finds.
    pub(super) const fn block(&self) -> i64 {
        2 * self.arm() + 1
    }

    /// The giant steps.
    pub(super) const fn giants(&self) -> &Spokes {
        &self.giants
    }

    /// The next index that the key may belong to. `at` is 0 at first and then left to this function.
    pub(super) fn next(&self, key: u64, at: &mut usize) -> Option<i64> {
        self.slots.next(key, at)
    }

    /// Reads the first slot of each key of a fan, and nothing that depends on it.
    ///
    /// Where a probe ends depends on what it reads, so probes would wait for memory one after the
    /// other. These reads wait together, and the probes find their slots in the cache.
    pub(super) fn warm(&self, fan: &Fan) {
        let firsts = fan.keys().filter_map(|(_, key)| self.slots.first(key));
        core::hint::black_box(firsts.fold(0, |sum, slot| sum ^ slot));
    }
}

/// A table under way.
pub(crate) struct Begun {
    table: Table,
    spokes: Spokes,
    fan: Fan,
    centre: Point,
    /// The index at the centre.
    middle: usize,
}

impl Making for Begun {
    type Table = Table;

    fn new(bits: u32) -> Self {
        let bits = bits.clamp(TABLE_BITS_MIN, TABLE_BITS_MAX);
        let count = 3_usize << (bits - 1);
        let base = Point::base();
        // One fan is enough for a range that the table was chosen for, up to the largest fan.
        let giants = Spokes::new(&giant(&base, bits), REACH_MAX.min(count / 32));
        let (spokes, slots) = (Spokes::new(&base, giants.reach()), Slots::new(bits));
        let (centre, middle) = (*spokes.after(), spokes.reach() + 1);
        Self { table: Table { slots, giants }, spokes, fan: Fan::default(), centre, middle }
    }

    fn bits(&self) -> u32 {
        self.table.bits()
    }

    /// Fan by fan. No centre is on a spoke: the multiples are far fewer than the group has elements.
    fn step(&mut self, budget: u32) -> Option<Working> {
        let (reach, of) = (self.spokes.reach(), self.table.slots.count());
        for _ in 0..=budget as usize / (2 * reach + 1) {
            if self.middle - reach >= of {
                return None;
            }
            let next = self.fan.open(&self.centre, &self.spokes, reach).ok()?;
            self.table.warm(&self.fan);
            let (slots, middle) = (&mut self.table.slots, self.middle);
            self.fan.keys().for_each(|(k, key)| slots.enter(middle.wrapping_add_signed(k as isize), key));
            (self.centre, self.middle) = (next, middle + 2 * reach + 1);
        }
        let done = self.middle - reach;
        (done < of).then_some(Working { done: done as u64, of: of as u64 })
    }

    fn finish(self) -> Table {
        self.table
    }
}

/// The table of this process.
static KEPT: Mutex<Kept<Begun>> = Mutex::new(Kept::Nothing);

/// $(2m - 1)B = (3 \cdot 2^{bits} - 1)B$, by which giant steps are apart.
fn giant(base: &Point, bits: u32) -> Point {
    let power = (0..bits).fold(base.double().add(base), |power, _| power.double());
    power.add(&base.neg())
}

/// As many baby steps as the root of the range, times two or three: a table is made once, while people
/// are still typing, and the search is what they wait for. Two caps, where memory counts more.
pub(super) fn bits_for(width: u64) -> u32 {
    match u64::BITS - width.leading_zeros() {
        log @ 0..=38 => (log.div_ceil(2) + 1).min(18),
        _ => TABLE_BITS_MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_baby_step_is_entered_once() {
        for bits in TABLE_BITS_MIN..12 {
            let table = Table::new(bits);
            let mut indices = table.slots.indices();
            indices.sort_unstable();
            assert!(indices.into_iter().eq(1..3 << (bits - 1)), "2^{bits}");
        }
    }
}
