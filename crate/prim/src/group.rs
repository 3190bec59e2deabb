//! The group that keys and masked sums live in: ristretto255, written additively.
//!
//! Everything that needs an element goes through [`Element`], so simulations can put a cheap model in
//! its place (`model`, feature `model`): the same order, the same algebra, no hardness.

use crate::Logarithm;
use crate::dlog::SumRange;
use crate::sign::base;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{Identity, IsIdentity, MultiscalarMul};
use undertone_math::edwards25519::{Comb, Point};

/// Bytes of an encoded element.
pub const POINT_BYTES: usize = 32;

/// An element of the group of prime order.
///
/// Equality and encoding are canonical: equal elements have equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Curve(RistrettoPoint),
    /// The integers modulo the group's order with generator 1: whoever sees an element sees its
    /// logarithm.
    #[cfg(feature = "model")]
    Line(Scalar),
}

impl Element {
    /// The neutral element.
    #[must_use]
    pub fn identity() -> Self {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Self(Kind::Line(Scalar::ZERO));
        }
        Self(Kind::Curve(RistrettoPoint::identity()))
    }

    /// `x G`, in constant time.
    #[must_use]
    pub(crate) fn base_times(x: &Scalar) -> Self {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Self(Kind::Line(*x));
        }
        Self(Kind::Curve(RistrettoPoint::mul_base(x)))
    }

    /// `x A`, in constant time.
    #[must_use]
    pub(crate) fn times(self, x: &Scalar) -> Self {
        match self.0 {
            Kind::Curve(point) => Self(Kind::Curve(x * point)),
            #[cfg(feature = "model")]
            Kind::Line(a) => Self(Kind::Line(x * a)),
        }
    }

    /// `x A + m G`, in constant time, for little more than the first of the two multiplications.
    #[must_use]
    pub(crate) fn times_plus_base(self, x: &Scalar, m: &Scalar) -> Self {
        match self.0 {
            Kind::Curve(point) => {
                Self(Kind::Curve(RistrettoPoint::multiscalar_mul([x, m], [point, RISTRETTO_BASEPOINT_POINT])))
            }
            #[cfg(feature = "model")]
            Kind::Line(a) => Self(Kind::Line(x * a + m)),
        }
    }

    /// The encoding of `b G - a A`, in variable time: for public numbers. `A` comes encoded as well.
    #[must_use]
    pub(crate) fn combine_vartime(a: &Scalar, of: &[u8; POINT_BYTES], b: &Scalar) -> Option<[u8; POINT_BYTES]> {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            let of: Option<Scalar> = Scalar::from_canonical_bytes(*of).into();
            return of.map(|of| (b - a * of).to_bytes());
        }
        let of = Comb::new(&Point::decode_vartime(of)?.negative());
        Some(of.sum_vartime(a.as_bytes(), base(), b.as_bytes()).encode_vartime())
    }

    /// The s of `s G`, if it is in the range; `None` for every other element.
    ///
    /// # Security
    /// In time that depends on s: only for what is public.
    ///
    /// # Cost
    /// As all steps of a [`Logarithm`] in one go.
    #[must_use]
    pub fn logarithm_vartime(&self, range: SumRange) -> Option<i64> {
        Logarithm::new(range).run(self)
    }

    /// The canonical encoding.
    #[must_use]
    pub fn encode(&self) -> [u8; POINT_BYTES] {
        match &self.0 {
            Kind::Curve(point) => point.compress().to_bytes(),
            #[cfg(feature = "model")]
            Kind::Line(a) => a.to_bytes(),
        }
    }

    /// Reads an encoding; `None` for one that is not canonical.
    #[must_use]
    pub fn decode(bytes: [u8; POINT_BYTES]) -> Option<Self> {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Option::from(Scalar::from_canonical_bytes(bytes)).map(|a| Self(Kind::Line(a)));
        }
        CompressedRistretto(bytes).decompress().map(|point| Self(Kind::Curve(point)))
    }

    /// The logarithm, which only the model has.
    #[cfg(feature = "model")]
    pub(crate) fn line(&self) -> Option<Scalar> {
        match self.0 {
            Kind::Curve(_) => None,
            Kind::Line(a) => Some(a),
        }
    }

    /// Whether this is the neutral element.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        match &self.0 {
            Kind::Curve(point) => point.is_identity(),
            #[cfg(feature = "model")]
            Kind::Line(a) => *a == Scalar::ZERO,
        }
    }
}

impl core::ops::Add for Element {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Kind::Curve(a), Kind::Curve(b)) => Self(Kind::Curve(a + b)),
            #[cfg(feature = "model")]
            (Kind::Line(a), Kind::Line(b)) => Self(Kind::Line(a + b)),
            // One world holds one kind: the neutral element fails every check that follows.
            #[cfg(feature = "model")]
            _ => Self::identity(),
        }
    }
}

impl core::ops::Neg for Element {
    type Output = Self;

    fn neg(self) -> Self {
        match self.0 {
            Kind::Curve(a) => Self(Kind::Curve(-a)),
            #[cfg(feature = "model")]
            Kind::Line(a) => Self(Kind::Line(-a)),
        }
    }
}

impl core::ops::Sub for Element {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
