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
    /// # Cost
    /// An inversion a spoke: less than a table takes that has all spokes, so they do not share it, which
    /// would be faster and more code.
    pub(super) fn new(step: &Point, reach: usize) -> Self {
        let mut points = vec![*step];
        let (mut last, mut after) = (*step, step.double());
        while points.len() < reach {
            points.push(after);
            (last, after) = (after, after.add(step));
        }
        Self { points, after, stride: after.add(&last) }
    }

    /// K, the number of spokes on each side.
    pub(super) fn reach(&self) -> usize {
        self.points.len()
    }

    /// $(K + 1) D$.
    pub(super) fn after(&self) -> &Point {
        &self.after
    }
}

/// A fan's keys, and the room that it takes to make them.
#[derive(Default)]
pub(super) struct Fan {
    /// Of $C$, $C + D$, $C - D$, $C + 2D$ and so on; see [`Fan::keys`].
    keys: Vec<u64>,
    inverses: Vec<Field>,
    products: Vec<Field>,
}

/// $C = \pm kD$: one of the fan's points is the identity and has no key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OnSpoke(pub(super) i64);

impl Fan {
    /// Each k with the key of $C + kD$.
    pub(super) fn keys(&self) -> impl Iterator<Item = (i64, u64)> {
        self.keys.iter().enumerate().map(|(at, key)| {
            let k = at.div_ceil(2) as i64;
            (if at % 2 == 1 { k } else { -k }, *key)
        })
    }

    /// Opens the fan with the first `reach` spokes, and gives the next centre, $C$ plus the stride.
    pub(super) fn open(&mut self, centre: &Point, spokes: &Spokes, reach: usize) -> Result<Point, OnSpoke> {
        let ends = spokes.points.get(..reach).unwrap_or(&spokes.points);
        self.inverses.clear();
        for end in ends {
            self.inverses.push(end.u.sub(&centre.u));
        }
        self.inverses.push(spokes.stride.u.sub(&centre.u));
        if !Field::invert_all_vartime(&mut self.inverses, &mut self.products) {
            let zero = self.inverses.iter().take(reach).position(|it| it.is_zero_vartime());
            return Err(OnSpoke(zero.map_or(2 * spokes.reach() + 1, |at| at + 1) as i64));
        }
        self.keys.clear();
        self.keys.push(centre.u.low_word());
        let shift = centre.u.add(&Field::small(A));
        for (end, inverse) in ends.iter().zip(&self.inverses) {
            let sum = shift.add(&end.u);
            for rise in [end.v.sub(&centre.v), end.v.add(&centre.v)] {
                self.keys.push(rise.mul(inverse).square().low_word_of_difference(&sum));
            }
        }
        Ok(self.inverses.last().map_or(*centre, |inverse| centre.add_with(&spokes.stride, inverse)))
    }
}
