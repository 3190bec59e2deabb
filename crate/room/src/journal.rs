//! Checks each author's entries as a chain, before anyone looks at what they say.

use undertone_machine::FaultCode;
use undertone_wire::limits::SEATS_MAX;
use undertone_wire::{Author, Codec, Entry, Hash, Header, Verifier, proves_equivocation, room_of};
use vecmap::{VecMap, VecSet};

/// What to make of bytes from the log.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// A new, signed entry that continues its author's chain.
    Accepted(Box<Entry>, Hash),
    /// Nothing new, or nobody's business: strangers may write what they like.
    Ignored,
    /// The log is not what this author wrote. Only for two signed entries in one place there is
    /// somebody to blame.
    Broken(FaultCode, Author, Vec<Vec<u8>>),
}

/// What an author said so far.
#[derive(Debug)]
struct Chain {
    /// Prepared for what the author says next; not for more authors than may be people.
    key: Option<Verifier>,
    /// By their number: kept as they came, for they are proof.
    entries: Vec<(Hash, Vec<u8>)>,
}

/// The chains of all authors of one room.
#[derive(Debug)]
pub(crate) struct Journal {
    room: Hash,
    chains: VecMap<Author, Chain>,
    /// Authors whose broken entries break the room: the host and, after the lock, all seats.
    /// Others only break themselves, or any passer-by could end a room.
    binding: VecSet<Author>,
    broken: VecSet<Author>,
}

impl Journal {
    pub(crate) fn new(room: Hash) -> Self {
        Self { room, chains: VecMap::new(), binding: VecSet::new(), broken: VecSet::new() }
    }

    /// From now on a broken entry of these authors breaks the room.
    pub(crate) fn bind(&mut self, authors: impl IntoIterator<Item = Author>) {
        self.binding.extend(authors);
    }

    /// Judges the next bytes of the log.
    pub(crate) fn judge(&mut self, bytes: &[u8]) -> Verdict {
        let Ok(header) = Header::peek(bytes) else { return Verdict::Ignored };
        if header.room != self.room || self.broken.contains(&header.author) {
            return Verdict::Ignored;
        }
        let known = self.chains.get(&header.author).and_then(|chain| chain.key.as_ref());
        let new = if known.is_none() { Verifier::new(&header.author) } else { None };
        let read = known.or(new.as_ref()).and_then(|key| Entry::read_signed(bytes, key));
        let Some((entry, hash)) = read else {
            return self.broken(FaultCode::BadSignature, header.author, Vec::new());
        };
        self.follow(entry, hash, bytes, new)
    }

    fn follow(&mut self, entry: Entry, hash: Hash, bytes: &[u8], key: Option<Verifier>) -> Verdict {
        let author = entry.header.author;
        let key = key.filter(|_| self.chains.len() < SEATS_MAX);
        let chain = &mut self.chains.entry(author).or_insert_with(|| Chain { key, entries: Vec::new() }).entries;
        match chain.get(entry.header.sequence as usize) {
            Some((known, _)) if *known == hash => Verdict::Ignored,
            Some((_, other)) => {
                let proof = vec![other.clone(), bytes.to_vec()];
                self.broken(FaultCode::Equivocation, author, proof)
            }
            None => {
                let previous = chain.last().map(|(hash, _)| *hash).unwrap_or_default();
                if chain.len() != entry.header.sequence as usize || previous != entry.previous {
                    return self.broken(FaultCode::BrokenChain, author, Vec::new());
                }
                chain.push((hash, bytes.to_vec()));
                Verdict::Accepted(Box::new(entry), hash)
            }
        }
    }

    fn broken(&mut self, code: FaultCode, author: Author, proof: Vec<Vec<u8>>) -> Verdict {
        // The host is known by the room itself, before it has said anything.
        if self.binding.contains(&author) || room_of(&author) == self.room {
            return Verdict::Broken(code, author, proof);
        }
        self.broken.insert(author);
        Verdict::Ignored
    }

    /// An author's entries that are one part of one round, or otherwise said twice: proof of it.
    pub(crate) fn proof_against(&self, author: &Author) -> Vec<Vec<u8>> {
        let chain = self.chains.get(author).map_or(&[][..], |chain| &chain.entries);
        let entries: Vec<_> = chain.iter().filter_map(|(_, bytes)| Entry::from_bytes(bytes).ok()).collect();
        let last = entries.last();
        let first = entries.iter().find(|one| last.is_some_and(|last| proves_equivocation(one, last)));
        first.into_iter().chain(last).map(Codec::to_bytes).collect()
    }

    /// The entries of the host and of all seats that were ever listed, as they came, by author.
    pub(crate) fn bound_entries(&self) -> Vec<Vec<u8>> {
        let mut chains = Vec::<(&Author, &Chain)>::new();
        for (author, chain) in &self.chains {
            if self.binding.contains(author) {
                let place = chains.iter().position(|(other, _)| author < *other).unwrap_or(chains.len());
                chains.insert(place, (author, chain));
            }
        }
        let mut entries = Vec::new();
        for (_, bytes) in chains.into_iter().flat_map(|(_, chain)| &chain.entries) {
            entries.push(bytes.clone());
        }
        entries
    }

    /// Whether an author's chain was found broken before the author was bound.
    pub(crate) fn is_broken(&self, author: &Author) -> bool {
        self.broken.contains(author)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use undertone_machine::Secret;
    use undertone_prim::SeatKey;
    use undertone_wire::{EntryKind, Place};

    const ROOM: Hash = [9; 32];

    fn entry(sequence: u32, previous: Hash, payload: u8) -> Entry {
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        Entry::sign(&key, ROOM, sequence, previous, Place::NOWHERE, EntryKind::Leave, vec![payload])
    }

    fn bound() -> Journal {
        let mut journal = Journal::new(ROOM);
        journal.bind([entry(0, [0; 32], 0).header.author]);
        journal
    }

    fn code(verdict: Verdict) -> Option<FaultCode> {
        match verdict {
            Verdict::Broken(code, ..) => Some(code),
            Verdict::Accepted(..) | Verdict::Ignored => None,
        }
    }

    #[test]
    fn accepts_a_chain_once() {
        let mut journal = bound();
        let (one, two) = (entry(0, [0; 32], 1), entry(1, entry(0, [0; 32], 1).hash(), 2));
        for next in [&one, &two] {
            assert!(matches!(journal.judge(&next.to_bytes()), Verdict::Accepted(..)));
            assert!(matches!(journal.judge(&next.to_bytes()), Verdict::Ignored));
        }
    }

    #[test]
    fn notices_two_entries_for_one_place() {
        let mut journal = bound();
        journal.judge(&entry(0, [0; 32], 1).to_bytes());
        assert_eq!(code(journal.judge(&entry(0, [0; 32], 2).to_bytes())), Some(FaultCode::Equivocation));
    }

    #[test]
    fn notices_gaps_and_replacements() {
        assert_eq!(code(bound().judge(&entry(1, [0; 32], 1).to_bytes())), Some(FaultCode::BrokenChain));
        let mut journal = bound();
        journal.judge(&entry(0, [0; 32], 1).to_bytes());
        assert_eq!(code(journal.judge(&entry(1, [7; 32], 1).to_bytes())), Some(FaultCode::BrokenChain));
    }

    #[test]
    fn strangers_break_only_themselves() {
        let mut journal = Journal::new(ROOM);
        let mut forged = entry(0, [0; 32], 1);
        forged.payload = vec![2];
        assert!(matches!(journal.judge(&forged.to_bytes()), Verdict::Ignored));
        assert!(journal.is_broken(&forged.header.author));
        assert!(matches!(journal.judge(b"noise"), Verdict::Ignored));
        assert_eq!(code(bound().judge(&forged.to_bytes())), Some(FaultCode::BadSignature));
    }

    #[test]
    fn other_rooms_are_ignored() {
        let mut journal = bound();
        let key = SeatKey::from_seed(&Secret::new([1; 32]));
        let other = Entry::sign(&key, [8; 32], 0, [0; 32], Place::NOWHERE, EntryKind::Leave, Vec::new());
        assert!(matches!(journal.judge(&other.to_bytes()), Verdict::Ignored));
    }
}
