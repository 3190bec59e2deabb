//! `undertone vectors`.

use crate::args::Vectors;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use undertone_machine::{Fault, FaultCode};
use undertone_services::find;
use undertone_services::vectors::Vector;

/// Writes known answers as files, or compares them with those that are there.
///
/// # Errors
/// [`FaultCode::UnknownService`]; [`FaultCode::StoreFailed`] for a folder that cannot be written;
/// [`FaultCode::Internal`] naming the files that are stale, or a vector that contradicts itself.
pub(crate) fn vectors(args: &Vectors) -> Result<(), Fault> {
    let only = args.service.as_deref().map(find).transpose()?.map(|service| service.manifest().name);
    let mut all = Vector::all()?;
    all.retain(|vector| only.is_none_or(|only| only == vector.service));
    let count = all.len();
    if args.check {
        let stale = stale(&all, &args.out)?;
        if !stale.is_empty() {
            return Err(Fault::new(FaultCode::Internal).saying(format!("Not as they should be: {}.", stale.join(", "))));
        }
        println!("{count} vectors are as they should be.");
    } else {
        all.iter().try_for_each(|vector| write(vector, &args.out))?;
        println!("{count} vectors written.");
    }
    Ok(())
}

fn folder(out: &Path, service: &str) -> PathBuf {
    out.join(service).join("known")
}

fn file(out: &Path, vector: &Vector) -> PathBuf {
    folder(out, vector.service).join(vector.name).with_extension("json")
}

fn write(vector: &Vector, out: &Path) -> Result<(), Fault> {
    let path = file(out, vector);
    let unwritable =
        |_| Fault::new(FaultCode::StoreFailed).in_field("out").saying(format!("{} cannot be written.", path.display()));
    fs::create_dir_all(folder(out, vector.service)).map_err(unwritable)?;
    fs::write(&path, format!("{:#}\n", vector.known()?)).map_err(unwritable)
}

/// Files that are absent or say something else, and files that no vector explains.
fn stale(all: &[Vector], out: &Path) -> Result<Vec<String>, Fault> {
    let mut stale = Vec::new();
    let mut expected = BTreeSet::new();
    for vector in all {
        let path = file(out, vector);
        let there = fs::read_to_string(&path).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
        if there != Some(vector.known()?) {
            stale.push(path.display().to_string());
        }
        expected.insert(path);
    }
    let folders: BTreeSet<_> = all.iter().map(|vector| folder(out, vector.service)).collect();
    let there = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().filter_map(Result::ok);
    let odd = there.map(|entry| entry.path()).filter(|path| !expected.contains(path));
    stale.extend(odd.map(|path| path.display().to_string()));
    Ok(stale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_as_it_should_be_until_it_changes() {
        let folder = tempfile::tempdir().unwrap();
        let args = |service: Option<&str>, check| Vectors {
            service: service.map(str::to_owned),
            check,
            out: folder.path().to_owned(),
        };
        assert!(vectors(&args(Some("sum"), true)).is_err());
        vectors(&args(Some("sum"), false)).unwrap();
        vectors(&args(Some("sum"), true)).unwrap();
        assert!(vectors(&args(None, true)).is_err(), "other services are not there");
        let negative = folder.path().join("sum/known/negative.json");
        let text = fs::read_to_string(&negative).unwrap();
        fs::write(&negative, text.replacen("\"bytes\": \"", "\"bytes\": \"00", 1)).unwrap();
        let fault = vectors(&args(Some("sum"), true)).unwrap_err();
        assert_eq!(fault.message(), format!("Not as they should be: {}.", negative.display()));
        fs::write(&negative, text).unwrap();
        fs::write(negative.with_file_name("odd.json"), "{}").unwrap();
        assert!(vectors(&args(Some("sum"), true)).unwrap_err().message().contains("odd.json"));
    }

    #[test]
    fn only_services_that_there_are() {
        let args = Vectors { service: Some("nothing".into()), check: false, out: PathBuf::new() };
        assert_eq!(vectors(&args).unwrap_err().code(), FaultCode::UnknownService);
    }
}
