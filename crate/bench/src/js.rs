//! The same for node: `benches/run.mjs` times it.

use crate::{BENCHES, Row, Work, find};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Names of all benches.
#[wasm_bindgen]
pub fn benches() -> Array {
    BENCHES.iter().map(|bench| JsValue::from_str(bench.name)).collect()
}

/// The rows of a bench: `{ name, n, baseline }`, with an empty baseline where there is none.
#[wasm_bindgen]
pub fn rows(bench: &str) -> Array {
    let rows = find(bench).map(|bench| (bench.rows)()).unwrap_or_default();
    rows.iter().map(described).collect()
}

fn described(row: &Row) -> JsValue {
    let object = Object::new();
    let baseline = row.baseline.as_ref().map_or("", |baseline| baseline.name);
    for (key, value) in [("name", row.name), ("n", &row.n), ("baseline", baseline)] {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &key.into(), &value.into());
    }
    object.into()
}

/// Work that was made ready.
#[wasm_bindgen]
pub struct Ready(Work);

#[wasm_bindgen]
impl Ready {
    /// Makes the work of a row, or of its baseline, ready.
    pub fn make(bench: &str, row: usize, baseline: bool) -> Option<Ready> {
        let rows = (find(bench)?.rows)();
        let row = rows.get(row)?;
        let work = if baseline { (row.baseline.as_ref()?.work)() } else { (row.work)() };
        Some(Self(work))
    }

    /// Does it so many times.
    pub fn run(&mut self, times: u32) {
        (0..times).for_each(|_| (self.0)());
    }
}
