//! The sum in the exponent of the target group, by traces.
//!
//! With $t_j = z^j + z^{-j}$ one has $t_{j+1} = t_j t_1 - t_{j-1}$, a Lucas sequence, and the traces of
//! these elements lie in $\mathbb{F}_{p^6}$: a step costs one multiplication there, a third of one in
//! $\mathbb{F}_{p^{12}}$. An element and its inverse have one trace, so a table of $g^i$ finds $g^{-i}$ as well.
//! The plan is that of [`dlog`](crate::dlog): with $1 \le i \le m$ and $w = 2m + 1$, every sum is
//! $low + m + jw \pm i$, and the traces of $z g^{-low-m} g^{-jw}$ are looked up one after the other. What the
//! table says is checked against the element itself.

use super::TargetElement;
use crate::Working;
use crate::dlog::kept::{Kept, Making, work_on};
use crate::dlog::slots::Slots;
use crate::dlog::{Progress, SumRange, TABLE_BITS_MIN};
use ark_bls12_381::Fq6;
use std::sync::{Arc, Mutex};

/// The largest table: 2.4 MiB.
const BITS_MAX: u32 = 18;

/// The widest range that is searched: with the largest table at most 5,500 steps.
pub const TARGET_WIDTH_MAX: u64 = 1 << 32;

/// The traces of $g^i$ for $1 \le i < 3 \cdot 2^{bits-1}$.
///
/// Made on the device, and good for any number of sums: it does not depend on the room.
pub struct TraceTable {
    slots: Slots,
    /// $g^w$ inverted, one giant step.
    giant: TargetElement,
    /// The trace of the neutral element.
    zero: u64,
}

impl TraceTable {
    /// A table of $3 \cdot 2^{bits-1} - 1$ baby steps; `bits` is brought between 5 and 18.
    ///
    /// # Cost
    /// A multiplication in $\mathbb{F}_{p^6}$ for each; $9.5 \cdot 2^{bits}$ bytes.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        BegunTraces::whole(bits)
    }

    /// A table that suits ranges of that many values, no larger than 2.4 MiB.
    #[must_use]
    pub fn for_width(width: u64) -> Self {
        Self::new(bits_for(width))
    }

    /// The table that this process keeps for ranges up to that one; or how far it is, after about `budget`
    /// more baby steps.
    ///
    /// # Cost
    /// Memory as [`for_width`](Self::for_width), once per process.
    pub(super) fn kept(range: SumRange, budget: u32) -> Result<Arc<Self>, Working> {
        work_on(&KEPT, bits_for(range.width()), budget)
    }

    /// Bytes that [`for_width`](Self::for_width) will take.
    #[must_use]
    pub const fn bytes_for_width(width: u64) -> usize {
        size_of::<Self>() + Slots::bytes_for(bits_for(width))
    }

    /// Bytes that the table takes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.slots.bytes()
    }

    /// The number of baby steps, and one more.
    pub(super) const fn count(&self) -> u64 {
        self.slots.count() as u64
    }

    /// The furthest that a sum is from the middle of its block.
    const fn arm(&self) -> u64 {
        self.count() - 1
    }

    /// Sums in a block.
    const fn block(&self) -> u64 {
        2 * self.arm() + 1
    }
}

/// A table under way.
pub(crate) struct BegunTraces {
    table: TraceTable,
    walk: Walk,
    /// The baby steps that are in, and one more.
    entered: usize,
}

impl Making for BegunTraces {
    type Table = TraceTable;

    fn new(bits: u32) -> Self {
        let bits = bits.clamp(TABLE_BITS_MIN, BITS_MAX);
        let (slots, two) = (Slots::new(bits), TargetElement::identity().trace());
        let giant = TargetElement::power_vartime(1 - 2 * slots.count() as i64);
        let walk = Walk::new(two, TargetElement::power_vartime(1).trace());
        Self { table: TraceTable { slots, giant, zero: key(&two) }, walk, entered: 1 }
    }

    fn bits(&self) -> u32 {
        self.table.slots.bits()
    }

    fn step(&mut self, budget: u32) -> Option<Working> {
        let of = self.table.slots.count();
        let end = of.min(self.entered.saturating_add(budget.max(1) as usize));
        for index in self.entered..end {
            self.walk.step();
            self.table.slots.enter(index, self.walk.key());
        }
        self.entered = end;
        (end < of).then_some(Working { done: end as u64, of: of as u64 })
    }

    fn finish(self) -> TraceTable {
        self.table
    }
}

/// The table of this process.
static KEPT: Mutex<Kept<BegunTraces>> = Mutex::new(Kept::Nothing);

impl core::fmt::Debug for TraceTable {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TraceTable").field("bits", &self.slots.bits()).finish_non_exhaustive()
    }
}

/// About as many baby steps as the root of the range times four to six: a table is made once, while people
/// are still typing, and the search is what they wait for.
const fn bits_for(width: u64) -> u32 {
    let bits = (u64::BITS - width.leading_zeros()) / 2 + 2;
    if bits < TABLE_BITS_MIN {
        TABLE_BITS_MIN
    } else if bits > BITS_MAX {
        BITS_MAX
    } else {
        bits
    }
}

/// What the table knows a trace by: a limb of one of its six coefficients.
const fn key(trace: &Fq6) -> u64 {
    let [low, ..] = trace.c0.c0.0.0;
    low
}

/// A Lucas sequence.
struct Walk {
    here: Fq6,
    next: Fq6,
    stride: Fq6,
}

impl Walk {
    /// The sequence that starts at `here` with a step of trace `stride` from the neutral element.
    fn new(here: Fq6, stride: Fq6) -> Self {
        Self { here, next: stride, stride }
    }

    fn step(&mut self) {
        let after = self.next * self.stride - self.here;
        self.here = core::mem::replace(&mut self.next, after);
    }

    const fn key(&self) -> u64 {
        key(&self.here)
    }
}

/// The search for one sum, in steps short enough for a worker that has to answer in between.
pub struct TraceSolver {
    table: Arc<TraceTable>,
    range: SumRange,
    target: TargetElement,
    walk: Walk,
    /// The block that the walk is at.
    block: u64,
    progress: Progress,
}

impl TraceSolver {
    /// Begins a search for the exponent of an element.
    ///
    /// # Security
    /// The element must be public.
    #[must_use]
    pub fn new(table: Arc<TraceTable>, sum: &TargetElement, range: SumRange) -> Self {
        // Within 64 bits: a range's ends are far from those.
        let middle = range.low().wrapping_add_unsigned(table.arm());
        let first = *sum * TargetElement::power_vartime(middle).inverse();
        let next = (first * table.giant).trace();
        let walk = Walk { here: first.trace(), next, stride: table.giant.trace() };
        Self { table, range, target: *sum, walk, block: 0, progress: Progress::Searching(0) }
    }

    /// Searches on for `budget` look-ups, at least one, and says how far it is.
    ///
    /// # Cost
    /// A multiplication in $\mathbb{F}_{p^6}$ for each.
    pub fn step(&mut self, budget: u32) -> Progress {
        for _ in 0..budget.max(1) {
            if !matches!(self.progress, Progress::Searching(_)) {
                break;
            }
            self.progress = self.search_block();
        }
        self.progress
    }

    fn search_block(&mut self) -> Progress {
        if let Some(sum) = self.look_up(self.walk.key()) {
            return Progress::Found(sum);
        }
        self.block += 1;
        let searched = self.block * self.table.block();
        if searched > self.range.width() {
            return Progress::NotInRange;
        }
        self.walk.step();
        Progress::Searching(searched)
    }

    /// The sum of this block that has this key.
    fn look_up(&self, key: u64) -> Option<i64> {
        let offset = self.table.arm().wrapping_add(self.block * self.table.block());
        let middle = self.range.low().wrapping_add_unsigned(offset);
        if key == self.table.zero && self.is_sum(middle) {
            return Some(middle);
        }
        let mut at = 0;
        while let Some(index) = self.table.slots.next(key, &mut at) {
            let ends = [middle - index, middle + index];
            if let Some(sum) = ends.into_iter().find(|sum| self.is_sum(*sum)) {
                return Some(sum);
            }
        }
        None
    }

    /// Whether this is the sum, by the real element.
    fn is_sum(&self, sum: i64) -> bool {
        self.range.contains(sum) && TargetElement::power_vartime(sum) == self.target
    }
}

impl core::fmt::Debug for TraceSolver {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TraceSolver").field("progress", &self.progress).finish_non_exhaustive()
    }
}

/// The sum in the exponent of an element, or `None` if it is not in the range.
///
/// # Security
/// The element must be public.
///
/// # Cost
/// All of the range in one go: at most its width over $3 \cdot 2^{bits}$ multiplications in $\mathbb{F}_{p^6}$, and
/// half of that on average.
#[must_use]
pub fn recover_vartime(table: &Arc<TraceTable>, sum: &TargetElement, range: SumRange) -> Option<i64> {
    let mut solver = TraceSolver::new(Arc::clone(table), sum, range);
    loop {
        match solver.step(u32::MAX) {
            Progress::Searching(_) => {}
            Progress::Found(sum) => return Some(sum),
            Progress::NotInRange => return None,
        }
    }
}
