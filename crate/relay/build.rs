//! A release carries the web app inside; so it is built again when the web app is.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    if is_release && Path::new("../../www/dist").exists() {
        println!("cargo::rerun-if-changed=../../www/dist");
    }
}
