//! Pollard's lambda method, by which the papers read a sum: the reference that the table is measured
//! against and, in tests, checked against.
//!
//! A tame walk starts at the highest sum, where the exponent is known, a wild one at the point. Both
//! jump by the same rule, so where one lands on the other's track it follows it. Tracks are compared
//! at distinguished points. [Pollard 1978; van Oorschot and Wiener 1999]

use super::{SumRange, times_base_vartime};
use crate::POINT_BYTES;
use crate::codec::DecodeError;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use std::collections::BTreeMap;

/// The sum in the exponent, or `None` if no two walks met in any attempt: probably it is not in range.
///
/// # Errors
/// A peer's: bytes that encode no element.
///
/// # Security
/// The element must be public.
///
/// # Cost
/// About $2\sqrt{width}$ additions and encodings, at most 32 times that.
pub fn lambda_vartime(sum: &[u8; POINT_BYTES], range: SumRange, seed: u64) -> Result<Option<i64>, DecodeError> {
    let target = CompressedRistretto(*sum).decompress().ok_or(DecodeError)?;
    Ok(walk_vartime(&target, range, seed))
}

/// A group to walk in.
pub trait Walkable: Clone + PartialEq {
    /// What tracks are compared by, the same for equal elements.
    type Mark: Copy + Ord + AsRef<[u8]>;

    /// The generator s times.
    fn times_base_vartime(s: i64) -> Self;

    /// Goes on by an element.
    fn step(&mut self, by: &Self);

    /// Where the walk is; its first four bytes decide the next jump.
    fn mark(&self) -> Self::Mark;
}

impl Walkable for RistrettoPoint {
    type Mark = [u8; POINT_BYTES];

    fn times_base_vartime(s: i64) -> Self {
        times_base_vartime(s)
    }

    fn step(&mut self, by: &Self) {
        *self += by;
    }

    fn mark(&self) -> Self::Mark {
        self.compress().to_bytes()
    }
}

/// The same as [`lambda_vartime`] in any group.
pub fn walk_vartime<G: Walkable>(target: &G, range: SumRange, seed: u64) -> Option<i64> {
    (0..ATTEMPTS).find_map(|attempt| {
        let jumps = Jumps::new(range.width(), seed ^ attempt << 56);
        meet(target, range, &jumps)
    })
}

/// One attempt.
fn meet<G: Walkable>(target: &G, range: SumRange, jumps: &Jumps<G>) -> Option<i64> {
    let high = range.low() + range.width() as i64;
    let mut tame = Walk { point: G::times_base_vartime(high), far: 0 };
    let mut wild = Walk { point: target.clone(), far: 0 };
    let (mut tames, mut wilds) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..PATIENCE * (jumps.root + 1) {
        let (x, y) = (tame.jump(jumps), wild.jump(jumps));
        tames.extend(x.map(|it| (it, tame.far)));
        wilds.extend(y.map(|it| (it, wild.far)));
        // high + tame = s + wild, whichever of the two arrived last.
        let met = x.and_then(|it| Some((tame.far, *wilds.get(&it)?)));
        let met = met.or_else(|| y.and_then(|it| Some((*tames.get(&it)?, wild.far))));
        if let Some((tame, wild)) = met {
            let sum = high + tame - wild;
            return (range.contains(sum) && G::times_base_vartime(sum) == *target).then_some(sum);
        }
    }
    None
}

/// A walk: where it is, and how far it came.
struct Walk<G> {
    point: G,
    far: i64,
}

impl<G: Walkable> Walk<G> {
    /// Jumps by what the point's encoding says, and gives the encoding if it is distinguished.
    fn jump(&mut self, jumps: &Jumps<G>) -> Option<G::Mark> {
        let here = self.point.mark();
        let word =
            here.as_ref().iter().zip(jumps.salt).take(4).fold(0_usize, |word, (a, b)| word << 8 | usize::from(a ^ b));
        if let Some((length, step)) = jumps.steps.get(word % jumps.steps.len()) {
            self.point.step(step);
            self.far += length;
        }
        (word / jumps.steps.len()).is_multiple_of(jumps.rarity).then_some(here)
    }
}

/// The rule by which all walks jump.
struct Jumps<G> {
    /// Lengths and the points of that length.
    steps: Vec<(i64, G)>,
    salt: [u8; JUMPS],
    /// One point of so many is distinguished.
    rarity: usize,
    /// The root of the width.
    root: u64,
}

impl<G: Walkable> Jumps<G> {
    /// Jumps of half the width's root on average, some of them far longer than others.
    ///
    /// Drawn with 16 bits: lengths that share a factor would keep walks apart that begin in different
    /// classes of it.
    fn new(width: u64, seed: u64) -> Self {
        let mut state = seed;
        let drawn = [(); JUMPS].map(|()| mixed(&mut state));
        let salt = drawn.map(|[byte, ..]| byte);
        let root = width.isqrt();
        let lengths = drawn
            .iter()
            .map(|[_, low, high]| 1 + (i64::from(u16::from_le_bytes([*low, *high])) * root as i64) / 65_536);
        let steps = lengths.map(|length| (length, G::times_base_vartime(length))).collect();
        Self { steps, salt, rarity: (root / 64 + 1) as usize, root }
    }
}

/// Bytes that depend on the whole state, which moves on (splitmix64).
const fn mixed(state: &mut u64) -> [u8; 3] {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let [.., low, high, byte] = ((word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)).to_le_bytes();
    [byte, low, high]
}

/// Kinds of jumps.
const JUMPS: usize = 32;
/// Steps of an attempt in roots of the width; one in three would do on average.
const PATIENCE: u64 = 8;
/// Attempts with other jumps, for walks that fall into a loop or miss each other.
const ATTEMPTS: u64 = 8;
