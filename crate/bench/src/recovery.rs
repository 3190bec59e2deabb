//! Reading a sum from the exponent.

use crate::{Bench, Row, Work};
use core::hint::black_box;
use std::sync::Arc;
use undertone_machine::{Seat, Secret};
use undertone_prim::dlog::{SumRange, Table, lambda_vartime, recover_vartime};
use undertone_prim::{AgreementKey, POINT_BYTES, kdk_message};

/// Fan baby-step giant-step against Pollard's lambda, the method of the paper.
pub(crate) const BENCH: Bench =
    Bench { name: "recovery", about: "The sum out of the exponent on the curve; the table is made before.", rows };

fn rows() -> Vec<Row> {
    let with_lambda = |bits| row(bits).against("lambda", move || lambda(bits));
    let table = |bits| Row::new("table", format!("2^{bits}"), move || table(bits)).large();
    vec![with_lambda(20), with_lambda(30).large(), row(32).large(), row(40).large(), table(30), table(40)]
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
fn times_base(s: u64) -> [u8; POINT_BYTES] {
    kdk_message(AgreementKey::from_seed(&Secret::new([1; 32])), Seat(0), &[], s).encode()
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
