//! `undertone simulate`.

use crate::args::Simulate;
use undertone_machine::{Fault, FaultCode};
use undertone_sim::{Report, Scenario, Tally, Troubles};

/// Plays rooms, and says what came of them: one run whole, more of them in numbers.
///
/// # Errors
/// [`FaultCode::BadPlan`] or [`FaultCode::UnknownService`] if no room can be opened like that;
/// [`FaultCode::Internal`] if a promise was broken in any run.
pub(crate) fn simulate(args: &Simulate) -> Result<(), Fault> {
    let mut tally = Tally::default();
    for seed in (args.seed..).take(usize::try_from(args.seeds).unwrap_or(usize::MAX)) {
        let report = run(args, seed)?;
        if args.seeds == 1 {
            print!("{report}");
        }
        tally.add(&report);
    }
    if args.seeds > 1 {
        print!("{tally}");
    }
    match tally.broken.len() {
        0 => Ok(()),
        broken => {
            Err(Fault::new(FaultCode::Internal).saying(format!("{broken} of {} runs broke a promise.", tally.runs)))
        }
    }
}

fn run(args: &Simulate, seed: u64) -> Result<Report, Fault> {
    let troubles = args.faults.clone().unwrap_or_else(|| Troubles::drawn(seed));
    undertone_sim::simulate(&Scenario { troubles, ..Scenario::calm(&args.service, args.seats, seed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_one_run_and_many_and_refuses_what_cannot_be_played() {
        let args = |service: &str, seeds| Simulate {
            service: service.to_owned(),
            seats: 3,
            seed: 1,
            seeds,
            faults: Some(Troubles::none()),
        };
        assert!(simulate(&args("sum", 1)).is_ok() && simulate(&args("mean", 2)).is_ok());
        assert_eq!(simulate(&args("nothing", 1)).unwrap_err().code(), FaultCode::UnknownService);
    }
}
