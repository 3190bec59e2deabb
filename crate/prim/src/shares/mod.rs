//! Values cut into shares: one for each of a few seats that add up, and the sum of everyone's shares
//! put together again.
//!
//! Both ways are linear, so a seat that adds the shares it holds has a share of the sum. *Additive*
//! shares are random words that add up to the value: all are needed, and a wrong one is not noticed.
//! *Shamir's* are values of a polynomial with random coefficients whose value at 0 is the secret:
//! as many as it has coefficients are enough, and every further one says whether the others fit.

mod additive;
mod check;
mod points;
mod recombine;
mod secret;
mod shamir;
#[cfg(test)]
mod tests;

pub use additive::{cut_additive, join_additive};
pub use check::{Checked, challenge, check_share, keep};
pub use recombine::{Recombined, Unfit, recombine};
pub use secret::{Joiner, cut_secret};
pub use shamir::{cut_shamir, share_elements};

use crate::derive;
use crate::stream::Stream;
use undertone_machine::Secret;
use undertone_math::simd::CHUNK_BYTES;

/// Most seats that add up. Whose shares are wrong is found by trying every set of them, which are
/// 2^9 at most.
pub const COMPUTERS_MAX: usize = 9;

/// So many random bytes at least.
fn noise(seed: &Secret<[u8; 32]>, bytes: usize) -> Secret<Vec<u8>> {
    let mut noise = Secret::new(vec![0; bytes.next_multiple_of(CHUNK_BYTES)]);
    Stream::new(&derive(seed.expose(), "share-noise/v1", &[])).write(noise.expose_mut());
    noise
}
