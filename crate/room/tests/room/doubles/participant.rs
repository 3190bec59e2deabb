//! A participant that signs what it likes.
//!
//! It speaks the protocol from its own copy of the formulas, not with the room's code, so it can
//! leave out, repeat and bend every step, and is a second witness of how they are spelled.

use crate::class::Class;
use undertone_machine::{Role, RoundKind, Secret};
use undertone_prim::{AgreementKey, PROOF_BYTES, SeatKey, Transcript, derive, seal};
use undertone_wire::limits::LISTS_MAX;
use undertone_wire::{Ack, Author, Codec, Entry, EntryKind, Hash, Join, KeyOffer, MethodId, Place, Reveal};

/// The kind of entry that a value leaves in.
pub(crate) const MASKED: EntryKind = EntryKind::Round(RoundKind::Masked);

/// Keys, and what was written with them.
pub(crate) struct Participant {
    seed: [u8; 32],
    key: SeatKey,
    room: Hash,
    last: Option<Entry>,
    /// The key that it commits to and shows, and the proof that it shows with it.
    pub(crate) offer: KeyOffer,
}

impl Participant {
    /// Somebody without an honest device.
    pub(crate) fn new(class: &Class, seed: u8) -> Self {
        let (seed, room) = ([seed; 32], class.room());
        let key = SeatKey::from_seed(&Secret::new(seed));
        let offer = KeyOffer { method: MethodId::Masks, key: Vec::new(), proof: [0; PROOF_BYTES] };
        let mut participant = Self { seed, key, room, last: None, offer };
        participant.offer.key = participant.agreement().public().to_bytes();
        participant.offer.proof = participant.proof(&participant.agreement(), &participant.commitments());
        participant
    }

    /// Switches a seat's honest device off and goes on in its name.
    pub(crate) fn taking_over(class: &mut Class, seat: usize, seed: u8) -> Self {
        class.seats[seat].off = true;
        let mut participant = Self::new(class, seed);
        let own = |entry: &Entry| entry.header.author == participant.key.public();
        participant.last = class.written().filter(own).max_by_key(|entry| entry.header.sequence);
        participant
    }

    pub(crate) fn author(&self) -> Author {
        self.key.public()
    }

    /// The key that a seed of this room has.
    pub(crate) fn agreement(&self) -> AgreementKey {
        AgreementKey::from_seed(&derive(&self.seed, "aggregation-key/v1", &[&self.room]))
    }

    pub(crate) fn nonce(&self, number: u8) -> Hash {
        derive(&self.seed, "list-nonce/v1", &[&self.room, &[number]]).expose().to_owned()
    }

    /// Commitments to the key that it offers.
    pub(crate) fn commitments(&self) -> [Hash; LISTS_MAX as usize] {
        let one = |number: u8| {
            let start = Transcript::new("commitment/v1").field(&self.room).field(&self.author());
            let start = start.number(number.into()).field(&self.nonce(number));
            start.number(MethodId::Masks as u64).field(&self.offer.key).hash()
        };
        [one(1), one(2), one(3)]
    }

    fn possession(&self, author: &Author, commitments: &[Hash]) -> Hash {
        let start = Transcript::new("possession-context/v1").field(&self.room).field(author);
        commitments.iter().fold(start, |all, commitment| all.field(commitment)).hash()
    }

    /// Proves that it owns a key, for its own seat.
    pub(crate) fn proof(&self, key: &AgreementKey, commitments: &[Hash]) -> [u8; PROOF_BYTES] {
        key.prove(&self.possession(&self.author(), commitments)).to_bytes().try_into().unwrap()
    }

    /// Signs the next entry of its chain.
    pub(crate) fn write(&mut self, place: Place, kind: EntryKind, payload: Vec<u8>) -> Entry {
        let sequence = self.last.as_ref().map_or(0, |last| last.header.sequence + 1);
        let previous = self.last.as_ref().map_or([0; 32], Entry::hash);
        let entry = Entry::sign(&self.key, self.room, sequence, previous, place, kind, payload);
        self.last = Some(entry.clone());
        entry
    }

    /// Signs another entry for the place of one that is there.
    pub(crate) fn beside(&self, entry: &Entry, payload: Vec<u8>) -> Entry {
        let (sequence, previous) = (entry.header.sequence, entry.previous);
        Entry::sign(&self.key, self.room, sequence, previous, entry.place, entry.kind, payload)
    }

    /// Signs with its own key what says that it is somebody else's.
    pub(crate) fn forge(&self, author: Author, sequence: u32, previous: Hash, kind: EntryKind) -> Entry {
        let mut entry = Entry::sign(&self.key, self.room, sequence, previous, Place::NOWHERE, kind, Vec::new());
        entry.header.author = author;
        entry
    }

    /// A request for a seat, with the proof of invitation if it has the secret.
    pub(crate) fn request(&self, secret: Option<&[u8; 16]>) -> Join {
        let commitments = self.commitments();
        let context = self.possession(&self.author(), &commitments);
        let mac = secret.map(|secret| *derive(secret, "join-mac/v1", &[&context]).expose());
        Join { role: Role::Contributor, commitments, mac }
    }

    /// Asks for a seat by the link.
    pub(crate) fn join(&mut self, class: &mut Class) {
        let join = self.request(Some(class.invite().secret.expose()));
        let join = self.write(Place::NOWHERE, EntryKind::Join, join.to_bytes());
        class.push(&join);
    }

    /// What it committed to.
    pub(crate) fn shows(&self) -> Reveal {
        Reveal { nonce: self.nonce(1), keys: vec![self.offer.clone()] }
    }

    /// Reveals, on the list and question that the class is at.
    pub(crate) fn reveal(&mut self, class: &mut Class, reveal: &Reveal) {
        let entry = self.write(class.place(&self.author()), EntryKind::Reveal, reveal.to_bytes());
        class.push(&entry);
    }

    /// Acknowledges what the others do, or something like it.
    pub(crate) fn acknowledge(&mut self, class: &mut Class, change: impl Fn(&mut Ack)) {
        let others = class.entries(EntryKind::Ack).pop().unwrap();
        let mut ack = Ack::from_bytes(&others.payload).unwrap();
        change(&mut ack);
        let entry = self.write(class.place(&self.author()), EntryKind::Ack, ack.to_bytes());
        class.push(&entry);
    }

    /// Seals bytes for the room and signs them as the next entry.
    pub(crate) fn seal(&mut self, class: &Class, place: Place, kind: EntryKind, plain: &[u8]) -> Entry {
        let empty = self.write(place, kind, Vec::new());
        let context = Entry::seal_context(&empty.header, &place, kind);
        let entry = self.beside(&empty, seal(&class.room_key(), &context, plain));
        self.last = Some(entry.clone());
        entry
    }
}
