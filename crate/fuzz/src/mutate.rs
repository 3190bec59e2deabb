//! Seeded changes of a corpus: what a fuzzer does, without looking where it leads.

/// Makes inputs out of a corpus, the same from the same seed.
#[derive(Clone, Debug)]
pub struct Mutator {
    state: u64,
}

/// Values at which lengths and counts break.
const EDGES: &[u8] = &[0, 1, 2, 0x0f, 0x10, 0x1f, 0x20, 0x7f, 0x80, 0xfe, 0xff];

/// Longest input that is made.
const BYTES_MAX: usize = 1 << 17;

impl Mutator {
    /// Starts from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number below a bound; 0 for a bound of 0. By splitmix64.
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or_default();
        mixed.checked_rem(bound).unwrap_or_default()
    }

    /// One of the corpus with one to eight changes.
    pub fn mutate(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = self.pick(corpus);
        for _ in 0..=self.below(8) {
            self.change(&mut bytes, corpus);
        }
        bytes.truncate(BYTES_MAX);
        bytes
    }

    fn pick(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let index = self.below(corpus.len());
        corpus.get(index).cloned().unwrap_or_default()
    }

    fn change(&mut self, bytes: &mut Vec<u8>, corpus: &[Vec<u8>]) {
        let at = self.below(bytes.len().saturating_add(1));
        match self.below(8) {
            0 => self.replace(bytes, at, |byte, by| byte ^ (1 << (by % 8))),
            1 => self.replace(bytes, at, |_, by| by),
            2 => self.replace(bytes, at, |byte, by| byte.wrapping_add(by % 5).wrapping_sub(2)),
            3 => bytes.truncate(at),
            4 => bytes.insert(at, *EDGES.get(self.below(EDGES.len())).unwrap_or(&0)),
            5 => drop(bytes.drain(at..self.end(at, bytes.len()))),
            6 => {
                let part = bytes.get(at..self.end(at, bytes.len())).unwrap_or_default().to_vec();
                let to = self.below(bytes.len().saturating_add(1));
                drop(bytes.splice(to..to, part));
            }
            _ => {
                let other = self.pick(corpus);
                let from = self.below(other.len().saturating_add(1));
                bytes.truncate(at);
                bytes.extend(other.get(from..).unwrap_or_default());
            }
        }
    }

    fn end(&mut self, at: usize, len: usize) -> usize {
        at.saturating_add(self.below(64)).min(len)
    }

    fn replace(&mut self, bytes: &mut [u8], at: usize, by: fn(u8, u8) -> u8) {
        let with = u8::try_from(self.below(256)).unwrap_or_default();
        let with = if self.below(3) == 0 { *EDGES.get(self.below(EDGES.len())).unwrap_or(&0) } else { with };
        if let Some(byte) = bytes.get_mut(at) {
            *byte = by(*byte, with);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_is_one_sequence_of_many_inputs() {
        let corpus = [vec![1, 2, 3, 4], b"another one".to_vec()];
        let made = |seed| {
            let mut mutator = Mutator::new(seed);
            (0..200).map(|_| mutator.mutate(&corpus)).collect::<Vec<_>>()
        };
        assert_eq!(made(1), made(1));
        let mut distinct = made(1);
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 150 && made(1) != made(2));
        assert!(Mutator::new(1).mutate(&[]).len() < 100);
    }
}
