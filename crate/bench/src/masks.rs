//! What one seat computes for a masked value.

use crate::{Bench, Row};
use core::hint::black_box;
use undertone_machine::{Seat, Secret};
use undertone_prim::{PairwisePads, derive, mask};

/// One seat's masked message: pads with all others, and the additions.
pub(crate) const BENCH: Bench =
    Bench { name: "masks-message", about: "One seat's masked message of a vector over Z_2^64.", rows };

fn rows() -> Vec<Row> {
    let sizes = [(30, 1), (100, 1), (1_000, 1), (30, 1_000)];
    sizes.map(|(seats, length)| row(seats, length)).into()
}

fn row(seats: u16, length: usize) -> Row {
    let name = if length == 1 { "one value" } else { "1,000 values" };
    Row::new(name, seats, move || {
        let peers: Vec<_> = (0..seats).map(Seat).collect();
        let key = |seat: &Seat| (*seat, derive(&seat.0.to_be_bytes(), "bench-pad/v1", &[]));
        let pads = PairwisePads::new(peers.iter().skip(1).map(key).collect());
        let values = Secret::new(vec![1_234_i128; length]);
        let mut context = [0_u8; 32];
        Box::new(move || {
            context = context.map(|byte| byte.wrapping_add(1));
            black_box(mask::<u64>(values.expose(), Seat(0), &peers, &pads, &context));
        })
    })
}
