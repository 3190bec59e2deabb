//! Inputs drawn from what a question says of itself, with the bounds more often than chance has them.

use undertone_math::Quantity;
use undertone_prim::derive;
use undertone_services::{Input, Manifest, Task};

/// Rows that a seat is drawn at most, where it may have many.
const ROWS_DRAWN: u64 = 5;

/// A stream of numbers that its labels decide.
pub(crate) struct Draw {
    labels: Vec<u8>,
    count: u64,
}

/// Those sizes of a room that a service and its parameters work with; its smallest if there is none.
pub(crate) fn sizes(service: &Manifest, task: &dyn Task, wanted: impl IntoIterator<Item = u16>) -> Vec<u16> {
    let works = |n: &u16| {
        (service.seats_min..=service.seats_max).contains(&usize::from(*n)) && task.admits(usize::from(*n)).is_ok()
    };
    let sizes: Vec<_> = wanted.into_iter().filter(works).collect();
    if sizes.is_empty() { vec![u16::try_from(service.seats_min).unwrap()] } else { sizes }
}

impl Draw {
    pub(crate) fn new(labels: &[&str]) -> Self {
        Self { labels: labels.join(" ").into_bytes(), count: 0 }
    }

    fn below(&mut self, bound: u128) -> u128 {
        self.count += 1;
        let block = derive(&self.labels, "test-draw/v1", &[&self.count.to_be_bytes()]);
        let bytes: [u8; 16] = block.expose()[..16].try_into().unwrap();
        u128::from_be_bytes(bytes) % bound
    }

    /// What all seats give.
    pub(crate) fn inputs(&mut self, task: &dyn Task, seats: u16) -> Vec<Option<Input>> {
        (0..seats).map(|_| self.input(task)).collect()
    }

    fn input(&mut self, task: &dyn Task) -> Option<Input> {
        let question = task.question();
        let quantity = question.quantity.as_ref()?;
        let rows = match question.cells.len() as u64 {
            0 => 1 + self.below(question.rows_max.min(ROWS_DRAWN).into()) as u64,
            cells => cells,
        };
        let column: Vec<String> = (0..rows).map(|_| self.value(quantity)).collect();
        Some(task.read_rows(&mut column.iter().map(String::as_str)).unwrap())
    }

    fn value(&mut self, quantity: &Quantity) -> String {
        let above = quantity.max().abs_diff(quantity.min());
        let units = match self.below(5) {
            0 => quantity.min(),
            1 => quantity.max(),
            _ => quantity.min() + self.below(above + 1) as i128,
        };
        quantity.decimal(units).to_string()
    }
}
