//! Who sits where, once everyone has shown what they committed to.

use crate::identity::{commitment, offered, possession_context};
use undertone_machine::{Fault, FaultCode, Phase, Role, Seat};
use undertone_prim::{PublicPoint, Transcript};
use undertone_services::PublicKey;
use undertone_wire::{Admission, Author, Hash, Join, KeyOffer, List, Listed, MethodId, Reveal, RoomPolicy};
use vecmap::VecSet;

/// How well a roster is verified: as its weakest seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Someone came by a typed code, or the page over plain http: the relay is trusted not to cheat.
    Unverified,
    /// Everyone came by the host's link or QR, which fixes the host's key.
    HostVerified,
}

impl Tier {
    /// Its name in interfaces.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unverified => "unverified",
            Self::HostVerified => "host-verified",
        }
    }
}

/// One seat of a roster.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its public key.
    pub author: Author,
    /// What it is for.
    pub role: Role,
    /// On whose word it is here.
    pub admission: Admission,
    /// Its key for the method `masks`.
    pub masks_key: PublicPoint,
    /// Its key for the method of the room's first question, where that is another one.
    pub method_key: Option<PublicKey>,
}

impl Member {
    /// All its keys, encoded, in the order of their methods.
    fn keys(&self) -> impl Iterator<Item = Vec<u8>> {
        let masks_key = Some(self.masks_key.encoded().to_vec());
        [masks_key, self.method_key.as_ref().map(PublicKey::encoded)].into_iter().flatten()
    }
}

/// A listed seat with all that it said so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) listed: &'a Listed,
    pub(crate) join: &'a Join,
    pub(crate) reveal: &'a Reveal,
}

/// The seats of a room in their order, and the hash that everything of a run is bound to.
///
/// The order follows from the list and all its nonces, so nobody can choose whom to sit next to.
#[derive(Clone, Debug)]
pub struct Roster {
    /// Hash of identities, keys, floors, list and nonces.
    pub hash: Hash,
    /// The seats.
    pub members: Vec<Member>,
    /// How well it is verified.
    pub tier: Tier,
}

impl Roster {
    /// Checks what every candidate showed, and orders the seats.
    ///
    /// # Errors
    /// [`FaultCode::BadKey`] naming the seat, by its place on the list, whose nonce or key does not
    /// fit its commitment, whose proof does not hold, or whose key someone else has too.
    pub(crate) fn assemble(
        room: &Hash,
        policy: RoomPolicy,
        list: &List,
        first: MethodId,
        candidates: &[Candidate<'_>],
    ) -> Result<Self, Fault> {
        let list_hash = list.hash(room);
        let mut keys = VecSet::new();
        let mut members = Vec::with_capacity(candidates.len());
        for (candidate, place) in candidates.iter().zip(0_u16..) {
            let member =
                check(room, list.number, first, candidate).filter(|member| member.keys().all(|key| keys.insert(key)));
            members.push(member.ok_or_else(|| Fault::new(FaultCode::BadKey).at(Phase::Reveal).blaming(Seat(place)))?);
        }
        let start = Transcript::new("nonces/v1").field(&list_hash);
        let nonces = candidates.iter().fold(start, |all, candidate| all.field(&candidate.reveal.nonce)).hash();
        let order = |member: &Member| Transcript::new("seat-order/v1").field(&nonces).field(&member.author).hash();
        let members = in_order(members, order);
        let tier = members.iter().map(|member| tier_of(member.admission)).min().unwrap_or(Tier::Unverified);
        Ok(Self { hash: hash(room, policy, list, first, &nonces, &members), members, tier })
    }

    /// The seat of an author.
    #[must_use]
    pub fn seat_of(&self, author: &Author) -> Option<Seat> {
        let index = self.members.iter().position(|member| member.author == *author)?;
        u16::try_from(index).ok().map(Seat)
    }

    /// The member in a seat.
    #[must_use]
    pub fn member(&self, seat: Seat) -> Option<&Member> {
        self.members.get(seat.index())
    }

    /// Number of seats that give a value.
    #[must_use]
    pub fn contributors(&self) -> usize {
        self.members.iter().filter(|member| member.role.contributes()).count()
    }

    /// All seats with their members.
    pub fn seats(&self) -> impl Iterator<Item = (Seat, &Member)> {
        (0_u16..).map(Seat).zip(&self.members)
    }
}

/// Sorts by hash.
///
/// By insertion: a room has few hundred seats, and a page that opens on a phone should not carry a
/// faster sort for each type.
pub(crate) fn in_order<T>(items: impl IntoIterator<Item = T>, hash: impl Fn(&T) -> Hash) -> Vec<T> {
    let mut sorted: Vec<(Hash, T)> = Vec::new();
    for item in items {
        let key = hash(&item);
        let place = sorted.iter().position(|(other, _)| key < *other).unwrap_or(sorted.len());
        sorted.insert(place, (key, item));
    }
    sorted.into_iter().map(|(_, item)| item).collect()
}

const fn tier_of(admission: Admission) -> Tier {
    match admission {
        Admission::Host => Tier::Unverified,
        Admission::Link => Tier::HostVerified,
    }
}

/// One seat's keys, if they are what it committed to and it owns them.
fn check(room: &Hash, number: u8, first: MethodId, candidate: &Candidate<'_>) -> Option<Member> {
    let Candidate { listed, join, reveal } = candidate;
    let keys: Vec<_> = reveal.keys.iter().map(|offer| (offer.method, offer.key.clone())).collect();
    let committed = join.commitments.get(usize::from(number).checked_sub(1)?)?;
    if commitment(room, &listed.author, number, &keys, &reveal.nonce) != *committed {
        return None;
    }
    if !reveal.keys.iter().map(|offer| offer.method).eq(offered(first)) {
        return None;
    }
    let context = possession_context(room, &listed.author, &join.commitments);
    let mut keys = reveal.keys.iter().map(|offer| proven(offer, &context));
    let masks_key = keys.next()??.pairs()?;
    let method_key = match keys.next() {
        Some(key) => Some(key?),
        None => None,
    };
    Some(Member { author: listed.author, role: join.role, admission: listed.admission, masks_key, method_key })
}

/// The key of an offer, if its owner knows the secret.
pub(crate) fn proven(offer: &KeyOffer, context: &Hash) -> Option<PublicKey> {
    PublicKey::read(offer.method, &offer.key).filter(|key| key.is_proven(&offer.proof, context))
}

fn hash(room: &Hash, policy: RoomPolicy, list: &List, first: MethodId, nonces: &Hash, members: &[Member]) -> Hash {
    let start = Transcript::new("roster/v1")
        .field(room)
        .number(policy.group_min.into())
        .field(&list.hash(room))
        .field(nonces)
        .number(members.len() as u64);
    let each = |transcript: Transcript, member: &Member| {
        let member_of = transcript.field(&member.author).number(member.role as u64).number(member.admission as u64);
        offered(first)
            .zip(member.keys())
            .fold(member_of, |transcript, (method, key)| transcript.number(method as u64).field(&key))
    };
    members.iter().fold(start, each).hash()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Identity;
    use undertone_machine::Secret;
    use undertone_prim::codec::Codec;
    use undertone_services::OwnKey;

    const ROOM: Hash = [5; 32];
    const POLICY: RoomPolicy = RoomPolicy { group_min: 2 };

    struct Shown {
        listed: Listed,
        join: Join,
        reveal: Reveal,
    }

    const KDK: MethodId = MethodId::Kdk;

    fn shown(seed: u8, number: u8) -> Shown {
        shown_for(KDK, seed, number)
    }

    fn shown_for(first: MethodId, seed: u8, number: u8) -> Shown {
        let identity = Identity::guest(Secret::new([seed; 32]), ROOM);
        Shown {
            listed: Listed { author: identity.author(), join: [seed; 32], admission: Admission::Link },
            join: Join { role: Role::Contributor, commitments: identity.commitments(first), mac: None },
            reveal: identity.reveal(number, first),
        }
    }

    fn assemble(number: u8, shown: Vec<Shown>) -> Result<Roster, Fault> {
        assemble_for(KDK, number, shown)
    }

    fn assemble_for(first: MethodId, number: u8, mut shown: Vec<Shown>) -> Result<Roster, Fault> {
        shown.sort_by_key(|one| one.listed.author);
        let seats = shown.iter().map(|one| one.listed).collect();
        let list = List { number, seats, heads: 3, reveal_ms: 1 };
        let candidates: Vec<_> =
            shown.iter().map(|one| Candidate { listed: &one.listed, join: &one.join, reveal: &one.reveal }).collect();
        Roster::assemble(&ROOM, POLICY, &list, first, &candidates)
    }

    #[test]
    fn everybody_computes_the_same_and_each_list_another_order() {
        let all = |number| (1..=8).map(|seed| shown(seed, number)).collect::<Vec<_>>();
        let (one, again, two) = (assemble(1, all(1)), assemble(1, all(1)), assemble(2, all(2)));
        let (one, again, two) = (one.unwrap(), again.unwrap(), two.unwrap());
        assert_eq!(one.hash, again.hash);
        assert_ne!(one.hash, two.hash);
        let order = |roster: &Roster| roster.members.iter().map(|member| member.author).collect::<Vec<_>>();
        assert_ne!(order(&one), order(&two));
        assert_eq!(one.tier, Tier::HostVerified);
        assert_eq!(one.seat_of(&one.members[3].author), Some(Seat(3)));
    }

    #[test]
    fn one_seat_by_code_makes_the_roster_unverified() {
        let mut all: Vec<_> = (1..=3).map(|seed| shown(seed, 1)).collect();
        all[1].listed.admission = Admission::Host;
        assert_eq!(assemble(1, all).unwrap().tier, Tier::Unverified);
    }

    fn blamed(change: impl Fn(&mut [Shown])) -> Fault {
        let mut all: Vec<_> = (1..=3).map(|seed| shown(seed, 1)).collect();
        change(&mut all);
        assemble(1, all).unwrap_err()
    }

    #[test]
    fn whoever_shows_something_else_than_committed_is_named() {
        let faults = [
            blamed(|all| all[0].reveal.nonce = [0; 32]),
            blamed(|all| all[0].reveal = shown(1, 2).reveal),
            blamed(|all| all[0].reveal.keys = shown(9, 1).reveal.keys),
            blamed(|all| all[0].reveal.keys.clear()),
            blamed(|all| all[0].reveal.keys[0].proof = [0; 64]),
            blamed(|all| all[0].reveal.keys[0].key = vec![0; 32]),
            blamed(|all| all[0].reveal.keys[1].proof = [0; 64]),
            blamed(|all| all[0].reveal.keys[1].key = vec![0; 32]),
            blamed(|all| drop(all[0].reveal.keys.pop())),
        ];
        for fault in faults {
            assert_eq!((fault.code(), fault.culprits().len()), (FaultCode::BadKey, 1));
        }
    }

    /// A key of the curve outside of the group of order r, committed to with care.
    #[test]
    fn a_pairing_key_must_be_in_its_group_proven_and_committed_to() {
        const PAIRING: MethodId = MethodId::KdkPairing;
        let all = || (1..=3).map(|seed| shown_for(PAIRING, seed, 1)).collect::<Vec<_>>();
        assert!(assemble_for(PAIRING, 1, all()).is_ok_and(|roster| roster.members.len() == 3));
        let stray = include_str!("../../prim/vectors/pairing/bad_key_wrong_subgroup.json");
        let stray = stray.split('"').nth(3).unwrap();
        let byte = |at| u8::from_str_radix(&stray[at..at + 2], 16).unwrap();
        let stray: Vec<_> = (0..stray.len()).step_by(2).map(byte).collect();
        let other = shown_for(PAIRING, 9, 1).reveal.keys.remove(1);
        let own = OwnKey::new(PAIRING, Secret::new([7; 32]));
        type Change<'a> = &'a dyn Fn(&mut KeyOffer, &Hash);
        let changes: [(bool, Change<'_>); 5] = [
            (true, &|offer, context| {
                offer.key = own.public();
                offer.proof.copy_from_slice(&own.offer(context).1);
            }),
            (false, &|offer, _| offer.key = stray.clone()),
            (false, &|offer, _| offer.key.clone_from(&other.key)),
            (false, &|offer, _| *offer = other.clone()),
            (false, &|offer, context| {
                offer.key = own.public();
                offer.proof.copy_from_slice(&own.offer(&commitment(&ROOM, context, 1, &[], &[0; 32])).1);
            }),
        ];
        for (index, (good, change)) in changes.into_iter().enumerate() {
            let mut all = all();
            // Twice: the key is part of the commitment, and its proof is bound to that.
            for _ in 0..2 {
                let context = possession_context(&ROOM, &all[0].listed.author, &all[0].join.commitments);
                change(&mut all[0].reveal.keys[1], &context);
                let masks = Identity::guest(Secret::new([1; 32]), ROOM).agreement().prove(&context).to_bytes();
                all[0].reveal.keys[0].proof.copy_from_slice(&masks);
                let (author, nonce) = (all[0].listed.author, all[0].reveal.nonce);
                let keys: Vec<_> = all[0].reveal.keys.iter().map(|offer| (offer.method, offer.key.clone())).collect();
                all[0].join.commitments[0] = commitment(&ROOM, &author, 1, &keys, &nonce);
            }
            let assembled = assemble_for(PAIRING, 1, all);
            assert_eq!(assembled.is_ok(), good, "change {index}");
            if let Err(fault) = assembled {
                assert_eq!((fault.code(), fault.culprits().len()), (FaultCode::BadKey, 1), "change {index}");
            }
        }
    }

    #[test]
    fn a_copied_key_is_refused_even_if_committed_to() {
        // The copier commits to the victim's key and replays the victim's proof.
        let victim = shown(1, 1);
        let fault = blamed(|all| {
            let (author, nonce) = (all[1].listed.author, all[1].reveal.nonce);
            all[1].reveal.keys = victim.reveal.keys.clone();
            let keys: Vec<_> = victim.reveal.keys.iter().map(|offer| (offer.method, offer.key.clone())).collect();
            all[1].join.commitments[0] = commitment(&ROOM, &author, 1, &keys, &nonce);
        });
        assert_eq!(fault.code(), FaultCode::BadKey);
    }
}
