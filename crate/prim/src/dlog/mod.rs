//! Recovery of a sum from the exponent of a group element: given $P = sG$ on ristretto255 and a
//! range of s, find s.
//!
//! Aggregation in a group ends with $g^{\sum m_i}$, public by then, and the sum has to be read off. Its
//! range is known and small, so baby steps and giant steps find it. With a table of $iB$ for
//! $1 \le i < m$ and $w = 2m - 1$, every s of a range from l up is $l + (m - 1) + jw \pm i$ for one block j
//! and one $i < m$, so it is enough to look up how far P is from the middle of each block. Four things
//! make a look-up cheap:
//!
//! - Points are looked up by the u-coordinate of Curve25519, the same for $iB$ and $-iB$: the table is
//!   half as large as what it finds.
//! - Giant steps go out from a centre in both directions, in fans (`fan.rs`) that share one inversion, and
//!   nothing is ever encoded.
//! - Everything is multiplied by 4, so that any point of an element's coset will do.
//! - The look-ups of a fan wait for memory together (`Table::warm`).
//!
//! A process keeps its table (`kept.rs`), so only the first sum of a size waits for one.
//!
//! The answer is checked against $P$ itself, so an accident of the table cannot become a wrong sum.
//!
//! # Security
//! All of this takes time that depends on the values and is for *public* points only.
//!
//! # Cost
//! Half the range divided by w look-ups on average, the whole range divided by w at most; each 2.5
//! multiplications and a squaring of the field. See [`Table::for_width`].

mod fan;
pub(crate) mod kept;
#[cfg(any(test, feature = "reference"))]
mod lambda;
mod point;
mod range;
pub(crate) mod slots;
mod solver;
mod table;
#[cfg(test)]
mod tests;

#[cfg(any(test, feature = "reference"))]
pub use lambda::{Walkable, lambda_vartime, walk_vartime};
pub use range::{END_MAX, RangeError, SumRange, WIDTH_MAX};
pub use solver::{Progress, Solver, recover_vartime};
pub use table::{TABLE_BITS_MAX, TABLE_BITS_MIN, Table};

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::Identity;

/// $sG$ for a public s, in time of its length.
fn times_base_vartime(s: i64) -> RistrettoPoint {
    let (zero, nothing) = (Scalar::ZERO, RistrettoPoint::identity());
    let point = RistrettoPoint::vartime_double_scalar_mul_basepoint(&zero, &nothing, &Scalar::from(s.unsigned_abs()));
    if s < 0 { nothing - point } else { point }
}
