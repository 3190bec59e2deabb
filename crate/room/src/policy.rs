//! What this device accepts, whatever host and relay say.

use crate::Tier;
use undertone_machine::{Fault, FaultCode, Phase};
use undertone_wire::RoomPolicy;

/// Fewest contributing seats without anybody's consent.
pub const GROUP_MIN_DEFAULT: u16 = 5;
/// Fewest with each person's consent: two others, so that no single one of them can subtract.
pub const GROUP_MIN_SMALL: u16 = 3;
/// Fewest at all, for two-party services and measurements.
const GROUP_MIN_PAIR: u16 = 2;

/// The rules of this device's person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientPolicy {
    /// The person agreed to a group of three or four.
    pub small_group: bool,
    /// Groups of two are allowed: two-party services and benchmarks set this explicitly.
    pub pairs: bool,
    /// The page came over plain http, so nothing better than this tier may be claimed.
    pub tier_max: Tier,
}

impl Default for ClientPolicy {
    fn default() -> Self {
        Self { small_group: false, pairs: false, tier_max: Tier::HostVerified }
    }
}

impl ClientPolicy {
    /// The fewest contributing seats that this device takes part with.
    #[must_use]
    pub const fn floor(&self) -> u16 {
        if self.pairs {
            GROUP_MIN_PAIR
        } else if self.small_group {
            GROUP_MIN_SMALL
        } else {
            GROUP_MIN_DEFAULT
        }
    }

    /// Checks a group against the room's declared floor and this device's own.
    ///
    /// # Errors
    /// [`FaultCode::GroupTooSmall`] with both figures.
    pub fn check_group(&self, room: RoomPolicy, contributors: usize) -> Result<(), Fault> {
        let floor = room.group_min.max(self.floor());
        if contributors >= usize::from(floor) {
            return Ok(());
        }
        let message = format!("Only {contributors} people take part; this device takes part from {floor} on.");
        Err(Fault::new(FaultCode::GroupTooSmall).at(Phase::Acknowledge).saying(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stricter_floor_wins() {
        let check = |policy: ClientPolicy, room, n| policy.check_group(RoomPolicy { group_min: room }, n).is_ok();
        let small = ClientPolicy { small_group: true, ..ClientPolicy::default() };
        let pairs = ClientPolicy { pairs: true, ..ClientPolicy::default() };
        assert!(check(ClientPolicy::default(), 3, 5) && !check(ClientPolicy::default(), 3, 4));
        assert!(!check(ClientPolicy::default(), 6, 5));
        assert!(check(small, 3, 3) && !check(small, 3, 2) && !check(small, 4, 3));
        assert!(check(pairs, 2, 2) && !check(pairs, 0, 1));
    }
}
