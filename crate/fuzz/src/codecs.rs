//! Decoders: whatever they take has exactly that form.

use crate::{Broken, Verdict};
use bytes::Bytes;
use undertone_net::native::ledger_records;
use undertone_prim::{Proof, PublicPoint, verify};
use undertone_services::prepare;
use undertone_wire::{Codec, DecodeError, Entry, Frame, Header, Plan, Reader, Writer, proves_equivocation};

/// Complains unless something holds.
pub(crate) fn must(holds: bool, otherwise: &'static str) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(otherwise)) }
}

/// What decodes encodes to the same bytes.
///
/// So each value has one form, and takes no more memory than came.
pub(crate) fn canonical<T: Codec>(bytes: &[u8]) -> Result<Verdict, Broken> {
    decoded::<T>(bytes).map(|value| if value.is_some() { Verdict::Taken } else { Verdict::Refused })
}

fn decoded<T: Codec>(bytes: &[u8]) -> Result<Option<T>, Broken> {
    let Ok(value) = T::from_bytes(bytes) else { return Ok(None) };
    must(value.to_bytes() == bytes, "another form of the same value is taken")?;
    Ok(Some(value))
}

/// Both ways to read a frame agree.
pub(crate) fn frame(bytes: &[u8]) -> Result<Verdict, Broken> {
    let frame = decoded::<Frame>(bytes)?;
    let shared = Frame::from_message(&Bytes::copy_from_slice(bytes)).ok();
    must(frame == shared, "the two ways to read a frame differ")?;
    Ok(if frame.is_some() { Verdict::Taken } else { Verdict::Refused })
}

/// A header can be read without the rest; an entry alone proves nothing against its author.
pub(crate) fn entry(bytes: &[u8]) -> Result<Verdict, Broken> {
    let header = Header::peek(bytes);
    let Some(entry) = decoded::<Entry>(bytes)? else { return Ok(Verdict::Refused) };
    must(header == Ok(entry.header), "the header differs from the entry's")?;
    must(!proves_equivocation(&entry, &entry), "an entry convicts its author on its own")?;
    let mut other = entry.clone();
    other.payload.push(0);
    must(other.hash() != entry.hash() && !other.is_signed(), "an entry changed unnoticed")?;
    // Counts for the corpus only: a mutation of a signed entry is hardly ever signed.
    Ok(if entry.is_signed() { Verdict::Taken } else { Verdict::Refused })
}

/// A plan that can be read is prepared or refused, and its costs are finite.
pub(crate) fn plan(bytes: &[u8]) -> Result<Verdict, Broken> {
    let Some(plan) = decoded::<Plan>(bytes)? else { return Ok(Verdict::Refused) };
    let Ok(task) = prepare(&plan) else { return Ok(Verdict::Refused) };
    must(task.cost(900).rounds <= plan.rounds.max(1_000), "a plan of few rounds costs many")?;
    Ok(Verdict::Taken)
}

/// Points are canonical and not the identity; none is a signing key by which anything holds.
pub(crate) fn point(bytes: &[u8]) -> Result<Verdict, Broken> {
    if let (Ok(author), Ok(signature)) = (<[u8; 32]>::try_from(bytes), [bytes, bytes].concat().try_into()) {
        must(!verify(&author, b"anything", &signature), "a signature that nobody made holds")?;
    }
    let Some(point) = decoded::<PublicPoint>(bytes)? else { return Ok(Verdict::Refused) };
    must(*point.encoded() != [0; 32], "the identity is taken")?;
    Ok(Verdict::Taken)
}

/// A proof that somebody made up does not hold.
pub(crate) fn proof(bytes: &[u8]) -> Result<Verdict, Broken> {
    let Some((public, rest)) = bytes.split_at_checked(32) else { return Ok(Verdict::Refused) };
    let (Some(public), Some(proof)) = (decoded::<PublicPoint>(public)?, decoded::<Proof>(rest)?) else {
        return Ok(Verdict::Refused);
    };
    // The corpus proves its keys for a context of zeros; nothing is proven for another.
    must(!proof.holds(&public, &[1; 32]), "a proof holds in another context")?;
    Ok(if proof.holds(&public, &[0; 32]) { Verdict::Taken } else { Verdict::Refused })
}

/// The primitives of all decoders: never past the end, never beyond a limit, and back to the same.
pub(crate) fn reader(bytes: &[u8]) -> Result<Verdict, Broken> {
    let (mut reader, mut writer) = (Reader::new(bytes), Writer::default());
    while !reader.is_empty() {
        if read_one(&mut reader, &mut writer).is_err() {
            return Ok(Verdict::Refused);
        }
    }
    must(writer.into_bytes() == bytes, "reading and writing differ")?;
    Ok(Verdict::Taken)
}

const LONGEST: usize = 64;

fn read_one(reader: &mut Reader<'_>, writer: &mut Writer) -> Result<(), DecodeError> {
    let kind = reader.u8()?;
    writer.u8(kind);
    match kind % 6 {
        0 => writer.u16(reader.u16()?),
        1 => writer.u32(reader.u32()?),
        2 => writer.u64(reader.u64()?),
        3 => writer.bytes(reader.bytes(LONGEST)?),
        4 => writer.bytes(reader.text(LONGEST)?.as_bytes()),
        _ => writer.list(&reader.list(LONGEST, Reader::u8)?, |writer, item| writer.u8(*item)),
    }
    Ok(())
}

/// A ledger's whole records stand at its front; a torn or foreign end takes none of them away.
pub(crate) fn ledger(bytes: &[u8]) -> Result<Verdict, Broken> {
    let (records, whole) = ledger_records(bytes);
    let front = bytes.get(..whole).ok_or(Broken("more was read than there is"))?;
    must(ledger_records(front) == (records.clone(), whole), "the front alone reads otherwise")?;
    let torn = [front, &[0xff; 7]].concat();
    must(ledger_records(&torn) == (records.clone(), whole), "a torn end changes what stands before it")?;
    let held: usize = records.iter().map(|(key, value)| key.len().saturating_add(value.len())).sum();
    must(held <= whole, "records hold more than was read")?;
    Ok(if records.is_empty() { Verdict::Refused } else { Verdict::Taken })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flag that takes any byte but zero for yes.
    struct Loose(bool);

    impl Codec for Loose {
        fn encode(&self, writer: &mut Writer) {
            writer.u8(u8::from(self.0));
        }

        fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
            Ok(Self(reader.u8()? != 0))
        }
    }

    #[test]
    fn a_second_form_of_a_value_is_noticed() {
        assert_eq!(canonical::<Loose>(&[1]), Ok(Verdict::Taken));
        assert_eq!(canonical::<Loose>(&[1, 1]), Ok(Verdict::Refused));
        assert!(canonical::<Loose>(&[2]).is_err());
    }
}
