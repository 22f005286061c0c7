//! Makes an empty `frontend/dist` where the frontend has not been built (`include_dir!` fails
//! without it), lists the schema files, and tells cargo what a build depends on: a debug build
//! reads the frontend's files at run time. An optimized program for Linux has the functions of its
//! start side by side (packaging/startup-functions.sh).

use std::path::Path;
use std::{env, fs, io};

const SCHEMA: &str = "src/store/schema";
const STARTUP_FUNCTIONS: &str = "packaging/startup-functions.ld";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the profile and the folders in the environment"
)]
fn main() -> io::Result<()> {
    fs::create_dir_all("frontend/dist")?;
    println!("cargo::rerun-if-changed=seeds");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "release") {
        println!("cargo::rerun-if-changed=frontend/dist");
        println!("cargo::rerun-if-changed={STARTUP_FUNCTIONS}");
        if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
            let script = env::current_dir()?.join(STARTUP_FUNCTIONS);
            println!(
                "cargo::rustc-link-arg-bins=-Wl,--script={}",
                script.display()
            );
        }
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
