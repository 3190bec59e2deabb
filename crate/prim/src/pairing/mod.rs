//! The multi-round private sum of Kursawe, Danezis and Kohlweiss, with one pairing a round.
//!
//! Seat i has the key pair $(x_i, U_i = x_i P_2)$ with $U_i$ in $\mathbb{G}_2$ of BLS12-381. In round k, with
//! $Q_k$ hashed into $\mathbb{G}_1$, it sends
//!
//! $$v_i = \prod_{j>i} e(Q_k, U_j)^{x_i} \cdot \prod_{j<i} e(Q_k, U_j)^{-x_i} \cdot g^{m_i}, \qquad g = e(P_1, P_2).$$
//!
//! Every pair's factor $e(Q_k, P_2)^{x_i x_j}$ is multiplied in by one of the two and divided out by the
//! other, so the product of all $v_i$ is $g^{\sum m_i}$, and whoever has them all finds the sum as a small
//! logarithm ([`recover_vartime`]). The same keys serve any number of rounds.
//!
//! The n - 1 pairings of the papers are one: by bilinearity the product is $e(Q_k, S_i)$ with
//! $S_i = x_i (\sum_{j>i} U_j - \sum_{j<i} U_j)$, which does not depend on k. A [`Neighbourhood`] holds $S_i$
//! with the lines of its Miller loop, made once for a roster. The message is the same bit for bit
//! (`literal_message`, feature `reference`).
//!
//! # Security
//! Assumed: given $aP_1, cP_1$ and $aP_2, bP_2$, the element $e(P_1, P_2)^{abc}$ looks random; and the hash into
//! $\mathbb{G}_1$ is a random oracle. Then all messages of a round reveal exactly its sum, as long as two seats
//! keep their secrets, every key came with a [`PairingProof`] and all seats see the same keys. $S_i$ gives
//! away the masks of all rounds: it is as secret as $x_i$. A Miller value never leaves: only what the
//! final exponentiation makes of it does, since the argument holds in the group of order r alone.
//!
//! Which operations run does not depend on secrets: multiplications by $x_i$ are of regular form, tables
//! are scanned in full and nothing secret is inverted by Euclid's algorithm. The field of `ark-ff` itself
//! ends a product with a subtraction that it takes or leaves; so that this tells nothing across rounds,
//! the lines of $S_i$ are scaled in each round by a factor that nobody can predict and that the final
//! exponentiation removes.
//!
//! # Cost
//! A message: a hash into $\mathbb{G}_1$, a Miller loop over prepared lines, a final exponentiation and 16
//! multiplications, whatever n is; 288 bytes sent. A change of the roster: one multiplication in
//! $\mathbb{G}_2$ and the lines.

mod constant;
mod encoding;
mod hash;
mod key;
#[cfg(any(test, feature = "reference"))]
mod lambda;
#[cfg(any(test, feature = "reference"))]
mod literal;
mod neighbourhood;
mod powers;
mod recover;
mod target;
#[cfg(test)]
mod tests;

pub use hash::RoundPoint;
pub use key::{PAIRING_POINT_BYTES, PairingKey, PairingPoint, PairingProof};
#[cfg(any(test, feature = "reference"))]
pub use lambda::target_lambda_vartime;
#[cfg(any(test, feature = "reference"))]
pub use literal::literal_message;
pub use neighbourhood::Neighbourhood;
#[cfg(test)]
pub(crate) use recover::BegunTraces;
pub use recover::{TARGET_WIDTH_MAX, TraceSolver, TraceTable, recover_vartime};
pub use target::{TARGET_BYTES, TargetElement};
