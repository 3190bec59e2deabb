//! What people type or paste.

use crate::codecs::must;
use crate::{Broken, Verdict};
use undertone_math::{Decimal, Quantity};
use undertone_services::prepare;
use undertone_wire::{Codec, Invitation, Invite, Plan, RoomCode};

fn lines<const N: usize>(bytes: &[u8]) -> Option<([&str; N], core::str::Lines<'_>)> {
    let mut lines = core::str::from_utf8(bytes).ok()?.lines();
    let mut first = [""; N];
    first.iter_mut().for_each(|line| *line = lines.next().unwrap_or_default());
    Some((first, lines))
}

/// Whatever is read as an invitation leads back to itself.
pub(crate) fn invitation(bytes: &[u8]) -> Result<Verdict, Broken> {
    let Ok(text) = core::str::from_utf8(bytes) else { return Ok(Verdict::Refused) };
    match Invitation::from_text(text) {
        Ok(Invitation::Link(invite)) => {
            let again = invite.to_text();
            must(text.trim().ends_with(&again), "a link has two forms")?;
            must(Invite::from_text(&again).is_ok(), "a link does not lead back to itself")?;
        }
        Ok(Invitation::Code(code)) => {
            must(RoomCode::from_text(&code.to_string()) == Ok(code), "words do not lead back to themselves")?;
            must(RoomCode::from_bytes(&code.to_bytes()) == Ok(code), "words are beyond the last code")?;
        }
        Err(_) => return Ok(Verdict::Refused),
    }
    Ok(Verdict::Taken)
}

/// Unit, decimals, lowest, highest, then a value: what is taken lies in the range and prints as
/// itself.
pub(crate) fn quantity(bytes: &[u8]) -> Result<Verdict, Broken> {
    let Some(([unit, decimals, min, max, text], _)) = lines(bytes) else { return Ok(Verdict::Refused) };
    let Ok(quantity) = Quantity::parse(unit, decimals, min, max) else { return Ok(Verdict::Refused) };
    must(quantity.min() <= quantity.max(), "a range is upside down")?;
    for bound in [quantity.min(), quantity.max()] {
        let printed = quantity.decimal(bound).to_string();
        must(quantity.value(&printed) == Ok(bound), "a bound of the range is not taken")?;
    }
    let Ok(value) = quantity.value(text) else { return Ok(Verdict::Refused) };
    must((quantity.min()..=quantity.max()).contains(&value), "a value outside of the range is taken")?;
    let printed = quantity.decimal(value).to_string();
    must(quantity.value(&printed) == Ok(value), "a value does not print as itself")?;
    let decimal = Decimal::parse(&printed, quantity.decimals());
    must(decimal == Ok(quantity.decimal(value)), "a decimal does not print as itself")?;
    Ok(Verdict::Taken)
}

/// Service, question, deadline, number of parameters, names and values in turn, then an input: a plan
/// that is drafted travels and can be prepared, and an input that is read can be computed on.
pub(crate) fn draft(bytes: &[u8]) -> Result<Verdict, Broken> {
    let Some(([service, question, deadline, count], mut rest)) = lines(bytes) else { return Ok(Verdict::Refused) };
    let count: usize = count.parse().unwrap_or_default();
    let pair = |_| Some((rest.next()?, rest.next()?));
    let params: Vec<_> = (0..count.min(PARAMS_TRIED)).map_while(pair).collect();
    let Ok(plan) = undertone_services::draft(service, question, &params, deadline) else { return Ok(Verdict::Refused) };
    must(Plan::from_bytes(&plan.to_bytes()).as_ref() == Ok(&plan), "a drafted plan does not travel")?;
    let task = prepare(&plan).map_err(|_| Broken("a drafted plan cannot be prepared"))?;
    let Ok(input) = task.read(rest.next().unwrap_or_default()) else { return Ok(Verdict::Refused) };
    must(task.oracle(&[input]).is_ok(), "an input that was read cannot be computed on")?;
    Ok(Verdict::Taken)
}

/// More than any service has.
const PARAMS_TRIED: usize = 40;
