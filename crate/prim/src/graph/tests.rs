//! What graphs look like; what they protect is in `pcl/leak.rs`.

use super::*;
use std::collections::BTreeSet;

fn tolerance(seats: u16, colluders: u16) -> Tolerance {
    Tolerance::new(seats, colluders, 0).unwrap()
}

/// All links, after a check that both ends see each.
fn links(graph: &Graph) -> BTreeSet<(u16, u16)> {
    let mut links = BTreeSet::new();
    for me in 0..graph.seats() {
        let others = graph.neighbours(me);
        assert_eq!(others.len(), usize::from(graph.degree()));
        assert!(others.windows(2).all(|pair| pair[0] < pair[1]) && !others.contains(&me));
        for other in others {
            assert!(graph.neighbours(other).contains(&me));
            links.insert((me.min(other), me.max(other)));
        }
    }
    links
}

#[test]
fn tolerances_without_a_meaning_are_refused() {
    let refused = |seats, colluders, drops| Tolerance::new(seats, colluders, drops).unwrap_err();
    assert_eq!([refused(0, 0, 0), refused(2, 0, 0)], [GraphError::TooFewSeats; 2]);
    let nothing = [refused(3, 2, 0), refused(10, 9, 0), refused(10, 8, 1), refused(10, 0, 9), refused(10, 2, 11)];
    assert_eq!(nothing, [GraphError::NothingToProtect; 5]);
    assert!(Tolerance::new(3, 1, 0).is_ok() && Tolerance::new(10, 8, 0).is_ok() && Tolerance::new(10, 7, 1).is_ok());
    assert_eq!(Graph::complete(2), Err(GraphError::TooFewSeats));
}

#[test]
fn budgets_are_those_of_the_papers_and_one_seat_less() {
    let budget = |n, t, margin| tolerance(n, t).budget(margin);
    assert_eq!(budget(100, 33, Margin::Exact), Ok(33));
    assert_eq!(budget(100, 33, Margin::Spare), Ok(33));
    assert_eq!([budget(100, 34, Margin::Exact), budget(100, 34, Margin::Spare)], [Ok(33), Ok(32)]);
    assert_eq!([budget(10, 8, Margin::Exact), budget(10, 8, Margin::Spare)], [Ok(1), Err(GraphError::NoRounds)]);
    assert_eq!(Tolerance::new(100, 33, 10).unwrap().budget(Margin::Exact), Ok(28));
}

#[test]
fn more_rounds_than_the_budget_and_none_are_refused() {
    let graph = |rounds| tolerance(20, 5).graph_for_rounds(rounds, Margin::Spare).map(|it| it.graph().degree());
    assert_eq!([graph(0), graph(8)], [Err(GraphError::NoRounds), Err(GraphError::OverBudget)]);
    assert_eq!([graph(7), graph(6), graph(1)], [Ok(19), Ok(18), Ok(8)]);
}

#[test]
fn degrees_are_even_and_as_large_as_they_must_be() {
    let bounded = |n, t, rounds| tolerance(n, t).graph_for_rounds(rounds, Margin::Spare).unwrap().graph().clone();
    assert_eq!(bounded(10_000, 20, 6).degree(), 32);
    assert_eq!(bounded(900, 3, 1).degree(), 6);
    assert_eq!([tolerance(900, 20).graph().degree(), tolerance(900, 1).graph().degree()], [22, 2]);
    let with_drops = Tolerance::new(900, 20, 5).unwrap();
    assert_eq!(with_drops.graph().degree(), 26);
    assert_eq!(with_drops.graph_for_rounds(6, Margin::Spare).unwrap().graph().degree(), 38);
    assert!(tolerance(5, 3).graph().is_complete() && !tolerance(6, 3).graph().is_complete());
}

#[test]
fn links_are_seen_from_both_ends_and_wrap_around() {
    for n in 3..=14_u16 {
        assert_eq!(links(&Graph::complete(n).unwrap()).len(), usize::from(n * (n - 1) / 2));
        for t in 0..n - 1 {
            let graph = tolerance(n, t).graph();
            assert_eq!(links(&graph).len(), usize::from(n * graph.degree() / 2), "n = {n}, t = {t}");
        }
    }
    assert_eq!(tolerance(10, 3).graph().neighbours(0), [1, 2, 8, 9]);
    assert!(tolerance(10, 3).graph().neighbours(10).is_empty());
}

#[test]
fn circles_part_the_complete_graph() {
    for n in 3..=23_u16 {
        let schedule = Schedule::new(&tolerance(n, 1)).unwrap();
        assert_eq!(schedule.rounds().len(), usize::from((n - 1) / 2));
        let mut all = BTreeSet::new();
        for round in schedule.rounds() {
            let circle = links(round);
            assert_eq!(circle.len(), usize::from(n));
            assert!(is_one_circle(round), "n = {n}");
            circle.into_iter().for_each(|link| assert!(all.insert(link), "{link:?} twice, n = {n}"));
        }
    }
}

fn is_one_circle(graph: &Graph) -> bool {
    let (mut before, mut at) = (0, graph.neighbours(0)[0]);
    let mut length = 1;
    while at != 0 {
        let next = *graph.neighbours(at).iter().find(|it| **it != before).unwrap();
        (before, at, length) = (at, next, length + 1);
    }
    length == graph.seats()
}

#[test]
fn schedules_share_no_link_and_hold_without_the_colluders() {
    for (n, t, rounds) in [(11, 3, 2), (13, 3, 3), (20, 3, 4), (24, 5, 3), (31, 9, 3), (10, 8, 0), (9, 4, 1)] {
        let found = Schedule::new(&tolerance(n, t));
        if rounds == 0 {
            assert_eq!(found, Err(GraphError::NoRounds));
            continue;
        }
        let found = found.unwrap();
        assert_eq!(found.rounds().len(), rounds, "n = {n}, t = {t}");
        let mut all = BTreeSet::new();
        for round in found.rounds() {
            assert!(connected::is_connected(round, t + 1));
            links(round).into_iter().for_each(|link| assert!(all.insert(link)));
        }
    }
    assert_eq!(Schedule::new(&tolerance(129, 1)), Err(GraphError::TooManySeats));
}
