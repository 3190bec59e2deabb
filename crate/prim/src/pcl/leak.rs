//! What colluding seats can learn: the rank of the others' masks.
//!
//! Colluders know every mask that one of them is part of. What hides the others' values in l rounds are
//! the masks $A^{(k)}_{ij} z_{ij}$ of the links between honest seats, one number $z_{ij}$ a link. Seat i's
//! mask of round k is a row over those numbers; each relation between rows is a relation between
//! values. One a round must be there, the sum. The rank says whether there are more.
//!
//! The rows are those that messages are made of, with every coefficient reduced modulo a prime of 61
//! bits, in which an accident is as unlikely as a look at all sets can afford.

use super::*;
use crate::graph::{Margin, Tolerance};
use std::collections::BTreeMap;
use undertone_math::edwards25519::Signs;

/// $2^{61} - 1$.
const P: u64 = (1 << 61) - 1;

fn mul(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(P)) as u64
}

/// The coefficient as the definition has it, $2c + 1 - 2^{128}$.
fn modulo_p(signs: &Signs) -> u64 {
    let c = u128::from(signs[0]) | u128::from(signs[1]) << 64;
    // 2^128 = 2^6 modulo 2^61 - 1.
    let [c, top] = [c % u128::from(P), 1 << 6];
    ((2 * c + 1 + u128::from(P) - top) % u128::from(P)) as u64
}

/// Links of a room: who is linked with whom, and whose masks of which round.
struct Room {
    /// By seat, its neighbours.
    links: Vec<Vec<u16>>,
    /// By round and seat, the coefficients of the neighbours; 0 where a round has no such link.
    rounds: Vec<Vec<Vec<u64>>>,
}

impl Room {
    /// Coefficients as messages have them.
    fn of_rows(links: Vec<Vec<u16>>, rounds: u32) -> Self {
        let row = |round, me: usize| {
            let row = Coefficients::Short.row(&[7; 32], round, me as u16, &links[me]);
            row.iter().map(modulo_p).collect()
        };
        let rounds = (0..rounds).map(|round| (0..links.len()).map(|me| row(round, me)).collect()).collect();
        Self { links, rounds }
    }

    fn of_graph(graph: &Graph, rounds: u32) -> Self {
        Self::of_rows((0..graph.seats()).map(|seat| graph.neighbours(seat)).collect(), rounds)
    }

    /// 1 and -1 on the links of the round, on a complete graph.
    fn of_schedule(graphs: &[Graph], seats: u16) -> Self {
        let others = |me: u16| (0..seats).filter(move |it| *it != me).collect::<Vec<_>>();
        let sign = |graph: &Graph, me: u16, other: &u16| match (graph.neighbours(me).contains(other), me < *other) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => P - 1,
        };
        let of =
            |graph: &Graph| (0..seats).map(|me| others(me).iter().map(|it| sign(graph, me, it)).collect()).collect();
        Self { links: (0..seats).map(others).collect(), rounds: graphs.iter().map(of).collect() }
    }

    fn seats(&self) -> u16 {
        self.links.len() as u16
    }

    /// Whether these seats, a bit each, learn anything but one sum a round.
    fn leaks_to(&self, colluders: u32) -> bool {
        let honest: Vec<_> = (0..self.seats()).filter(|seat| colluders >> seat & 1 == 0).collect();
        let mut columns = BTreeMap::new();
        let mut rows = Vec::new();
        for round in &self.rounds {
            for me in &honest {
                let mut row = Vec::new();
                for (other, a) in self.links[usize::from(*me)].iter().zip(&round[usize::from(*me)]) {
                    if colluders >> other & 1 == 0 && *a != 0 {
                        let next = columns.len();
                        row.push((*columns.entry((me.min(other), me.max(other))).or_insert(next), *a));
                    }
                }
                rows.push(row);
            }
        }
        let dense = |row: Vec<(usize, u64)>| {
            let mut dense = vec![0; columns.len()];
            row.into_iter().for_each(|(column, a)| dense[column] = a);
            dense
        };
        let (count, relations) = (rows.len(), self.rounds.len());
        rank(rows.into_iter().map(dense).collect()) != count - relations
    }

    /// How many of all sets of so many seats learn something, and how many sets there are.
    fn leaks(&self, colluders: u16) -> (usize, usize) {
        let sets = sets(self.seats(), colluders);
        (sets.iter().filter(|set| self.leaks_to(**set)).count(), sets.len())
    }
}

/// All sets of so many seats.
fn sets(seats: u16, size: u16) -> Vec<u32> {
    (0..1_u32 << seats).filter(|set| set.count_ones() == u32::from(size)).collect()
}

/// By Gauss' elimination.
fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let mut rank = 0;
    for column in 0..rows.first().map_or(0, Vec::len) {
        let Some(pivot) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else { continue };
        rows.swap(rank, pivot);
        let (done, rest) = rows.split_at_mut(rank + 1);
        let pivot = &done[rank];
        let inverse = power(pivot[column], P - 2);
        for row in rest.iter_mut().filter(|row| row[column] != 0) {
            let factor = P - mul(row[column], inverse);
            row.iter_mut().zip(pivot).skip(column).for_each(|(a, b)| *a = (*a + mul(factor, *b)) % P);
        }
        rank += 1;
    }
    rank
}

fn power(base: u64, exponent: u64) -> u64 {
    (0..64).rev().fold(1, |power, bit| {
        let square = mul(power, power);
        if exponent >> bit & 1 == 1 { mul(square, base) } else { square }
    })
}

fn tolerance(seats: u16, colluders: u16) -> Tolerance {
    Tolerance::new(seats, colluders, 0).unwrap()
}

/// The `degree` nearest on each side around the circle, half of them each.
fn ring(seats: u16, degree: u16) -> Vec<Vec<u16>> {
    let near = |me: u16| (1..=degree / 2).flat_map(move |it| [(me + it) % seats, (me + seats - it) % seats]);
    (0..seats).map(|me| near(me).collect()).collect()
}

/// The `degree` nearest by |j-i|, the lower of two first, and whoever counts one among theirs.
fn line(seats: u16, degree: u16) -> Vec<Vec<u16>> {
    let nearest = |me: u16| {
        let mut others: Vec<_> = (0..seats).filter(|it| *it != me).collect();
        others.sort_by_key(|it| (it.abs_diff(me), *it));
        others.truncate(usize::from(degree));
        others
    };
    let chosen: Vec<_> = (0..seats).map(nearest).collect();
    let linked = |a: u16, b: u16| chosen[usize::from(a)].contains(&b) || chosen[usize::from(b)].contains(&a);
    (0..seats).map(|me| (0..seats).filter(|it| *it != me && linked(me, *it)).collect()).collect()
}

#[test]
fn all_small_rooms_keep_everything_but_the_sums_to_the_last_round_of_the_budget() {
    for seats in 3..=8 {
        for colluders in 0..seats - 1 {
            let tolerance = tolerance(seats, colluders);
            let budget = tolerance.budget(Margin::Exact).unwrap();
            for rounds in 1..=budget {
                let graph = tolerance.graph_for_rounds(rounds, Margin::Exact).unwrap();
                let leaks = Room::of_graph(graph.graph(), rounds).leaks(colluders).0;
                assert_eq!(leaks, 0, "n = {seats}, t = {colluders}, l = {rounds}");
            }
            // One round more is too many, also with all links that there are.
            let (leaks, sets) = Room::of_graph(&Graph::complete(seats).unwrap(), budget + 1).leaks(colluders);
            assert_eq!(leaks, sets, "n = {seats}, t = {colluders}");
        }
    }
}

/// n, t and l; the sets of t seats; how many of these learn something on which links.
type Case = ((u16, u16, u32), usize, [usize; 4]);

/// Rooms in which a ring is not yet the complete graph, and how many sets of colluders learn something
/// on the ring, on a ring of two links less, on a line, and on a line of one link more.
const TABLE: [Case; 5] = [
    ((10, 2, 1), 45, [0, 35, 3, 0]),
    ((11, 4, 1), 330, [0, 33, 8, 0]),
    ((12, 6, 1), 924, [0, 30, 1, 0]),
    ((13, 5, 1), 1287, [0, 0, 17, 1]),
    ((12, 4, 2), 495, [0, 24, 0, 0]),
];

#[test]
fn rings_hold_and_lines_that_do_not_wrap_around_leak() {
    for ((seats, colluders, rounds), sets, wanted) in TABLE {
        let degree = 2 * rounds as u16 + colluders;
        let even = degree.next_multiple_of(2);
        let ours = tolerance(seats, colluders).graph_for_rounds(rounds, Margin::Exact).unwrap();
        assert_eq!(ours.graph().degree(), even);
        let of = |links| Room::of_rows(links, rounds).leaks(colluders);
        let (found, all) = Room::of_graph(ours.graph(), rounds).leaks(colluders);
        let rest = [ring(seats, even - 2), line(seats, degree), line(seats, degree + 1)].map(|it| of(it).0);
        assert_eq!(([found, rest[0], rest[1], rest[2]], all), (wanted, sets), "{seats}, {colluders}, {rounds}");
    }
}

#[test]
fn colluders_next_to_each_other_cut_a_line_and_no_ring() {
    let stretch = |from: u32, length: u32| ((1_u32 << length) - 1) << from;
    let (seats, colluders, rounds) = (24, 8, 2);
    let degree = 2 * rounds as u16 + colluders;
    let line = Room::of_rows(line(seats, degree), rounds);
    let ring = tolerance(seats, colluders).graph_for_rounds(rounds, Margin::Spare).unwrap();
    let ring = Room::of_graph(ring.graph(), rounds);
    let cut = (0..=16).filter(|from| line.leaks_to(stretch(*from, 8))).count();
    assert!(cut > 0, "no stretch cuts the line");
    assert!((0..=16).all(|from| !ring.leaks_to(stretch(from, 8))));
}

#[test]
fn drops_count_as_if_they_colluded() {
    for (seats, colluders, drops, rounds) in [(10, 2, 2, 1), (11, 2, 1, 2), (12, 3, 2, 1)] {
        let tolerance = Tolerance::new(seats, colluders, drops).unwrap();
        let graph = tolerance.graph_for_rounds(rounds, Margin::Spare).unwrap();
        assert_eq!(Room::of_graph(graph.graph(), rounds).leaks(colluders + drops).0, 0);
    }
}

#[test]
fn single_rounds_hold_on_rings_of_half_the_degree() {
    for (seats, colluders) in [(6, 1), (9, 2), (10, 3), (12, 5)] {
        let graph = tolerance(seats, colluders).graph();
        assert!(!graph.is_complete());
        assert_eq!(Room::of_schedule(std::slice::from_ref(&graph), seats).leaks(colluders).0, 0);
        assert_ne!(Room::of_schedule(std::slice::from_ref(&graph), seats).leaks(graph.degree()).0, 0);
    }
}

/// The rounds of a key under these terms: graphs without a common link, or one.
fn rounds_of_a_key(tolerance: &Tolerance) -> Vec<Graph> {
    Schedule::new(tolerance).map_or_else(|_| vec![tolerance.graph()], |found| found.rounds().to_vec())
}

#[test]
fn all_small_rooms_keep_every_round_of_a_schedule() {
    let mut most = 0;
    for seats in 3..=11 {
        for colluders in 0..seats - 1 {
            let rounds = rounds_of_a_key(&tolerance(seats, colluders));
            most = most.max(rounds.len());
            let room = Room::of_schedule(&rounds, seats);
            assert_eq!(room.leaks(colluders).0, 0, "n = {seats}, t = {colluders}");
            // A round that comes twice shows everyone what the two values differ by.
            let twice = [&rounds[..], &rounds[..1]].concat();
            let (leaks, sets) = Room::of_schedule(&twice, seats).leaks(colluders);
            assert_eq!(leaks, sets, "n = {seats}, t = {colluders}");
        }
    }
    assert_eq!(most, 5);
}

#[test]
fn larger_rooms_hold_against_sets_that_are_drawn() {
    let draws = if std::env::var_os("UNDERTONE_FULL").is_some() {
        400
    } else {
        eprintln!("left out: 390 of 400 drawn sets a room; UNDERTONE_FULL=1 runs them");
        10
    };
    for (seats, colluders, rounds) in [(20, 4, 3), (24, 8, 2), (26, 3, 6), (30, 10, 4)] {
        let graph = tolerance(seats, colluders).graph_for_rounds(rounds, Margin::Spare).unwrap();
        let room = Room::of_graph(graph.graph(), rounds);
        for draw in 0..draws {
            let set = drawn(seats, colluders, draw);
            assert!(!room.leaks_to(set), "{seats}, {colluders}, {rounds}: {set:b}");
        }
    }
}

/// A set of seats: every second one of them in one piece, as those who cut a ring would sit.
fn drawn(seats: u16, size: u16, draw: u64) -> u32 {
    let hash = crate::Transcript::new("leak-test").number(draw).hash();
    let (first, piece) = (u32::from(hash[0]), if draw.is_multiple_of(2) { size } else { size / 2 });
    let seat = |at: u32| 1_u32 << (at % u32::from(seats));
    let mut set = (0..u32::from(piece)).fold(0, |set, at| set | seat(first + at));
    let mut at = 1;
    while set.count_ones() < u32::from(size) {
        set |= seat(u32::from(hash[at % 32]) + at as u32 / 32);
        at += 1;
    }
    set
}
