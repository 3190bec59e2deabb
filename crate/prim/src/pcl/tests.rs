//! All methods and graphs telescope, messages are the ones that the definition gives, and a key life
//! ends.

use super::*;
use crate::dlog::SumRange;
use crate::graph::{Margin, Tolerance};
use curve25519_dalek::scalar::Scalar;
use undertone_machine::Secret;

pub(super) const CONTEXT: Hash = [9; 32];

fn key(seat: u16) -> AgreementKey {
    AgreementKey::from_seed(&Secret::new([seat as u8 + 1; 32]))
}

fn keys(seats: u16) -> Vec<GroupKey> {
    (0..seats).map(|seat| GroupKey::new(key(seat).public()).unwrap()).collect()
}

/// For so many rounds with so many colluders.
pub(super) fn bounded(seats: u16, colluders: u16, rounds: u32) -> BoundedGraph {
    Tolerance::new(seats, colluders, 0).unwrap().graph_for_rounds(rounds, Margin::Spare).unwrap()
}

pub(super) fn lives(graph: &BoundedGraph, coefficients: Coefficients) -> Vec<KeyLife> {
    let seats = graph.graph().seats();
    let keys = keys(seats);
    let tables = |me| Arc::new(KeyTables::new(me, &keys, graph, coefficients).unwrap());
    let life = |me| KeyLife::new(key(me), tables(me)).unwrap();
    (0..seats).map(life).collect()
}

fn messages(lives: &mut [KeyLife], round: u32, values: &[u64]) -> Vec<Element> {
    lives.iter_mut().zip(values).map(|(life, value)| life.message(&CONTEXT, round, *value).unwrap()).collect()
}

fn total(messages: &[Element]) -> Element {
    messages.iter().fold(Element::identity(), |sum, one| sum + *one)
}

fn telescopes(lives: &mut [KeyLife], rounds: u32) {
    for round in 0..rounds {
        let values: Vec<_> =
            (0..lives.len() as u64).map(|seat| seat * 1_000 + u64::from(round) + (seat << 40)).collect();
        let sent = messages(lives, round, &values);
        assert_eq!(total(&sent), Element::base_times(&Scalar::from(values.iter().sum::<u64>())), "round {round}");
        assert_ne!(total(&sent[1..]), Element::base_times(&Scalar::from(values[1..].iter().sum::<u64>())));
    }
}

fn all_methods_telescope() {
    for (seats, colluders, rounds) in [(3, 0, 1), (5, 1, 1), (12, 2, 2), (14, 3, 4)] {
        let graph = bounded(seats, colluders, rounds);
        for coefficients in [Coefficients::Short, Coefficients::Full] {
            telescopes(&mut lives(&graph, coefficients), rounds);
        }
    }
    for (seats, colluders) in [(5, 1), (8, 1), (13, 3)] {
        let schedule = Schedule::new(&Tolerance::new(seats, colluders, 0).unwrap()).unwrap();
        let keys = keys(seats);
        let life = |me| KeyLife::scheduled(key(me), me, &keys, &schedule).unwrap();
        let mut lives: Vec<_> = (0..seats).map(life).collect();
        telescopes(&mut lives, schedule.rounds().len() as u32);
    }
}

#[test]
fn messages_of_all_methods_and_graphs_add_up_to_the_sum_and_parts_do_not() {
    all_methods_telescope();
}

#[cfg(feature = "model")]
#[test]
fn the_model_gives_the_same_sums() {
    crate::model::within(all_methods_telescope);
}

#[test]
fn a_message_is_what_the_definition_says() {
    let graph = bounded(14, 3, 3);
    assert!(!graph.graph().is_complete());
    for coefficients in [Coefficients::Short, Coefficients::Full] {
        for (me, mut life) in (0..).zip(lives(&graph, coefficients)) {
            let row = coefficients.row(&CONTEXT, 2, me, &graph.graph().neighbours(me));
            let terms = graph
                .graph()
                .neighbours(me)
                .into_iter()
                .zip(&row)
                .map(|(place, signs)| key(place).public().element().times(&number(signs, coefficients.places())));
            let others = terms.fold(Element::identity(), |sum, term| sum + term);
            assert_eq!(life.message(&CONTEXT, 2, 77), Ok(key(me).hide(others, 77)));
        }
    }
}

#[test]
fn exponentiations_as_the_paper_counts_them_give_the_same_message() {
    let graph = bounded(9, 2, 3);
    for (me, mut life) in (0..).zip(lives(&graph, Coefficients::Full)) {
        let paper = PaperRound::new(key(me), me, &keys(9), &graph, &CONTEXT, 1).unwrap();
        assert_eq!(life.message(&CONTEXT, 1, 123), Ok(paper.message(123)));
    }
}

#[test]
fn large_rooms_take_other_tables_and_give_the_same() {
    let seats = 300;
    let seed = |seat: u16| Secret::new(core::array::from_fn(|i| seat.to_be_bytes()[i % 2]));
    let public = |seat| GroupKey::new(AgreementKey::from_seed(&seed(seat)).public()).unwrap();
    let keys: Vec<_> = (0..seats).map(public).collect();
    let graph = bounded(seats, 99, 100);
    assert!(graph.graph().is_complete());
    let me = 17;
    let mut life = KeyLife::new(
        AgreementKey::from_seed(&seed(me)),
        Arc::new(KeyTables::new(me, &keys, &graph, Coefficients::Short).unwrap()),
    )
    .unwrap();
    let neighbours = graph.graph().neighbours(me);
    let row = Coefficients::Short.row(&CONTEXT, 0, me, &neighbours);
    let terms = neighbours
        .iter()
        .zip(&row)
        .map(|(place, signs)| keys[usize::from(*place)].public().element().times(&number(signs, 128)));
    let others = terms.fold(Element::identity(), |sum, term| sum + term);
    assert_eq!(life.message(&CONTEXT, 0, 5), Ok(AgreementKey::from_seed(&seed(me)).hide(others, 5)));
}

#[test]
fn rows_are_skew_symmetric_and_fresh() {
    let seats: Vec<_> = (0..40).collect();
    for coefficients in [Coefficients::Short, Coefficients::Full] {
        let of = |context: &Hash, round, me, other| {
            number(&coefficients.row(context, round, me, &[other])[0], coefficients.places())
        };
        let mut seen = Vec::new();
        for me in 0..40 {
            let row = coefficients.row(&CONTEXT, 3, me, &seats);
            for other in (me + 1)..40 {
                let entry = number(&row[usize::from(other)], coefficients.places());
                assert_eq!(entry, of(&CONTEXT, 3, me, other));
                assert_eq!(entry, -of(&CONTEXT, 3, other, me));
                seen.push(entry.to_bytes());
            }
        }
        seen.extend([of(&CONTEXT, 4, 0, 1), of(&[8; 32], 3, 0, 1)].map(|it| it.to_bytes()));
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count, "no coefficient comes twice");
    }
}

#[test]
fn the_last_pair_of_the_largest_room_is_within_the_stream() {
    for coefficients in [Coefficients::Short, Coefficients::Full] {
        let row = coefficients.row(&CONTEXT, u32::MAX, u16::MAX - 1, &[u16::MAX, 0]);
        assert!(row[0] != row[1] && row[0] != [0; 4]);
    }
}

#[test]
fn a_round_is_spent_once_and_rounds_only_go_up() {
    let mut life = lives(&bounded(10, 0, 4), Coefficients::Short).remove(2);
    assert!(life.message(&CONTEXT, 1, 7).is_ok());
    assert_eq!(life.message(&CONTEXT, 1, 8), Err(KeyLifeError::RoundSpent));
    assert_eq!([life.message(&CONTEXT, 0, 7), life.message(&CONTEXT, 1, 7)], [Err(KeyLifeError::RoundSpent); 2]);
    assert!(life.message(&CONTEXT, 3, 7).is_ok());
    assert_eq!((life.next(), life.rounds()), (4, 4));
    assert_eq!(life.message(&CONTEXT, 2, 7), Err(KeyLifeError::RoundSpent));
}

#[test]
fn a_key_life_ends() {
    let mut life = lives(&bounded(5, 0, 2), Coefficients::Short).remove(0);
    assert_eq!([life.message(&CONTEXT, 2, 7), life.message(&CONTEXT, u32::MAX, 7)], [Err(KeyLifeError::LifeOver); 2]);
    assert_eq!(life.next(), 0);
    life.resume(1);
    assert_eq!(life.message(&CONTEXT, 0, 7), Err(KeyLifeError::RoundSpent));
    life.resume(0);
    assert_eq!(life.message(&CONTEXT, 0, 7), Err(KeyLifeError::RoundSpent), "what is spent stays spent");
    assert!(life.message(&CONTEXT, 1, 7).is_ok());
    assert_eq!(life.message(&CONTEXT, 2, 7), Err(KeyLifeError::LifeOver));
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    let graph = bounded(5, 0, 2);
    let refused = |me, keys: &[GroupKey]| {
        let tables = KeyTables::new(me, keys, &graph, Coefficients::Short);
        tables.and_then(|tables| KeyLife::new(key(1), Arc::new(tables))).err()
    };
    let fit = Some(KeyLifeError::KeysDoNotFit);
    assert_eq!([refused(1, &keys(4)), refused(1, &keys(6)), refused(2, &keys(5)), refused(9, &keys(5))], [fit; 4]);
    assert_eq!(refused(1, &keys(5)), None);
    let schedule = Schedule::new(&Tolerance::new(5, 1, 0).unwrap()).unwrap();
    assert_eq!(KeyLife::scheduled(key(1), 2, &keys(5), &schedule).err(), fit);
}

#[test]
fn equal_values_look_different_in_each_round() {
    let mut lives = lives(&bounded(5, 0, 2), Coefficients::Short);
    let mut sent = messages(&mut lives, 0, &[7; 5]);
    sent.extend(messages(&mut lives, 1, &[7; 5]));
    for (at, one) in sent.iter().enumerate() {
        assert!(!sent[..at].contains(one));
    }
    assert_eq!(total(&sent[..5]).logarithm_vartime(SumRange::new(0, 40).unwrap()), Some(35));
}
