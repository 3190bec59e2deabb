//! What one run is made from: nothing else decides anything in it.

use crate::random::Random;
use crate::{Trouble, Troubles};
use undertone_services::{SERVICES, find};
use undertone_wire::MethodId;

/// What keys and signatures are made of in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cryptography {
    /// ristretto255 and Ed25519, as in every product.
    #[default]
    Curve,
    /// A model of both that costs next to nothing and protects nothing: for very many seeds.
    Model,
}

/// One run, wholly given by these few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Name of the service.
    pub service: String,
    /// Seats, the host's among them.
    pub seats: usize,
    /// Readings of a series, or 0 for one question or two.
    pub readings: u16,
    /// People who may vanish by the question's own word; if there are any, seats vanish for good, each at
    /// any of its messages, and also more of them than may, and the host.
    pub drops: usize,
    /// Decides everything that is left to chance.
    pub seed: u64,
    /// What may go wrong.
    pub troubles: Troubles,
    /// What keys and signatures are made of.
    pub cryptography: Cryptography,
    /// A bug put in on purpose, to see that it is found.
    pub plant: Option<Plant>,
}

/// A bug that tests put in, to show that the checks would find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// A ledger says that it holds a value and has lost it after a crash.
    LedgerForgets,
    /// The relay's disk loses what the relay acknowledged.
    DiskLies,
    /// A device shows another figure than its room told it.
    WrongFigure,
    /// Values leave without acknowledgements, as far as the check can see.
    AckUnseen,
    /// Clocks of devices stand still.
    DeadClock,
    /// Devices tell their room the time only after a message, so that it counts from the one before.
    StaleClock,
}

impl Scenario {
    /// A run of a service in which nothing goes wrong.
    #[must_use]
    pub fn calm(service: &str, seats: usize, seed: u64) -> Self {
        Self {
            service: service.to_owned(),
            seats,
            readings: 0,
            drops: 0,
            seed,
            troubles: Troubles::none(),
            cryptography: Cryptography::Curve,
            plant: None,
        }
    }

    /// A run of which the seed decides everything: service, seats and what goes wrong.
    #[must_use]
    pub fn drawn(seed: u64) -> Self {
        let mut random = Random::new(seed, "scenario");
        let service = SERVICES.get(random.index(SERVICES.len())).map(|service| service.manifest());
        let (name, fewest, most) =
            service.map_or(("sum", 2, 2), |manifest| (manifest.name, manifest.seats_min, manifest.seats_max));
        // One more than the fewest: the host may only look on.
        let seats = usize::try_from(random.between(3, 7)).unwrap_or(3).max(fewest.saturating_add(1)).min(most);
        Self { troubles: Troubles::drawn(seed), ..Self::calm(name, seats, seed) }
    }

    /// A run of which the seed decides who vanishes when: a sum of five to nine people.
    #[must_use]
    pub fn vanishing(seed: u64) -> Self {
        let mut random = Random::new(seed, "scenario");
        let seats = usize::try_from(random.between(5, 9)).unwrap_or(5);
        let most = seats.saturating_sub(4).min(seats.saturating_sub(2) / 2) as u64;
        let drops = usize::try_from(random.between(1, most)).unwrap_or(1);
        // In half of the runs messages are late or come in another order, too.
        let troubles = if random.chance(50) { [Trouble::Delay, Trouble::Reorder].into() } else { [].into() };
        Self { drops, troubles: Troubles(troubles), ..Self::calm("sum", seats, seed) }
    }

    /// The same as a series of so many readings.
    #[must_use]
    pub fn as_series(self, readings: u16) -> Self {
        Self { readings, ..self }
    }

    /// The same with the model of cryptography, which knows one group: a service of another gives way to
    /// `sum`.
    #[must_use]
    pub fn modelled(self) -> Self {
        let is_paired = find(&self.service).is_ok_and(|service| service.manifest().method == MethodId::KdkPairing);
        let service = if is_paired { "sum".to_owned() } else { self.service };
        Self { cryptography: Cryptography::Model, service, ..self }
    }

    /// The command that runs it again.
    #[must_use]
    pub fn command(&self) -> String {
        let Self { service, seats, readings, drops, seed, troubles, .. } = self;
        let drops = if *drops > 0 { format!(" --drops {drops}") } else { String::new() };
        let readings = if *readings > 0 { format!(" --readings {readings}") } else { String::new() };
        let model = if self.cryptography == Cryptography::Model { " --model" } else { "" };
        format!(
            "undertone simulate --service {service} --seats {seats} --seed {seed} --faults {troubles}{readings}{drops}{model}"
        )
    }
}
