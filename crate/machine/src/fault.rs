//! Why a run ended otherwise than in a result.

use crate::Seat;
use core::fmt;

/// Which of the three kinds of failure a code belongs to; they are never mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The caller gave something that cannot be used.
    Caller,
    /// A peer did what no honest peer does.
    Peer,
    /// The world failed; trying again may help.
    World,
}

/// When in the life of a room it happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Before anything was sent.
    #[default]
    Setup,
    /// Joining: people come in, nothing is agreed yet.
    Join,
    /// Seats show the keys that they committed to.
    Reveal,
    /// Everyone signs that they see the same people and the same question.
    Acknowledge,
    /// Inputs travel, masked.
    Round,
    /// Everyone signs the result.
    Confirm,
}

impl Phase {
    /// Its name in errors and interfaces.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Join => "join",
            Self::Reveal => "reveal",
            Self::Acknowledge => "acknowledge",
            Self::Round => "round",
            Self::Confirm => "confirm",
        }
    }
}

macro_rules! fault_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $family:ident, $sentence:literal;)+) => {
        /// Every reason why a run can end early. Printed in kebab case; never renamed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FaultCode { $($(#[doc = $doc])+ $name,)+ }

        impl FaultCode {
            /// All codes, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The code as it is printed.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)+ }
            }

            /// Whose doing it is.
            #[must_use]
            pub const fn family(self) -> Family {
                match self { $(Self::$name => Family::$family,)+ }
            }

            /// One plain sentence, used where nothing more exact is known.
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

fault_codes! {
    /// A parameter of a plan is outside its allowed range.
    BadPlan = "bad-plan", Caller, "This question cannot be asked like that.";
    /// An input is not a number, or outside the plan's range.
    BadInput = "bad-input", Caller, "This value cannot be sent.";
    /// The invite cannot be read.
    BadInvite = "bad-invite", Caller, "This invite cannot be read. Copy the whole link or type the four words again.";
    /// The call does not fit the state of the room.
    BadCall = "bad-call", Caller, "That is not possible at this moment.";
    /// A value was already given for this round, and a round takes one value only.
    RoundSpent = "round-spent", Caller, "A value was already sent for this question. A new value needs a new question.";
    /// The keys that a method needs were never shown in this room, or are used up.
    KeySpent = "key-spent", Caller, "This device has no unused key for this question, so nothing was sent.";
    /// No service has this name.
    UnknownService = "unknown-service", Caller, "This kind of question is not known here.";
    /// A service that this build of the core does not hold; the field names the module that does.
    OtherModule = "other-module", Caller, "This kind of question needs another part of the program. Open a new room to ask it.";
    /// The plan or roster asks for less protection than this device accepts.
    GroupTooSmall = "group-too-small", Caller, "The group is too small to hide anyone in it.";
    /// The number of people in the room differs from the number who joined.
    HeadCount = "head-count", Caller, "The number of people in the room and the number who joined differ.";
    /// The room is full or holds too many lists or plans.
    RoomFull = "room-full", Caller, "This room takes no more.";
    /// This seat is not on the list that the host signed.
    NotListed = "not-listed", Caller, "The host closed the list without this seat.";

    /// Bytes from a seat that no honest client writes.
    Malformed = "malformed", Peer, "A message could not be read.";
    /// A key, point or proof that no honest client shows.
    BadKey = "bad-key", Peer, "A participant showed a key that does not hold.";
    /// A signature that does not hold.
    BadSignature = "bad-signature", Peer, "A message was not signed by who it says.";
    /// Two different signed entries for one place.
    Equivocation = "equivocation", Peer, "A participant signed two different messages for one place.";
    /// A seat's entries do not continue one another, so something was removed or replaced.
    BrokenChain = "broken-chain", Peer, "Messages of a participant are missing or were replaced on the way.";
    /// Seats see different people, questions or messages.
    SplitView = "split-view", Peer, "Not everyone sees the same room. Nothing was sent.";
    /// A sealed message that does not open.
    BadSeal = "bad-seal", Peer, "A sealed message was changed on the way.";
    /// The set of values to be added is one that must not be opened.
    IncludedSet = "included-set", Peer, "The values that were to be added are not enough to hide anyone, or did not all come, so nothing was opened.";
    /// The sum lies outside what honest inputs can give.
    SumOutOfRange = "sum-out-of-range", Peer, "The masks did not cancel to a possible sum, so no result is shown.";
    /// Seats computed different results.
    ResultSplit = "result-split", Peer, "Participants computed different results, so none is shown.";
    /// A pipe lost or repeated bytes, or took more than it was allowed.
    PipeBroken = "pipe-broken", Peer, "A direct connection between two seats was broken.";

    /// Seats were silent until the deadline.
    Missing = "missing", World, "Not everyone answered in time.";
    /// The host was silent until the deadline.
    HostSilent = "host-silent", World, "The host did not continue in time.";
    /// The relay cannot be reached.
    LinkLost = "link-lost", World, "The relay cannot be reached.";
    /// The relay refuses, and says why.
    RelayRefused = "relay-refused", World, "The relay refused.";
    /// No room answers to this invite.
    NoSuchRoom = "no-such-room", World, "No open room answers to this invite.";
    /// The device's own store failed, so nothing may be sent.
    StoreFailed = "store-failed", World, "This device could not store its own message, so it sent nothing.";
    /// The host closed the room, or this seat left it.
    Closed = "closed", World, "The room is closed.";
    /// An invariant of the program itself did not hold.
    Internal = "internal", World, "Something is wrong in the program itself.";
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a run ended, whom signed evidence blames, and when it happened.
///
/// Silence is never blamed on a seat, because a relay can cause it: for [`FaultCode::Missing`] the
/// seats are those who are absent, not culprits in the moral sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: FaultCode,
    phase: Phase,
    culprits: Vec<Seat>,
    field: Option<&'static str>,
    message: Option<String>,
    evidence: Vec<Vec<u8>>,
}

impl Fault {
    /// A fault that blames nobody.
    #[must_use]
    pub const fn new(code: FaultCode) -> Self {
        Self { code, phase: Phase::Setup, culprits: Vec::new(), field: None, message: None, evidence: Vec::new() }
    }

    /// Says when it happened.
    #[must_use]
    pub const fn at(mut self, phase: Phase) -> Self {
        self.phase = phase;
        self
    }

    /// Adds a seat to blame.
    #[must_use]
    pub fn blaming(mut self, seat: Seat) -> Self {
        self.culprits.push(seat);
        self
    }

    /// Adds several seats.
    #[must_use]
    pub fn blaming_all(mut self, seats: impl IntoIterator<Item = Seat>) -> Self {
        self.culprits.extend(seats);
        self
    }

    /// Names the field that the caller must mend.
    #[must_use]
    pub const fn in_field(mut self, field: &'static str) -> Self {
        self.field = Some(field);
        self
    }

    /// Replaces the code's sentence by a more exact one. It must not hold a secret.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Adds signed bytes that prove the culprit's doing to anyone.
    #[must_use]
    pub fn proven_by(mut self, evidence: impl IntoIterator<Item = Vec<u8>>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// Signed bytes that prove the culprit's doing to anyone, where there are any.
    #[must_use]
    pub fn evidence(&self) -> &[Vec<u8>] {
        &self.evidence
    }

    /// The reason.
    #[must_use]
    pub const fn code(&self) -> FaultCode {
        self.code
    }

    /// When it happened.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The seats that signed evidence blames, or who are absent.
    #[must_use]
    pub fn culprits(&self) -> &[Seat] {
        &self.culprits
    }

    /// The field that the caller must mend.
    #[must_use]
    pub const fn field(&self) -> Option<&'static str> {
        self.field
    }

    /// One plain sentence.
    #[must_use]
    pub fn message(&self) -> &str {
        self.message.as_deref().unwrap_or(self.code.sentence())
    }
}

impl From<FaultCode> for Fault {
    fn from(code: FaultCode) -> Self {
        Self::new(code)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message(), self.code)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_distinct_and_in_kebab_case() {
        let names: BTreeSet<_> = FaultCode::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), FaultCode::ALL.len());
        assert!(names.iter().all(|name| name.chars().all(|c| c == '-' || c.is_ascii_lowercase())));
    }

    #[test]
    fn prints_the_most_exact_sentence() {
        let plain = Fault::new(FaultCode::BadInput);
        assert_eq!(plain.to_string(), "This value cannot be sent. (bad-input)");
        assert_eq!(plain.saying("Too long.").message(), "Too long.");
    }
}
