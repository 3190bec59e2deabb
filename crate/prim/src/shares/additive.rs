//! Shares that add up to the value: all of them are needed.

use super::noise;
use undertone_machine::Secret;
use undertone_math::Word;

/// Cuts a vector into so many shares: random words, and what is missing to the value.
///
/// # Security
/// Any shares but all of them are uniform, whatever the values are. One seed for one vector.
///
/// # Cost
/// `computers * values * W::BYTES` bytes.
#[must_use]
pub fn cut_additive<W: Word>(values: &[i128], computers: usize, seed: &Secret<[u8; 32]>) -> Vec<Secret<Vec<u8>>> {
    let bytes = values.len().saturating_mul(W::BYTES);
    let noise = noise(seed, bytes.saturating_mul(computers.saturating_sub(1)));
    let random = noise.expose().chunks_exact(bytes.max(1)).take(computers.saturating_sub(1));
    let mut shares: Vec<_> = random.clone().map(|share| Secret::new(share.to_vec())).collect();
    let mut last = Secret::new(Vec::with_capacity(bytes));
    for (index, value) in values.iter().enumerate() {
        let at = index.saturating_mul(W::BYTES);
        let word = |share: &[u8]| W::read(share.get(at..at.saturating_add(W::BYTES)).unwrap_or_default());
        let rest = random.clone().fold(W::from_signed(*value), |rest, share| rest.sub(word(share)));
        rest.write(last.expose_mut());
    }
    shares.push(last);
    shares
}

/// The sum of shares; `None` if one has another length.
#[must_use]
pub fn join_additive<W: Word>(shares: &[&[u8]], length: usize) -> Option<Vec<i128>> {
    let mut sums = vec![W::default(); length];
    shares.iter().all(|share| crate::add(&mut sums, share)).then(|| sums.into_iter().map(W::to_signed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn shares_add_up_and_none_but_all_tell(values in prop::collection::vec(-(1_i128 << 60)..(1_i128 << 60), 1..9), k in 2_usize..9, seed: [u8; 32]) {
            let shares = cut_additive::<u64>(&values, k, &Secret::new(seed));
            let all: Vec<_> = shares.iter().map(|share| &share.expose()[..]).collect();
            prop_assert_eq!(all.len(), k);
            prop_assert_eq!(join_additive::<u64>(&all, values.len()), Some(values.clone()));
            let wide = cut_additive::<u128>(&values, k, &Secret::new(seed));
            let all: Vec<_> = wide.iter().map(|share| &share.expose()[..]).collect();
            prop_assert_eq!(join_additive::<u128>(&all, values.len()), Some(values.clone()));
            // Other values under the same seed differ in the last share only, by as much as they differ.
            let zeros = cut_additive::<u64>(&vec![0; values.len()], k, &Secret::new(seed));
            prop_assert!(shares.iter().zip(&zeros).take(k - 1).all(|(one, other)| one.expose() == other.expose()));
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        assert_eq!(join_additive::<u64>(&[&[0; 8], &[0; 7]], 1), None);
        assert_eq!(join_additive::<u64>(&[&[0; 16]], 1), None);
    }
}
