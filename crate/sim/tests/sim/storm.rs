//! Everything goes wrong: no promise is broken, and most rooms still come to a result.

use crate::seeds;
use undertone_sim::{Scenario, Tally, Trouble, Troubles, campaign, simulate};

#[test]
fn whatever_goes_wrong_no_promise_is_broken_and_most_rooms_get_a_result() {
    assert_kept(&campaign(0..seeds(200), Scenario::drawn).unwrap());
}

#[test]
fn the_same_over_very_many_seeds_with_the_model_of_cryptography() {
    assert_kept(&campaign(0..seeds(20_000), |seed| Scenario::drawn(seed).modelled()).unwrap());
}

fn assert_kept(tally: &Tally) {
    println!("{tally}");
    assert_eq!(tally.broken, Vec::<String>::new(), "{tally}");
    assert!(tally.with_result * 100 >= tally.runs * 60, "{tally}");
    assert_eq!(tally.gave_up, Vec::<String>::new(), "{tally}");
    assert!(tally.faults.len() > 5, "{tally}");
}

#[test]
fn each_kind_alone_and_all_together() {
    for troubles in Trouble::ALL.map(|kind| Troubles([kind].into())).into_iter().chain([Troubles::all()]) {
        let mut tally = Tally::default();
        for seed in 0..seeds(6) {
            let scenario = Scenario { troubles: troubles.clone(), ..Scenario::calm("sum", 5, seed) };
            tally.add(&simulate(&scenario).unwrap());
        }
        println!("{troubles}: {tally}");
        assert_eq!(tally.broken, Vec::<String>::new(), "{troubles}");
    }
}

#[test]
fn the_same_seed_gives_the_same_trace_and_another_seed_another() {
    for seed in 0..seeds(10) {
        let again = || simulate(&Scenario { troubles: Troubles::all(), ..Scenario::calm("mean", 4, seed) }).unwrap();
        let (one, two) = (again(), again());
        assert_eq!(one, two);
        let other = simulate(&Scenario { seed: seed + 1_000, ..one.scenario.clone() }).unwrap();
        assert_ne!(one.trace, other.trace);
        let modelled = one.scenario.modelled();
        assert_eq!(simulate(&modelled).unwrap(), simulate(&modelled).unwrap());
    }
}
