//! Who masks with whom, and for how many rounds.
//!
//! Seats are numbered by their place, 0 to n-1, in an order that none of them chose. Two seats that
//! are linked share a mask, which the one of the lower place adds and the other takes away, on links
//! that wrap around as well; so all masks cancel in the sum.
//!
//! What t colluding seats (and d that drop out) can learn depends on the graph that is left without
//! them. One round of masks keeps everything but the sum if it is connected. l rounds under the same
//! keys with l sets of public coefficients (the bounded method, [`pcl`](crate::pcl)) do so if it
//! contains l spanning trees without a common link: the masks' coefficients are a union of graphic
//! matroids, and for random coefficients its rank is what Nash-Williams and Tutte count. A complete
//! graph of h seats holds h/2 such trees, which bounds the rounds; a graph that stays 2l-connected
//! holds l of them, and a ring in which everyone is linked to the 2l+t nearest seats does.
//!
//! The ring wraps around. On a line that does not, as a distance |j-i| could be read, a stretch of t
//! colluding seats cuts the others in two when l is small, and both halves' sums are in the open;
//! a test shows it.

mod connected;
mod schedule;

pub use schedule::{SCHEDULE_SEATS_MAX, Schedule};

/// The fewest seats that give a value: of two, each reads the other's off the sum.
pub const SEATS_MIN: u16 = 3;

/// So many seats, of which so many may collude and so many may drop out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    seats: u16,
    colluders: u16,
    drops: u16,
}

/// Why there is no such graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GraphError {
    /// Fewer than [`SEATS_MIN`] seats.
    TooFewSeats,
    /// Less than two seats are left that neither collude nor drop out: their sum is one seat's value.
    NothingToProtect,
    /// Not one round is safe.
    NoRounds,
    /// More rounds than are safe.
    OverBudget,
    /// More seats than a schedule is searched for.
    TooManySeats,
}

/// How close to the bound the number of rounds may come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    /// $\lfloor (n-t-1)/2 \rfloor$ rounds: one seat more than the bound asks for, so that a round that
    /// some saw without one seat tells nothing either.
    Spare,
    /// $\lfloor (n-t)/2 \rfloor$ rounds, as the paper has it: all that is safe if every seat sees the
    /// same in every round.
    Exact,
}

/// A graph on seats by place, the same at all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    seats: u16,
    links: Links,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Links {
    /// Everyone with everyone.
    Complete,
    /// With those whose distance around the circle is one of these.
    Offsets(Vec<u16>),
    /// One of the circles that all links of a complete graph can be parted into: all a and b with
    /// a + b = 2k or 2k + 1 modulo n-1, and with seat n-1 whoever would be linked to itself.
    Circle(u16),
}

/// A graph together with the rounds of [`pcl`](crate::pcl) that are safe on it: made by
/// [`Tolerance::graph_for_rounds`] and by nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundedGraph {
    graph: Graph,
    rounds: u32,
}

impl BoundedGraph {
    /// The graph.
    #[must_use]
    pub const fn graph(&self) -> &Graph {
        &self.graph
    }

    /// l, the number of rounds.
    #[must_use]
    pub const fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl Tolerance {
    /// `colluders` (t) of `seats` (n) may pool what they know, `drops` (d) may fall silent.
    ///
    /// # Errors
    /// The caller's: [`GraphError::TooFewSeats`], [`GraphError::NothingToProtect`].
    pub const fn new(seats: u16, colluders: u16, drops: u16) -> Result<Self, GraphError> {
        if seats < SEATS_MIN {
            return Err(GraphError::TooFewSeats);
        }
        match seats.checked_sub(drops) {
            Some(left) if left >= 2 && colluders <= left - 2 => Ok(Self { seats, colluders, drops }),
            _ => Err(GraphError::NothingToProtect),
        }
    }

    /// n, the number of seats.
    #[must_use]
    pub const fn seats(&self) -> u16 {
        self.seats
    }

    /// The rounds of [`pcl`](crate::pcl) that one key life allows: a round counts every number that is
    /// aggregated in it.
    ///
    /// Counted over the fewest seats that a round may end with.
    ///
    /// # Errors
    /// The caller's: [`GraphError::NoRounds`].
    pub fn budget(&self, margin: Margin) -> Result<u32, GraphError> {
        let honest = u32::from(self.seats) - u32::from(self.drops) - u32::from(self.colluders);
        let spare = u32::from(margin == Margin::Spare);
        Some((honest - spare) / 2).filter(|rounds| *rounds > 0).ok_or(GraphError::NoRounds)
    }

    /// The smallest graph for so many rounds of [`pcl`](crate::pcl): a ring of degree
    /// $2\lceil (2l+t+d)/2 \rceil$, or the complete graph where that is no more.
    ///
    /// # Errors
    /// The caller's: [`GraphError::NoRounds`] for none, [`GraphError::OverBudget`] for too many.
    pub fn graph_for_rounds(&self, rounds: u32, margin: Margin) -> Result<BoundedGraph, GraphError> {
        if rounds == 0 {
            return Err(GraphError::NoRounds);
        }
        if rounds > self.budget(margin)? {
            return Err(GraphError::OverBudget);
        }
        Ok(BoundedGraph { graph: self.ring(2 * rounds + self.absent()), rounds })
    }

    /// The smallest graph for masks that are fresh in each round, and for single-round KDK: a ring of
    /// degree $2\lceil (t+d+1)/2 \rceil$, or the complete graph where that is no more.
    #[must_use]
    pub fn graph(&self) -> Graph {
        self.ring(self.absent() + 1)
    }

    /// t + d: whoever may be missing from the graph that has to hold.
    fn absent(&self) -> u32 {
        u32::from(self.colluders) + u32::from(self.drops)
    }

    /// A ring of at least this degree.
    fn ring(&self, degree: u32) -> Graph {
        let reach = degree.div_ceil(2);
        let complete = 2 * reach >= u32::from(self.seats) - 1;
        let links = match u16::try_from(reach) {
            Ok(reach) if !complete => Links::Offsets((1..=reach).collect()),
            _ => Links::Complete,
        };
        Graph { seats: self.seats, links }
    }
}

impl Graph {
    /// Everyone with everyone.
    ///
    /// # Errors
    /// The caller's: [`GraphError::TooFewSeats`].
    pub const fn complete(seats: u16) -> Result<Self, GraphError> {
        if seats < SEATS_MIN { Err(GraphError::TooFewSeats) } else { Ok(Self { seats, links: Links::Complete }) }
    }

    /// n, the number of seats.
    #[must_use]
    pub const fn seats(&self) -> u16 {
        self.seats
    }

    /// How many seats each is linked to.
    #[must_use]
    pub fn degree(&self) -> u16 {
        match &self.links {
            Links::Complete => self.seats - 1,
            Links::Offsets(offsets) => 2 * offsets.len() as u16,
            Links::Circle(_) => 2,
        }
    }

    /// Whether everyone is linked with everyone.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.links == Links::Complete
    }

    /// The places of those linked with a seat, in ascending order; nobody for a place that is none.
    #[must_use]
    pub fn neighbours(&self, me: u16) -> Vec<u16> {
        if me >= self.seats {
            return Vec::new();
        }
        let places: Vec<u16> = match &self.links {
            Links::Complete => return (0..self.seats).filter(|place| *place != me).collect(),
            Links::Offsets(offsets) => offsets.iter().flat_map(|it| self.at_distance(me, *it)).collect(),
            Links::Circle(turn) => self.on_circle(me, *turn),
        };
        // In order without a sort, which is four kilobytes of code for a few places.
        (0..self.seats).filter(|place| places.contains(place)).collect()
    }

    /// The two seats at a distance.
    fn at_distance(&self, me: u16, offset: u16) -> [u16; 2] {
        let (n, me, offset) = (u32::from(self.seats), u32::from(me), u32::from(offset));
        [me + offset, me + n - offset].map(|place| (place % n) as u16)
    }

    /// The two seats next to one on a circle.
    fn on_circle(&self, me: u16, turn: u16) -> Vec<u16> {
        let (last, me) = (u32::from(self.seats) - 1, u32::from(me));
        let sums = [0, 1].map(|it| (2 * u32::from(turn) + it) % last);
        let places: Vec<_> = if me == last {
            (0..last).filter(|place| sums.contains(&(2 * place % last))).collect()
        } else {
            let other = |sum: u32| (sum + last - me) % last;
            sums.map(|sum| if other(sum) == me { last } else { other(sum) }).into()
        };
        places.into_iter().map(|place| place as u16).collect()
    }
}

#[cfg(test)]
pub(crate) mod tests;
