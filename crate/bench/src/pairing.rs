//! What one seat computes for a value under a key for many rounds.

use crate::{Bench, Row, Work};
use core::hint::black_box;
use undertone_machine::{Seat, Secret};
use undertone_prim::codec::Codec;
use undertone_prim::pairing::{Neighbourhood, PairingKey, PairingPoint, RoundPoint, literal_message};

/// One seat's message of multi-round KDK, and what comes before and after it.
pub(crate) const BENCH: Bench = Bench {
    name: "kdk-pairing-message",
    about: "One seat's message of multi-round KDK, the hash of its round included; the papers' n - 1 pairings.",
    rows,
};

fn rows() -> Vec<Row> {
    let message =
        |seats| Row::new("message", seats, move || ours(seats)).against("n - 1 pairings", move || literal(seats));
    vec![
        message(10),
        message(100).large(),
        message(1_000).large(),
        Row::new("neighbourhood", 100, || neighbourhood(100)),
        Row::new("neighbourhood", 1_000, || neighbourhood(1_000)).large(),
        Row::new("join", 1_000, || join(1_000)).large(),
        Row::new("decode", 1, decode),
    ]
}

pub(crate) fn key(seat: u16) -> PairingKey {
    let mut seed = Secret::new([7; 32]);
    seed.expose_mut().iter_mut().zip(seat.to_be_bytes()).for_each(|(to, from)| *to = from);
    PairingKey::from_seed(&seed)
}

pub(crate) fn keys(seats: u16) -> Vec<(Seat, PairingPoint)> {
    (0..seats).map(|seat| (Seat(seat), *key(seat).public())).collect()
}

/// The point of the next round.
pub(crate) fn next(round: &mut u64) -> RoundPoint {
    *round += 1;
    RoundPoint::new(&[1; 32], *round, 0)
}

/// One pairing.
pub(crate) fn ours(seats: u16) -> Work {
    let me = seats / 2;
    let (neighbourhood, mut round) = (Neighbourhood::new(key(me), Seat(me), &keys(seats)), 0);
    Box::new(move || {
        black_box(neighbourhood.message(&next(&mut round), 1_234).to_bytes());
    })
}

/// A pairing for each other seat.
pub(crate) fn literal(seats: u16) -> Work {
    let me = seats / 2;
    let (key, keys, mut round) = (key(me), keys(seats), 0);
    Box::new(move || {
        black_box(literal_message(&key, Seat(me), &keys, &next(&mut round), 1_234).to_bytes());
    })
}

fn neighbourhood(seats: u16) -> Work {
    let keys = keys(seats);
    Box::new(move || {
        black_box(Neighbourhood::new(key(0), Seat(0), &keys));
    })
}

fn join(seats: u16) -> Work {
    let mut neighbourhood = Neighbourhood::new(key(0), Seat(0), &keys(2));
    let guest = *key(seats).public();
    Box::new(move || neighbourhood.join(Seat(seats), &guest))
}

/// One message read, its order checked.
fn decode() -> Work {
    let bytes = Neighbourhood::new(key(0), Seat(0), &keys(2)).message(&next(&mut 0), 5).to_bytes();
    Box::new(move || {
        let _ = black_box(undertone_prim::pairing::TargetElement::from_bytes(&bytes));
    })
}
