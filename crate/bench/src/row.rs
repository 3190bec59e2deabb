//! One line of a bench.

/// Work to repeat; what it needs was made before.
pub type Work = Box<dyn FnMut()>;

/// One line: something that takes time, and what it is held against.
pub struct Row {
    /// What is timed.
    pub name: &'static str,
    /// The size of the problem, as text: `1000`, `2^30`.
    pub n: String,
    /// Makes the work, which is then timed.
    pub work: Box<dyn Fn() -> Work>,
    /// What it is held against in the same run.
    pub baseline: Option<Baseline>,
    /// How many bytes go through it, where that is what counts.
    pub bytes: Option<usize>,
    /// Whether tests may run it too.
    pub is_small: bool,
    /// The ratio that the authors of the paper published.
    pub published: Option<f64>,
}

/// The other way to do the same.
pub struct Baseline {
    /// Its name.
    pub name: &'static str,
    /// Makes the work.
    pub work: Box<dyn Fn() -> Work>,
}

impl Row {
    /// A row without a baseline.
    pub(crate) fn new(name: &'static str, n: impl ToString, work: impl Fn() -> Work + 'static) -> Self {
        Self {
            name,
            n: n.to_string(),
            work: Box::new(work),
            baseline: None,
            bytes: None,
            is_small: true,
            published: None,
        }
    }

    /// Holds it against something.
    pub(crate) fn against(self, name: &'static str, work: impl Fn() -> Work + 'static) -> Self {
        Self { baseline: Some(Baseline { name, work: Box::new(work) }), ..self }
    }

    /// Says how many bytes go through it.
    pub(crate) fn of_bytes(self, bytes: usize) -> Self {
        Self { bytes: Some(bytes), ..self }
    }

    /// Adds the ratio that was published.
    pub(crate) fn published(self, ratio: f64) -> Self {
        Self { published: Some(ratio), ..self }
    }

    /// Says that tests leave it out.
    pub(crate) fn large(self) -> Self {
        Self { is_small: false, ..self }
    }
}

impl core::fmt::Debug for Row {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Row").field("name", &self.name).field("n", &self.n).finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Baseline {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Baseline").field("name", &self.name).finish_non_exhaustive()
    }
}
