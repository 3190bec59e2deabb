//! What can go wrong, by name.

use crate::random::Random;
use core::fmt;
use core::str::FromStr;
use std::collections::BTreeSet;

/// A kind of trouble that networks, disks, devices and people make. Printed in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trouble {
    /// Messages of a seat take seconds.
    Delay,
    /// A connection breaks, with all that is under way on it.
    Drop,
    /// Frames of the log come twice, as from a client that sends again.
    Duplicate,
    /// Entries of different authors change places, differently for each seat.
    Reorder,
    /// A byte of a frame is flipped.
    Corrupt,
    /// Some seats cannot reach the relay for a while.
    Partition,
    /// The relay crashes, keeps what it acknowledged and nothing else, and comes back.
    RelayCrash,
    /// A seat's program ends at any moment, also between ledger and network, and comes back.
    SeatReload,
    /// A seat is opened a second time, with the same seed and the same ledger.
    SecondInstance,
    /// A seat's clock is 24 hours off, or jumps ahead by as much.
    ClockSkew,
    /// Where a few seats add up for the others: somebody goes once the entry is acknowledged, or one that
    /// adds up and can be spared vanishes. Neither comes back.
    SeatGone,
}

impl Trouble {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Delay,
        Self::Drop,
        Self::Duplicate,
        Self::Reorder,
        Self::Corrupt,
        Self::Partition,
        Self::RelayCrash,
        Self::SeatReload,
        Self::SecondInstance,
        Self::ClockSkew,
        Self::SeatGone,
    ];

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Delay => "delay",
            Self::Drop => "drop",
            Self::Duplicate => "duplicate",
            Self::Reorder => "reorder",
            Self::Corrupt => "corrupt",
            Self::Partition => "partition",
            Self::RelayCrash => "relay-crash",
            Self::SeatReload => "seat-reload",
            Self::SecondInstance => "second-instance",
            Self::ClockSkew => "clock-skew",
            Self::SeatGone => "seat-gone",
        }
    }
}

/// A set of kinds: text with commas, or `all`, or `none`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Troubles(pub BTreeSet<Trouble>);

impl Troubles {
    /// Nothing goes wrong.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Everything does.
    #[must_use]
    pub fn all() -> Self {
        Self(Trouble::ALL.into())
    }

    /// What a seed decides: mostly one or two kinds, so that each is seen alone, and up to all of them.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let mut random = Random::new(seed, "troubles");
        let kinds = if random.chance(75) { random.between(1, 2) } else { random.between(3, 10) };
        let drawn = (0..kinds).filter_map(|_| Trouble::ALL.get(random.index(Trouble::ALL.len())));
        Self(drawn.copied().collect())
    }
}

/// A name that is no kind of trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTrouble(pub String);

impl fmt::Display for UnknownTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<_> = Trouble::ALL.iter().map(|kind| kind.as_str()).collect();
        write!(f, "unknown fault \"{}\"; known: {}, all, none", self.0, known.join(", "))
    }
}

impl std::error::Error for UnknownTrouble {}

impl FromStr for Troubles {
    type Err = UnknownTrouble;

    fn from_str(text: &str) -> Result<Self, UnknownTrouble> {
        let kind = |name: &str| {
            let found = Trouble::ALL.iter().find(|kind| kind.as_str() == name).copied();
            found.ok_or_else(|| UnknownTrouble(name.to_owned()))
        };
        match text.trim() {
            "all" => Ok(Self::all()),
            "none" => Ok(Self::none()),
            list => list.split(',').map(|name| kind(name.trim())).collect::<Result<_, _>>().map(Self),
        }
    }
}

impl fmt::Display for Troubles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|kind| kind.as_str()).collect();
        f.write_str(if names.is_empty() { "none".to_owned() } else { names.join(",") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_round_trip() {
        let names: BTreeSet<_> = Trouble::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(names.len(), Trouble::ALL.len());
        for troubles in [Troubles::none(), Troubles::all(), Troubles([Trouble::Drop, Trouble::Delay].into())] {
            assert_eq!(troubles.to_string().parse(), Ok(troubles));
        }
        assert_eq!("all".parse(), Ok(Troubles::all()));
        assert!("drop,flood".parse::<Troubles>().unwrap_err().to_string().contains("\"flood\""));
    }
}
