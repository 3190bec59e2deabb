//! What a room has heard, before asking what follows from it.

use std::sync::Arc;
use undertone_machine::{RoundKind, Seat};
use undertone_services::{SPARES, Task, USES_KEYS_UP};
use undertone_wire::{Ack, Author, Entry, Hash, Header, Join, KeyOffer, List, Open, Place, Plan, Reveal};
use vecmap::VecMap;

/// Someone's request for a seat.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    pub(crate) join: Join,
    /// Hash of the entry that said so.
    pub(crate) hash: Hash,
    /// Whether it showed the invite's secret, as far as this device can tell.
    pub(crate) invited: bool,
}

/// A question in force.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) plan: Plan,
    pub(crate) hash: Hash,
    pub(crate) task: Arc<dyn Task>,
}

/// A list and its hash.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub(crate) list: List,
    pub(crate) hash: Hash,
}

/// A sealed entry, kept until it can be opened.
#[derive(Clone, Debug)]
pub(crate) struct Sealed {
    pub(crate) header: Header,
    pub(crate) place: Place,
    pub(crate) kind: RoundKind,
    pub(crate) payload: Vec<u8>,
    pub(crate) hash: Hash,
}

/// A confirmation, sealed like a round's entries.
#[derive(Clone, Debug)]
pub(crate) struct SealedConfirm {
    pub(crate) header: Header,
    pub(crate) place: Place,
    pub(crate) payload: Vec<u8>,
    /// The seat that signed it, once it was opened and is what came out here.
    pub(crate) agrees: Option<Seat>,
}

/// Entries that only listed seats write, read before the list itself: a relay may reorder authors.
pub(crate) const EARLY_MAX: usize = 4 * undertone_wire::limits::SEATS_MAX;

/// List and plan together: what acknowledgements, values and confirmations belong to.
pub(crate) type Agreement = (Hash, Hash);

/// Everything heard so far. Entries of different authors may come in any order.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) open: Option<(Open, Hash)>,
    pub(crate) asked: Option<Asked>,
    pub(crate) plans: u16,
    /// How many of the plans were new to people: a series counts once.
    pub(crate) questions: u16,
    pub(crate) joins: VecMap<Author, Joined>,
    pub(crate) closed: Option<Closed>,
    pub(crate) reveals: VecMap<(Hash, Author), (Reveal, Hash)>,
    /// Keys that seats showed for a question because none were left.
    pub(crate) fresh_keys: VecMap<Agreement, VecMap<Author, KeyOffer>>,
    /// What seats dealt where some may vanish.
    pub(crate) deals: VecMap<Agreement, VecMap<Author, Vec<u8>>>,
    pub(crate) acks: VecMap<Agreement, VecMap<Author, Ack>>,
    pub(crate) rounds: VecMap<Agreement, Vec<Sealed>>,
    pub(crate) confirms: VecMap<Agreement, Vec<SealedConfirm>>,
    /// Entries of seats, read before the list was.
    pub(crate) early: Vec<(Entry, Hash)>,
    /// The host's envelope with the room key, for a seat that came by a code; by list.
    pub(crate) envelopes: VecMap<Hash, Vec<u8>>,
}

impl Facts {
    /// Drops what belongs to earlier questions, so that a long day of questions needs no more
    /// memory than one.
    pub(crate) fn forget_before(&mut self, plan: Hash) {
        if USES_KEYS_UP {
            self.fresh_keys.retain(|(_, of), _| *of == plan);
        }
        if SPARES {
            self.deals.retain(|(_, of), _| *of == plan);
        }
        self.acks.retain(|(_, of), _| *of == plan);
        self.rounds.retain(|(_, of), _| *of == plan);
        self.confirms.retain(|(_, of), _| *of == plan);
    }
}
