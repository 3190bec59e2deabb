//! Whether a graph stays connected whichever k-1 seats are missing. By Menger's theorem it does exactly
//! if k paths that share no seat lead from anywhere to anywhere.

use super::Graph;

/// Whether a graph of distances around the circle is k-connected. It looks the same from every seat and
/// in both directions, so paths from the first seat to one half are enough.
///
/// # Cost
/// n/2 searches for k paths; a path is one pass over all links.
pub(super) fn is_connected(graph: &Graph, k: u16) -> bool {
    let links: Vec<_> = (0..graph.seats()).map(|seat| graph.neighbours(seat)).collect();
    (1..=graph.seats() / 2).all(|to| Flow::new(&links).has_paths(from_seat(0) + 1, from_seat(to), k))
}

/// A flow of units: a seat is an arc from where it is entered to where it is left, so that one path
/// goes through it, and arcs in use may be undone (Ford and Fulkerson).
struct Flow {
    /// Where an arc leads and whether it is free. Its reverse is next to it.
    arcs: Vec<(usize, bool)>,
    /// Arcs out of a node.
    out: Vec<Vec<usize>>,
}

impl Flow {
    fn new(links: &[Vec<u16>]) -> Self {
        let mut flow = Self { arcs: Vec::new(), out: vec![Vec::new(); 2 * links.len()] };
        for (seat, others) in (0..).zip(links) {
            flow.add(from_seat(seat), from_seat(seat) + 1);
            others.iter().for_each(|other| flow.add(from_seat(seat) + 1, from_seat(*other)));
        }
        flow
    }

    /// Adds an arc, and its reverse, which is free once the arc is in use.
    fn add(&mut self, from: usize, to: usize) {
        for (from, to, free) in [(from, to, true), (to, from, false)] {
            if let Some(out) = self.out.get_mut(from) {
                out.push(self.arcs.len());
            }
            self.arcs.push((to, free));
        }
    }

    /// Whether so many paths fit beside each other.
    fn has_paths(mut self, from: usize, to: usize, count: u16) -> bool {
        (0..count).all(|_| self.one_more(from, to))
    }

    /// Finds one more path, the shortest that there is.
    fn one_more(&mut self, from: usize, to: usize) -> bool {
        // The arc by which a node was reached.
        let mut by: Vec<Option<usize>> = vec![None; self.out.len()];
        let mut queue = vec![from];
        let mut read = 0;
        while let Some(node) = queue.get(read).copied() {
            read += 1;
            for arc in self.out.get(node).into_iter().flatten() {
                let Some((next, true)) = self.arcs.get(*arc).copied() else { continue };
                let free = by.get_mut(next).filter(|it| it.is_none() && next != from);
                if let Some(by) = free {
                    *by = Some(*arc);
                    queue.push(next);
                }
            }
        }
        self.turn(&by, to)
    }

    /// Turns all arcs on the way back from a node; `false` if it was not reached.
    fn turn(&mut self, by: &[Option<usize>], to: usize) -> bool {
        let mut node = to;
        while let Some(arc) = by.get(node).copied().flatten() {
            for turned in [arc, arc ^ 1] {
                if let Some((_, free)) = self.arcs.get_mut(turned) {
                    *free = !*free;
                }
            }
            node = self.arcs.get(arc ^ 1).map_or(node, |(from, _)| *from);
        }
        node != to
    }
}

/// The node where a seat is entered; the next one is where it is left.
fn from_seat(seat: u16) -> usize {
    2 * usize::from(seat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Links;

    fn circulant(seats: u16, offsets: &[u16], k: u16) -> bool {
        is_connected(&Graph { seats, links: Links::Offsets(offsets.to_vec()) }, k)
    }

    /// By leaving out every set of k-1 seats.
    fn by_force(seats: u16, offsets: &[u16], k: u16) -> bool {
        let graph = Graph { seats, links: Links::Offsets(offsets.to_vec()) };
        (0_u32..1 << seats).filter(|gone| gone.count_ones() == u32::from(k) - 1).all(|gone| {
            let mut seen = gone;
            let mut queue = vec![gone.trailing_ones() as u16];
            while let Some(seat) = queue.pop() {
                if seen >> seat & 1 == 0 {
                    seen |= 1 << seat;
                    queue.extend(graph.neighbours(seat));
                }
            }
            seen == (1 << seats) - 1
        })
    }

    #[test]
    fn rings_are_as_connected_as_their_degree() {
        for (seats, reach) in [(5, 1), (9, 2), (12, 3), (30, 6), (41, 9)] {
            let offsets: Vec<_> = (1..=reach).collect();
            assert!(circulant(seats, &offsets, 2 * reach) && !circulant(seats, &offsets, 2 * reach + 1));
        }
    }

    #[test]
    fn agrees_with_leaving_out_every_set_of_seats() {
        for seats in [8_u16, 9, 12] {
            for offsets in
                [[1, 2], [1, 3], [2, 3], [1, 4], [2, 4], [3, 4]].iter().filter(|it| it[1] < seats.div_ceil(2))
            {
                for k in 1..=5 {
                    assert_eq!(circulant(seats, offsets, k), by_force(seats, offsets, k), "{seats} {offsets:?} {k}");
                }
            }
        }
    }
}
