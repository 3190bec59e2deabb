//! What one seat computes for a value in the group.

use crate::{Bench, Row};
use core::hint::black_box;
use undertone_machine::{Seat, Secret};
use undertone_prim::{AgreementKey, kdk_message};

/// One seat's message of single-round KDK, its key pair included: a key is good for one message.
pub(crate) const BENCH: Bench =
    Bench { name: "kdk-message", about: "One seat's message of single-round KDK, its key pair included.", rows };

fn rows() -> Vec<Row> {
    [10_u16, 100, 1_000].map(row).into()
}

fn key(seat: u16) -> AgreementKey {
    let mut seed = Secret::new([7; 32]);
    seed.expose_mut().iter_mut().zip(seat.to_be_bytes()).for_each(|(to, from)| *to = from);
    AgreementKey::from_seed(&seed)
}

fn row(seats: u16) -> Row {
    Row::new("message", seats, move || {
        let keys: Vec<_> = (0..seats).map(|seat| (Seat(seat), *key(seat).public())).collect();
        let me = seats / 2;
        Box::new(move || {
            black_box(kdk_message(key(me), Seat(me), &keys, 1_234).encode());
        })
    })
}
