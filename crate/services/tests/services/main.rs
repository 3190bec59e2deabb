//! The services' tests in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod conformance;
mod corrupt;
mod draw;
mod resilient;
mod transcript;

#[test]
fn every_folder_has_a_readme() {
    for service in undertone_services::SERVICES {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(service.manifest().name);
        assert!(folder.join("README.md").is_file(), "{}", service.manifest().name);
    }
}
