//! Key pairs in $\mathbb{G}_2$, with proof of possession.
//!
//! Without the proof a latecomer could show a key made of the others' and take their masks apart; with
//! it a key counts only if its owner knows the exponent, in this room, in this seat.

use super::constant::{affine, times};
use super::encoding::{number, read_scalar, read2, reduced, write_scalar, write2};
use crate::codec::{Codec, DecodeError, Reader, Writer};
use crate::{Hash, Transcript};
use ark_bls12_381::{Fq2, Fr, G2Affine, G2Projective, g2};
use ark_ec::models::short_weierstrass::SWCurveConfig;
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ff::{AdditiveGroup, BigInteger, Field, PrimeField};
use undertone_machine::Secret;
use zeroize::Zeroize;

/// Bytes of an encoded public key.
pub const PAIRING_POINT_BYTES: usize = 96;

/// A public key: an element of $\mathbb{G}_2$ of order r, so not the identity.
///
/// Its encoding is the usual compressed one: the x-coordinate, three flags in the bits above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingPoint(pub(super) G2Affine);

impl Codec for PairingPoint {
    fn encode(&self, writer: &mut Writer) {
        let flags = if is_greatest(&self.0.y) { COMPRESSED | GREATEST } else { COMPRESSED };
        write2(writer, &self.0.x, flags);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (x, flags) = read2(reader)?;
        if flags & !GREATEST != COMPRESSED {
            return Err(DecodeError);
        }
        let y = (x.square() * x + g2::Config::COEFF_B).sqrt().ok_or(DecodeError)?;
        let greatest = flags & GREATEST != 0;
        let point = G2Affine::new_unchecked(x, if is_greatest(&y) == greatest { y } else { -y });
        // The curve has points of other orders, whose products with a secret would tell parts of it.
        if point.is_in_correct_subgroup_assuming_on_curve() { Ok(Self(point)) } else { Err(DecodeError) }
    }
}

/// The flag of encodings without y.
const COMPRESSED: u8 = 0x80;
/// The flag of the larger y.
const GREATEST: u8 = 0x20;

/// Whether y is the larger one of y and -y, by the coefficient of the imaginary unit, then by the other.
fn is_greatest(y: &Fq2) -> bool {
    let numbers = |y: &Fq2| [&y.c1, &y.c0].map(number);
    numbers(y) > numbers(&-*y)
}

/// A Schnorr proof that the owner of a [`PairingPoint`] knows its exponent: (e, s) with
/// e = H(context, U, $sP_2 - eU$).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingProof {
    challenge: Fr,
    response: Fr,
}

impl PairingProof {
    /// Checks the proof for a key in a context.
    ///
    /// # Cost
    /// 255 doublings and at most as many sums in $\mathbb{G}_2$, in variable time: everything here is public.
    #[must_use]
    pub fn holds(&self, public: &PairingPoint, context: &Hash) -> bool {
        challenge(context, public, &self.commitment_vartime(public).into()) == self.challenge
    }

    /// $sP_2 - eU$, both products by the same doublings.
    #[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
    fn commitment_vartime(&self, public: &PairingPoint) -> G2Projective {
        let [s, e] = [self.response, self.challenge].map(|it| number(&it));
        let (P, U) = (G2Affine::generator(), -public.0);
        let both = (P + U).into_affine();
        let mut sum = G2Projective::ZERO;
        for bit in (0..Fr::MODULUS_BIT_SIZE as usize).rev() {
            sum.double_in_place();
            match (s.get_bit(bit), e.get_bit(bit)) {
                (true, true) => sum += both,
                (true, false) => sum += P,
                (false, true) => sum += U,
                (false, false) => {}
            }
        }
        sum
    }
}

impl Codec for PairingProof {
    fn encode(&self, writer: &mut Writer) {
        write_scalar(writer, &self.challenge);
        write_scalar(writer, &self.response);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self { challenge: read_scalar(reader)?, response: read_scalar(reader)? })
    }
}

/// The secret exponent of a seat, good for any number of rounds.
pub struct PairingKey {
    pub(super) x: Secret<Fr>,
    public: PairingPoint,
}

impl PairingKey {
    /// Derives a key from a seed.
    #[must_use]
    pub fn from_seed(seed: &Secret<[u8; 32]>) -> Self {
        let x = secret_scalar(Transcript::new("pairing-key/v1").field(seed.expose()));
        let public = PairingPoint(affine(&times(&G2Projective::generator(), x.expose())));
        Self { x, public }
    }

    /// The public half.
    #[must_use]
    pub const fn public(&self) -> &PairingPoint {
        &self.public
    }

    /// Proves possession in a context (room, seat and commitment).
    ///
    /// The nonce is derived from the key and the context, so the same call gives the same proof.
    #[must_use]
    #[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
    pub fn prove(&self, context: &Hash) -> PairingProof {
        let k = secret_scalar(self.bound("pairing-nonce/v1").field(context));
        let R = affine(&times(&G2Projective::generator(), k.expose()));
        let challenge = challenge(context, &self.public, &R);
        PairingProof { challenge, response: *k.expose() + challenge * self.x.expose() }
    }

    /// A transcript that starts with the secret.
    pub(super) fn bound(&self, domain: &str) -> Transcript {
        let mut limbs = number(self.x.expose()).0;
        let transcript = limbs.iter().fold(Transcript::new(domain), |transcript, limb| transcript.number(*limb));
        limbs.zeroize();
        transcript
    }
}

impl core::fmt::Debug for PairingKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PairingKey").finish_non_exhaustive()
    }
}

fn secret_scalar(transcript: Transcript) -> Secret<Fr> {
    let mut wide = transcript.wide();
    let scalar = Secret::new(reduced(&wide));
    wide.zeroize();
    scalar
}

#[allow(non_snake_case, reason = "capitals are group elements, as in the literature")]
fn challenge(context: &Hash, public: &PairingPoint, R: &G2Affine) -> Fr {
    let transcript = Transcript::new("pairing-possession/v1").field(context).field(&public.to_bytes());
    reduced(&transcript.field(&PairingPoint(*R).to_bytes()).wide())
}
