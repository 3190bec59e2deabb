//! A cheap model of group and signatures, for simulations of many thousand rooms.
//!
//! Inside of [`within`], on this thread, elements are integers modulo the group's order (what is
//! multiplied, added, encoded and proven stays what it is), and a signature is a hash that anybody
//! could compute. It protects nothing: it exists so that a simulator can look at many more orders of
//! events than elliptic curves allow. Only `undertone-sim`
//! asks for the feature, so no module of the page holds it; the program `undertone` does, for
//! `undertone simulate`, and nothing else in it calls [`within`].
//!
//! # Example
//! ```
//! use undertone_prim::{AgreementKey, model};
//! let key = || *AgreementKey::from_seed(&undertone_machine::Secret::new([1; 32])).public().encoded();
//! assert_ne!(model::within(key), key());
//! ```

use crate::dlog::SumRange;
use crate::{SIGNATURE_BYTES, Transcript};
use curve25519_dalek::scalar::Scalar;
use std::cell::Cell;

thread_local! {
    static ACTIVE: Cell<bool> = const { Cell::new(false) };
}

/// Runs with the model in place of group and signatures.
pub fn within<T>(body: impl FnOnce() -> T) -> T {
    let _back = Back(ACTIVE.replace(true));
    body()
}

/// Whether this thread is inside of [`within`].
pub(crate) fn is_active() -> bool {
    ACTIVE.get()
}

/// What stands for a signature: a hash over key and message.
pub(crate) fn signature(public: &[u8; 32], message: &[u8]) -> [u8; SIGNATURE_BYTES] {
    Transcript::new("model-signature/v1").field(public).field(message).wide()
}

/// The number that a scalar stands for, if it is in the range.
pub(crate) fn small(a: &Scalar, range: SumRange) -> Option<i64> {
    let low = Scalar::from(range.low().unsigned_abs());
    let above = if range.low() < 0 { a + low } else { a - low };
    let (number, rest) = above.as_bytes().split_first_chunk::<8>()?;
    let number = u64::from_le_bytes(*number);
    let within = rest.iter().all(|byte| *byte == 0) && number <= range.width();
    within.then(|| range.low().wrapping_add_unsigned(number))
}

/// Sets back what was, also when the body panics.
struct Back(bool);

impl Drop for Back {
    fn drop(&mut self) {
        ACTIVE.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgreementKey, SeatKey, verify};
    use undertone_machine::Secret;

    #[test]
    fn ends_with_its_body_even_if_that_panics() {
        let panicked = std::panic::catch_unwind(|| within(|| panic!("on purpose")));
        assert!(panicked.is_err() && !is_active());
        within(|| within(|| assert!(is_active())));
    }

    #[test]
    fn agreement_proofs_and_signatures_work_in_it() {
        within(|| {
            let key = |byte| AgreementKey::from_seed(&Secret::new([byte; 32]));
            let (a, b) = (key(1), key(2));
            assert_eq!(a.shared(b.public(), &[0; 32]).expose(), b.shared(a.public(), &[0; 32]).expose());
            let proof = a.prove(&[3; 32]);
            assert!(proof.holds(a.public(), &[3; 32]) && !proof.holds(b.public(), &[3; 32]));
            let signer = SeatKey::from_seed(&Secret::new([7; 32]));
            let signature = signer.sign(b"message");
            assert!(verify(&signer.public(), b"message", &signature));
            assert!(!verify(&signer.public(), b"massage", &signature));
            assert!(!verify(&[1; 32], b"message", &signature));
        });
    }

    #[test]
    fn nothing_of_it_passes_outside() {
        let signer = within(|| SeatKey::from_seed(&Secret::new([7; 32])));
        let signature = within(|| signer.sign(b"message"));
        assert!(!verify(&signer.public(), b"message", &signature));
    }
}
