//! Hashes and derived keys, each bound to what it is for.

use hkdf::HkdfExtract;
use sha2::{Digest, Sha512};
use undertone_machine::Secret;

/// The first 32 bytes of SHA-512.
pub type Hash = [u8; 32];

/// A hash over labelled fields.
///
/// Every field is prefixed by its length, so `("ab", "c")` and `("a", "bc")` differ, and every
/// transcript starts with its domain, so a hash made for one purpose never serves another.
///
/// # Example
/// ```
/// use undertone_prim::Transcript;
/// let one = Transcript::new("example/v1").field(b"ab").field(b"c").hash();
/// let other = Transcript::new("example/v1").field(b"a").field(b"bc").hash();
/// assert_ne!(one, other);
/// ```
#[derive(Clone)]
pub struct Transcript {
    state: Sha512,
}

impl Transcript {
    /// Starts a transcript for one purpose, such as `room/roster/v1`.
    #[must_use]
    pub fn new(domain: &str) -> Self {
        Self { state: Sha512::new() }.field(b"undertone").field(domain.as_bytes())
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, bytes: &[u8]) -> Self {
        self.state.update((bytes.len() as u64).to_be_bytes());
        self.state.update(bytes);
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn number(self, number: u64) -> Self {
        self.field(&number.to_be_bytes())
    }

    /// The hash over all fields.
    #[must_use]
    pub fn hash(self) -> Hash {
        let mut hash = [0; 32];
        hash.iter_mut().zip(self.state.finalize()).for_each(|(to, from)| *to = from);
        hash
    }

    /// All 64 bytes, for scalars that must be uniform.
    #[must_use]
    pub fn wide(self) -> [u8; 64] {
        self.state.finalize().into()
    }
}

/// Derives a key from a secret for one purpose and context.
///
/// HKDF-SHA-512 (RFC 5869) with the domain as salt and the hash of the context fields as info.
///
/// # Security
/// Keys for different domains or contexts are independent as long as `secret` has full entropy.
#[must_use]
pub fn derive(secret: &[u8], domain: &str, context: &[&[u8]]) -> Secret<[u8; 32]> {
    Derivation::new(domain, context).key(secret)
}

/// [`derive`] for one purpose and context, from many secrets.
///
/// What depends on no secret is hashed once: the context, and the domain as HKDF's salt.
///
/// # Cost
/// 6 blocks of SHA-512 for each key instead of 9.
#[derive(Clone)]
pub(crate) struct Derivation {
    extract: HkdfExtract<Sha512>,
    info: Hash,
}

impl Derivation {
    /// For a purpose and the fields of a context.
    pub(crate) fn new(domain: &str, context: &[&[u8]]) -> Self {
        let info = context.iter().fold(Transcript::new(domain), |transcript, field| transcript.field(field)).hash();
        Self { extract: HkdfExtract::new(Some(domain.as_bytes())), info }
    }

    /// The key of a secret.
    pub(crate) fn key(&self, secret: &[u8]) -> Secret<[u8; 32]> {
        let mut key = Secret::new([0; 32]);
        let mut extract = self.extract.clone();
        extract.input_ikm(secret);
        // 32 bytes are far below HKDF's limit of 255 blocks, so this cannot fail.
        let _ = extract.finalize().1.expand(&self.info, key.expose_mut());
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_domains_separate() {
        let hash = |domain, fields: &[&[u8]]| fields.iter().fold(Transcript::new(domain), |t, f| t.field(f)).hash();
        assert_ne!(hash("a/v1", &[b"ab", b"c"]), hash("a/v1", &[b"a", b"bc"]));
        assert_ne!(hash("a/v1", &[b""]), hash("a/v1", &[]));
        assert_ne!(hash("a/v1", &[]), hash("b/v1", &[]));
    }

    #[test]
    fn derived_keys_depend_on_everything() {
        let key = |secret: &[u8], domain, context: &[u8]| *derive(secret, domain, &[context]).expose();
        let base = key(b"s", "a/v1", b"x");
        assert_ne!(base, [0; 32]);
        assert_ne!(base, key(b"t", "a/v1", b"x"));
        assert_ne!(base, key(b"s", "b/v1", b"x"));
        assert_ne!(base, key(b"s", "a/v1", b"y"));
    }
}
