//! Rounds that have their links to themselves.
//!
//! If no link serves two rounds, every mask is used once, and the coefficients may all be 1 and -1: a
//! round costs as many additions as it has neighbours, instead of multiples of their keys. One round's
//! masks hold as long as its own graph stays connected without t seats. How many such rounds there are
//! is found by parting the links, not by a formula.

use super::connected::is_connected;
use super::{Graph, GraphError, Links, Tolerance};

/// The most seats that a schedule is searched for: checking its graphs takes time that grows with the
/// cube of their number, and rooms of more seats have the bounded method.
pub const SCHEDULE_SEATS_MAX: u16 = 128;

/// One graph a round, no two of which share a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    rounds: Vec<Graph>,
}

impl Schedule {
    /// Parts the links of a complete graph.
    ///
    /// If one seat may be missing, circles are enough, and $\lfloor (n-1)/2 \rfloor$ of them pass through
    /// everyone (Walecki, Lucas 1883). Else each round takes distances around the circle, as many as
    /// t+d+1 paths need, and keeps them if those paths are there.
    ///
    /// # Errors
    /// The caller's: [`GraphError::TooManySeats`]; [`GraphError::NoRounds`] if none is found.
    ///
    /// # Cost
    /// For each round that is no ring in another order, n/2 searches for t+d+1 paths over all links.
    pub fn new(tolerance: &Tolerance) -> Result<Self, GraphError> {
        let (seats, needed) = (tolerance.seats, tolerance.absent() as u16 + 1);
        if seats > SCHEDULE_SEATS_MAX {
            return Err(GraphError::TooManySeats);
        }
        let rounds = if needed <= 2 { circles(seats) } else { parted(seats, needed) };
        if rounds.is_empty() { Err(GraphError::NoRounds) } else { Ok(Self { rounds }) }
    }

    /// The graphs, round by round.
    #[must_use]
    pub fn rounds(&self) -> &[Graph] {
        &self.rounds
    }
}

fn circles(seats: u16) -> Vec<Graph> {
    (0..(seats - 1) / 2).map(|turn| Graph { seats, links: Links::Circle(turn) }).collect()
}

/// Sets of distances that are connected enough, taken as they are found.
///
/// Multiples of one distance come first: if it shares no factor with n they are the ring of as many
/// neighbours in another order, and that is as connected as its degree (Harary 1962). What these leave
/// over is tried in ascending order.
fn parted(seats: u16, needed: u16) -> Vec<Graph> {
    let size = usize::from(needed.div_ceil(2));
    let mut free: Vec<u16> = (1..seats.div_ceil(2)).collect();
    let mut rounds = Vec::new();
    let mut keep = |offsets: Vec<u16>, is_ring: bool, free: &mut Vec<u16>| {
        let graph = Graph { seats, links: Links::Offsets(offsets) };
        let Links::Offsets(offsets) = &graph.links else { return };
        if is_ring || is_connected(&graph, needed) {
            free.retain(|it| !offsets.contains(it));
            rounds.push(graph);
        }
    };
    for first in free.clone() {
        if let Some(offsets) = multiples(first, size, seats, &free) {
            keep(offsets, factor(first, seats) == 1, &mut free);
        }
    }
    for first in free.clone() {
        let offsets: Vec<_> = free.iter().copied().filter(|it| *it >= first).take(size).collect();
        if offsets.len() == size && offsets.first() == Some(&first) {
            keep(offsets, false, &mut free);
        }
    }
    rounds
}

/// The greatest common factor.
fn factor(a: u16, b: u16) -> u16 {
    if b == 0 { a } else { factor(b, a % b) }
}

/// The distances of `first`, twice `first` and so on, if they are all free and different.
fn multiples(first: u16, size: usize, seats: u16, free: &[u16]) -> Option<Vec<u16>> {
    let mut offsets = Vec::with_capacity(size);
    for factor in 1..=size as u32 {
        let around = (u32::from(first) * factor % u32::from(seats)) as u16;
        let offset = around.min(seats - around);
        if !free.contains(&offset) || offsets.contains(&offset) {
            return None;
        }
        offsets.push(offset);
    }
    Some(offsets)
}
