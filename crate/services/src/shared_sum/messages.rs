//! What computers say before they open anything, as bytes.

use super::agree::Table;
use super::{Scheme, Terms};
use undertone_math::Field127;
use undertone_prim::{Hash, Transcript};

/// Which deals a computer holds, and one combination of each.
pub(super) struct Check {
    /// Hash of the message.
    pub(super) hash: Hash,
    /// Contributor by contributor: whether it holds a share.
    pub(super) held: Vec<bool>,
    /// Over the deals that it holds.
    pub(super) view: Hash,
    /// Contributor by contributor; `None` without a share. Zeros where shares cannot be checked.
    pub(super) values: Vec<Option<Field127>>,
}

impl Check {
    /// Bytes without the combinations: a bit for each contributor, and a hash.
    pub(super) const fn bytes(contributors: usize) -> usize {
        contributors.div_ceil(8).saturating_add(32)
    }

    /// Writes what it holds.
    pub(super) fn write(held: &[bool], view: &Hash, values: impl Iterator<Item = Field127>) -> Vec<u8> {
        let mut bytes = vec![0; held.len().div_ceil(8)];
        for (bit, held) in held.iter().enumerate() {
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte |= u8::from(*held) << (bit % 8);
            }
        }
        bytes.extend_from_slice(view);
        values.for_each(|value| bytes.extend_from_slice(&value.to_bytes()));
        bytes
    }

    /// Reads the one form that it has.
    pub(super) fn read(table: &Table, payload: &[u8]) -> Option<Self> {
        let count = table.contributors.len();
        let (bits, rest) = payload.split_at_checked(count.div_ceil(8))?;
        let (view, values) = rest.split_first_chunk()?;
        let bit = |at: usize| bits.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let held: Vec<bool> = (0..count).map(bit).collect();
        if (count..bits.len().saturating_mul(8)).any(bit) {
            return None;
        }
        let hash = Transcript::new("share-check/v1").field(&table.context).field(payload).hash();
        Some(Self { hash, values: combinations(&table.terms, &held, values)?, held, view: *view })
    }
}

/// One combination for each share that is held, and nothing else.
fn combinations(terms: &Terms, held: &[bool], bytes: &[u8]) -> Option<Vec<Option<Field127>>> {
    let (chunks, rest) = bytes.as_chunks();
    let mut chunks = chunks.iter();
    let mut next = || match terms.scheme {
        Scheme::Additive(_) => Some(Field127::default()),
        Scheme::Shamir(_) => Field127::from_bytes(*chunks.next()?),
    };
    let mut values = Vec::with_capacity(held.len());
    for held in held {
        values.push(if *held { Some(next()?) } else { None });
    }
    (rest.is_empty() && chunks.next().is_none()).then_some(values)
}

/// One set, signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Sign {
    /// Computers whose checks count, as bits.
    pub(super) of: u16,
    /// Over these checks and what follows from them.
    pub(super) set: Hash,
}

impl Sign {
    /// Its bytes.
    pub(super) const BYTES: usize = 2 + 32;

    /// Writes it.
    pub(super) fn write(&self) -> Vec<u8> {
        [&self.of.to_be_bytes()[..], &self.set].concat()
    }

    /// Reads it, if it counts the checks of a quorum.
    pub(super) fn read(terms: &Terms, payload: &[u8]) -> Option<Self> {
        let (of, set) = payload.split_first_chunk()?;
        let of = u16::from_be_bytes(*of);
        let seats = of.checked_shr(u32::try_from(terms.computers).ok()?).unwrap_or_default();
        let enough = of.count_ones() as usize >= terms.quorum();
        (enough && seats == 0).then_some(Self { of, set: set.try_into().ok()? })
    }
}
