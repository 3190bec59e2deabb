//! Where inputs, keys, masks and seeds live.

use core::fmt;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroize;

/// A value that is wiped when dropped and never printed.
///
/// Boxed, so that moving it leaves no copy on the stack. It is neither `Copy`, `Clone` nor
/// serialisable: whoever needs the bytes elsewhere calls [`Secret::expose`] and says so.
pub struct Secret<T: Zeroize>(Box<T>);

impl<T: Zeroize> Secret<T> {
    /// Takes ownership of a secret.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(Box::new(value))
    }

    /// Lends the value to the code that computes with it.
    #[must_use]
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// Lends the value for filling in place.
    pub fn expose_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Zeroize> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

impl<T: Zeroize + AsRef<[u8]>> ConstantTimeEq for Secret<T> {
    fn ct_eq(&self, other: &Self) -> Choice {
        (*self.0).as_ref().ct_eq((*other.0).as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    static WIPED: AtomicBool = AtomicBool::new(false);

    struct Canary;
    impl Zeroize for Canary {
        fn zeroize(&mut self) {
            WIPED.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn is_wiped_on_drop() {
        drop(Secret::new(Canary));
        assert!(WIPED.load(Ordering::SeqCst));
    }

    #[test]
    fn debug_shows_nothing() {
        assert_eq!(format!("{:?}", Secret::new([7_u8; 32])), "Secret");
    }

    #[test]
    fn compares_in_constant_time() {
        let a = Secret::new([1_u8; 32]);
        assert!(bool::from(a.ct_eq(&Secret::new([1_u8; 32]))));
        assert!(!bool::from(a.ct_eq(&Secret::new([2_u8; 32]))));
    }
}
