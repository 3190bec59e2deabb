//! Rooms whose people vanish: every order of messages, every moment to go, and what a transcript of it
//! all gives away.
//!
//! Seats read each author's messages in order and all else in any order; some are gone before they say
//! one thing or another. Where no more are gone than may be, and not the host, everyone else gets the
//! right sum of those included; else there is a fault that says why.

use crate::draw::Draw;
use std::collections::{BTreeMap, BTreeSet};
use undertone_machine::{Fault, FaultCode, Machine, Outcome, RoundKind, Seat, Step};
use undertone_prim::{Transcript, derive};
use undertone_services::vectors::{CONTEXT, HOST, Message, Way, deals, machines, party};
use undertone_services::{Task, draft, prepare};
use undertone_wire::MethodId;

/// Random runs of each size, and where everything is tried.
const RUNS: u64 = 25;
const RUNS_MANY: u64 = 2_000;

/// More turns than any run takes.
const TURNS_MAX: usize = 100_000;

/// Bytes of a share of a seed, and in the two parts of a deal.
const SHARE: usize = 16;
const HEAD: usize = 64;
const PART: usize = 2 * 16 + 2 * SHARE + 40;

fn task(drops: usize) -> Box<dyn Task> {
    prepare(&draft("sum", "?", &[("max", "1000"), ("drops", &drops.to_string())], "60").unwrap()).unwrap()
}

/// Numbers that a seed decides.
struct Dice {
    seed: u64,
    count: u64,
}

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.count += 1;
        let block = derive(&self.seed.to_be_bytes(), "test-dice/v1", &[&self.count.to_be_bytes()]);
        (u64::from_be_bytes(block.expose()[..8].try_into().unwrap()) % bound as u64) as usize
    }
}

/// One seat: its machine, how far it read each author, and how many words are left to it.
struct Player {
    machine: Box<dyn Machine>,
    read: BTreeMap<Seat, usize>,
    words: usize,
    end: Option<Result<Outcome, Fault>>,
}

/// A run on a log that everyone reads in an order of their own.
struct Play {
    players: Vec<Player>,
    said: BTreeMap<Seat, Vec<Message>>,
    dice: Dice,
}

/// How many words a seat has that stays: all that there are.
const STAYS: usize = 9;

impl Play {
    /// `words` are what each seat says before it is gone; who has none gives nothing either.
    fn new(task: &dyn Task, values: &[Option<&str>], words: &[usize], seed: u64) -> Self {
        let inputs = values.iter().map(|value| value.map(|value| task.read(value).unwrap())).collect();
        let machines = machines(MethodId::Masks, task, inputs).unwrap();
        let player =
            |(machine, words): (_, &usize)| Player { machine, read: BTreeMap::new(), words: *words, end: None };
        Self {
            players: machines.into_iter().zip(words).map(player).collect(),
            said: BTreeMap::new(),
            dice: Dice { seed, count: 0 },
        }
    }

    fn is_gone(&self, seat: usize) -> bool {
        self.players[seat].words == 0
    }

    /// Lets a seat say what it can, and gives it one message more; `false` if there is none.
    fn turn(&mut self, seat: usize, rewrite: &mut dyn FnMut(usize, Message) -> Vec<Message>) -> bool {
        let me = Seat(seat as u16);
        let mut moved = false;
        while self.players[seat].end.is_none() && !self.is_gone(seat) {
            match self.players[seat].machine.poll() {
                Ok(Step::Append { round, kind, payload }) => {
                    moved = true;
                    self.players[seat].words -= 1;
                    let message = Message { from: me, way: Way::Log { round, kind }, bytes: payload };
                    let messages = rewrite(seat, message);
                    self.said.entry(me).or_default().extend(messages);
                }
                Ok(Step::Done(outcome)) => self.players[seat].end = Some(Ok(outcome)),
                Ok(Step::Wait) => break,
                Ok(other) => panic!("{other:?}"),
                Err(fault) => self.players[seat].end = Some(Err(fault)),
            }
        }
        if self.players[seat].end.is_some() || self.is_gone(seat) {
            return moved;
        }
        let behind: Vec<Seat> = self
            .said
            .iter()
            .filter(|(author, all)| all.len() > self.players[seat].read.get(author).copied().unwrap_or(0))
            .map(|(author, _)| *author)
            .collect();
        if behind.is_empty() {
            return moved;
        }
        let author = behind[self.dice.below(behind.len())];
        let at = self.players[seat].read.entry(author).or_insert(0);
        let message = &self.said[&author][*at];
        *at += 1;
        if let Err(fault) = self.players[seat].machine.handle(message.entry().unwrap()) {
            self.players[seat].end = Some(Err(fault));
        }
        true
    }

    /// Plays until everyone who is there has an end; tells that the time is over when nothing else
    /// happens.
    fn play(&mut self, rewrite: &mut dyn FnMut(usize, Message) -> Vec<Message>) {
        let mut idle = 0;
        for _ in 0..TURNS_MAX {
            let there: Vec<_> = (0..self.players.len())
                .filter(|seat| !self.is_gone(*seat) && self.players[*seat].end.is_none())
                .collect();
            if there.is_empty() {
                return;
            }
            let seat = there[self.dice.below(there.len())];
            idle = if self.turn(seat, rewrite) { 0 } else { idle + 1 };
            if idle > 20 * there.len() {
                for seat in there {
                    let player = &mut self.players[seat];
                    match player.machine.overdue() {
                        Ok(goes_on) => assert!(goes_on),
                        Err(fault) => player.end = Some(Err(fault)),
                    }
                }
                idle = 0;
            }
        }
        panic!("seed {}: no end", self.dice.seed);
    }

    fn honestly(&mut self) {
        self.play(&mut |_, message| vec![message]);
    }

    fn openings(&self) -> Vec<&Message> {
        let is_opening = |message: &&Message| matches!(message.way, Way::Log { kind: RoundKind::Opening, .. });
        self.said.values().flatten().filter(is_opening).collect()
    }

    /// That all who are there got the right sum of one set, which is returned.
    fn assert_right(&self, task: &dyn Task, values: &[Option<&str>], cheats: &[usize]) -> Vec<Seat> {
        let mut sets = BTreeSet::new();
        for (seat, player) in self.players.iter().enumerate() {
            if self.is_gone(seat) || cheats.contains(&seat) {
                continue;
            }
            let name = format!("seed {}, seat {seat}: {:?}", self.dice.seed, player.end);
            let outcome = player.end.as_ref().unwrap().as_ref().unwrap_or_else(|_| panic!("{name}"));
            let included = player.machine.included().unwrap();
            let inputs: Vec<_> =
                included.iter().map(|seat| task.read(values[seat.index()].unwrap()).unwrap()).collect();
            assert_eq!(*outcome, task.oracle(&inputs).unwrap(), "{name}");
            sets.insert(included);
        }
        assert_eq!(sets.len(), 1, "seed {}: {sets:?}", self.dice.seed);
        sets.pop_first().unwrap()
    }
}

fn values(people: usize) -> Vec<String> {
    (0..people).map(|seat| (1_usize << seat.min(9)).to_string()).collect()
}

fn given(values: &[String]) -> Vec<Option<&str>> {
    values.iter().map(|value| Some(value.as_str())).collect()
}

#[test]
fn whoever_vanishes_at_whatever_word_the_others_get_the_right_sum() {
    let runs = if std::env::var_os("UNDERTONE_FULL").is_some() { RUNS_MANY } else { RUNS };
    let (mut partial, mut full) = (0, 0);
    for (people, drops) in [(5, 1), (6, 2), (8, 2), (9, 3)] {
        let (task, texts) = (task(drops), values(people));
        for seed in 0..runs {
            let mut dice = Dice { seed, count: 1_000_000 };
            // Who gave nothing is there to open others' masks, or is not.
            let mut words = vec![STAYS; people];
            let mut values = given(&texts);
            for _ in 0..=dice.below(drops) {
                let seat = 1 + dice.below(people - 1);
                match dice.below(5) {
                    0 => values[seat] = None,
                    word => words[seat] = word - 1,
                }
            }
            let mut play = Play::new(task.as_ref(), &values, &words, seed);
            play.honestly();
            let included = play.assert_right(task.as_ref(), &values, &[]);
            assert!(included.len() >= people - drops);
            (partial, full) = if included.len() < people { (partial + 1, full) } else { (partial, full + 1) };
            assert_rank(task.as_ref(), people, drops, &play);
        }
    }
    assert!(partial > runs && full > runs / 2, "{partial} without somebody, {full} of all");
}

#[test]
fn with_too_many_gone_or_without_the_host_it_ends_in_a_fault_that_says_so() {
    let (task, texts) = (task(2), values(6));
    let mut codes = BTreeMap::new();
    for seed in 0..RUNS {
        let mut dice = Dice { seed, count: 2_000_000 };
        let mut words = vec![STAYS; 6];
        for _ in 0..3 {
            words[dice.below(6)] = dice.below(4);
        }
        let mut play = Play::new(task.as_ref(), &given(&texts), &words, seed);
        play.honestly();
        for (seat, player) in play.players.iter().enumerate().filter(|(_, player)| player.words > 0) {
            match player.end.as_ref().unwrap() {
                Ok(_) => {
                    let included = player.machine.included().unwrap();
                    let inputs: Vec<_> = included.iter().map(|seat| task.read(&texts[seat.index()]).unwrap()).collect();
                    assert_eq!(player.end, Some(Ok(task.oracle(&inputs).unwrap())), "seed {seed}, seat {seat}");
                }
                Err(fault) => {
                    assert!(matches!(fault.code(), FaultCode::Missing | FaultCode::HostSilent), "seed {seed}: {fault}");
                    *codes.entry(fault.code().as_str()).or_insert(0) += 1;
                    for culprit in fault.culprits() {
                        assert!(play.is_gone(culprit.index()), "seed {seed}: {fault:?}");
                    }
                }
            }
        }
        assert_rank(task.as_ref(), 6, 2, &play);
    }
    assert_eq!(codes.len(), 2, "{codes:?}");
}

/// What is in a transcript, by whoever has all of it and the secrets of as many seats as may collude.
///
/// Opened are those seeds of which honest seats said so many shares that the colluders' complete them,
/// found by holding every share against every check that was dealt. A combination of values that these
/// people sent is readable if no mask in it is unknown: rows are values, columns the masks that are not
/// opened and not the colluders' own. Readable must be one at most, the sum of all honest people included.
fn assert_rank(task: &dyn Task, people: usize, drops: usize, play: &Play) {
    assert_eq!(leaks(task, people, drops, play), None, "seed {}", play.dice.seed);
}

/// What more than one sum of all honest people included can be read, by whom.
fn leaks(task: &dyn Task, people: usize, drops: usize, play: &Play) -> Option<String> {
    let colluders = task.colluders(people).unwrap();
    let threshold = people - drops;
    let dealt = deals(MethodId::Masks, task, people as u16).unwrap();
    let opened = opened(&dealt, people, play);
    let sent = |seat: usize| play.said.get(&Seat(seat as u16)).is_some_and(|said| !said.is_empty());
    for bad in subsets(people, colluders) {
        let is_bad = |seat: usize| bad >> seat & 1 == 1;
        let knows = |seat: usize, kind: usize| {
            let held = (0..people).filter(|holder| is_bad(*holder) || opened.contains(&(seat, *holder, kind))).count();
            is_bad(seat) || held >= threshold
        };
        for seat in 0..people {
            if !is_bad(seat) && knows(seat, 0) && knows(seat, 1) {
                return Some(format!("seat {seat} is open to {bad:b}"));
            }
        }
        let honest: Vec<_> = (0..people).filter(|seat| !is_bad(*seat) && sent(*seat)).collect();
        let mut rows: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for (place, seat) in honest.iter().enumerate() {
            let mut masks = vec![0.0; people * people];
            if !knows(*seat, 0) {
                masks[seat * people + seat] = 1.0;
            }
            for other in (0..people).filter(|other| other != seat) {
                if !knows(*seat, 1) && !knows(other, 1) {
                    let (low, high) = (seat.min(&other), seat.max(&other));
                    masks[low * people + high] = if *seat == *low { 1.0 } else { -1.0 };
                }
            }
            let mut of = vec![0.0; honest.len()];
            of[place] = 1.0;
            rows.push((masks, of));
        }
        let readable = kernel(rows);
        let is_sum = |combination: &Vec<f64>| {
            let weights: Vec<_> = combination.iter().filter(|weight| **weight != 0.0).collect();
            weights.len() >= 3 && weights.windows(2).all(|pair| pair[0] == pair[1])
        };
        if readable.len() > 1 || !readable.iter().all(is_sum) {
            return Some(format!("{readable:?} of {honest:?} can be read by {bad:b}"));
        }
    }
    None
}

/// (dealer, holder, kind) of every share that was said, whichever set it was said for.
fn opened(dealt: &[Vec<u8>], people: usize, play: &Play) -> BTreeSet<(usize, usize, usize)> {
    let check = |dealer: usize, holder: usize, kind: usize, share: &[u8]| {
        let about = Transcript::new("seed-share/v1").field(&CONTEXT).number(dealer as u64).number(holder as u64);
        let hash = about.number(kind as u64).field(share).hash();
        let part = &dealt[dealer][HEAD + PART * holder..];
        part[16 * kind..16 * (kind + 1)] == hash[..16]
    };
    let mut opened = BTreeSet::new();
    for opening in play.openings() {
        let holder = opening.from.index();
        for share in opening.bytes[32..].chunks_exact(SHARE) {
            for (dealer, kind) in (0..people).flat_map(|dealer| [(dealer, 0), (dealer, 1)]) {
                if check(dealer, holder, kind, share) {
                    opened.insert((dealer, holder, kind));
                }
            }
        }
    }
    opened
}

fn subsets(people: usize, size: usize) -> impl Iterator<Item = u32> {
    (0..1_u32 << people).filter(move |set| set.count_ones() as usize == size)
}

/// Combinations of rows that give zeros, by elimination: entries are -1, 0 and 1 and the matrices are
/// those of graphs, so no rounding occurs.
fn kernel(mut rows: Vec<(Vec<f64>, Vec<f64>)>) -> Vec<Vec<f64>> {
    let mut done = 0;
    let width = rows.first().map_or(0, |(masks, _)| masks.len());
    for column in 0..width {
        let Some(pivot) = (done..rows.len()).find(|row| rows[*row].0[column] != 0.0) else { continue };
        rows.swap(done, pivot);
        let (lead, of) = rows[done].clone();
        for (masks, combination) in rows.iter_mut().skip(done + 1) {
            let factor = masks[column] / lead[column];
            masks.iter_mut().zip(&lead).for_each(|(to, from)| *to -= factor * from);
            combination.iter_mut().zip(&of).for_each(|(to, from)| *to -= factor * from);
        }
        done += 1;
    }
    rows.into_iter().skip(done).map(|(_, combination)| combination).collect()
}

/// The oracle notices what it is there for: one opened seed too many, and a set that leaves one alone.
#[test]
fn the_rank_oracle_notices_both_openings_of_a_seat() {
    let (task, texts) = (task(2), values(6));
    let mut play = Play::new(task.as_ref(), &given(&texts), &[STAYS; 6], 1);
    play.honestly();
    assert_rank(task.as_ref(), 6, 2, &play);
    // Everyone also says the shares of seat 2's pads.
    let dealt = deals(MethodId::Masks, task.as_ref(), 6).unwrap();
    let mut both = Play::new(task.as_ref(), &given(&texts), &[STAYS; 6], 1);
    both.play(&mut |seat, mut message| {
        if matches!(message.way, Way::Log { kind: RoundKind::Opening, .. }) {
            message.bytes.extend(share_of(task.as_ref(), &dealt, 2, seat, 1));
        }
        vec![message]
    });
    assert!(leaks(task.as_ref(), 6, 2, &both).is_some_and(|leak| leak.contains("seat 2 is open")));
}

/// A share out of its envelope: as its holder reads it.
fn share_of(task: &dyn Task, dealt: &[Vec<u8>], dealer: usize, holder: usize, kind: usize) -> Vec<u8> {
    let people = dealt.len() as u16;
    let me = party(MethodId::Masks, task, Seat(holder as u16), people, None).unwrap();
    let bound = Transcript::new("seed-envelope/v1").field(&CONTEXT).number(dealer as u64).number(holder as u64).hash();
    let key = if dealer == holder {
        derive(me.seed.expose(), "own-envelope/v1", &[&bound])
    } else {
        let mut key = Vec::new();
        let context = undertone_prim::PadContext::new(&bound);
        assert!(me.pads.pour(Seat(dealer as u16), &context, 32, &mut |piece| key.extend_from_slice(piece)));
        undertone_machine::Secret::new(key.try_into().unwrap())
    };
    let sealed = &dealt[dealer][HEAD + PART * holder + 32..HEAD + PART * (holder + 1)];
    undertone_prim::open(&key, &bound, sealed).unwrap()[SHARE * kind..SHARE * (kind + 1)].to_vec()
}

/// The host's word on the set: who is in it, over which hash.
fn set_of(message: &Message) -> bool {
    matches!(message.way, Way::Log { round: 1, kind: RoundKind::Share })
}

#[test]
fn a_set_that_is_too_small_is_not_signed_and_its_author_named() {
    let (task, texts) = (task(2), values(6));
    let mut play = Play::new(task.as_ref(), &given(&texts), &[STAYS; 6], 3);
    play.play(&mut |seat, mut message| {
        if seat == HOST.index() && set_of(&message) {
            // The victim and those who are in league with the host.
            message.bytes[0] = 0b000_111;
        }
        vec![message]
    });
    assert!(play.openings().is_empty());
    for player in &play.players {
        let fault = player.end.as_ref().unwrap().as_ref().unwrap_err();
        assert_eq!((fault.code(), fault.culprits()), (FaultCode::IncludedSet, &[HOST][..]));
    }
}

#[test]
fn two_sets_for_two_halves_open_nothing() {
    let (task, texts) = (task(2), values(6));
    let mut values = given(&texts);
    // One value is late, so that there are two sets whose values are all there.
    values[5] = None;
    let mut play = Play::new(task.as_ref(), &values, &[STAYS; 6], 4);
    play.play(&mut |seat, mut message| {
        // Half of the seats were shown another set and say so; nobody can tell who is right.
        if seat > 2 && set_of(&message) {
            message.bytes[1] ^= 1;
        }
        vec![message]
    });
    assert!(play.openings().is_empty());
    for player in &play.players {
        let fault = player.end.as_ref().unwrap().as_ref().unwrap_err();
        assert_eq!((fault.code(), fault.culprits()), (FaultCode::SplitView, &[][..]));
    }
}

#[test]
fn wrong_shares_are_named_and_done_without() {
    let (task, texts) = (task(2), values(6));
    let mut play = Play::new(task.as_ref(), &given(&texts), &[STAYS; 6], 5);
    play.play(&mut |seat, mut message| {
        if seat == 4 && matches!(message.way, Way::Log { kind: RoundKind::Opening, .. }) {
            message.bytes[40] ^= 1;
        }
        vec![message]
    });
    play.assert_right(task.as_ref(), &given(&texts), &[]);
    let named: BTreeSet<_> = play.players.iter().map(|player| player.machine.left_out().wrong).collect();
    assert!(named.iter().all(|wrong| wrong.is_empty() || *wrong == [Seat(4)]) && named.len() == 2, "{named:?}");
}

/// The value of a machine among others' deals of which one was changed.
fn among(task: &dyn Task, texts: &[String], change: impl Fn(&mut Vec<Vec<u8>>)) -> Play {
    let people = texts.len() as u16;
    let mut dealt = deals(MethodId::Masks, task, people).unwrap();
    change(&mut dealt);
    let mut play = Play::new(task, &given(texts), &vec![STAYS; texts.len()], 6);
    for (seat, player) in play.players.iter_mut().enumerate() {
        let input = Some(task.read(&texts[seat]).unwrap());
        let party = party(MethodId::Masks, task, Seat(seat as u16), people, input).unwrap();
        player.machine = task.machine(undertone_services::Party { deals: dealt.clone(), ..party }).unwrap();
    }
    play
}

#[test]
fn who_dealt_shares_of_another_seed_is_named() {
    let (task, texts) = (task(2), values(6));
    // The hash of the self-mask's seed is another one.
    let mut play = among(task.as_ref(), &texts, |dealt| dealt[3][40] ^= 1);
    play.honestly();
    for player in &play.players {
        let fault = player.end.as_ref().unwrap().as_ref().unwrap_err();
        assert_eq!((fault.code(), fault.culprits()), (FaultCode::BadKey, &[Seat(3)][..]));
    }
}

/// If all others showed one point as theirs, pads that depend on keys alone would come once added and once
/// taken away, and a value would have none.
#[test]
fn a_copied_key_takes_no_mask_off() {
    let (task, texts) = (task(1), values(5));
    let masked = |point: usize| {
        let mut play = among(task.as_ref(), &texts, |dealt| {
            let copied = dealt[point][..32].to_vec();
            dealt
                .iter_mut()
                .enumerate()
                .filter(|(seat, _)| *seat != 2)
                .for_each(|(_, deal)| deal[..32].copy_from_slice(&copied));
        });
        match play.players[2].machine.poll().unwrap() {
            Step::Append { kind: RoundKind::Masked, payload, .. } => payload,
            other => panic!("{other:?}"),
        }
    };
    assert_ne!(masked(0), masked(4), "the pads of seat 2 cancel whatever they are");
}

#[test]
fn shares_that_were_never_dealt_are_done_without() {
    let (task, texts) = (task(2), values(6));
    // Two holders cannot open what seat 3 sealed for them.
    let mut play = among(task.as_ref(), &texts, |dealt| {
        dealt[3][HEAD + 40] ^= 1;
        dealt[3][HEAD + PART + 40] ^= 1;
    });
    play.honestly();
    play.assert_right(task.as_ref(), &given(&texts), &[]);
    assert!(play.players.iter().all(|player| player.machine.left_out().wrong.is_empty()));
}

#[test]
fn how_many_may_vanish_has_bounds_that_refusals_name() {
    let refused = |people: usize, drops: usize| {
        let fault = task(drops).admits(people).unwrap_err();
        assert_eq!((fault.code(), fault.field()), (FaultCode::BadPlan, Some("drops")));
        fault.message().to_owned()
    };
    assert_eq!(refused(4, 1), "With 4 people at most 0 may vanish.");
    assert_eq!(refused(30, 15), "With 30 people at most 14 may vanish.");
    assert_eq!(refused(130, 22), "With 130 people at most 21 may vanish.");
    assert!(task(0).admits(2).is_ok() && task(1).admits(5).is_ok() && task(14).admits(30).is_ok());
    assert_eq!((task(6).colluders(30), task(6).drops(), task(0).colluders(30)), (Some(17), 6, None));
}

/// What a class and a large room cost: bytes of one seat, dealt and said.
#[test]
fn costs_of_a_class_and_of_a_large_room() {
    let bytes = |people: usize, drops: usize| {
        let cost = task(drops).cost(people);
        (cost.rounds, cost.deal_bytes, cost.log_bytes)
    };
    assert_eq!(bytes(30, 6), (4, 64 + 30 * 104, 8 + 36 + 32 + 30 * 16));
    assert_eq!(bytes(64, 12), (4, 64 + 64 * 104, 8 + 40 + 32 + 64 * 16));
    for people in [1_000, 10_000] {
        let set = people as u64 / 8 + 32;
        assert_eq!(bytes(people, 150), (4, 64 + 129 * 104, 8 + set + 32 + 129 * 16));
    }
    assert_eq!(bytes(30, 0), (1, 0, 8));
}

/// A room beyond a class: a ring, of whose seats one in six is gone.
#[test]
fn a_ring_of_a_hundred_and_fifty_spares_twenty_five() {
    let task = task(25);
    let mut inputs = Draw::new(&["ring"]).inputs(task.as_ref(), 150);
    inputs.iter_mut().step_by(6).skip(1).for_each(|input| *input = None);
    inputs[5] = None;
    let there: Vec<bool> = inputs.iter().map(Option::is_some).collect();
    let kept = Draw::new(&["ring"]).inputs(task.as_ref(), 150).into_iter().zip(&there).filter(|(_, there)| **there);
    let right = task.oracle(&kept.filter_map(|(input, _)| input).collect::<Vec<_>>()).unwrap();
    let mut machines = machines(MethodId::Masks, task.as_ref(), inputs).unwrap();
    // One reader is enough: each seat says its words, seat 0 hears them all.
    let (mut log, mut said) = (Vec::<Message>::new(), vec![0; 150]);
    for turn in 0..5 {
        for (seat, machine) in machines.iter_mut().enumerate().filter(|(seat, _)| there[*seat] || turn > 9) {
            for message in log.iter().skip(said[seat]) {
                machine.handle(message.entry().unwrap()).unwrap();
            }
            said[seat] = log.len();
            if turn == 1 {
                assert!(machine.overdue().unwrap());
            }
        }
        for (seat, machine) in
            machines.iter_mut().enumerate().filter(|(seat, _)| there[*seat] && (turn < 4 || *seat == 0))
        {
            loop {
                match machine.poll().unwrap() {
                    Step::Append { round, kind, payload } => {
                        log.push(Message { from: Seat(seat as u16), way: Way::Log { round, kind }, bytes: payload })
                    }
                    Step::Done(outcome) => {
                        assert_eq!(outcome, right);
                        assert_eq!(machine.included().unwrap().len(), 125);
                        return;
                    }
                    _ => break,
                }
            }
        }
    }
    panic!("no result");
}
