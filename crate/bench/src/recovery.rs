//! Reading a sum from the exponent.

use crate::{Bench, Row, Work};
use core::hint::black_box;
use std::sync::Arc;
use undertone_machine::{Seat, Secret};
use undertone_prim::dlog::{SumRange, Table, lambda_vartime, recover_vartime};
use undertone_prim::pairing::{self, TargetElement, TraceTable, target_lambda_vartime};
use undertone_prim::{AgreementKey, POINT_BYTES, kdk_message};

/// Fan baby-step giant-step against Pollard's lambda, the method of the paper.
pub(crate) const BENCH: Bench = Bench {
    name: "recovery",
    about: "The sum out of the exponent on the curve and in the pairing's group; the table is made before.",
    rows,
};

fn rows() -> Vec<Row> {
    let with_lambda = |bits| row(bits).against("lambda", move || lambda(bits));
    let table = |bits| Row::new("table", format!("2^{bits}"), move || table(bits)).large();
    let group = |bits| group(bits).against("lambda", move || group_lambda(bits));
    let curve = [with_lambda(20), with_lambda(30).large(), row(32).large(), row(40).large(), table(30), table(40)];
    curve.into_iter().chain([group(20), group(30).large(), group_table(30).large()]).collect()
}

/// Sums that are spread over the range.
struct Sums {
    range: Option<SumRange>,
    encoded: Vec<[u8; POINT_BYTES]>,
    turn: usize,
}

impl Sums {
    fn new(bits: u32) -> Self {
        let width = 1_u64 << bits;
        // Odd multiples of a golden section of the range: spread, and the same in each run.
        let value = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits);
        let range = i64::try_from(width - 1).ok().and_then(|high| SumRange::new(0, high).ok());
        Self { range, encoded: (1..=16).map(|i| times_base(value(i))).collect(), turn: 0 }
    }

    fn next(&mut self) -> Option<(&[u8; POINT_BYTES], SumRange)> {
        self.turn = (self.turn + 1) % self.encoded.len();
        Some((self.encoded.get(self.turn)?, self.range?))
    }
}

/// `s G`: the message of a seat that is alone.
pub(crate) fn times_base(s: u64) -> [u8; POINT_BYTES] {
    kdk_message(AgreementKey::from_seed(&Secret::new([1; 32])), Seat(0), &[], s)
        .map_or([0; POINT_BYTES], |message| message.encode())
}

fn row(bits: u32) -> Row {
    Row::new("curve", format!("2^{bits}"), move || {
        let (mut sums, table) = (Sums::new(bits), Arc::new(Table::for_width(1 << bits)));
        Box::new(move || {
            if let Some((sum, range)) = sums.next() {
                let found = recover_vartime(&table, sum, range);
                assert!(matches!(black_box(found), Ok(Some(_))), "a sum of the range is found");
            }
        })
    })
}

fn lambda(bits: u32) -> Work {
    let (mut sums, mut seed) = (Sums::new(bits), 0);
    Box::new(move || {
        seed += 1;
        if let Some((sum, range)) = sums.next() {
            let _ = black_box(lambda_vartime(sum, range, seed));
        }
    })
}

fn table(bits: u32) -> Work {
    Box::new(move || {
        black_box(Table::for_width(1 << bits).bytes());
    })
}

/// As [`Sums`], in the pairing's group.
struct Powers {
    sums: Sums,
    elements: Vec<TargetElement>,
}

impl Powers {
    fn new(bits: u32) -> Self {
        let value = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as i64;
        Self { sums: Sums::new(bits), elements: (1..=16).map(|i| TargetElement::power_vartime(value(i))).collect() }
    }

    fn next(&mut self) -> Option<(&TargetElement, SumRange)> {
        let (_, range) = self.sums.next()?;
        Some((self.elements.get(self.sums.turn)?, range))
    }
}

fn group(bits: u32) -> Row {
    Row::new("pairing-group", format!("2^{bits}"), move || {
        let (mut sums, table) = (Powers::new(bits), Arc::new(TraceTable::for_width(1 << bits)));
        Box::new(move || {
            if let Some((sum, range)) = sums.next() {
                let found = pairing::recover_vartime(&table, sum, range);
                assert!(black_box(found).is_some(), "a sum of the range is found");
            }
        })
    })
}

fn group_lambda(bits: u32) -> Work {
    let (mut sums, mut seed) = (Powers::new(bits), 0);
    Box::new(move || {
        seed += 1;
        if let Some((sum, range)) = sums.next() {
            let _ = black_box(target_lambda_vartime(sum, range, seed));
        }
    })
}

/// Says how large the table is beside how long it takes.
fn group_table(bits: u32) -> Row {
    let bytes = TraceTable::bytes_for_width(1 << bits);
    Row::new("group table", format!("2^{bits}: {} kB", bytes / 1_000), move || {
        Box::new(move || {
            black_box(TraceTable::for_width(1 << bits).bytes());
        })
    })
}
