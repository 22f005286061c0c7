//! Creates an empty `frontend/dist` if the frontend is not built (`include_dir!` fails without it),
//! lists the changes of the schema, and declares the dependencies of a build: a debug build reads the
//! frontend's files at run time.

use std::path::Path;
use std::{env, fs, io};

const SCHEMA: &str = "src/store/database/schema";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the profile and the folders in the environment"
)]
fn main() -> io::Result<()> {
    fs::create_dir_all("frontend/dist")?;
    println!("cargo::rerun-if-changed=seeds");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=frontend/dist");
    }
    println!("cargo::rerun-if-changed={SCHEMA}");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("schema_changes.rs"), schema_changes()?)
}

/// The contents of the numbered schema files as a Rust array, in the order of their names.
fn schema_changes() -> io::Result<String> {
    let folder = env::current_dir()?.join(SCHEMA);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(|c: char| c.is_ascii_digit()) && name.ends_with(".sql") {
            files.push(format!("    include_str!({file:?}),\n"));
        }
    }
    files.sort();
    Ok(format!("&[\n{}]", files.concat()))
}
