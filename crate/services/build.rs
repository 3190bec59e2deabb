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
    let mut names = stems(&source)?;
    names.retain(|name| source.join(name).join("service.rs").is_file());
    fs::write(Path::new(&out).join("registry.rs"), registry(&source, &names))?;
    fs::write(Path::new(&out).join("vectors.rs"), files(&source, &names, "vectors")?)?;
    fs::write(Path::new(&out).join("known.rs"), files(&source, &names, "known")?)
}

/// Names of what is in a folder, without extensions, in order.
fn stems(folder: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_dir(folder)?.filter_map(Result::ok);
    let mut stems: Vec<_> = entries.filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    stems.sort();
    Ok(stems)
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

/// What all services have in a folder of that name, as (service, name, text). A new service has no
/// known answers yet.
fn files(source: &Path, names: &[String], folder: &str) -> io::Result<String> {
    let mut text = String::from("&[\n");
    for name in names {
        let folder = source.join(name).join(folder);
        if !folder.is_dir() {
            continue;
        }
        for stem in stems(&folder)? {
            let path = folder.join(&stem).with_extension("json");
            let _ = writeln!(text, "({name:?}, {stem:?}, include_str!({path:?})),");
        }
    }
    text.push(']');
    Ok(text)
}
