//! Inverses and square roots: fixed powers, each along one addition chain.

use super::{Field25519, Limbs};

impl<L: Limbs> Field25519<L> {
    /// $a^{-1}$, and 0 for 0: $a^{p-2} = a^{2^{255} - 21}$.
    ///
    /// # Cost
    /// 254 squarings and 12 multiplications.
    #[must_use]
    pub fn invert(&self) -> Self {
        let (a250, a11) = self.chain();
        a250.fill(5, &a11)
    }

    /// Inverts all `values` at once; `false`, and nothing is changed, if one of them is zero.
    ///
    /// With $q_i = a_1 \cdots a_i$, $a_i^{-1} = q_{i-1} q_i^{-1}$ and $q_{i-1}^{-1} = a_i q_i^{-1}$. `products`
    /// is room for the q, kept by the caller so that a loop need not allocate.
    ///
    /// # Cost
    /// Three multiplications a value, and one inversion.
    #[must_use]
    pub fn invert_all_vartime(values: &mut [Self], products: &mut Vec<Self>) -> bool {
        products.clear();
        let mut product = Self::small(1);
        for value in &*values {
            products.push(product);
            product = product.mul(value);
        }
        if product.is_zero_vartime() {
            return false;
        }
        let mut inverse = product.invert();
        for (value, before) in values.iter_mut().zip(&*products).rev() {
            let next = inverse.mul(value);
            *value = inverse.mul(before);
            inverse = next;
        }
        true
    }

    /// $1/\sqrt a$ with an even smallest residue; `None` if $a$ is zero or no square.
    ///
    /// As p = 5 mod 8, $r = a^{(p-5)/8}$ has $r^2 a \in \{\pm 1, \pm\sqrt{-1}\}$: for 1, $r$ is an inverse
    /// root, for -1, $r\sqrt{-1}$ is, and else there is none.
    #[must_use]
    pub fn inverse_root_vartime(&self) -> Option<Self> {
        let (a250, _) = self.chain();
        let power = a250.fill(2, self);
        let sign = power.square().mul(self);
        let one = Self::small(1);
        let root = if sign.equals_vartime(&one) {
            power
        } else if sign.equals_vartime(&one.neg()) {
            power.mul(&Self::root_of_minus_one())
        } else {
            return None;
        };
        Some(root.magnitude_vartime())
    }

    /// $\sqrt{-1}$.
    #[must_use]
    pub fn root_of_minus_one() -> Self {
        Self::from_limbs(ROOT_OF_MINUS_ONE)
    }

    /// Of $a$ and $-a$ the one with an even smallest residue.
    #[must_use]
    pub fn magnitude_vartime(&self) -> Self {
        if self.is_negative_vartime() { self.neg() } else { *self }
    }

    /// $a^{2^{250} - 1}$, from which both powers are made, and $a^{11}$.
    fn chain(&self) -> (Self, Self) {
        let a2 = self.square();
        let a9 = a2.fill(2, self);
        let a11 = a9.mul(&a2);
        let ones5 = a11.fill(1, &a9);
        let ones10 = ones5.fill(5, &ones5);
        let ones20 = ones10.fill(10, &ones10);
        let ones40 = ones20.fill(20, &ones20);
        let ones50 = ones40.fill(10, &ones10);
        let ones100 = ones50.fill(50, &ones50);
        let ones200 = ones100.fill(100, &ones100);
        (ones200.fill(50, &ones50), a11)
    }

    /// An exponent of n ones, shifted by k and filled with k ones, is n + k ones.
    #[inline(never)]
    fn fill(&self, k: u32, ones: &Self) -> Self {
        (0..k).fold(*self, |power, _| power.square()).mul(ones)
    }
}

/// $\sqrt{-1} = 2^{(p-1)/4}$, in limbs of 51 bits.
const ROOT_OF_MINUS_ONE: [u64; 5] =
    [0x61b274a0ea0b0, 0xd5a5fc8f189d, 0x7ef5e9cbd0c60, 0x78595a6804c9e, 0x2b8324804fc1d];
