//! What masked services send has one law, whatever people typed: checked over the registry.
//!
//! Five people answer two questions, many times with fresh keys, once all with the same value and once
//! with values far apart and the same sum. Everything that fewer than all of them can see together is
//! counted byte by byte: each masked value, the difference of one person's two values, and the sum of
//! all but one. Each must be uniform, and the two sets must not differ. Seeds are fixed, so the test
//! says the same every time; masks that are broken on purpose show that it can fail.

use crate::conformance::good;
use core::ops::Range;
use std::collections::BTreeMap;
use std::sync::Arc;
use undertone_machine::{Role, RoundKind, Seat, Secret, Step};
use undertone_prim::{Hash, PadContext, Pads, PairwisePads, Transcript, ZeroPads, derive};
use undertone_services::{Input, Party, SERVICES, Task};
use undertone_wire::MethodId;

const PEOPLE: usize = 5;
/// So many bytes of each seat, view and position in a set: 6 expected in each of 256 cells.
const RUNS: u64 = 1_536;
/// With `UNDERTONE_FULL`, and where a bias of a single bit is to be found.
const RUNS_MANY: u64 = 6_144;
/// Wide enough for the position of a byte in an element of either ring.
const POSITIONS: usize = 16;
/// The 1 - 10^-6 quantile of the normal distribution.
const Z: f64 = 4.753_424;

/// How often each byte came, by view and seat, and then by position. Seats are apart because a bias of pads moves
/// each seat's values another way, so that all together look better than any.
type Counts = BTreeMap<(&'static str, usize), Vec<[u64; 256]>>;

/// Which pads a person has in a run.
type Masks = fn(run: u64, me: usize) -> Arc<dyn Pads>;

fn honest(run: u64, me: usize) -> Arc<dyn Pads> {
    let pair = |peer: usize| [me.min(peer) as u8, me.max(peer) as u8];
    let key = |peer: usize| (Seat(peer as u16), derive(&pair(peer), "test/v1", &[&run.to_be_bytes()]));
    Arc::new(PairwisePads::new((0..PEOPLE).filter(|peer| *peer != me).map(key).collect()))
}

/// Pads that are changed before they are used.
struct Bent {
    pads: Arc<dyn Pads>,
    context: fn(&PadContext) -> PadContext,
    change: fn(&mut [u8]),
}

impl Pads for Bent {
    fn pour(&self, peer: Seat, context: &PadContext, bytes: usize, take: &mut dyn FnMut(&[u8])) -> bool {
        self.pads.pour(peer, &(self.context)(context), bytes, &mut |piece| {
            let mut piece = piece.to_vec();
            (self.change)(&mut piece);
            take(&piece);
        })
    }
}

fn bent(run: u64, me: usize, context: fn(&PadContext) -> PadContext, change: fn(&mut [u8])) -> Arc<dyn Pads> {
    Arc::new(Bent { pads: honest(run, me), context, change })
}

/// The top bit of each element of every pad is stuck.
fn stuck(run: u64, me: usize) -> Arc<dyn Pads> {
    bent(run, me, PadContext::clone, |out| out.iter_mut().skip(7).step_by(8).for_each(|byte| *byte |= 0x80))
}

/// The lowest byte of each element of every pad is missing.
fn thin(run: u64, me: usize) -> Arc<dyn Pads> {
    bent(run, me, PadContext::clone, |out| out.iter_mut().step_by(8).for_each(|byte| *byte = 0))
}

/// One pad for all questions.
fn reused(run: u64, me: usize) -> Arc<dyn Pads> {
    bent(run, me, |_| PadContext::new(&[0; 32]), |_| {})
}

fn none(_run: u64, _me: usize) -> Arc<dyn Pads> {
    Arc::new(ZeroPads)
}

fn party_with(me: usize, input: Option<Input>, pads: Arc<dyn Pads>, context: Hash) -> Party {
    let (roles, seed) = (vec![Role::Contributor; PEOPLE], Secret::new([me as u8; 32]));
    let (me, deals, host) = (Seat(me as u16), Vec::new(), Seat(0));
    Party { me, roles, input, pads, keys: None, deals, host, context, seed }
}

/// What everyone sends for one question.
fn sent(task: &dyn Task, inputs: &[String], question: u8, run: u64, pads: &[Arc<dyn Pads>]) -> Vec<Vec<u8>> {
    let context = Transcript::new("test-context/v1").number(run).field(&[question]).hash();
    let one = |(me, text): (usize, &String)| {
        let party = party_with(me, Some(task.read(text).unwrap()), Arc::clone(&pads[me]), context);
        match task.machine(party).unwrap().poll().unwrap() {
            Step::Append { kind: RoundKind::Masked, payload, .. } => payload,
            other => panic!("not a masked value: {other:?}"),
        }
    };
    inputs.iter().enumerate().map(one).collect()
}

fn words(payload: &[u8]) -> impl Iterator<Item = u64> {
    payload.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()))
}

/// Combines two payloads word by word. In the wider ring the upper half lacks a carry, and is as
/// uniform without it.
fn combine(one: &[u8], other: &[u8], by: fn(u64, u64) -> u64) -> Vec<u8> {
    words(one).zip(words(other)).flat_map(|(one, other)| by(one, other).to_le_bytes()).collect()
}

fn count(counts: &mut Counts, view: &'static str, seat: usize, payload: &[u8]) {
    let width = payload.len().min(POSITIONS);
    let counts = counts.entry((view, seat)).or_insert_with(|| vec![[0; 256]; width]);
    for (place, byte) in payload.iter().enumerate() {
        counts[place % POSITIONS][usize::from(*byte)] += 1;
    }
}

/// Counts what can be seen of one set of inputs to two questions.
fn observe(task: &dyn Task, inputs: [&[String]; 2], runs: Range<u64>, masks: Masks) -> Counts {
    let mut counts = Counts::new();
    for run in runs {
        let pads: Vec<_> = (0..PEOPLE).map(|me| masks(run, me)).collect();
        let [first, second] = [0, 1].map(|it| sent(task, inputs[it], it as u8, run, &pads));
        let zero = vec![0; first[0].len()];
        for (me, (one, other)) in first.iter().zip(&second).enumerate() {
            let others = first.iter().enumerate().filter(|(seat, _)| *seat != me).map(|(_, payload)| payload);
            let sum = others.fold(zero.clone(), |sum, payload| combine(&sum, payload, u64::wrapping_add));
            count(&mut counts, "first", me, one);
            count(&mut counts, "second", me, other);
            count(&mut counts, "difference", me, &combine(one, other, u64::wrapping_sub));
            count(&mut counts, "all but one", me, &sum);
        }
    }
    counts
}

/// The 1 - 10^-6 quantile of chi-square with k degrees of freedom, by Wilson and Hilferty:
/// (X/k)^(1/3) is nearly normal with mean 1 - 2/9k and variance 2/9k.
fn quantile(k: f64, z: f64) -> f64 {
    let spread = 2.0 / (9.0 * k);
    k * (1.0 - spread + z * spread.sqrt()).powi(3)
}

/// In which views and positions bytes are not uniform, or the two sets differ.
fn suspicious(a: &Counts, b: &Counts) -> Vec<String> {
    let (bytes, mut found) = (256.0, Vec::new());
    let limit = quantile(bytes - 1.0, Z);
    let pairs = a.iter().flat_map(|(key, ours)| ours.iter().zip(&b[key]).enumerate().map(move |pair| (key, pair)));
    for ((view, seat), (place, (ours, theirs))) in pairs {
        let (mut uniform_a, mut uniform_b, mut same) = (0.0, 0.0, 0.0);
        let expected = ours.iter().sum::<u64>() as f64 / bytes;
        for (x, y) in ours.iter().zip(theirs).map(|(x, y)| (*x as f64, *y as f64)) {
            uniform_a += (x - expected).powi(2) / expected;
            uniform_b += (y - expected).powi(2) / expected;
            // Samples of one size: sum (x - y)^2 / (x + y), one degree of freedom less than cells.
            same += if x + y > 0.0 { (x - y).powi(2) / (x + y) } else { 0.0 };
        }
        let tests = [("first set uniform", uniform_a), ("second set uniform", uniform_b), ("sets alike", same)];
        let failed = tests.into_iter().filter(|(_, statistic)| *statistic > limit);
        found.extend(
            failed.map(|(test, it)| format!("{view} of {seat}, byte {place}: {test}, {it:.0} above {limit:.0}")),
        );
    }
    found
}

/// Two sets of values of one sum: all in the middle, and some at either end.
fn inputs(task: &dyn Task) -> Option<[Vec<String>; 3]> {
    let quantity = task.question().quantity.as_ref()?;
    let half = quantity.max().checked_sub(quantity.min())? / 2;
    let text = |steps: i128| quantity.decimal(quantity.min() + half * steps).to_string();
    let sets = [[1, 1, 1, 1, 1], [0, 2, 0, 2, 1], [2, 0, 2, 0, 1]];
    let sets = sets.map(|set| set.map(text).to_vec());
    sets.iter().flatten().all(|text| task.read(text).is_ok()).then_some(sets)
}

fn examine(task: &dyn Task, runs: u64, masks: Masks) -> Vec<String> {
    let [middle, apart, swapped] = inputs(task).unwrap();
    let alike = observe(task, [&middle, &middle], 0..runs, masks);
    let different = observe(task, [&apart, &swapped], runs..2 * runs, masks);
    suspicious(&alike, &different)
}

/// Whether a service's first word is a masked value, as far as five values in range can tell.
fn is_masked(task: &dyn Task) -> bool {
    let Some([middle, ..]) = inputs(task) else { return false };
    let party = party_with(0, task.read(&middle[0]).ok(), honest(0, 0), [0; 32]);
    let step = task.machine(party).and_then(|mut machine| machine.poll());
    matches!(step, Ok(Step::Append { kind: RoundKind::Masked, payload, .. }) if payload.len() % 8 == 0)
}

/// One task for each masked service and length of what it sends: both rings, where it has vectors for both.
fn tasks() -> BTreeMap<(&'static str, u64), Box<dyn Task>> {
    let mut tasks: BTreeMap<_, Box<dyn Task>> = BTreeMap::new();
    // In a group it is an assumption that hides, not a uniform mask, and encodings are not uniform bytes.
    let masked = SERVICES.iter().map(|service| service.manifest()).filter(|it| it.method == MethodId::Masks);
    for service in masked.map(|manifest| manifest.name) {
        for vector in good(service) {
            let task = vector.task().unwrap();
            if is_masked(task.as_ref()) {
                tasks.entry((service, task.cost(PEOPLE).log_bytes)).or_insert(task);
            }
        }
    }
    tasks
}

#[test]
fn what_is_sent_has_one_law_whatever_people_typed() {
    let runs = if std::env::var_os("UNDERTONE_FULL").is_some() { RUNS_MANY } else { RUNS };
    let tasks = tasks();
    assert!(tasks.len() >= 3, "too few masked services: {:?}", tasks.keys());
    for ((service, bytes), task) in &tasks {
        println!("{service} with {bytes} bytes from each: {runs} runs of two questions for each set");
        assert_eq!(examine(task.as_ref(), runs, honest), Vec::<String>::new(), "{service}, {bytes} bytes");
    }
}

#[test]
fn broken_masks_are_noticed() {
    // The same function on the shortest message that there is.
    let tasks = tasks();
    let task = tasks.iter().min_by_key(|((_, bytes), _)| *bytes).unwrap().1.as_ref();
    let found = |masks| examine(task, RUNS, masks);
    assert!(!found(none).is_empty() && !found(thin).is_empty());
    // A bit that is stuck in all pads moves both sets alike: only their not being uniform shows it.
    let found_stuck = examine(task, RUNS_MANY, stuck);
    assert!(found_stuck.iter().any(|it| it.contains("uniform")), "{found_stuck:?}");
    // A pad of two questions shows nowhere but in the difference of the two values that it hid.
    let found_reused = found(reused);
    assert!(!found_reused.is_empty());
    assert!(found_reused.iter().all(|it| it.starts_with("difference")), "{found_reused:?}");
}

#[test]
fn quantiles_are_those_of_the_tables() {
    // 0.999 quantiles with 10, 100 and 250 degrees of freedom, from printed tables.
    for (k, expected) in [(10.0, 29.588), (100.0, 149.449), (250.0, 324.832)] {
        let found = quantile(k, 3.090_232);
        assert!((found - expected).abs() < 0.2, "{k}: {found}");
    }
}
