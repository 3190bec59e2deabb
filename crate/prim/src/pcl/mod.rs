//! Many private sums under one key each: the bounded multi-round method of Patsakis, Clear and Laird
//! (PCL), over ristretto255 and over any graph of [`graph`](crate::graph).
//!
//! Seat i has the key pair $(x_i, U_i = x_i G)$. In round k it hides $m_i$ as
//!
//! $$V_i = x_i \sum_{j \in N(i)} A^{(k)}_{ij} U_j + m_i G, \qquad A^{(k)}_{ij} = -A^{(k)}_{ji}.$$
//!
//! The masks $A^{(k)}_{ij} x_i x_j G$ and $A^{(k)}_{ji} x_j x_i G$ of a pair cancel, so all $V_i$ together are
//! $(\sum_i m_i) G$, and the sum is read off as a small logarithm ([`dlog`](crate::dlog)). The A are
//! public and fresh in each round ([`Coefficients`]). So no key needs to be changed between rounds, and
//! nothing but a group in which the decisional Diffie-Hellman problem is hard is needed.
//!
//! # What t means
//! At most t seats pool what they know, together with the relay and whoever reads the log. What they
//! cannot remove are the masks between the others: l rounds of h honest seats hold $l(h-1)$
//! independent ones, all but the sum of each round, as long as $l \le \lfloor (n-t)/2 \rfloor$ and the graph
//! has the degree that [`Tolerance::graph_for_rounds`](crate::graph::Tolerance::graph_for_rounds) gives.
//! One round more, or one seat more among the colluders, and a linear relation between honest values
//! is in the open. That is why a [`KeyLife`] counts.
//!
//! With a [`Schedule`] no pair's mask is used twice, so all A are 1 or -1: the same message for as many
//! additions as a seat has neighbours, for fewer rounds.
//!
//! # Security
//! Decisional Diffie-Hellman in ristretto255, every key with a proof of possession, one view of keys,
//! graph and context at all seats, colluders chosen before the context is known, and a context that
//! nobody could steer: a hash over nonces that all seats committed to. A pair's mask must never be
//! shown by itself, also not to repair a round: with the public A it would open all rounds.
//!
//! # Cost
//! A message takes one multiplication by a secret, one of the base point, and for d neighbours and b
//! digits $b \lceil d/g \rceil$ additions and b doublings in variable time, with g 10 or 11 and b 128. Before
//! the first one tables are made, $2^{g-1} \lceil d/g \rceil$ sums of 14 field multiplications each.

mod coefficients;
#[cfg(test)]
mod leak;
#[cfg(any(test, feature = "reference"))]
mod paper;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;

pub use coefficients::Coefficients;
#[cfg(any(test, feature = "model", feature = "reference"))]
pub(crate) use coefficients::number;
#[cfg(any(test, feature = "reference"))]
pub use paper::PaperRound;

use crate::graph::{BoundedGraph, Graph, Schedule};
use crate::group_key::KeyTotal;
use crate::multiples::Multiples;
use crate::{AgreementKey, Element, GroupKey, Hash, PublicPoint};
use std::sync::Arc;

/// A seat's key, good for so many rounds and then for none.
///
/// # Security
/// A round is spent once it was asked for, whatever becomes of the message, and rounds only go up. This
/// object cannot know what another process did with the same key: whoever stores keys has to store
/// [`KeyLife::next`] before a message leaves.
pub struct KeyLife {
    key: AgreementKey,
    masks: Masks,
    rounds: u32,
    next: u32,
}

/// What hides the value of a round.
enum Masks {
    /// Multiples of the keys of the same neighbours in every round.
    Multiples(Arc<KeyTables>),
    /// In each round the sum of other neighbours' keys.
    Sums(Vec<Element>),
}

/// What all rounds of a seat's life have in common: made once, of what is public.
pub struct KeyTables {
    me: u16,
    own: GroupKey,
    neighbours: Vec<u16>,
    keys: Multiples,
    rounds: u32,
    coefficients: Coefficients,
}

impl KeyTables {
    /// For the seat at a place, and the rounds that the graph allows; `keys` are those of all seats by
    /// place.
    ///
    /// # Errors
    /// The caller's: [`KeyLifeError::KeysDoNotFit`], [`KeyLifeError::MalformedKey`].
    ///
    /// # Cost
    /// About $2^{g-1}/g$ sums for each neighbour, see the module.
    pub fn new(
        me: u16,
        keys: &[GroupKey],
        graph: &BoundedGraph,
        coefficients: Coefficients,
    ) -> Result<Self, KeyLifeError> {
        let own = *keys.get(usize::from(me)).ok_or(KeyLifeError::KeysDoNotFit)?;
        let others = neighbours_keys(own.public(), me, keys, graph.graph())?;
        let keys = Multiples::new(&others).ok_or(KeyLifeError::MalformedKey)?;
        let (neighbours, rounds) = (graph.graph().neighbours(me), graph.rounds());
        Ok(Self { me, own, neighbours, keys, rounds, coefficients })
    }

    /// $\sum_j A^{(k)}_{ij} U_j$: public, and so computed in variable time.
    fn sum(&self, context: &Hash, round: u32) -> Option<Element> {
        let row = self.coefficients.row(context, round, self.me, &self.neighbours);
        self.keys.combine_vartime(&row, self.coefficients.places())
    }
}

impl core::fmt::Debug for KeyTables {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("KeyTables").finish_non_exhaustive()
    }
}

/// Why there is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyLifeError {
    /// The list of keys is not as long as the graph has seats, or the own key is not in its place.
    KeysDoNotFit,
    /// The round was before one that is spent, or is spent itself.
    RoundSpent,
    /// The round is beyond the key's life.
    LifeOver,
    /// A neighbour's key is no element that can be multiplied.
    MalformedKey,
}

impl KeyLife {
    /// The key life of the seat that the tables are for.
    ///
    /// # Errors
    /// The caller's: [`KeyLifeError::KeysDoNotFit`] if they are for another key.
    pub fn new(key: AgreementKey, tables: Arc<KeyTables>) -> Result<Self, KeyLifeError> {
        if tables.own.public().encoded() != key.public().encoded() {
            return Err(KeyLifeError::KeysDoNotFit);
        }
        Ok(Self { key, rounds: tables.rounds, masks: Masks::Multiples(tables), next: 0 })
    }

    /// A key life of the rounds of a schedule.
    ///
    /// # Errors
    /// The caller's: [`KeyLifeError::KeysDoNotFit`].
    ///
    /// # Cost
    /// One addition a neighbour and round, now; a message is two multiplications then.
    pub fn scheduled(key: AgreementKey, me: u16, keys: &[GroupKey], schedule: &Schedule) -> Result<Self, KeyLifeError> {
        let sum = |graph: &Graph| {
            let others = neighbours_keys(key.public(), me, keys, graph)?;
            let mut total = KeyTotal::nothing();
            for negative in [false, true] {
                let signed = graph.neighbours(me).into_iter().zip(&others);
                total.add(signed.filter(|(place, _)| (*place < me) == negative).map(|(_, key)| key), negative);
            }
            total.element().ok_or(KeyLifeError::MalformedKey)
        };
        let sums: Vec<_> = schedule.rounds().iter().map(sum).collect::<Result<_, _>>()?;
        Ok(Self { key, rounds: sums.len() as u32, masks: Masks::Sums(sums), next: 0 })
    }

    /// The rounds before `next` are spent already, in an earlier process or by another way.
    pub fn resume(&mut self, next: u32) {
        self.next = self.next.max(next);
    }

    /// The lowest round that is not spent.
    #[must_use]
    pub const fn next(&self) -> u32 {
        self.next
    }

    /// The rounds of the whole life.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }

    /// The seat's message in a round, from 0, for a value that is at least 0. Spends the round and all
    /// before it. The context is that of the round: coefficients are drawn from both.
    ///
    /// # Errors
    /// The caller's: [`KeyLifeError::RoundSpent`], [`KeyLifeError::LifeOver`], and
    /// [`KeyLifeError::MalformedKey`].
    pub fn message(&mut self, context: &Hash, round: u32, value: u64) -> Result<Element, KeyLifeError> {
        self.spend(round)?;
        self.hidden(context, round, value)
    }

    /// The same without spending anything, to be timed again and again.
    ///
    /// # Errors
    /// As [`KeyLife::message`], but for spent rounds.
    ///
    /// # Security
    /// For benches only: two messages of one round show what their values differ by.
    #[cfg(feature = "reference")]
    pub fn message_unspent(&self, context: &Hash, round: u32, value: u64) -> Result<Element, KeyLifeError> {
        self.hidden(context, round, value)
    }

    fn hidden(&self, context: &Hash, round: u32, value: u64) -> Result<Element, KeyLifeError> {
        let others = match &self.masks {
            Masks::Multiples(tables) => tables.sum(context, round),
            Masks::Sums(sums) => sums.get(round as usize).copied(),
        };
        Ok(self.key.hide_again(others.ok_or(KeyLifeError::MalformedKey)?, value))
    }

    fn spend(&mut self, round: u32) -> Result<(), KeyLifeError> {
        if round >= self.rounds {
            return Err(KeyLifeError::LifeOver);
        }
        if round < self.next {
            return Err(KeyLifeError::RoundSpent);
        }
        self.next = round + 1;
        Ok(())
    }
}

impl core::fmt::Debug for KeyLife {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("KeyLife").finish_non_exhaustive()
    }
}

/// The keys of a seat's neighbours, if the list fits graph and key.
fn neighbours_keys(
    key: &PublicPoint,
    me: u16,
    keys: &[GroupKey],
    graph: &Graph,
) -> Result<Vec<GroupKey>, KeyLifeError> {
    let own = keys.get(usize::from(me)).is_some_and(|own| own.public().encoded() == key.encoded());
    let fits = own && keys.len() == usize::from(graph.seats());
    let neighbours = graph.neighbours(me);
    let keys = neighbours.iter().map(|place| keys.get(usize::from(*place)).copied());
    keys.collect::<Option<_>>().filter(|_| fits).ok_or(KeyLifeError::KeysDoNotFit)
}
