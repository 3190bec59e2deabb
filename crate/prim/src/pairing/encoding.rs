//! Field elements as bytes: 48 each, big-endian, below p.

use crate::codec::{DecodeError, Reader, Writer};
use ark_bls12_381::{Fq, Fq2, Fr};
use ark_ff::{BigInt, Fp, FpConfig, PrimeField};
use core::marker::PhantomData;

/// The number that an element is: a product with a plain one takes Montgomery's factor off. The library's
/// own conversion, and what is built on it, is as much code once more.
#[inline(never)]
pub(super) fn number<P: FpConfig<N>, const N: usize>(element: &Fp<P, N>) -> BigInt<N> {
    (*element * Fp(BigInt::one(), PhantomData)).0
}

/// Appends an element, the three highest bits set to `flags`.
pub(super) fn write(writer: &mut Writer, element: &Fq, flags: u8) {
    for (i, limb) in number(element).0.iter().rev().enumerate() {
        writer.u64(if i == 0 { limb | u64::from(flags) << 56 } else { *limb });
    }
}

/// Reads an element and the three bits above it.
pub(super) fn read(reader: &mut Reader<'_>) -> Result<(Fq, u8), DecodeError> {
    let mut limbs = [0_u64; 6];
    for limb in limbs.iter_mut().rev() {
        *limb = reader.u64()?;
    }
    let flags = limbs.last().map_or(0, |high| (high >> 56) as u8 & FLAGS);
    limbs.iter_mut().skip(5).for_each(|high| *high &= !(u64::from(FLAGS) << 56));
    Ok((Fq::from_bigint(BigInt(limbs)).ok_or(DecodeError)?, flags))
}

/// The bits that an element leaves free.
const FLAGS: u8 = 0xe0;

/// Appends both coefficients, the higher first, as the usual encoding of points does.
pub(super) fn write2(writer: &mut Writer, element: &Fq2, flags: u8) {
    write(writer, &element.c1, flags);
    write(writer, &element.c0, 0);
}

/// Reads both coefficients and the bits above the first.
pub(super) fn read2(reader: &mut Reader<'_>) -> Result<(Fq2, u8), DecodeError> {
    let (c1, flags) = read(reader)?;
    match read(reader)? {
        (c0, 0) => Ok((Fq2::new(c0, c1), flags)),
        _ => Err(DecodeError),
    }
}

/// The number that 64 bytes say, the highest first, modulo the field's order.
pub(super) fn reduced<F: PrimeField>(bytes: &[u8; 64]) -> F {
    let words = bytes.as_chunks().0.iter().map(|word| F::from(u64::from_be_bytes(*word)));
    let half = F::from(1_u64 << 32);
    let base = half * half;
    words.fold(F::ZERO, |number, word| number * base + word)
}

/// Appends a scalar: 32 bytes.
pub(super) fn write_scalar(writer: &mut Writer, scalar: &Fr) {
    number(scalar).0.iter().rev().for_each(|limb| writer.u64(*limb));
}

/// Reads a scalar below the group's order.
pub(super) fn read_scalar(reader: &mut Reader<'_>) -> Result<Fr, DecodeError> {
    let mut limbs = [0_u64; 4];
    for limb in limbs.iter_mut().rev() {
        *limb = reader.u64()?;
    }
    Fr::from_bigint(BigInt(limbs)).ok_or(DecodeError)
}
