//! A series as it is printed: one line for each reading, whether it came to a result or is a gap.

use crate::args::Seat;
use crate::follow::Feeder;
use crate::output::{Output, figure, figure_object};
use serde_json::{Value, json};
use undertone_machine::{Fault, FaultCode, Outcome};
use undertone_net::Handle;
use undertone_room::{KeyMeter, Notice};
use undertone_wire::{Plan, Series};

/// What is known of the reading in force.
struct Open {
    series: Series,
    number: u16,
    keys: Option<KeyMeter>,
    result: Option<Summed>,
}

struct Summed {
    outcome: Outcome,
    included: usize,
    confirmed: usize,
    seats: usize,
    contribution_in: bool,
}

/// Follows a room's notices and prints readings.
pub(crate) struct Readings {
    output: Output,
    open: Option<Open>,
}

impl Readings {
    pub(crate) const fn new(output: Output) -> Self {
        Self { output, open: None }
    }

    /// Takes a notice; whether it is part of a reading's line and not told by itself.
    pub(crate) fn take(&mut self, notice: &Notice) -> bool {
        if let Notice::Question { plan, .. } = notice {
            self.close();
            self.open = plan.series.map(|series| Open { series, number: plan.number, keys: None, result: None });
            return !plan.is_new();
        }
        let Some(open) = &mut self.open else { return false };
        let is_later = open.series.index > 1;
        match notice {
            Notice::Ready { keys, .. } => {
                open.keys = *keys;
                is_later
            }
            Notice::Progress { .. } | Notice::Working { .. } | Notice::Sent { .. } => is_later,
            Notice::Result { outcome, included, confirmed, seats, contribution_in, .. } => {
                let (outcome, contribution_in) = (outcome.clone(), *contribution_in);
                let (included, confirmed, seats) = (*included, *confirmed, *seats);
                open.result = Some(Summed { outcome, included, confirmed, seats, contribution_in });
                if confirmed == seats {
                    self.close();
                }
                true
            }
            Notice::Fault { fault, room_goes_on: true, number, .. } if *number == open.number => {
                self.gap(fault);
                true
            }
            _ => {
                if matches!(notice, Notice::Fault { .. } | Notice::Closed) {
                    self.close();
                }
                false
            }
        }
    }

    /// Prints the result of the reading in force, by as many as have signed it until now.
    fn close(&mut self) {
        let Some(Open { series, number, keys, result: Some(summed) }) = self.open.take() else { return };
        let Summed { outcome, included, confirmed, seats, contribution_in } = summed;
        let figures: Vec<_> = outcome.figures.iter().map(figure).collect();
        let (index, count) = (series.index, series.count);
        let signed = format!("{included} values, signed by {confirmed} of {seats} seats");
        let sentence = format!("Reading {index} of {count}: {} ({signed}).", figures.join(", "));
        let meter = keys.map_or(Value::Null, |keys| json!({ "round": keys.round, "rounds": keys.rounds }));
        let figures: Vec<_> = outcome.figures.iter().map(figure_object).collect();
        let fields = json!({
            "index": index, "count": count, "number": number, "figures": figures, "included": included,
            "confirmed": confirmed, "seats": seats, "contributionIn": contribution_in, "keys": meter,
        });
        self.output.say("reading", &sentence, fields);
    }

    fn gap(&mut self, fault: &Fault) {
        let Some(Open { series: Series { index, count, .. }, number, .. }) = self.open.take() else { return };
        let sentence = format!("Reading {index} of {count}: a gap. {}", fault.message());
        let seats: Vec<_> = fault.culprits().iter().map(|seat| seat.0).collect();
        let fields = json!({
            "index": index, "count": count, "number": number, "code": fault.code().as_str(),
            "message": fault.message(), "seats": seats,
        });
        self.output.say("gap", &sentence, fields);
    }
}

/// What a notice ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// No reading.
    Nothing,
    /// A reading that others follow.
    Reading,
    /// The last one.
    Series,
}

/// A seat's part in a series.
#[derive(Default)]
pub(crate) struct Part {
    feeder: Option<Feeder>,
    /// The reading in force and the number of its question.
    asked: Option<(Series, u16)>,
}

impl Part {
    /// Takes a question; whether rows are followed for it, so that nobody needs to answer.
    ///
    /// # Errors
    /// [`FaultCode::BadCall`] if rows are to be followed for a question that is asked once; what the file
    /// says.
    pub(crate) fn asked(&mut self, plan: &Plan, seat: &Seat, handle: &Handle) -> Result<bool, Fault> {
        self.asked = plan.series.map(|series| (series, plan.number));
        if seat.follow.is_none() {
            return Ok(false);
        }
        let message = "Rows are followed for a series only, and this question is asked once.";
        let once = || Fault::new(FaultCode::BadCall).in_field("follow").saying(message);
        let (series, number) = self.asked.ok_or_else(once)?;
        if self.feeder.is_none() {
            self.feeder = Feeder::start(seat, handle)?;
        }
        self.feeder.iter().for_each(|feeder| feeder.asked(series.index, number));
        Ok(true)
    }

    /// What a notice ends.
    pub(crate) fn ended(&self, notice: &Notice) -> Ended {
        let Some((series, asked)) = self.asked else { return Ended::Nothing };
        let ends = match notice {
            Notice::Result { confirmed, seats, .. } => confirmed == seats,
            Notice::Fault { number, room_goes_on: true, .. } => *number == asked,
            _ => false,
        };
        if !ends {
            return Ended::Nothing;
        }
        self.feeder.iter().for_each(|feeder| feeder.over(series.index));
        if series.index == series.count { Ended::Series } else { Ended::Reading }
    }
}
