//! What a room does on many devices, shown on one.

use crate::object::{Fields, error, list};
use crate::questions::seed;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// Masks the values of virtual people with real keys, and adds the masked values.
///
/// Takes an array of decimal strings with at most two decimals; gives
/// `{ masked: Uint8Array[], sum: string }`. It shows on one device what a room does on many.
///
/// # Errors
/// A `CoreErrorData` object for a value that cannot be read.
#[wasm_bindgen]
pub fn demonstrate(values: &JsValue) -> Result<JsValue, JsValue> {
    let values: Vec<String> =
        js_sys::Array::from(values).iter().map(|value| value.as_string().unwrap_or_default()).collect();
    let seed = seed().map_err(|fault| error(&fault))?;
    let shown = undertone_room::demonstrate(&seed, &values).map_err(|fault| error(&fault))?;
    let masked = list(shown.masked.iter().map(|bytes| Uint8Array::from(bytes.as_slice()).unchecked_into()));
    Ok(Fields::new().set("masked", masked).set("sum", shown.sum).done())
}
