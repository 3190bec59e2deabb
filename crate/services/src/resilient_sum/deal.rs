//! What a seat says before it acknowledges: what opens its masks if it vanishes, cut up for others.

use super::Terms;
use crate::envelope::envelope_key;
use crate::service::Party;
use undertone_machine::{Seat, Secret};
use undertone_math::Field127;
use undertone_prim::codec::Codec;
use undertone_prim::shares::cut_secret;
use undertone_prim::{AgreementKey, Hash, OVERHEAD_BYTES, PublicPoint, Transcript, derive, open, seal};

/// Which of a seat's two seeds: for one question, one of them is opened at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seed {
    /// Of its self-mask: opened if its value is added.
    Own = 0,
    /// Of its key for pairs: opened if its value is not added.
    Pairs = 1,
}

/// Bytes of a seed, and of a share of one.
pub(super) const SEED_BYTES: usize = Field127::BYTES;
/// Bytes of what a share is checked by. A holder who wants to say another share has to find a second one
/// for it, not two that agree.
const CHECK_BYTES: usize = 16;
/// Bytes of two shares under a seal.
const SEALED_BYTES: usize = 2 * SEED_BYTES + OVERHEAD_BYTES;
/// Bytes for one holder.
const HOLDER_BYTES: usize = 2 * CHECK_BYTES + SEALED_BYTES;
/// Bytes before those: the public key for pairs, and the hash of the other seed.
const HEAD_BYTES: usize = 64;

/// Bytes of what one seat deals.
pub(super) const fn bytes(holders: usize) -> usize {
    HEAD_BYTES.saturating_add(holders.saturating_mul(HOLDER_BYTES))
}

/// A seat's deal, read.
pub(super) struct Deal {
    /// Its public key for pairs.
    pub(super) point: PublicPoint,
    own_hash: Hash,
    /// Places of the holders, in order.
    pub(super) holders: Vec<usize>,
    /// For each of them checks of both shares, and the shares sealed.
    parts: Vec<[u8; HOLDER_BYTES]>,
}

/// What deals are bound to.
pub(super) struct Bound<'a> {
    pub(super) context: &'a Hash,
    pub(super) seats: &'a [Seat],
}

impl Bound<'_> {
    fn seat(&self, place: usize) -> u64 {
        self.seats.get(place).map_or(u64::MAX, |seat| u64::from(seat.0))
    }

    fn about(&self, domain: &str, place: usize) -> Transcript {
        Transcript::new(domain).field(self.context).number(self.seat(place))
    }

    fn check(&self, dealer: usize, holder: usize, seed: Seed, share: &[u8]) -> [u8; CHECK_BYTES] {
        let about = self.about("seed-share/v1", dealer).number(self.seat(holder)).number(seed as u64);
        let hash = about.field(share).hash();
        hash.first_chunk().copied().unwrap_or_default()
    }

    fn envelope(&self, dealer: usize, holder: usize) -> Hash {
        self.about("seed-envelope/v1", dealer).number(self.seat(holder)).hash()
    }

    fn own_hash(&self, place: usize, seed: Field127) -> Hash {
        self.about("self-seed/v1", place).field(&seed.to_bytes()).hash()
    }

    fn derive(&self, domain: &str, place: usize, seed: Field127) -> Secret<[u8; 32]> {
        derive(&seed.to_bytes(), domain, &[self.context, &self.seat(place).to_be_bytes()])
    }

    /// A seat's key for the pads that it shares with others in this question.
    pub(super) fn pair_key(&self, place: usize, seed: Field127) -> AgreementKey {
        AgreementKey::from_seed(&self.derive("round-key/v1", place, seed))
    }

    /// The key of the pad of two seats, given one's key and the other's point. Bound to both seats: a seat that
    /// shows another's point as its own would else have the other's pads taken off again by its own.
    pub(super) fn pad_key(
        &self,
        key: &AgreementKey,
        [one, other]: [usize; 2],
        point: &PublicPoint,
    ) -> Secret<[u8; 32]> {
        let [low, high] = [one.min(other), one.max(other)].map(|place| self.seat(place).to_be_bytes());
        derive(key.shared(point, self.context).expose(), "round-pair/v1", &[&low, &high])
    }

    /// The key of a seat's self-mask.
    pub(super) fn self_key(&self, place: usize, seed: Field127) -> Secret<[u8; 32]> {
        self.derive("self-mask/v1", place, seed)
    }

    /// The key of an envelope between this party and another, or itself.
    fn envelope_key(&self, party: &Party, peer: usize, bound: &Hash) -> Option<Secret<[u8; 32]>> {
        let peer = *self.seats.get(peer)?;
        if peer == party.me {
            return Some(derive(party.seed.expose(), "own-envelope/v1", &[bound]));
        }
        envelope_key(party.pads.as_ref(), peer, bound)
    }

    /// Both shares that this party, which sits at `me`, holds of a dealer's seeds; `None` if they do not
    /// open.
    pub(super) fn open(&self, party: &Party, me: usize, dealer: usize, deal: &Deal) -> Option<Vec<u8>> {
        let bound = self.envelope(dealer, me);
        let key = self.envelope_key(party, dealer, &bound)?;
        open(&key, &bound, deal.part(me)?.get(2 * CHECK_BYTES..)?)
    }
}

/// This party's seed of one kind: the same after a reload, and another one for each question.
pub(super) fn seed(party: &Party, seed: Seed) -> Field127 {
    let derived = derive(party.seed.expose(), "round-seed/v1", &[&party.context, &[seed as u8]]);
    let (low, _) = derived.expose().split_first_chunk().unwrap_or((&[0; SEED_BYTES], &[]));
    Field127::new(u128::from_le_bytes(*low))
}

/// What this party deals; `None` if a key with somebody is missing.
pub(super) fn write(party: &Party, terms: &Terms, bound: &Bound<'_>, me: usize) -> Option<Vec<u8>> {
    let holders = terms.holders(me);
    let shares = [Seed::Own, Seed::Pairs].map(|kind| {
        let noise = derive(party.seed.expose(), "round-shares/v1", &[&party.context, &[kind as u8]]);
        cut_secret(seed(party, kind), terms.threshold, &holders, &noise)
    });
    let mut out = Vec::with_capacity(bytes(holders.len()));
    out.extend_from_slice(bound.pair_key(me, seed(party, Seed::Pairs)).public().encoded());
    out.extend_from_slice(&bound.own_hash(me, seed(party, Seed::Own)));
    let [own, pairs] = shares.each_ref().map(|shares| shares.expose().iter());
    for ((own, pairs), holder) in own.zip(pairs).zip(holders) {
        out.extend_from_slice(&bound.check(me, holder, Seed::Own, own));
        out.extend_from_slice(&bound.check(me, holder, Seed::Pairs, pairs));
        let envelope = bound.envelope(me, holder);
        let key = bound.envelope_key(party, holder, &envelope)?;
        let both = Secret::new([&own[..], pairs].concat());
        out.extend_from_slice(&seal(&key, &envelope, both.expose()));
    }
    Some(out)
}

impl Deal {
    /// Reads the one form that it has.
    pub(super) fn read(terms: &Terms, place: usize, bytes: &[u8]) -> Option<Self> {
        let (point, rest) = bytes.split_first_chunk::<32>()?;
        let (own_hash, rest) = rest.split_first_chunk()?;
        let (parts, odd) = rest.as_chunks();
        let holders = terms.holders(place);
        if parts.len() != holders.len() || !odd.is_empty() {
            return None;
        }
        let point = PublicPoint::from_bytes(point).ok()?;
        Some(Self { point, own_hash: *own_hash, holders, parts: parts.to_vec() })
    }

    fn part(&self, holder: usize) -> Option<&[u8; HOLDER_BYTES]> {
        self.parts.get(self.holders.iter().position(|it| *it == holder)?)
    }

    /// Whether a share is the one that was dealt to a holder.
    pub(super) fn is_dealt(&self, bound: &Bound<'_>, dealer: usize, holder: usize, seed: Seed, share: &[u8]) -> bool {
        let checks = self.part(holder).map(|part| part.as_chunks().0);
        let check = checks.and_then(|checks| checks.get(seed as usize));
        check == Some(&bound.check(dealer, holder, seed, share))
    }

    /// Whether a seed that was put together is the one that the dealer committed to.
    pub(super) fn is_seed(&self, bound: &Bound<'_>, dealer: usize, kind: Seed, seed: Field127) -> bool {
        match kind {
            Seed::Own => bound.own_hash(dealer, seed) == self.own_hash,
            Seed::Pairs => bound.pair_key(dealer, seed).public() == &self.point,
        }
    }
}
