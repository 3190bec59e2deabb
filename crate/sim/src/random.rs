//! All chance of a simulation: streams of numbers that follow from its seed.

use undertone_prim::Transcript;

/// A stream of numbers, given by a seed and a name: drawing from one moves no other.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    seed: u64,
    name: &'static str,
    block: u64,
    ready: Vec<u64>,
}

impl Random {
    pub(crate) const fn new(seed: u64, name: &'static str) -> Self {
        Self { seed, name, block: 0, ready: Vec::new() }
    }

    /// The next number.
    pub(crate) fn number(&mut self) -> u64 {
        loop {
            if let Some(number) = self.ready.pop() {
                return number;
            }
            self.refill();
        }
    }

    /// From 0 to below the bound; 0 if that is 0. Its bias is too small to matter here.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.number().checked_rem(bound).unwrap_or(0)
    }

    /// From `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low.saturating_add(self.below(high.saturating_sub(low).saturating_add(1)))
    }

    /// Whether something happens that does so many times in a hundred.
    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Which of so many; 0 if there are none.
    pub(crate) fn index(&mut self, count: usize) -> usize {
        usize::try_from(self.below(count as u64)).unwrap_or(0)
    }

    /// Bytes for a seat's seed.
    pub(crate) fn seed(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        let (parts, _) = bytes.as_chunks_mut::<8>();
        parts.iter_mut().for_each(|part| *part = self.number().to_be_bytes());
        bytes
    }

    fn refill(&mut self) {
        self.block = self.block.wrapping_add(1);
        let start = Transcript::new("simulation-chance/v1").field(self.name.as_bytes());
        let bytes = start.number(self.seed).number(self.block).wide();
        let (numbers, _) = bytes.as_chunks::<8>();
        self.ready.extend(numbers.iter().map(|number| u64::from_be_bytes(*number)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_follow_from_seed_and_name_only() {
        let draw = |seed, name| {
            let mut random = Random::new(seed, name);
            [(); 20].map(|()| random.number())
        };
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
    }

    #[test]
    fn bounds_are_kept() {
        let mut random = Random::new(1, "bounds");
        assert!((0..1000).all(|_| (3..=9).contains(&random.between(3, 9))));
        assert_eq!((random.below(0), random.below(1), random.index(0)), (0, 0, 0));
        let often = (0..1000).filter(|_| random.chance(30)).count();
        assert!((200..400).contains(&often));
    }
}
