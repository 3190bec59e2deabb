//! A question as it travels: everything that every seat must see alike before it sends a value.

use crate::limits::{
    DEADLINE_MS_MAX, NAME_BYTES_MAX, PARAM_BYTES_MAX, PARAMS_MAX, PLANS_MAX, QUESTION_BYTES_MAX, ROUNDS_MAX,
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
}

impl Plan {
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
        };
        let sorted = plan.params.is_sorted_by(|(one, _), (next, _)| one < next);
        let numbered = (1..=PLANS_MAX).contains(&plan.number) && (1..=ROUNDS_MAX).contains(&plan.rounds);
        if sorted && numbered && (1..=DEADLINE_MS_MAX).contains(&plan.deadline_ms) {
            Ok(plan)
        } else {
            Err(DecodeError)
        }
    }
}

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
        }
    }

    #[test]
    fn round_trips_and_hashes_everything() {
        assert_eq!(Plan::from_bytes(&plan().to_bytes()), Ok(plan()));
        assert_eq!((plan().param("unit"), plan().param("none")), ("EUR", ""));
        let base = plan().hash(&[0; 32]);
        assert_ne!(base, plan().hash(&[1; 32]));
        assert_ne!(base, Plan { question: "How many?".into(), ..plan() }.hash(&[0; 32]));
    }

    #[test]
    fn refuses_unsorted_repeated_and_out_of_range() {
        let refused = |plan: Plan| assert_eq!(Plan::from_bytes(&plan.to_bytes()), Err(DecodeError));
        refused(Plan { params: plan().params.into_iter().rev().collect(), ..plan() });
        refused(Plan { params: vec![plan().params[0].clone(); 2], ..plan() });
        refused(Plan { number: 0, ..plan() });
        refused(Plan { rounds: 0, ..plan() });
        refused(Plan { deadline_ms: DEADLINE_MS_MAX + 1, ..plan() });
    }
}
