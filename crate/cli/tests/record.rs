//! Records of real rooms, written and checked by real processes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[path = "common/running.rs"]
mod running;
#[path = "common/seats.rs"]
mod seats;

use seats::{json_lines, relay, undertone};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn verify(file: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_undertone"));
    command.arg("verify").arg(file).args(more).stdin(Stdio::null()).output().unwrap()
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A room of three that adds 1, 20 and 300; the host keeps the key, one guest leaves it out.
fn room(folder: &Path) {
    let (_relay, url) = relay();
    let question = ["--service", "sum", "--question", "How much?", "--param", "max=1000", "--param", "unit=EUR"];
    let seat = ["--json", "--people", "3", "--group-min", "3", "--input", "1"];
    let file = path(folder, "host.record");
    let host = [&["host", "--relay", &url, "--record", &file], &question[..], &seat[..]].concat();
    let mut host = undertone(&host);
    let mut said = json_lines(&mut host);
    let opened = said.find(|line| line["kind"] == "opened").unwrap();
    let invite = opened["invite"].as_str().unwrap();
    let small = ["--json", "--small-group"];
    let without = path(folder, "guest.record");
    let without = ["join", invite, "--input", "20", "--record", &without, "--record-without-key"];
    let mut guest = undertone(&[&without[..], &small[..]].concat());
    let _other = undertone(&[&["join", invite, "--input", "300"], &small[..]].concat());
    let written = said.find(|line| line["kind"] == "record").expect("the host wrote no record");
    assert_eq!(written["withKey"], true);
    let written = json_lines(&mut guest).find(|line| line["kind"] == "record").expect("the guest wrote no record");
    assert_eq!(written["withKey"], false);
    assert!(host.0.wait().unwrap().success() && guest.0.wait().unwrap().success());
}

#[test]
fn a_rooms_record_is_checked_offline_and_every_change_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    room(folder.path());
    let (host, guest) = (folder.path().join("host.record"), folder.path().join("guest.record"));
    #[cfg(unix)]
    for file in [&host, &guest] {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    let checked = verify(&host, &[]);
    let text = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(checked.status.code(), Some(0), "{text}");
    for expected in ["This record holds.", "sum: 321 EUR", "3 of 3 seats signed exactly this result.", "Not checked:"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }

    let json: Value = serde_json::from_slice(&verify(&guest, &["--json"]).stdout).unwrap();
    assert_eq!((&json["withKey"], &json["notChecked"][0]), (&Value::Bool(false), &Value::from("figures")));
    let question = &json["questions"][0];
    assert_eq!((&question["figures"], &question["confirmed"]), (&Value::Null, &Value::from(3)));
    assert_eq!((json["seats"].as_array().unwrap().len(), question["sent"].as_array().unwrap().len()), (3, 3));

    let whole = fs::read(&host).unwrap();
    let changed = folder.path().join("changed.record");
    for at in [0, 20, 60, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        fs::write(&changed, bytes).unwrap();
        let refused = verify(&changed, &["--json"]);
        assert_eq!(refused.status.code(), Some(1), "byte {at}");
        let json: Value = serde_json::from_slice(&refused.stdout).unwrap();
        assert_eq!(json["kind"], "fault", "byte {at}");
        assert!(String::from_utf8(refused.stderr).unwrap().contains(json["code"].as_str().unwrap()));
    }
}

#[test]
fn a_call_that_cannot_work_ends_with_two_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let missing = verify(&folder.path().join("none.record"), &[]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("cannot be read"));
    let taken = folder.path().join("taken.record");
    fs::write(&taken, "mine").unwrap();
    let host = Command::new(env!("CARGO_BIN_EXE_undertone")).args(["host", "--record"]).arg(&taken).output().unwrap();
    assert_eq!((host.status.code(), fs::read(&taken).unwrap()), (Some(2), b"mine".to_vec()));
    let no_record = Command::new(env!("CARGO_BIN_EXE_undertone")).args(["host", "--record-without-key"]).output();
    assert_eq!(no_record.unwrap().status.code(), Some(2));
    let nonsense = folder.path().join("nonsense.record");
    fs::write(&nonsense, "no record").unwrap();
    assert_eq!(verify(&nonsense, &[]).status.code(), Some(1));
}
