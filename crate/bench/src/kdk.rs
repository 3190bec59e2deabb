//! What one seat computes for a value in the group.

use crate::{Bench, Row};
use core::hint::black_box;
use undertone_machine::{Seat, Secret};
use undertone_prim::codec::Codec;
use undertone_prim::{AgreementKey, GroupKey, KeySum, kdk_message};

/// One seat's message of single-round KDK. A key is good for one message, and its public half, which others
/// need before, is a row of its own.
pub(crate) const BENCH: Bench =
    Bench { name: "kdk-message", about: "One seat's message of single-round KDK, and the key pair for it.", rows };

fn rows() -> Vec<Row> {
    let mut rows: Vec<_> = [10_u16, 100, 1_000].map(row).into();
    rows.push(Row::new("key pair", 1, || {
        Box::new(|| {
            black_box(key(1).public().encoded());
        })
    }));
    rows.push(join_or_leave(1_000));
    rows
}

/// A seat that comes and one that goes, half of both: its key is read and the sum kept up to date.
fn join_or_leave(seats: u16) -> Row {
    Row::new("join or leave", seats, move || {
        let mut sum = KeySum::new(Seat(seats / 2));
        let all = (0..seats).filter_map(|seat| Some((seat, public(seat)?)));
        all.for_each(|(seat, key)| assert!(sum.join(Seat(seat), &key) != (seat == seats / 2)));
        let (last, mut is_in) = (Seat(seats - 1), true);
        let encoded = key(last.0).public().to_bytes();
        Box::new(move || {
            if let Ok(key) = GroupKey::from_bytes(&encoded) {
                let changed = if is_in { sum.leave(last, &key) } else { sum.join(last, &key) };
                is_in = !is_in;
                assert!(black_box(changed), "the seat was in, or was not");
            }
        })
    })
}

pub(crate) fn key(seat: u16) -> AgreementKey {
    let mut seed = Secret::new([7; 32]);
    seed.expose_mut().iter_mut().zip(seat.to_be_bytes()).for_each(|(to, from)| *to = from);
    AgreementKey::from_seed(&seed)
}

/// A key, read and prepared.
pub(crate) fn public(seat: u16) -> Option<GroupKey> {
    GroupKey::new(key(seat).public())
}

fn row(seats: u16) -> Row {
    Row::new("message", seats, move || {
        let keys: Vec<_> = (0..seats).filter_map(|seat| Some((Seat(seat), public(seat)?))).collect();
        let me = seats / 2;
        Box::new(move || {
            black_box(kdk_message(key(me), Seat(me), &keys, 1_234).map(|message| message.encode()));
        })
    })
}
