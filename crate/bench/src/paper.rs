//! The measurements of the paper, with its operations and ours.
//!
//! Its Table 1: a round at one seat, chosen anew in each run, for multi-round KDK by n - 1 pairings and
//! for PCL by n exponentiations; on average over the table PCL was 437 times as fast. Its Figure 1: a
//! sum of b bits read by Pollard's lambda in either group.

#[cfg(feature = "bn254")]
mod bn254;

use crate::kdk::{key as curve_key, public};
use crate::pairing::{key, keys, next};
use crate::recovery::times_base;
use crate::{Bench, Row, Work};
use core::hint::black_box;
use std::sync::Arc;
use undertone_machine::Seat;
use undertone_prim::codec::Codec;
use undertone_prim::dlog::{SumRange, Table, lambda_vartime, recover_vartime};
use undertone_prim::graph::{Margin, Tolerance};
use undertone_prim::pairing::{self, Neighbourhood, TargetElement, TraceTable, literal_message, target_lambda_vartime};
use undertone_prim::pcl::PaperRound;

/// Table 1 and Figure 1.
pub(crate) const BENCH: Bench = Bench {
    name: "paper-001",
    about: "Table 1 and Figure 1 of the paper: its operations, and ours beside them.",
    rows,
};

/// Sizes of groups.
const SEATS: [u16; 6] = [10, 50, 100, 250, 500, 1_000];
/// Bits of sums.
const BITS: [u32; 6] = [5, 10, 15, 20, 25, 30];
/// How much faster PCL was than multi-round KDK, on average over the paper's Table 1.
const PUBLISHED: f64 = 437.0;
/// Seats that take turns.
const TURNS: usize = 8;

fn rows() -> Vec<Row> {
    let mut rows: Vec<_> = SEATS.into_iter().flat_map(table_1).chain(BITS.into_iter().flat_map(figure_1)).collect();
    #[cfg(feature = "bn254")]
    rows.extend(bn254::rows());
    // The first size of each kind is enough for tests.
    rows.iter_mut().for_each(|row| row.is_small = row.n == "10" || row.n == "2^5");
    rows
}

fn table_1(seats: u16) -> [Row; 2] {
    let literal = move || kdk_literal(seats);
    [
        Row::new("pcl", seats, move || pcl(seats)).against("kdk literal", literal).published(PUBLISHED),
        Row::new("kdk one pairing", seats, move || kdk(seats)).against("kdk literal", literal),
    ]
}

fn figure_1(bits: u32) -> [Row; 2] {
    let n = format!("2^{bits}");
    [
        Row::new("recover curve", &n, move || curve(bits)).against("lambda", move || curve_lambda(bits)),
        Row::new("recover group", &n, move || group(bits)).against("lambda", move || group_lambda(bits)),
    ]
}

/// Numbers that look random and are the same in every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// Some of the seats.
    fn seats(&mut self, seats: u16) -> Vec<Seat> {
        (0..TURNS).map(|_| Seat(self.below(seats.into()) as u16)).collect()
    }

    /// One of what was made for them.
    fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len() as u64) as usize)
    }

    /// A sum as in the paper: from a quarter of the range on.
    fn sum(&mut self, bits: u32) -> i64 {
        let quarter = 1_u64 << (bits - 2);
        (quarter + self.below(3 * quarter + 1)) as i64
    }
}

fn kdk(seats: u16) -> Work {
    let (mut random, mut round, keys) = (Random(1), 0, keys(seats));
    let made = |seat: Seat| Neighbourhood::new(key(seat.0), seat, &keys);
    let made: Vec<_> = random.seats(seats).into_iter().map(made).collect();
    Box::new(move || {
        if let Some(one) = random.one(&made) {
            black_box(one.message(&next(&mut round), 1_234).to_bytes());
        }
    })
}

fn kdk_literal(seats: u16) -> Work {
    let (mut random, mut round, all) = (Random(1), 0, keys(seats));
    let made: Vec<_> = random.seats(seats).into_iter().map(|seat| (seat, key(seat.0))).collect();
    Box::new(move || {
        if let Some((seat, key)) = random.one(&made) {
            black_box(literal_message(key, *seat, &all, &next(&mut round), 1_234).to_bytes());
        }
    })
}

/// As many rounds as the paper allows against a third of all, so everyone is linked with everyone.
fn pcl(seats: u16) -> Work {
    let mut random = Random(1);
    let keys: Vec<_> = (0..seats).filter_map(public).collect();
    let tolerance = Tolerance::new(seats, seats / 3, 0).ok();
    let graph = tolerance.and_then(|it| it.graph_for_rounds(it.budget(Margin::Exact).ok()?, Margin::Exact).ok());
    let made = |seat: Seat| PaperRound::new(curve_key(seat.0), seat.0, &keys, graph.as_ref()?, &[3; 32], 0).ok();
    let made: Vec<_> = random.seats(seats).into_iter().filter_map(made).collect();
    Box::new(move || {
        if let Some(one) = random.one(&made) {
            black_box(one.message(1_234).encode());
        }
    })
}

fn range(bits: u32) -> Option<SumRange> {
    SumRange::new(0, 1 << bits).ok()
}

/// Sums as group elements, made before they are read.
fn sums<T>(bits: u32, element: impl Fn(i64) -> T) -> (Random, Vec<T>) {
    let mut random = Random(bits.into());
    let sums = (0..2 * TURNS).map(|_| random.sum(bits)).collect::<Vec<_>>();
    (random, sums.into_iter().map(element).collect())
}

fn curve(bits: u32) -> Work {
    let (mut random, sums) = sums(bits, |sum| times_base(sum.unsigned_abs()));
    let table = Arc::new(Table::for_width(1 << bits));
    Box::new(move || {
        if let (Some(sum), Some(range)) = (random.one(&sums), range(bits)) {
            let _ = black_box(recover_vartime(&table, sum, range));
        }
    })
}

fn curve_lambda(bits: u32) -> Work {
    let (mut random, sums) = sums(bits, |sum| times_base(sum.unsigned_abs()));
    Box::new(move || {
        let seed = random.next();
        if let (Some(sum), Some(range)) = (random.one(&sums), range(bits)) {
            let _ = black_box(lambda_vartime(sum, range, seed));
        }
    })
}

fn group(bits: u32) -> Work {
    let (mut random, sums) = sums(bits, TargetElement::power_vartime);
    let table = Arc::new(TraceTable::for_width(1 << bits));
    Box::new(move || {
        if let (Some(sum), Some(range)) = (random.one(&sums), range(bits)) {
            let _ = black_box(pairing::recover_vartime(&table, sum, range));
        }
    })
}

fn group_lambda(bits: u32) -> Work {
    let (mut random, sums) = sums(bits, TargetElement::power_vartime);
    Box::new(move || {
        let seed = random.next();
        if let (Some(sum), Some(range)) = (random.one(&sums), range(bits)) {
            let _ = black_box(target_lambda_vartime(sum, range, seed));
        }
    })
}
