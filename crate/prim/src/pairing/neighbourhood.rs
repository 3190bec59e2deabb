//! $S_i$: what a seat's masks of all rounds are made of.

use super::constant::{affine, times};
use super::encoding::{number, reduced};
use super::powers::POWERS;
use super::{PairingKey, PairingPoint, RoundPoint, TargetElement};
use ark_bls12_381::{Bls12_381, Config, Fq, Fq2, Fq12, G2Affine, G2Projective};
use ark_ec::AffineRepr;
use ark_ec::bls12::{Bls12Config, G2Prepared};
use ark_ec::pairing::{MillerLoopOutput, Pairing};
use ark_ff::{AdditiveGroup, CyclotomicMultSubgroup, Field};
use core::cmp::Ordering;
use undertone_machine::{Seat, Secret};
use zeroize::Zeroize;

/// A seat among the others of a roster: its key multiplied into the signed sum of theirs.
///
/// # Security
/// As secret as the key: $S_i$ gives away the masks of all rounds.
pub struct Neighbourhood {
    me: Seat,
    key: PairingKey,
    /// Whose keys are in.
    there: Vec<(Seat, PairingPoint)>,
    /// $S_i$, from which changes of the roster go on.
    point: Secret<G2Projective>,
    lines: Secret<Lines>,
}

/// The coefficients of the lines that the Miller loop of a point goes through; none for the identity.
pub(super) struct Lines(Vec<(Fq2, Fq2, Fq2)>);

impl Zeroize for Lines {
    fn zeroize(&mut self) {
        for (a, b, c) in &mut self.0 {
            [a, b, c].into_iter().for_each(Zeroize::zeroize);
        }
    }
}

impl Neighbourhood {
    /// The neighbourhood of a seat; `keys` are those of all seats that give values, the own one is
    /// passed over.
    ///
    /// # Cost
    /// An addition for each key, a multiplication and an inversion in $\mathbb{G}_2$, and the lines.
    #[must_use]
    pub fn new(key: PairingKey, me: Seat, keys: &[(Seat, PairingPoint)]) -> Self {
        let (point, lines) = (Secret::new(G2Projective::ZERO), Secret::new(Lines(Vec::new())));
        let mut alone = Self { me, key, there: Vec::new(), point, lines };
        alone.follow(keys);
        alone
    }

    /// The same with one more seat.
    ///
    /// # Cost
    /// A multiplication in $\mathbb{G}_2$ and the lines, whatever n is.
    pub fn join(&mut self, seat: Seat, key: &PairingPoint) {
        self.there.push((seat, *key));
        self.change(&signed(self.me, seat, key).into());
    }

    /// The same without a seat that was in it.
    ///
    /// # Cost
    /// As [`join`](Self::join).
    pub fn leave(&mut self, seat: Seat, key: &PairingPoint) {
        self.there.retain(|one| *one != (seat, *key));
        self.change(&(-signed(self.me, seat, key)).into());
    }

    /// Goes on with these keys in place of those that are in.
    ///
    /// # Cost
    /// Nothing if they are the same. Else an addition for each that came or went, and what
    /// [`join`](Self::join) takes.
    pub fn follow(&mut self, keys: &[(Seat, PairingPoint)]) {
        if self.there == keys {
            return;
        }
        let with_sign = |(seat, key): &(Seat, PairingPoint)| signed(self.me, *seat, key);
        let came = keys.iter().filter(|one| !self.there.contains(one));
        let gone = self.there.iter().filter(|one| !keys.contains(one));
        let by = came.map(with_sign).fold(G2Projective::ZERO, |sum, one| sum + one);
        let by = gone.map(with_sign).fold(by, |sum, one| sum - one);
        self.there = keys.to_vec();
        self.change(&by);
    }

    /// Adds what the signed sum of the others' keys changed by.
    fn change(&mut self, by: &G2Projective) {
        *self.point.expose_mut() += product(&self.key, by);
        self.lines = Lines::of(self.point.expose());
    }

    /// The seat's message in a round, $e(Q_k, S_i) \cdot g^m$, for a value that is at least 0.
    ///
    /// # Security
    /// One value for a point: a second one under the same point gives away the difference of the two.
    /// Whoever keeps the count of rounds writes it down before the message leaves.
    ///
    /// # Cost
    /// A Miller loop over prepared lines, a final exponentiation, 16 multiplications.
    #[must_use]
    pub fn message(&self, round: &RoundPoint, value: u64) -> TargetElement {
        let value = Secret::new(value);
        let mask = self.lines.expose().pairing(round, self.blind(round).expose());
        TargetElement(mask * POWERS.of_secret(*value.expose()))
    }

    /// A factor that only this seat knows, another one in each round.
    fn blind(&self, round: &RoundPoint) -> Secret<Fq> {
        let transcript = self.key.bound("pairing-blind/v1");
        let x = number(&round.0.x).0;
        let mut wide = x.iter().fold(transcript, |transcript, limb| transcript.number(*limb)).wide();
        let blind = Secret::new(reduced(&wide));
        wide.zeroize();
        blind
    }
}

impl core::fmt::Debug for Neighbourhood {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Neighbourhood").field("me", &self.me).finish_non_exhaustive()
    }
}

/// A key with the sign that it has for a seat: `+` for seats above, `-` for those below.
pub(super) fn signed(me: Seat, seat: Seat, key: &PairingPoint) -> G2Affine {
    match seat.cmp(&me) {
        Ordering::Greater => key.0,
        Ordering::Equal => G2Affine::zero(),
        Ordering::Less => -key.0,
    }
}

/// $x A$; the identity, which is public here, stays itself.
fn product(key: &PairingKey, of: &G2Projective) -> G2Projective {
    if of.z == Fq2::ZERO { *of } else { times(of, key.x.expose()) }
}

impl Lines {
    /// The lines of a point.
    pub(super) fn of(point: &G2Projective) -> Secret<Self> {
        let mut point = affine(point);
        let lines = G2Prepared::<Config>::from(point).ell_coeffs;
        point.zeroize();
        Secret::new(Self(lines))
    }

    /// The pairing with a point, where every line is taken times the blind: the final exponentiation
    /// takes each factor of $\mathbb{F}_p$ to 1.
    pub(super) fn pairing(&self, at: &RoundPoint, blind: &Fq) -> Fq12 {
        // The Miller value is a product of lines, none of which is zero, so it has an inverse.
        Bls12_381::final_exponentiation(self.miller_loop(at, blind)).map_or(Fq12::ONE, |value| value.0)
    }

    /// The product of all lines at a point, each times the blind.
    fn miller_loop(&self, at: &RoundPoint, blind: &Fq) -> MillerLoopOutput<Bls12_381> {
        let (x, y) = (at.0.x * blind, at.0.y * blind);
        let mut lines = self.0.iter();
        let mut f = Fq12::ONE;
        let mut through = |f: &mut Fq12| {
            if let Some((a, b, c)) = lines.next() {
                let scaled = |line: &Fq2, by: &Fq| Fq2::new(line.c0 * by, line.c1 * by);
                f.mul_by_014(&scaled(a, blind), &scaled(b, &x), &scaled(c, &y));
            }
        };
        let u = Config::X.first().copied().unwrap_or_default();
        for bit in (0..u64::BITS - 1).rev() {
            f.square_in_place();
            through(&mut f);
            if u >> bit & 1 == 1 {
                through(&mut f);
            }
        }
        // u is negative.
        f.cyclotomic_inverse_in_place();
        MillerLoopOutput(f)
    }
}
