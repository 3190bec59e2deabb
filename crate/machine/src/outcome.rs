//! What comes out of a run.

/// One figure of a result, as an exact decimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is, such as `sum` or `mean`.
    pub name: &'static str,
    /// Which one of several of that name, in the plan's own words, such as a cell; empty where there
    /// is only one. Interfaces translate names and show labels as they are.
    pub label: String,
    /// Decimal digits, exact unless [`rounded`](Self::rounded).
    pub value: String,
    /// Unit as declared in the plan; empty for counts.
    pub unit: String,
    /// Whether digits beyond the last one shown were rounded away (half to even).
    pub rounded: bool,
}

impl Figure {
    /// An exact figure, the only one of its name.
    #[must_use]
    pub fn new(name: &'static str, value: String, unit: &str) -> Self {
        Self { name, label: String::new(), value, unit: unit.to_owned(), rounded: false }
    }

    /// What to call it in text: its label, or its name where it has none.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.label.is_empty() { self.name } else { &self.label }
    }
}

/// All figures that a run opens, in the order of the service's manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The figures.
    pub figures: Vec<Figure>,
}
