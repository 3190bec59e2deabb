//! Sums of public multiples of points that stay the same: $\sum_j a_j P_j$, with every $a_j$ written
//! in digits that are 1 or -1.
//!
//! b digits of either sign, $a = \sum_{p<b} \pm 2^p$, spell the $2^b$ odd numbers between $-2^b$ and $2^b$,
//! each in one way. Digits without zeros suit a sum: of g points together, one place of the digits is
//! one entry of a table of all $\pm P_1 \pm \ldots \pm P_g$, of which one half is the other's negative. So
//! g points cost one addition a place, whatever the digits are, and nothing has to be recoded. Tables
//! of windows on each point alone need a tenth to a fifth more additions for the same memory.

use super::{Addend, Fastest, Point};
use crate::field25519::{Field25519, Limbs};

/// 64-bit words of a number's digits.
pub const SIGN_WORDS: usize = 4;

/// The digits of a number, the lowest place first: a bit that is set is 1, one that is not is -1.
pub type Signs = [u64; SIGN_WORDS];

/// Sums of all signs of points that stay the same, group by group.
#[derive(Clone, Debug)]
pub struct SignedSums<L: Limbs = Fastest> {
    table: Vec<Addend<L>>,
    points: usize,
    /// Points in a group; the last one may have fewer.
    group: usize,
}

impl<L: Limbs> SignedSums<L> {
    /// Makes the tables.
    ///
    /// # Cost
    /// For each group of g points $2^{g-1}$ sums of 14 multiplications and about 100 bytes; g is 11 for
    /// few points and less for many, so that the tables stay in the processor's caches.
    #[must_use]
    pub fn new(points: &[Point<L>]) -> Self {
        let most = match points.len() {
            0..=FEW => 11,
            _ => 10,
        };
        // Equal groups: a full one and a small one cost as many additions as two of half the size.
        let group = points.len().div_ceil(points.len().div_ceil(most).max(1)).max(1);
        let sums: Vec<_> = points.chunks(group).flat_map(all_signs).collect();
        Self { table: affine(&sums), points: points.len(), group }
    }

    /// $\sum_j a_j P_j$ for numbers of `places` digits each, in the order of the points.
    ///
    /// Numbers that are missing count as -1 at every place.
    ///
    /// # Cost
    /// A doubling a place, and an addition a place and group.
    #[must_use]
    pub fn combine_vartime(&self, numbers: &[Signs], places: u16) -> Point<L> {
        let groups = self.points.div_ceil(self.group);
        let entries = self.entries(numbers, usize::from(places));
        let places = entries.chunks(groups.max(1)).rev();
        places.fold(Point::identity(), |sum, place| self.add_place(sum.double(), place))
    }

    /// The sum of both: its doublings are shared.
    ///
    /// # Cost
    /// A doubling a place, and an addition a place and group of either.
    #[cfg(not(feature = "small"))]
    #[must_use]
    pub(super) fn combine_two_vartime(
        &self,
        numbers: &[Signs],
        other: &Self,
        others: &[Signs],
        places: u16,
    ) -> Point<L> {
        let places = usize::from(places);
        let (ours, theirs) = (self.entries(numbers, places), other.entries(others, places));
        let groups = |sums: &Self| sums.points.div_ceil(sums.group).max(1);
        let places = ours.chunks(groups(self)).zip(theirs.chunks(groups(other))).rev();
        places.fold(Point::identity(), |sum, (our, their)| other.add_place(self.add_place(sum.double(), our), their))
    }

    fn add_place(&self, sum: Point<L>, place: &[Entry]) -> Point<L> {
        place.iter().fold(sum, |sum, entry| match self.table.get(entry.index as usize) {
            Some(signed) => sum.plus_signed(signed, entry.negative),
            None => sum,
        })
    }

    /// What to add, place by place and in each place group by group.
    fn entries(&self, numbers: &[Signs], places: usize) -> Vec<Entry> {
        let groups = self.points.div_ceil(self.group);
        let mut entries = vec![Entry::default(); groups * places];
        let mut first = 0;
        for index in 0..groups {
            let from = index * self.group;
            let size = self.group.min(self.points - from);
            let given = numbers.get(from..).unwrap_or_default();
            let digits = columns(given.get(..size).unwrap_or(given), places);
            let to = entries.iter_mut().skip(index).step_by(groups);
            to.zip(digits).for_each(|(entry, column)| *entry = Entry::new(column, size, first));
            first += 1 << (size - 1);
        }
        entries
    }
}

/// An entry of the table, to add or to take away.
#[derive(Clone, Copy, Default)]
struct Entry {
    index: u32,
    negative: bool,
}

impl Entry {
    /// The table holds sums whose last point is positive; others are the negative of all signs turned.
    fn new(column: u16, size: usize, first: u32) -> Self {
        let mask = (1_u16 << (size - 1)) - 1;
        let negative = column >> (size - 1) & 1 == 0;
        let column = if negative { !column } else { column };
        Self { index: first + u32::from(column & mask), negative }
    }
}

/// Of each place the digits of all numbers, the first one's lowest: squares of 8 places and 8 numbers
/// are turned over one by one.
fn columns(numbers: &[Signs], places: usize) -> Vec<u16> {
    let mut columns = vec![0_u16; places];
    for (eight, shift) in numbers.chunks(8).zip([0, 8]) {
        for (byte, places) in columns.chunks_mut(8).enumerate() {
            let rows = eight.iter().rev().fold(0, |rows, signs| rows << 8 | byte_of(signs, byte));
            let mut turned = transposed(rows);
            for column in places {
                *column |= (turned as u16 & 0xff) << shift;
                turned >>= 8;
            }
        }
    }
    columns
}

#[inline]
fn byte_of(signs: &Signs, index: usize) -> u64 {
    signs.get(index / 8).map_or(0, |word| word >> (8 * (index % 8)) & 0xff)
}

/// Bit j of byte i becomes bit i of byte j: squares of 1, 2 and 4 change places along the diagonal.
#[inline]
fn transposed(square: u64) -> u64 {
    let swap = |square: u64, distance: u32, mask: u64| {
        let moved = (square ^ square >> distance) & mask;
        square ^ moved ^ moved << distance
    };
    let square = swap(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = swap(square, 14, 0x0000_cccc_0000_cccc);
    swap(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// Points up to which a group of 11, 1,024 sums, is worth its place in the caches.
const FEW: usize = 250;

/// $\pm P_1 \pm \ldots + P_g$; bit k of a sum's index is set if $P_{k+1}$ is positive.
fn all_signs<L: Limbs>(points: &[Point<L>]) -> Vec<Point<L>> {
    let addends = affine(points);
    let (last, rest) = match (points.split_last(), addends.split_last()) {
        (Some((last, _)), Some((_, rest))) => (*last, rest),
        _ => return Vec::new(),
    };
    let doubles: Vec<_> = points.iter().map(Point::double).collect();
    let mut sums = vec![rest.iter().fold(last, |sum, point| sum.plus_signed(point, true))];
    for double in affine(&doubles).iter().take(rest.len()) {
        let positive: Vec<_> = sums.iter().map(|sum| sum.plus(double)).collect();
        sums.extend(positive);
    }
    sums
}

/// All points with $Z = 1$, for one inversion.
pub(super) fn affine<L: Limbs>(points: &[Point<L>]) -> Vec<Addend<L>> {
    let mut inverses: Vec<_> = points.iter().map(|point| point.z.add(&point.z)).collect();
    let nonzero = Field25519::invert_all_vartime(&mut inverses, &mut Vec::new());
    debug_assert!(nonzero, "the sums are complete: Z is never zero");
    points.iter().zip(&inverses).map(|(point, inverse)| point.addend(inverse)).collect()
}
