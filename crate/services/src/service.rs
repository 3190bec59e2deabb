//! What every service offers.

use crate::method_keys::{KeyMemory, OwnKey, PublicKey};
use std::sync::Arc;
use undertone_machine::{Fault, FaultCode, Machine, Outcome, Role, Seat, Secret};
use undertone_math::Quantity;
use undertone_prim::{Hash, Pads};
use undertone_wire::{MethodId, Plan};

/// Whom a service is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// People choose it in the app.
    People,
    /// It proves or measures something; interfaces list it apart.
    Developers,
}

/// How a parameter is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Letters and anything else.
    Text,
    /// A decimal number.
    Number,
    /// A number without decimals.
    Whole,
}

/// One parameter of a plan. Forms, command line and documents follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in plans and on the command line.
    pub name: &'static str,
    /// Its label.
    pub title: &'static str,
    /// A word of help; may be empty.
    pub hint: &'static str,
    /// The value where none is given.
    pub default: &'static str,
    /// How it is typed.
    pub kind: ParamKind,
    /// Whether few people need it, so that forms may tuck it away.
    pub rare: bool,
}

impl Param {
    /// A parameter that everyone sees, without a word of help.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, default: &'static str, kind: ParamKind) -> Self {
        Self { name, title, hint: "", default, kind, rare: false }
    }

    /// Adds a word of help.
    #[must_use]
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    /// Says that few people need it.
    #[must_use]
    pub const fn rare(self) -> Self {
        Self { rare: true, ..self }
    }
}

/// What a service says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// Its name: that of its folder.
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// What comes out, in one sentence.
    pub summary: &'static str,
    /// The wasm module that holds it.
    pub module: &'static str,
    /// Whom it is for.
    pub audience: Audience,
    /// How values are hidden.
    pub method: MethodId,
    /// Fewest contributing seats that it works with at all; the room's policy asks for more.
    pub seats_min: usize,
    /// Most contributing seats.
    pub seats_max: usize,
    /// Its parameters.
    pub params: &'static [Param],
    /// Names of the figures that come out, in order. One name may come once for each cell.
    pub outputs: &'static [&'static str],
}

impl Manifest {
    /// What builds know of a service that they do not hold: all of it, or that it is there.
    #[allow(dead_code, reason = "builds with every module hold all services")]
    pub(crate) const fn elsewhere(&self) -> Self {
        if cfg!(feature = "catalogue") {
            return *self;
        }
        Self { title: "", summary: "", params: &[], outputs: &[], ..*self }
    }
}

/// A question as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What an input means; `None` where people give none.
    pub quantity: Option<Quantity>,
    /// Most rows that one seat may stand for.
    pub rows_max: u64,
    /// Names of the cells of which each gets a value of its own, in order; empty where an input is
    /// one value.
    pub cells: Vec<String>,
}

/// What one seat gives, as the integers that its machine adds.
#[derive(Debug)]
pub struct Input {
    /// The integers; wiped when dropped.
    pub values: Secret<Vec<i128>>,
}

/// What a run costs one seat: a closed formula, no run needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Messages one after another.
    pub rounds: u32,
    /// Bytes of the payloads that one contributing seat appends to the log, before sealing.
    pub log_bytes: u64,
    /// Bytes that one contributing seat deals before it acknowledges.
    pub deal_bytes: u64,
    /// Bytes of the chunks that the busiest seat sends through pipes, before sealing.
    pub pipe_bytes: u64,
    /// Bytes of the payloads that one seat that adds up for others appends, before sealing.
    pub compute_bytes: u64,
}

/// All that a machine of one party is made from.
pub struct Party {
    /// Its seat.
    pub me: Seat,
    /// All seats with their roles, in order.
    pub roles: Vec<Role>,
    /// What it gives; `None` if it gives nothing or its entry has already left the device.
    pub input: Option<Input>,
    /// Pads shared with each other seat.
    pub pads: Arc<dyn Pads>,
    /// Keys of the method, if it has keys of its own.
    pub keys: Option<KeyLife>,
    /// What each contributing seat dealt before it acknowledged, in order; empty where nobody deals.
    pub deals: Vec<Vec<u8>>,
    /// The host's seat: where some may vanish, it says whose values are added.
    pub host: Seat,
    /// Hash over roster and plan: every mask of the run is bound to it.
    pub context: Hash,
    /// Randomness of this run.
    pub seed: Secret<[u8; 32]>,
}

impl Party {
    /// The contributing seats, in order.
    #[must_use]
    pub fn contributors(&self) -> Vec<Seat> {
        let seats = self.roles.iter().zip(0_u16..);
        seats.filter(|(role, _)| role.contributes()).map(|(_, index)| Seat(index)).collect()
    }

    /// The seats that add up for the others, in order.
    #[must_use]
    pub fn computers(&self) -> Vec<Seat> {
        let seats = self.roles.iter().zip(0_u16..);
        seats.filter(|(role, _)| **role == Role::Compute).map(|(_, index)| Seat(index)).collect()
    }

    /// Whether this seat gives an input.
    #[must_use]
    pub fn contributes(&self) -> bool {
        self.roles.get(self.me.index()).is_some_and(|role| role.contributes())
    }
}

/// The keys of one life: for as many rounds as their method allows.
pub struct KeyLife {
    /// Rounds of this life that are used already.
    pub round: u32,
    /// The public keys of all seats, in order.
    pub keys: Vec<PublicKey>,
    /// This seat's own; `None` for who only looks on.
    pub own: Option<OwnKeys>,
    /// What was computed for these keys in earlier rounds.
    pub memory: KeyMemory,
}

/// The secret halves of one seat.
pub struct OwnKeys {
    /// Of this life; used up by the seat's value.
    pub current: OwnKey,
    /// Of the next life; its public half travels with the value.
    pub next: OwnKey,
}

impl core::fmt::Debug for OwnKeys {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OwnKeys").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for KeyLife {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("KeyLife").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Party {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Party").field("me", &self.me).finish_non_exhaustive()
    }
}

/// A kind of computation.
pub trait Service: Sync {
    /// What it says about itself.
    fn manifest(&self) -> &'static Manifest;

    /// Reads the parameters of a plan.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::BadPlan`] with the field to mend and its allowed range.
    fn prepare(&self, plan: &Plan) -> Result<Box<dyn Task>, Fault>;
}

/// A service that another module holds: its manifest without the rest.
#[allow(dead_code, reason = "builds with every module have none")]
pub(crate) struct Elsewhere(pub(crate) &'static Manifest);

impl Service for Elsewhere {
    fn manifest(&self) -> &'static Manifest {
        self.0
    }

    fn prepare(&self, _plan: &Plan) -> Result<Box<dyn Task>, Fault> {
        Err(Fault::new(FaultCode::OtherModule).in_field(self.0.module))
    }
}

/// A service with checked parameters.
pub trait Task: Send + Sync {
    /// The question as people see it.
    fn question(&self) -> &Question;

    /// Reads one typed value, or one for each cell.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::BadInput`] with a sentence that names the allowed range.
    fn read(&self, text: &str) -> Result<Input, Fault>;

    /// Reads a column: of rows for which one seat stands, or of one value for each cell.
    ///
    /// # Errors
    /// As [`read`](Self::read), naming the row or cell.
    fn read_rows(&self, rows: &mut dyn Iterator<Item = &str>) -> Result<Input, Fault>;

    /// The answer on plain numbers: what a run must give.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::SumOutOfRange`] for inputs that [`read`](Self::read) would refuse.
    fn oracle(&self, inputs: &[Input]) -> Result<Outcome, Fault>;

    /// Whether so many contributing seats can be asked this.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::BadPlan`] naming the parameter to mend.
    fn admits(&self, _contributors: usize) -> Result<(), Fault> {
        Ok(())
    }

    /// Seats that add up for the others and give nothing; 0 where everyone adds up.
    fn computers(&self) -> usize {
        0
    }

    /// People who may vanish once all have acknowledged; 0 where a question needs them all.
    fn drops(&self) -> usize {
        0
    }

    /// How many of so many people may pool what they know, and still see nothing but the sum, where some may
    /// vanish; `None` elsewhere.
    fn colluders(&self, _contributors: usize) -> Option<usize> {
        None
    }

    /// What a party deals before it acknowledges; `None` where nobody does.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::Internal`] if the party has no key with somebody.
    fn deal(&self, _party: &Party) -> Result<Option<Vec<u8>>, Fault> {
        Ok(None)
    }

    /// Whether bytes are a deal of the contributing seat at that place, of so many.
    fn is_deal(&self, _contributors: usize, _place: usize, _deal: &[u8]) -> bool {
        false
    }

    /// What keys of several rounds have to agree on to serve this question too: a new value of it
    /// needs new keys.
    fn key_terms(&self) -> Hash {
        [0; 32]
    }

    /// For how many rounds a key is good among so many contributing seats; 0 where a question needs no
    /// keys of its own.
    fn key_rounds(&self, _contributors: usize) -> u32 {
        0
    }

    /// What a run costs one seat.
    fn cost(&self, contributors: usize) -> Cost;

    /// The machine of one party.
    ///
    /// # Errors
    /// [`undertone_machine::FaultCode::BadInput`] if the input was not made by this task.
    fn machine(&self, party: Party) -> Result<Box<dyn Machine>, Fault>;
}
