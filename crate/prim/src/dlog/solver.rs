//! The search, in steps short enough for a worker that has to answer in between.

use super::fan::{Fan, OnSpoke};
use super::point::Point;
use super::{SumRange, Table, times_base_vartime};
use crate::POINT_BYTES;
use crate::codec::DecodeError;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use std::sync::Arc;

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// So many sums from the lowest are ruled out.
    Searching(u64),
    /// The sum.
    Found(i64),
    /// The point is no sum of the range.
    NotInRange,
}

/// The search for one sum.
///
/// Block j of the range is what a look-up at its middle finds, $low + m + jw \pm i$. A fan looks up
/// the blocks $j \pm k$ around its centre at once, and fans follow each other without a gap.
pub struct Solver {
    table: Arc<Table>,
    range: SumRange,
    target: RistrettoPoint,
    /// 4 times what the middle of `block` exceeds the target by; `None` for the identity.
    centre: Option<Point>,
    /// The block at the fan's centre.
    block: i64,
    /// Blocks on each side of the centre.
    reach: usize,
    fan: Fan,
    progress: Progress,
}

impl Solver {
    /// Begins a search for the exponent of an encoded ristretto255 element.
    ///
    /// # Errors
    /// A peer's: bytes that encode no element.
    ///
    /// # Security
    /// The element must be public.
    ///
    /// # Cost
    /// A multiplication by a number as long as the range's ends, two square roots, three inversions.
    pub fn new(table: Arc<Table>, sum: &[u8; POINT_BYTES], range: SumRange) -> Result<Self, DecodeError> {
        let target = CompressedRistretto(*sum).decompress().ok_or(DecodeError)?;
        let blocks = range.width() / table.block() as u64 + 1;
        let reach = table.giants().reach().min((blocks / 2) as usize);
        let (fan, progress, block) = (Fan::default(), Progress::Searching(0), reach as i64);
        let mut solver = Self { table, range, target, centre: None, block, reach, fan, progress };
        let centre = times_base_vartime(solver.middle(block)) - target;
        solver.centre = Point::four_times(&centre.compress().to_bytes());
        Ok(solver)
    }

    /// Searches on for about as many look-ups as `budget`, at least one fan, and says how far it is.
    ///
    /// # Cost
    /// A fan is at most 513 look-ups, well below a millisecond.
    pub fn step(&mut self, budget: u32) -> Progress {
        let fans = u64::from(budget) / (2 * self.reach as u64 + 1);
        for _ in 0..=fans {
            if !matches!(self.progress, Progress::Searching(_)) {
                break;
            }
            self.progress = self.search_fan();
        }
        self.progress
    }

    /// Looks up one fan; $C + kD$ belongs to block $j + k$.
    fn search_fan(&mut self) -> Progress {
        let Some(centre) = self.centre else { return self.settle(0) };
        let next = match self.fan.open(&centre, self.table.giants(), self.reach) {
            Err(OnSpoke(k)) => return self.settle(k),
            Ok(next) => next,
        };
        self.table.warm(&self.fan);
        let found = self.fan.keys().find_map(|(k, key)| self.look_up(key, self.block + k));
        found.map_or_else(|| self.advance(next), Progress::Found)
    }

    /// Goes on to the next fan, if the range has blocks left.
    fn advance(&mut self, next: Point) -> Progress {
        let beyond = self.block + self.reach as i64 + 1;
        self.centre = Some(next);
        self.block = beyond + self.reach as i64;
        let searched = (beyond * self.table.block()) as u64;
        if searched > self.range.width() { Progress::NotInRange } else { Progress::Searching(searched) }
    }

    /// A point of the fan was the identity, so the sum is the middle of a block, or is not in range.
    fn settle(&self, k: i64) -> Progress {
        let middles = [self.middle(self.block - k), self.middle(self.block + k)];
        middles.into_iter().find(|sum| self.is_sum(*sum)).map_or(Progress::NotInRange, Progress::Found)
    }

    /// The sum of this block that has this key.
    #[inline]
    fn look_up(&self, key: u64, block: i64) -> Option<i64> {
        let mut at = 0;
        while let Some(index) = self.table.next(key, &mut at) {
            let ends = [self.middle(block) - index, self.middle(block) + index];
            if let Some(sum) = ends.into_iter().find(|sum| self.is_sum(*sum)) {
                return Some(sum);
            }
        }
        None
    }

    /// Whether this is the sum, by the real point.
    fn is_sum(&self, sum: i64) -> bool {
        self.range.contains(sum) && times_base_vartime(sum) == self.target
    }

    /// The sum in the middle of a block; far within 64 bits, as [`super::END_MAX`] is.
    fn middle(&self, block: i64) -> i64 {
        self.range.low() + self.table.arm() + block * self.table.block()
    }
}

/// The sum in the exponent of an encoded ristretto255 element, or `None` if it is not in the range.
///
/// # Errors
/// A peer's: bytes that encode no element.
///
/// # Security
/// The element must be public.
///
/// # Cost
/// All of the range in one go; [`Solver::step`] is for those who have something else to do.
pub fn recover_vartime(
    table: &Arc<Table>,
    sum: &[u8; POINT_BYTES],
    range: SumRange,
) -> Result<Option<i64>, DecodeError> {
    let mut solver = Solver::new(Arc::clone(table), sum, range)?;
    loop {
        match solver.step(u32::MAX) {
            Progress::Searching(_) => {}
            Progress::Found(sum) => return Ok(Some(sum)),
            Progress::NotInRange => return Ok(None),
        }
    }
}
