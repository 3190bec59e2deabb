//! Runs a body for a fuzzer, which learns of a property that does not hold by a panic.

/// Gives bytes to the body of that name.
///
/// # Panics
/// If there is none, or if a property of it does not hold for these bytes.
pub fn run(name: &str, data: &[u8]) {
    let body = undertone_fuzz::BODIES.iter().find(|body| body.name == name).expect("a body of that name");
    if let Err(broken) = (body.run)(data) {
        panic!("{name}: {broken}");
    }
}
