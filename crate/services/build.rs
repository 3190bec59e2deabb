//! Finds the services: every folder under `src/` that holds a `service.rs` is one.
//!
//! Adding a service is adding its folder; nothing else has to be edited. A service is compiled into builds
//! with the feature of the module that its manifest names; elsewhere it is known by its manifest only.

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
    fs::write(Path::new(&out).join("registry.rs"), registry(&source, &names)?)?;
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

fn registry(source: &Path, names: &[String]) -> io::Result<String> {
    let (mut text, mut list) = (String::new(), String::new());
    for name in names {
        let module = name.replace('-', "_");
        let path = source.join(name).join("service.rs");
        let built_into = module_of(&fs::read_to_string(&path)?)?;
        let without = format!("not(feature = {built_into:?})");
        let reason = "other builds know it by its manifest only";
        let _ = writeln!(text, "#[cfg_attr({without}, allow(dead_code, reason = {reason:?}))]");
        let _ = writeln!(list, "    #[cfg(feature = {built_into:?})]\n    &{module}::SERVICE,");
        let _ = writeln!(list, "    #[cfg({without})]\n    &service::Elsewhere(&{module}::MANIFEST.elsewhere()),");
        let _ = writeln!(text, "#[path = {path:?}]\nmod {module};");
    }
    let _ = writeln!(text, "/// All services, by name.\npub static SERVICES: &[&dyn Service] = &[\n{list}];");
    Ok(text)
}

/// The module that a service's manifest names.
fn module_of(service: &str) -> io::Result<String> {
    let named = service.split("module: \"").nth(1).and_then(|rest| rest.split('"').next());
    named.map(str::to_owned).ok_or_else(|| io::Error::other("a service's manifest names no module"))
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
