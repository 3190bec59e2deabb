//! Exact numbers.
//!
//! What people type are decimals with a declared unit, number of decimals and range
//! ([`Quantity`]); what is added are integers in a ring that the plan chose wide enough
//! ([`Ring`]), so a sum can neither round nor overflow. Finding a sum in the exponent of a group takes
//! a field that is fast on public data ([`field25519`]); hiding what is added takes long key streams
//! ([`simd`]), or a field that is larger than every sum ([`Field127`]).
//! Where one integer a person is added, several small counters share it ([`Packing`]).

mod decimal;
pub mod edwards25519;
mod field127;
pub mod field25519;
mod packing;
mod quantity;
mod ring;
pub mod simd;

pub use decimal::{DECIMALS_MAX, Decimal, DecimalError};
pub use field127::Field127;
pub use packing::Packing;
pub use quantity::{MAGNITUDE_MAX, Quantity, QuantityError, ROWS_MAX, UNIT_CHARS_MAX, is_label};
pub use ring::{Ring, Word};
