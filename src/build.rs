//! Creates an empty `frontend/dist` if the frontend is not built (`include_dir!` fails without it),
//! lists the schema files, and declares the dependencies of a build: a debug build reads the
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
    fs::write(Path::new(&out).join("schema.rs"), schema_files()?)
}

/// The contents of the schema files as a Rust array, in the order of their names.
fn schema_files() -> io::Result<String> {
    let folder = env::current_dir()?.join(SCHEMA);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "sql") {
            files.push(format!("    include_str!({file:?}),\n"));
        }
    }
    files.sort();
    Ok(format!("&[\n{}]", files.concat()))
}
