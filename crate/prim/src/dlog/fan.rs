//! A fan: the points $C \pm kD$ around a centre, for one inversion.
//!
//! $C + kD$ and $C - kD$ have the same denominator $u_{kD} - u_C$, and all denominators are inverted
//! together, so a point costs 2.5 multiplications and a squaring. Only u is computed: it is the same
//! for a point and its negative, which is why a table of $iB$ finds $-iB$ as well.

use super::point::{A, Point};
use undertone_math::field25519::Field25519;

/// The most spokes on a side. One inversion, 265 multiplications, is shared by twice as many points
/// and the spokes still fit into the first cache, 20 kB.
pub(super) const REACH_MAX: usize = 256;

/// The field, in the limbs of this target.
pub(super) type Field = Field25519;

/// $kD$ for $1 \le k \le K$, and the way from one fan's centre to the next.
pub(super) struct Spokes {
    points: Vec<Point>,
    /// $(K + 1) D$.
    after: Point,
    /// $(2K + 1) D$.
    stride: Point,
}

impl Spokes {
    /// The spokes of a step $D$; `reach` is K, at least 1.
    ///
    /// From $D \ldots nD$ come $(n+1)D \ldots 2nD$ with one inversion, until there are enough. None of
    /// the denominators is zero: the multiples are far fewer than the group has elements.
    ///
    /// # Cost
    /// About six multiplications a spoke, and two inversions a doubling of their number.
    pub(super) fn new(step: &Point, reach: usize) -> Self {
        let mut points = vec![*step];
        let (mut inverses, mut products) = (Vec::new(), Vec::new());
        let mut last = *step;
        while points.len() <= reach {
            inverses.clear();
            inverses.extend(points.iter().map(|it| it.u.sub(&last.u)));
            // nD + nD is a tangent, not a sum.
            inverses.pop();
            let nonzero = Field::invert_all_vartime(&mut inverses, &mut products);
            debug_assert!(nonzero, "multiples of a step are distinct");
            let double = last.double();
            let sums: Vec<_> = inverses.iter().zip(&points).map(|(inverse, it)| last.add_with(it, inverse)).collect();
            points.extend(sums);
            points.push(double);
            last = double;
        }
        points.truncate(reach + 1);
        let after = points.pop().unwrap_or(*step);
        let stride = points.last().map_or(after, |last| last.add_with(&after, &after.u.sub(&last.u).invert()));
        Self { points, after, stride }
    }

    /// K, the number of spokes on each side.
    pub(super) fn reach(&self) -> usize {
        self.points.len()
    }

    /// $kD$.
    pub(super) fn get(&self, k: usize) -> Option<&Point> {
        self.points.get(k.checked_sub(1)?)
    }

    /// $(K + 1) D$.
    pub(super) fn after(&self) -> &Point {
        &self.after
    }
}

/// What one fan found, and room for finding it.
#[derive(Default)]
pub(super) struct Fan {
    /// The keys of $C + kD$ and $C - kD$, from $k = 1$.
    pub(super) keys: Vec<[u64; 2]>,
    inverses: Vec<Field>,
    products: Vec<Field>,
}

/// $C = \pm kD$: one of the fan's points is the identity and has no key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OnSpoke(pub(super) usize);

impl Fan {
    /// Opens the fan with the first `reach` spokes, and gives the next centre, $C$ plus the stride.
    pub(super) fn open(&mut self, centre: &Point, spokes: &Spokes, reach: usize) -> Result<Point, OnSpoke> {
        let ends = spokes.points.iter().take(reach);
        self.inverses.clear();
        self.inverses.extend(ends.clone().chain([&spokes.stride]).map(|it| it.u.sub(&centre.u)));
        if !Field::invert_all_vartime(&mut self.inverses, &mut self.products) {
            let zero = self.inverses.iter().position(|it| it.is_zero_vartime());
            return Err(OnSpoke(zero.map_or(0, |at| if at < reach { at + 1 } else { 2 * spokes.reach() + 1 })));
        }
        let shift = centre.u.add(&Field::small(A));
        self.keys.clear();
        self.keys.extend(ends.zip(&self.inverses).map(|(end, inverse)| {
            let sum = shift.add(&end.u);
            let key = |rise: Field| rise.mul(inverse).square().low_word_of_difference(&sum);
            [key(end.v.sub(&centre.v)), key(end.v.add(&centre.v))]
        }));
        Ok(self.inverses.last().map_or(*centre, |inverse| centre.add_with(&spokes.stride, inverse)))
    }
}
