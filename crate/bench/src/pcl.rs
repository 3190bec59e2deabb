//! What one seat computes for a round of the bounded method.

use crate::kdk::{key, public};
use crate::{Bench, Row, Work};
use core::hint::black_box;
use std::sync::Arc;
use undertone_prim::GroupKey;
use undertone_prim::graph::{BoundedGraph, Margin, Tolerance};
use undertone_prim::pcl::{Coefficients, KeyLife, KeyTables, PaperRound};

/// One seat's message of a round, against the exponentiations that the paper counts.
pub(crate) const BENCH: Bench = Bench {
    name: "pcl-message",
    about: "One seat's message of a PCL round, the tables of its key life made before.",
    rows,
};

/// Of a round.
const CONTEXT: [u8; 32] = [7; 32];

fn rows() -> Vec<Row> {
    let complete = |seats, colluders, rounds| Room { seats, colluders, rounds, name: "complete" };
    let ring = Room { seats: 10_000, colluders: 20, rounds: 6, name: "ring t=20 l=6" };
    let rooms = [complete(100, 33, 33), complete(1_000, 333, 333)];
    let mut rows: Vec<_> = rooms.map(message).into();
    rows.push(message(ring));
    rows.extend(rooms.map(tables));
    rows
}

#[derive(Clone, Copy)]
struct Room {
    seats: u16,
    colluders: u16,
    rounds: u32,
    name: &'static str,
}

impl Room {
    fn graph(self) -> Option<BoundedGraph> {
        let tolerance = Tolerance::new(self.seats, self.colluders, 0).ok()?;
        tolerance.graph_for_rounds(self.rounds, Margin::Exact).ok()
    }

    fn keys(self) -> Vec<GroupKey> {
        (0..self.seats).filter_map(public).collect()
    }

    fn tables(self, keys: &[GroupKey]) -> Option<KeyTables> {
        KeyTables::new(self.seats / 2, keys, &self.graph()?, Coefficients::Short).ok()
    }

    fn life(self) -> Option<KeyLife> {
        KeyLife::new(key(self.seats / 2), Arc::new(self.tables(&self.keys())?)).ok()
    }
}

fn message(room: Room) -> Row {
    let work = move || -> Work {
        let Some(life) = room.life() else { return Box::new(|| ()) };
        let mut round = 0;
        Box::new(move || {
            round = (round + 1) % room.rounds;
            let _ = black_box(life.message_unspent(&CONTEXT, round, 1_234).map(|it| it.encode()));
        })
    };
    // The paper's own method has no ring: everyone masks with everyone.
    let unreduced = Room { rounds: u32::from((room.seats - room.colluders) / 2), ..room };
    Row::new(room.name, room.seats, work).against("exponentiations", move || paper(unreduced)).large()
}

/// n-1 multiples of keys and one by the own key, each in constant time.
fn paper(room: Room) -> Work {
    let me = room.seats / 2;
    let paper = room.graph().and_then(|graph| PaperRound::new(key(me), me, &room.keys(), &graph, &CONTEXT, 0).ok());
    let Some(paper) = paper else { return Box::new(|| ()) };
    Box::new(move || {
        black_box(paper.message(1_234).encode());
    })
}

fn tables(room: Room) -> Row {
    let work = move || -> Work {
        let keys = room.keys();
        Box::new(move || {
            black_box(room.tables(&keys).is_some());
        })
    };
    Row::new("tables", room.seats, work).large()
}
