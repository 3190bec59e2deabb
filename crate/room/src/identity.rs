//! All that a seat derives from its seed.

use undertone_machine::Secret;
use undertone_prim::{AgreementKey, SeatKey, Transcript, derive};
use undertone_services::OwnKey;
use undertone_wire::limits::LISTS_MAX;
use undertone_wire::{Author, Hash, KeyOffer, MethodId, Reveal, Token, room_of};

/// A seat's keys and nonces in one room.
///
/// Everything follows from one seed, so a device that keeps the seed and its ledger comes back as
/// the same seat and says the same again.
///
/// # Security
/// One seed for one room. The seed never leaves the device.
pub struct Identity {
    seed: Secret<[u8; 32]>,
    seat_key: SeatKey,
    agreement: AgreementKey,
    room: Hash,
}

impl Identity {
    /// The identity of a host: the room is the hash of its key.
    #[must_use]
    pub fn host(seed: Secret<[u8; 32]>) -> Self {
        let room = room_of(&SeatKey::from_seed(&seed).public());
        Self::guest(seed, room)
    }

    /// The identity of somebody who comes to a room.
    #[must_use]
    pub fn guest(seed: Secret<[u8; 32]>, room: Hash) -> Self {
        let agreement = AgreementKey::from_seed(&masks_seed(&seed, &room));
        Self { seat_key: SeatKey::from_seed(&seed), agreement, room, seed }
    }

    /// The room.
    #[must_use]
    pub const fn room(&self) -> Hash {
        self.room
    }

    /// The seat's public key.
    #[must_use]
    pub fn author(&self) -> Author {
        self.seat_key.public()
    }

    /// What a second connection of this seat shows to the relay.
    #[must_use]
    pub fn token(&self) -> Token {
        Token(first_half(derive(self.seed.expose(), "attach-token/v1", &[&self.room]).expose()))
    }

    /// The secret of a host's invite.
    #[must_use]
    pub fn invite_secret(&self) -> Secret<[u8; 16]> {
        Secret::new(first_half(derive(self.seed.expose(), "invite-secret/v1", &[&self.room]).expose()))
    }

    pub(crate) const fn seat_key(&self) -> &SeatKey {
        &self.seat_key
    }

    pub(crate) const fn agreement(&self) -> &AgreementKey {
        &self.agreement
    }

    /// Randomness of one run.
    pub(crate) fn run_seed(&self, context: &Hash) -> Secret<[u8; 32]> {
        derive(self.seed.expose(), "run-seed/v1", &[context])
    }

    /// This seat's key of a method's first life, which it shows with its other keys.
    pub(crate) fn method_key(&self, method: MethodId) -> OwnKey {
        OwnKey::new(method, derive(self.seed.expose(), "method-key/v1", &[&self.room, &[method as u8]]))
    }

    /// This seat's key that travels with its value for a question, for the question after that.
    pub(crate) fn next_key(&self, method: MethodId, plan: &Hash) -> OwnKey {
        OwnKey::new(method, derive(self.seed.expose(), "next-key/v1", &[&self.room, plan]))
    }

    /// This seat's key of a method that it shows for a question because none was left.
    pub(crate) fn fresh_key(&self, method: MethodId, plan: &Hash) -> OwnKey {
        OwnKey::new(method, derive(self.seed.expose(), "fresh-key/v1", &[&self.room, &[method as u8], plan]))
    }

    /// What this seat shows of it.
    pub(crate) fn fresh_offer(&self, method: MethodId, roster: &Hash, plan: &Hash) -> KeyOffer {
        let context = fresh_key_context(&self.room, &self.author(), roster, plan);
        offer(method, &self.fresh_key(method, plan), &context)
    }

    /// The keys that a seat shows in a room that begins with a method, in the order of methods.
    fn keys(&self, first: MethodId) -> Vec<(MethodId, OwnKey)> {
        offered(first).map(|method| (method, self.key_of(method))).collect()
    }

    fn key_of(&self, method: MethodId) -> OwnKey {
        match method {
            MethodId::Masks => OwnKey::new(method, masks_seed(&self.seed, &self.room)),
            _ => self.method_key(method),
        }
    }

    /// Commitments to keys and nonces, one for each list that the room may have.
    pub(crate) fn commitments(&self, first: MethodId) -> [Hash; LISTS_MAX as usize] {
        let public = |(method, key): (MethodId, OwnKey)| (method, key.public());
        let keys: Vec<_> = self.keys(first).into_iter().map(public).collect();
        let mut number = 0;
        [(); LISTS_MAX as usize].map(|()| {
            number += 1;
            commitment(&self.room, &self.author(), number, &keys, &self.nonce(number))
        })
    }

    /// What this seat shows for a list.
    pub(crate) fn reveal(&self, number: u8, first: MethodId) -> Reveal {
        let context = possession_context(&self.room, &self.author(), &self.commitments(first));
        let keys = self.keys(first).into_iter().map(|(method, key)| offer(method, &key, &context));
        Reveal { nonce: self.nonce(number), keys: keys.collect() }
    }

    fn nonce(&self, number: u8) -> [u8; 32] {
        *derive(self.seed.expose(), "list-nonce/v1", &[&self.room, &[number]]).expose()
    }
}

impl core::fmt::Debug for Identity {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Identity").finish_non_exhaustive()
    }
}

fn masks_seed(seed: &Secret<[u8; 32]>, room: &Hash) -> Secret<[u8; 32]> {
    derive(seed.expose(), "aggregation-key/v1", &[room])
}

/// The methods for which seats show keys in a room that begins with a method: pads also carry
/// envelopes and pipes, so there is always one for them.
pub(crate) fn offered(first: MethodId) -> impl Iterator<Item = MethodId> {
    [Some(MethodId::Masks), Some(first).filter(|first| *first != MethodId::Masks)].into_iter().flatten()
}

fn first_half(key: &[u8; 32]) -> [u8; 16] {
    let mut half = [0; 16];
    half.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
    half
}

/// H(room, seat, list number, keys, nonce): fixes a seat's keys before it sees anyone else's.
pub(crate) fn commitment(
    room: &Hash,
    author: &Author,
    number: u8,
    keys: &[(MethodId, Vec<u8>)],
    nonce: &[u8; 32],
) -> Hash {
    let start = Transcript::new("commitment/v1").field(room).field(author).number(number.into()).field(nonce);
    keys.iter().fold(start, |transcript, (method, key)| transcript.number(*method as u64).field(key)).hash()
}

/// What a proof of possession is bound to: this room, this seat, what it committed to.
pub(crate) fn possession_context(room: &Hash, author: &Author, commitments: &[Hash]) -> Hash {
    let start = Transcript::new("possession-context/v1").field(room).field(author);
    commitments.iter().fold(start, |transcript, commitment| transcript.field(commitment)).hash()
}

/// What a proof of possession of a key that is shown for a question is bound to.
pub(crate) fn fresh_key_context(room: &Hash, author: &Author, roster: &Hash, plan: &Hash) -> Hash {
    Transcript::new("fresh-key-context/v1").field(room).field(author).field(roster).field(plan).hash()
}

/// A key with the proof that its owner knows the secret.
fn offer(method: MethodId, key: &OwnKey, context: &Hash) -> KeyOffer {
    let mut proof = [0; undertone_prim::PROOF_BYTES];
    let (key, proven) = key.offer(context);
    proof.iter_mut().zip(proven).for_each(|(to, from)| *to = from);
    KeyOffer { method, key, proof }
}

/// H(invite secret; room, seat, commitments): proof of having been invited.
pub(crate) fn join_mac(secret: &[u8; 16], room: &Hash, author: &Author, commitments: &[Hash]) -> Secret<[u8; 32]> {
    derive(secret, "join-mac/v1", &[&possession_context(room, author, commitments)])
}

/// The key that masked values are sealed under, known to the roster and not to the relay.
pub(crate) fn room_key(secret: &[u8; 16], roster: &Hash) -> Secret<[u8; 32]> {
    derive(secret, "room-key/v1", &[roster])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KDK: MethodId = MethodId::Kdk;

    #[test]
    fn everything_follows_from_seed_and_room() {
        let identity = |seed, room| Identity::guest(Secret::new([seed; 32]), [room; 32]);
        let (a, b) = (identity(1, 1), identity(1, 1));
        assert_eq!((a.author(), a.token(), a.commitments(KDK)), (b.author(), b.token(), b.commitments(KDK)));
        assert_eq!(a.reveal(2, KDK), b.reveal(2, KDK));
        assert_ne!(a.token(), identity(1, 2).token());
        assert_ne!(a.author(), identity(2, 1).author());
        assert_ne!(a.reveal(1, KDK).nonce, a.reveal(2, KDK).nonce);
        assert_eq!([a.reveal(1, KDK).keys.len(), a.reveal(1, MethodId::Masks).keys.len()], [2, 1]);
        assert_ne!(a.commitments(KDK), a.commitments(MethodId::Masks));
    }
}
