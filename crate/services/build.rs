//! Finds the services: every folder under `src/` that holds a `service.rs` is one.
//!
//! Adding a service is adding its folder; nothing else has to be edited.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let source = Path::new(&root).join("src");
    println!("cargo::rerun-if-changed={}", source.display());
    let mut names: Vec<String> = fs::read_dir(&source)?
        .filter_map(Result::ok)
        .filter(|folder| folder.path().join("service.rs").is_file())
        .filter_map(|folder| folder.file_name().into_string().ok())
        .collect();
    names.sort();
    fs::write(Path::new(&out).join("registry.rs"), registry(&source, &names))
}

fn registry(source: &Path, names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        let module = name.replace('-', "_");
        let path = source.join(name).join("service.rs");
        let _ = writeln!(text, "#[path = {path:?}]\nmod {module};");
    }
    let list: Vec<_> = names.iter().map(|name| format!("&{}::SERVICE", name.replace('-', "_"))).collect();
    let _ =
        writeln!(text, "/// All services, by name.\npub static SERVICES: &[&dyn Service] = &[{}];", list.join(", "));
    text
}
