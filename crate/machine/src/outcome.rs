//! What comes out of a run.

/// One figure of a result, as an exact decimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is, such as `sum` or `mean`.
    pub name: &'static str,
    /// Decimal digits, exact unless [`rounded`](Self::rounded).
    pub value: String,
    /// Unit as declared in the plan; empty for counts.
    pub unit: String,
    /// Whether digits beyond the last one shown were rounded away (half to even).
    pub rounded: bool,
}

/// All figures that a run opens, in the order of the service's manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The figures.
    pub figures: Vec<Figure>,
}
