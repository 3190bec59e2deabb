//! Keys of the methods that have keys of their own, whichever group those are in.

use std::sync::{Arc, Mutex, PoisonError};
use undertone_machine::Secret;
use undertone_prim::codec::Codec;
#[cfg(feature = "pairing")]
use undertone_prim::pairing::{Neighbourhood, PairingKey, PairingPoint, PairingProof};
use undertone_prim::pcl::KeyTables;
use undertone_prim::{AgreementKey, GroupKey, Hash, Proof, PublicPoint};
use undertone_wire::MethodId;

/// A seat's public key for a method.
///
/// A build without a method's group reads no key of it; what it has no service for, it is never asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicKey {
    /// An element of ristretto255 from which pairs of seats derive what they share.
    Pairs(PublicPoint),
    /// An element of ristretto255 in whose sums values hide.
    Group(GroupKey),
    /// An element of the second group of BLS12-381, of its order.
    #[cfg(feature = "pairing")]
    Pairing(PairingPoint),
}

impl PublicKey {
    /// Reads a canonical encoding; `None` for everything else, and for what is in no group.
    #[must_use]
    pub fn read(method: MethodId, bytes: &[u8]) -> Option<Self> {
        match method {
            MethodId::Masks => PublicPoint::from_bytes(bytes).ok().map(Self::Pairs),
            MethodId::Kdk | MethodId::Pcl if !cfg!(feature = "groups") => None,
            MethodId::Kdk | MethodId::Pcl => GroupKey::from_bytes(bytes).ok().map(Self::Group),
            #[cfg(feature = "pairing")]
            MethodId::KdkPairing => PairingPoint::from_bytes(bytes).ok().map(Self::Pairing),
            #[cfg(not(feature = "pairing"))]
            MethodId::KdkPairing => None,
        }
    }

    /// The canonical encoding.
    #[must_use]
    pub fn encoded(&self) -> Vec<u8> {
        match self {
            Self::Pairs(point) => point.to_bytes(),
            Self::Group(key) => key.to_bytes(),
            #[cfg(feature = "pairing")]
            Self::Pairing(point) => point.to_bytes(),
        }
    }

    /// Whether a proof shows that the key's owner knows its secret, in a context.
    #[must_use]
    pub fn is_proven(&self, proof: &[u8], context: &Hash) -> bool {
        match self {
            Self::Pairs(point) => Proof::from_bytes(proof).is_ok_and(|proof| proof.holds(point, context)),
            Self::Group(key) => Proof::from_bytes(proof).is_ok_and(|proof| proof.holds(key.public(), context)),
            #[cfg(feature = "pairing")]
            Self::Pairing(point) => PairingProof::from_bytes(proof).is_ok_and(|proof| proof.holds(point, context)),
        }
    }

    /// The element, if it is one for pairs.
    #[must_use]
    pub const fn pairs(&self) -> Option<PublicPoint> {
        match self {
            Self::Pairs(point) => Some(*point),
            _ => None,
        }
    }

    /// The element, if it is one for sums on ristretto255.
    pub(crate) const fn group(&self) -> Option<GroupKey> {
        match self {
            Self::Group(key) => Some(*key),
            _ => None,
        }
    }

    /// The element, if it is of BLS12-381.
    #[cfg(feature = "pairing")]
    pub(crate) const fn pairing(&self) -> Option<PairingPoint> {
        match self {
            Self::Pairing(point) => Some(*point),
            _ => None,
        }
    }
}

/// What a seat's own key of a method is made from. The key itself is made where it is needed.
pub struct OwnKey {
    method: MethodId,
    seed: Secret<[u8; 32]>,
}

impl OwnKey {
    /// The key of a method that follows from a seed.
    #[must_use]
    pub const fn new(method: MethodId, seed: Secret<[u8; 32]>) -> Self {
        Self { method, seed }
    }

    /// The canonical encoding of the public half.
    #[must_use]
    pub fn public(&self) -> Vec<u8> {
        match self.method {
            #[cfg(feature = "pairing")]
            MethodId::KdkPairing => self.pairing().public().to_bytes(),
            _ => self.agreement().public().to_bytes(),
        }
    }

    /// The canonical encoding of the public half, and the proof of possession in a context.
    #[must_use]
    pub fn offer(&self, context: &Hash) -> (Vec<u8>, Vec<u8>) {
        match self.method {
            #[cfg(feature = "pairing")]
            MethodId::KdkPairing => {
                let key = self.pairing();
                (key.public().to_bytes(), key.prove(context).to_bytes())
            }
            _ => {
                let key = self.agreement();
                (key.public().to_bytes(), key.prove(context).to_bytes())
            }
        }
    }

    pub(crate) fn agreement(&self) -> AgreementKey {
        AgreementKey::from_seed(&self.seed)
    }

    #[cfg(feature = "pairing")]
    pub(crate) fn pairing(&self) -> PairingKey {
        PairingKey::from_seed(&self.seed)
    }
}

impl core::fmt::Debug for OwnKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OwnKey").field("method", &self.method).finish_non_exhaustive()
    }
}

/// What a method computes once for the keys of a life and needs again in each of its rounds. All
/// copies are one.
///
/// # Security
/// As secret as the key.
#[derive(Clone, Default)]
pub struct KeyMemory {
    tables: Kept<(TablesFor, Arc<KeyTables>)>,
    #[cfg(feature = "pairing")]
    neighbourhood: Kept<Neighbourhood>,
}

/// What tables are made of.
#[derive(PartialEq, Eq)]
pub(crate) struct TablesFor {
    /// The own place among the keys.
    pub(crate) place: u16,
    pub(crate) keys: Vec<GroupKey>,
    pub(crate) terms: Hash,
}

type Kept<T> = Arc<Mutex<Option<T>>>;

impl KeyMemory {
    /// The tables for these keys, which `make` makes at first.
    pub(crate) fn tables(
        &self,
        needed: TablesFor,
        make: impl FnOnce(&TablesFor) -> Option<KeyTables>,
    ) -> Option<Arc<KeyTables>> {
        let mut kept = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tables)) = kept.as_ref().filter(|(made, _)| *made == needed) {
            return Some(Arc::clone(tables));
        }
        let tables = Arc::new(make(&needed)?);
        *kept = Some((needed, Arc::clone(&tables)));
        Some(tables)
    }

    /// Does something with the neighbourhood of these keys, which is made at first and then followed.
    #[cfg(feature = "pairing")]
    pub(crate) fn with_neighbourhood<T>(
        &self,
        own: &OwnKey,
        me: undertone_machine::Seat,
        keys: &[(undertone_machine::Seat, PairingPoint)],
        then: impl FnOnce(&Neighbourhood) -> T,
    ) -> T {
        let mut kept = self.neighbourhood.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.get_or_insert_with(|| Neighbourhood::new(own.pairing(), me, keys));
        kept.follow(keys);
        then(kept)
    }
}

impl core::fmt::Debug for KeyMemory {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("KeyMemory").finish_non_exhaustive()
    }
}
