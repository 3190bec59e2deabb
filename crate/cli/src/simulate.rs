//! `undertone simulate`.

use crate::args::Simulate;
use undertone_machine::{Fault, FaultCode};
use undertone_sim::{Cryptography, Scenario, Tally, Troubles};

/// Plays rooms, and says what came of them: one run whole, more of them in numbers.
///
/// # Errors
/// [`FaultCode::BadPlan`] or [`FaultCode::UnknownService`] if no room can be opened like that;
/// [`FaultCode::Internal`] if a promise was broken in any run.
pub(crate) fn simulate(args: &Simulate) -> Result<(), Fault> {
    let tally = if args.seeds == 1 { play(args)? } else { play_many(args)? };
    match tally.broken.len() {
        0 => Ok(()),
        broken => {
            Err(Fault::new(FaultCode::Internal).saying(format!("{broken} of {} runs broke a promise.", tally.runs)))
        }
    }
}

fn play(args: &Simulate) -> Result<Tally, Fault> {
    let report = undertone_sim::simulate(&scenario(args, args.seed))?;
    print!("{report}");
    let mut tally = Tally::default();
    tally.add(&report);
    Ok(tally)
}

fn play_many(args: &Simulate) -> Result<Tally, Fault> {
    let seeds = args.seed..args.seed.saturating_add(args.seeds);
    let tally = undertone_sim::campaign(seeds, |seed| scenario(args, seed))?;
    print!("{tally}");
    Ok(tally)
}

fn scenario(args: &Simulate, seed: u64) -> Scenario {
    let troubles = args.faults.clone().unwrap_or_else(|| Troubles::drawn(seed));
    let cryptography = if args.model { Cryptography::Model } else { Cryptography::Curve };
    let calm = Scenario::calm(&args.service, args.seats, seed).as_series(args.readings);
    Scenario { troubles, cryptography, drops: args.drops, ..calm }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_one_run_and_many_and_refuses_what_cannot_be_played() {
        let args = |service: &str, seeds| Simulate {
            model: seeds > 1,
            service: service.to_owned(),
            seats: 3,
            readings: 0,
            drops: 0,
            seed: 1,
            seeds,
            faults: Some(Troubles::none()),
        };
        assert!(simulate(&args("sum", 1)).is_ok() && simulate(&args("mean", 2)).is_ok());
        assert_eq!(simulate(&args("nothing", 1)).unwrap_err().code(), FaultCode::UnknownService);
    }
}
