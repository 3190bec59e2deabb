//! A question as it travels: everything that every seat must see alike before it sends a value.

use crate::limits::{
    DEADLINE_MS_MAX, EVERY_MS_MAX, EVERY_MS_MIN, NAME_BYTES_MAX, PARAM_BYTES_MAX, PARAMS_MAX, QUESTION_BYTES_MAX,
    READINGS_MAX, ROUNDS_MAX,
};
use crate::{Codec, DecodeError, Hash, Reader, Writer};
use undertone_prim::Transcript;

/// A service with its parameters, before the service itself has read them.
///
/// Parameters are text in the order of their names, so that one question has one hash. What they
/// mean is up to the service, which parses them into types of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// 1 for the room's first question, then one more each.
    pub number: u16,
    /// Name of the service.
    pub service: String,
    /// The question in the host's words.
    pub question: String,
    /// Names and values, sorted by name, no name twice.
    pub params: Vec<(String, String)>,
    /// Number of rounds of this plan.
    pub rounds: u32,
    /// Time to answer, from the last acknowledgement on.
    pub deadline_ms: u64,
    /// Whether everyone shows a new key before acknowledging; only for methods that use keys up.
    pub fresh_keys: bool,
    /// Which reading of a series this is; `None` for a question that stands alone.
    pub series: Option<Series>,
}

/// One question asked again and again on a schedule. Whoever takes part in its first reading has
/// seen how often, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// Time from one reading to the next.
    pub every_ms: u64,
    /// Number of readings.
    pub count: u16,
    /// Which one this is, from 1.
    pub index: u16,
}

impl Series {
    /// Whether the time to answer one reading is over before the next.
    const fn is_sound(&self, deadline_ms: u64) -> bool {
        let Self { every_ms, count, index } = *self;
        let counts = 1 <= index && index <= count && count <= READINGS_MAX;
        counts && EVERY_MS_MIN <= every_ms && every_ms <= EVERY_MS_MAX && deadline_ms <= every_ms
    }
}

impl Plan {
    /// The reading after this one; `None` after the last, or outside a series.
    #[must_use]
    pub fn next_reading(&self) -> Option<Self> {
        let series = self.series.filter(|series| series.index < series.count)?;
        let series = Some(Series { index: series.index.checked_add(1)?, ..series });
        Some(Self { number: self.number.checked_add(1)?, fresh_keys: false, series, ..self.clone() })
    }

    /// Whether this begins something that people have not been told of: all but later readings.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.series.is_none_or(|series| series.index == 1)
    }

    /// The value of a parameter, or the empty text.
    #[must_use]
    pub fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
    }

    /// The hash that acknowledgements and masks are bound to.
    #[must_use]
    pub fn hash(&self, room: &Hash) -> Hash {
        Transcript::new("plan/v1").field(room).field(&self.to_bytes()).hash()
    }
}

impl Codec for Plan {
    fn encode(&self, writer: &mut Writer) {
        writer.u16(self.number);
        writer.bytes(self.service.as_bytes());
        writer.bytes(self.question.as_bytes());
        writer.list(&self.params, |writer, (name, value)| {
            writer.bytes(name.as_bytes());
            writer.bytes(value.as_bytes());
        });
        writer.u32(self.rounds);
        writer.u64(self.deadline_ms);
        // What stands alone on keys that are there ends here.
        let more = (MORE_FRESH * u8::from(self.fresh_keys)) | (MORE_SERIES * u8::from(self.series.is_some()));
        if more > 0 {
            writer.u8(more);
        }
        if let Some(series) = &self.series {
            writer.u64(series.every_ms);
            writer.u16(series.count);
            writer.u16(series.index);
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let plan = Self {
            number: reader.u16()?,
            service: reader.text(NAME_BYTES_MAX)?,
            question: reader.text(QUESTION_BYTES_MAX)?,
            params: reader
                .list(PARAMS_MAX, |reader| Ok((reader.text(NAME_BYTES_MAX)?, reader.text(PARAM_BYTES_MAX)?)))?,
            rounds: reader.u32()?,
            deadline_ms: reader.u64()?,
            fresh_keys: false,
            series: None,
        };
        let plan = read_more(plan, reader)?;
        let sorted = plan.params.is_sorted_by(|(one, _), (next, _)| one < next);
        let numbered = plan.number > 0 && (1..=ROUNDS_MAX).contains(&plan.rounds);
        let timed = (1..=DEADLINE_MS_MAX).contains(&plan.deadline_ms);
        let sound = plan.series.is_none_or(|series| series.is_sound(plan.deadline_ms));
        if sorted && numbered && timed && sound { Ok(plan) } else { Err(DecodeError) }
    }
}

/// Reads what only some plans have. Nothing follows a plan, so its end says that there is no more.
fn read_more(plan: Plan, reader: &mut Reader<'_>) -> Result<Plan, DecodeError> {
    if reader.is_empty() {
        return Ok(plan);
    }
    let more = reader.u8()?;
    if more == 0 || more > MORE_FRESH | MORE_SERIES {
        return Err(DecodeError);
    }
    let series = match more & MORE_SERIES {
        0 => None,
        _ => Some(Series { every_ms: reader.u64()?, count: reader.u16()?, index: reader.u16()? }),
    };
    Ok(Plan { fresh_keys: more & MORE_FRESH > 0, series, ..plan })
}

/// Everyone shows a new key.
const MORE_FRESH: u8 = 1;
/// A reading of a series.
const MORE_SERIES: u8 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            number: 1,
            service: "mean".into(),
            question: "How much?".into(),
            params: vec![("max".into(), "50".into()), ("unit".into(), "EUR".into())],
            rounds: 1,
            deadline_ms: 60_000,
            fresh_keys: false,
            series: None,
        }
    }

    fn reading(index: u16) -> Plan {
        Plan { series: Some(Series { every_ms: 60_000, count: 500, index }), ..plan() }
    }

    #[test]
    fn round_trips_and_hashes_everything() {
        assert_eq!(Plan::from_bytes(&plan().to_bytes()), Ok(plan()));
        assert_eq!((plan().param("unit"), plan().param("none")), ("EUR", ""));
        let base = plan().hash(&[0; 32]);
        assert_ne!(base, plan().hash(&[1; 32]));
        assert_ne!(base, Plan { question: "How many?".into(), ..plan() }.hash(&[0; 32]));
        let more =
            [Plan { fresh_keys: true, ..plan() }, reading(1), reading(2), Plan { fresh_keys: true, ..reading(2) }];
        let mut hashes: Vec<_> = more.iter().map(|plan| plan.hash(&[0; 32])).chain([base]).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 5);
        assert!(more.iter().all(|plan| Plan::from_bytes(&plan.to_bytes()).as_ref() == Ok(plan)));
        assert!(Plan::from_bytes(&[&plan().to_bytes()[..], &[0]].concat()).is_err());
        assert!(Plan::from_bytes(&[&plan().to_bytes()[..], &[4]].concat()).is_err());
    }

    #[test]
    fn a_series_is_one_question_until_its_last_reading() {
        let next = Plan { fresh_keys: true, ..reading(1) }.next_reading().unwrap();
        assert_eq!(next, Plan { number: 2, ..reading(2) });
        assert!(reading(1).is_new() && plan().is_new() && !next.is_new());
        assert_eq!((reading(500).next_reading(), plan().next_reading()), (None, None));
    }

    #[test]
    fn refuses_unsorted_repeated_and_out_of_range() {
        let refused = |plan: Plan| assert_eq!(Plan::from_bytes(&plan.to_bytes()), Err(DecodeError));
        refused(Plan { params: plan().params.into_iter().rev().collect(), ..plan() });
        refused(Plan { params: vec![plan().params[0].clone(); 2], ..plan() });
        refused(Plan { number: 0, ..plan() });
        refused(Plan { rounds: 0, ..plan() });
        refused(Plan { deadline_ms: DEADLINE_MS_MAX + 1, ..plan() });
        let series = |every_ms, count, index| {
            refused(Plan { series: Some(Series { every_ms, count, index }), deadline_ms: 1, ..plan() });
        };
        series(EVERY_MS_MIN - 1, 5, 1);
        series(EVERY_MS_MAX + 1, 5, 1);
        series(1_000, READINGS_MAX + 1, 1);
        series(1_000, 5, 6);
        series(1_000, 5, 0);
        refused(Plan { deadline_ms: 60_001, ..reading(1) });
    }
}
