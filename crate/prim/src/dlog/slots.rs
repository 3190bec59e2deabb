//! A hash table from keys to the baby steps that they may belong to.
//!
//! A slot is 32 bits: the index, and above it as many bits of the key as are left. Beside it there
//! is a byte of the key for every index. Three slots of four are taken: a look-up then reads eight of
//! them on average, which costs less than the third of all look-ups that a fuller table saves. A wrong
//! guess is rare (one key in 70,000 at the largest size) and costs the search one check against the
//! real element; it never costs the answer.

/// The indices from 1 below $3 \cdot 2^{bits-1}$ by their keys. $9.5 \cdot 2^{bits}$ bytes.
pub(crate) struct Slots {
    bits: u32,
    /// Open addressing from the low bits of the key; zero is empty.
    slots: Vec<u32>,
    /// A byte of the key of each index.
    checks: Vec<u8>,
}

impl Slots {
    /// Room for $3 \cdot 2^{bits-1} - 1$ indices; `bits` is at most 20: a slot then has 11 bits of the key
    /// beside 21 of the index.
    pub(crate) fn new(bits: u32) -> Self {
        Self { bits, slots: vec![0; 2 << bits], checks: vec![0; 3 << (bits - 1)] }
    }

    /// The logarithm of half the number of slots.
    pub(crate) const fn bits(&self) -> u32 {
        self.bits
    }

    /// The number of indices, and one more.
    pub(crate) const fn count(&self) -> usize {
        self.checks.len()
    }

    /// Bytes in memory.
    pub(crate) const fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>() + self.checks.len()
    }

    /// Bytes that so many bits take.
    #[cfg(feature = "pairing")]
    pub(crate) const fn bytes_for(bits: u32) -> usize {
        (2 << bits) * size_of::<u32>() + (3 << (bits - 1))
    }

    /// The slot that a look-up of the key reads first.
    pub(crate) fn first(&self, key: u64) -> Option<&u32> {
        self.slots.get(key as usize & (self.slots.len() - 1))
    }

    /// The next index that the key may belong to. `at` is 0 at first and then left to this function.
    pub(crate) fn next(&self, key: u64, at: &mut usize) -> Option<i64> {
        loop {
            let place = (key as usize).wrapping_add(*at) & (self.slots.len() - 1);
            let slot = self.slots.get(place).copied().filter(|slot| *slot != 0)?;
            *at += 1;
            let index = slot & ((2 << self.bits) - 1);
            if slot == self.slot(key, index) && self.checks.get(index as usize) == Some(&check(key)) {
                return Some(i64::from(index));
            }
        }
    }

    /// Enters an index with its key, if there is room for such an index.
    pub(crate) fn enter(&mut self, index: usize, key: u64) {
        let Some(byte) = self.checks.get_mut(index) else { return };
        *byte = check(key);
        let (slot, mask) = (self.slot(key, index as u32), self.slots.len() - 1);
        let mut place = key as usize & mask;
        while self.slots.get(place).is_some_and(|it| *it != 0) {
            place = (place + 1) & mask;
        }
        if let Some(empty) = self.slots.get_mut(place) {
            *empty = slot;
        }
    }

    /// What a slot holds: bits of the key from 32, above the index.
    fn slot(&self, key: u64, index: u32) -> u32 {
        ((key >> 32) as u32) << (self.bits + 1) | index
    }
}

/// Bits 24 to 31 of the key; the place is made of those below, the slot of those above.
const fn check(key: u64) -> u8 {
    (key >> 24) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Slots {
        /// All indices that were entered, in no order.
        pub(crate) fn indices(&self) -> Vec<u32> {
            let indices = self.slots.iter().map(|slot| slot & ((2 << self.bits) - 1));
            indices.filter(|index| *index != 0).collect()
        }
    }

    #[test]
    fn indices_that_share_a_key_are_all_offered() {
        let mut slots = Slots::new(5);
        let key = 0x0123_4567_89ab_cdef;
        [9, 3, 40].into_iter().for_each(|index| slots.enter(index, key));
        // A neighbour in the same place, and one whose check alone differs.
        slots.enter(7, key ^ 1 << 40);
        slots.enter(8, key ^ 1 << 24);
        let mut at = 0;
        let offered: Vec<_> = core::iter::from_fn(|| slots.next(key, &mut at)).collect();
        assert_eq!(offered, [9, 3, 40]);
    }
}
