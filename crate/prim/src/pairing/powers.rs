//! $g^m$ from a table of the generator's powers.

use super::RoundPoint;
use super::constant::{nibble, scan};
use super::neighbourhood::Lines;
use ark_bls12_381::{Fq, Fq12, G1Affine, G2Projective};
use ark_ec::{AffineRepr, PrimeGroup};
use ark_ff::Field;
use std::sync::LazyLock;

/// Bits of an exponent, in groups of four.
const WINDOWS: usize = 16;

/// $g^{d 16^i}$ for all digits d and places i: 147 kB, made at first use by 256 multiplications.
pub(super) struct Powers(Vec<[Fq12; 16]>);

/// The powers of $e(P_1, P_2)$.
pub(super) static POWERS: LazyLock<Powers> = LazyLock::new(Powers::new);

impl Powers {
    fn new() -> Self {
        let lines = Lines::of(&G2Projective::generator());
        let mut base = lines.expose().pairing(&RoundPoint(G1Affine::generator()), &Fq::ONE);
        let row = |_| {
            let mut power = Fq12::ONE;
            let row = core::array::from_fn(|_| {
                let next = power * base;
                core::mem::replace(&mut power, next)
            });
            base = power;
            row
        };
        Self((0..WINDOWS).map(row).collect())
    }

    /// $g^m$, every entry of the table read.
    pub(super) fn of_secret(&self, m: u64) -> Fq12 {
        let places = self.0.iter().enumerate();
        places.fold(Fq12::ONE, |power, (i, row)| power * scan(row, nibble(&[m], i)))
    }

    /// $g^m$ for a public m.
    pub(super) fn of_public(&self, m: u64) -> Fq12 {
        let digits = self.0.iter().enumerate().map(|(i, row)| (row, usize::from(nibble(&[m], i))));
        let factors = digits.filter(|(_, digit)| *digit > 0).filter_map(|(row, digit)| row.get(digit));
        factors.fold(Fq12::ONE, |power, factor| power * factor)
    }
}
