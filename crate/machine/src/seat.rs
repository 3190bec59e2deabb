//! Who sits where, and what for.

use core::fmt;

/// A party's index in a roster, `0..n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u16);

impl Seat {
    /// The seat as a slice index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a seat is for in a room. The number is its wire form and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// Gives an input of its own.
    Contributor = 1,
    /// Adds shares for others.
    Compute = 2,
    /// Computes on ciphertexts without being able to read them.
    Edge = 3,
    /// A host who keeps the masked value that completes the sum, so that the result is the host's alone.
    WithheldHost = 4,
    /// Reads the result and gives nothing.
    Researcher = 5,
}

impl Role {
    /// Reads the wire form.
    #[must_use]
    pub const fn from_wire(byte: u8) -> Option<Self> {
        Some(match byte {
            1 => Self::Contributor,
            2 => Self::Compute,
            3 => Self::Edge,
            4 => Self::WithheldHost,
            5 => Self::Researcher,
            _ => return None,
        })
    }

    /// Whether the seat gives an input that hides among the others' inputs.
    ///
    /// Only such seats count for the smallest group and the honest margin.
    #[must_use]
    pub const fn contributes(self) -> bool {
        matches!(self, Self::Contributor)
    }
}
