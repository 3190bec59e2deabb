//! Public keys of the methods in the group, prepared for sums over many of them.
//!
//! What is summed is public, and so it may be summed by [`edwards25519`](undertone_math::edwards25519),
//! which in wasm takes three quarters of the time for each. What comes of it is multiplied by a secret, so it goes
//! back, by its encoding, to the library that does this in constant time.

use crate::codec::{Codec, DecodeError, Reader, Writer};
use crate::{Element, PublicPoint};
use undertone_math::edwards25519::{Addend, Point};

/// A public key with what is added to a sum.
#[derive(Clone, Copy, Debug)]
pub struct GroupKey {
    public: PublicPoint,
    summand: Summand,
}

/// In the model, which has no curve, a key's logarithm.
#[derive(Clone, Copy, Debug)]
enum Summand {
    Curve(Addend),
    #[cfg(feature = "model")]
    Line(curve25519_dalek::scalar::Scalar),
}

impl GroupKey {
    /// Prepares a key.
    ///
    /// # Cost
    /// A square root.
    #[must_use]
    pub fn new(public: &PublicPoint) -> Option<Self> {
        #[cfg(feature = "model")]
        if let Some(line) = public.element().line() {
            return Some(Self { public: *public, summand: Summand::Line(line) });
        }
        Addend::decode_vartime(public.encoded()).map(|it| Self { public: *public, summand: Summand::Curve(it) })
    }

    /// The key.
    #[must_use]
    pub const fn public(&self) -> &PublicPoint {
        &self.public
    }

    /// The point; `None` in the model.
    pub(crate) fn point(&self) -> Option<Point> {
        self.addend().map(Addend::point)
    }

    const fn addend(&self) -> Option<&Addend> {
        match &self.summand {
            Summand::Curve(addend) => Some(addend),
            #[cfg(feature = "model")]
            Summand::Line(_) => None,
        }
    }

    #[cfg(feature = "model")]
    const fn line(&self) -> Option<curve25519_dalek::scalar::Scalar> {
        match &self.summand {
            Summand::Curve(_) => None,
            Summand::Line(line) => Some(*line),
        }
    }
}

impl PartialEq for GroupKey {
    fn eq(&self, other: &Self) -> bool {
        self.public.encoded() == other.public.encoded()
    }
}

impl Eq for GroupKey {}

impl Codec for GroupKey {
    fn encode(&self, writer: &mut Writer) {
        self.public.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Self::new(&PublicPoint::decode(reader)?).ok_or(DecodeError)
    }
}

/// A sum of keys, some of them with the other sign.
#[derive(Clone, Debug)]
pub(crate) enum KeyTotal {
    Curve(Point),
    #[cfg(feature = "model")]
    Line(curve25519_dalek::scalar::Scalar),
}

impl KeyTotal {
    /// Of no key.
    pub(crate) fn nothing() -> Self {
        #[cfg(feature = "model")]
        if crate::model::is_active() {
            return Self::Line(curve25519_dalek::scalar::Scalar::ZERO);
        }
        Self::Curve(Point::identity())
    }

    /// Adds keys, or takes them away. One of another world than the sum's is passed over.
    ///
    /// # Cost
    /// 7 multiplications in the field for each.
    pub(crate) fn add<'a>(&mut self, keys: impl Iterator<Item = &'a GroupKey>, negative: bool) {
        match self {
            Self::Curve(total) => {
                let points = keys.filter_map(GroupKey::addend);
                // Apart, so that there is no sign to look at for each: there may be many.
                *total = match negative {
                    true => points.fold(*total, |sum, point| sum.plus_signed(point, true)),
                    false => points.fold(*total, |sum, point| sum.plus_signed(point, false)),
                };
            }
            #[cfg(feature = "model")]
            Self::Line(total) => {
                let sum: curve25519_dalek::scalar::Scalar = keys.filter_map(GroupKey::line).sum();
                *total = if negative { *total - sum } else { *total + sum };
            }
        }
    }

    /// The sum.
    ///
    /// # Cost
    /// Two square roots.
    pub(crate) fn element(&self) -> Option<Element> {
        match self {
            Self::Curve(sum) => Element::decode(sum.encode_vartime()),
            #[cfg(feature = "model")]
            Self::Line(sum) => Some(Element::base_times(sum)),
        }
    }
}
