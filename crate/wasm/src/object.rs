//! Plain JavaScript objects, field by field.

#![cfg_attr(not(feature = "room"), allow(dead_code, reason = "a module without rooms needs fewer kinds of fields"))]

use js_sys::{Array, Object, Reflect, Uint8Array};
use undertone_machine::{Fault, Figure};
use wasm_bindgen::JsValue;

/// Builds one object.
pub(crate) struct Fields(Object);

impl Fields {
    pub(crate) fn new() -> Self {
        Self(Object::new())
    }

    /// An object of a tagged union.
    pub(crate) fn kind(kind: &str) -> Self {
        Self::new().set("kind", kind)
    }

    pub(crate) fn set(self, name: &str, value: impl Into<JsValue>) -> Self {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&self.0, &name.into(), &value.into());
        self
    }

    /// Counts fit into a double: rooms have fewer than a thousand seats.
    pub(crate) fn count(self, name: &str, value: usize) -> Self {
        self.set(name, value as f64)
    }

    pub(crate) fn bytes(self, name: &str, bytes: &[u8]) -> Self {
        self.set(name, Uint8Array::from(bytes))
    }

    pub(crate) fn done(self) -> JsValue {
        self.0.into()
    }
}

/// A list of whatever becomes a value.
pub(crate) fn list(items: impl IntoIterator<Item = JsValue>) -> JsValue {
    items.into_iter().collect::<Array>().into()
}

/// A text field of an object; absent and other types read as empty text, which the core refuses.
pub(crate) fn text(object: &JsValue, name: &str) -> String {
    Reflect::get(object, &name.into()).ok().and_then(|value| value.as_string()).unwrap_or_default()
}

/// A whole number of an object; absent and other types read as 0, and fractions are cut.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub(crate) fn number(object: &JsValue, name: &str) -> u64 {
    Reflect::get(object, &name.into()).ok().and_then(|value| value.as_f64()).map_or(0, |value| value as u64)
}

/// All fields of an object inside an object, as texts.
pub(crate) fn texts(object: &JsValue, name: &str) -> Vec<(String, String)> {
    let inner = Reflect::get(object, &name.into()).unwrap_or_default();
    let names = Reflect::own_keys(&inner).unwrap_or_default();
    names.iter().filter_map(|name| name.as_string()).map(|name| (name.clone(), text(&inner, &name))).collect()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One figure of a result, as a `Figure`.
pub(crate) fn figure(figure: &Figure) -> JsValue {
    Fields::new()
        .set("name", figure.name)
        .set("label", figure.label.as_str())
        .set("value", figure.value.as_str())
        .set("unit", figure.unit.as_str())
        .set("rounded", figure.rounded)
        .done()
}

/// What a call throws.
pub(crate) fn error(fault: &Fault) -> JsValue {
    let field = fault.field().map_or(JsValue::NULL, |field| js_field(field).into());
    Fields::new().set("code", fault.code().as_str()).set("field", field).set("message", fault.message()).done()
}

/// Names of fields as the page writes them.
fn js_field(field: &'static str) -> &'static str {
    match field {
        "deadline" => "deadlineSeconds",
        "group_min" => "groupMin",
        other => other,
    }
}
