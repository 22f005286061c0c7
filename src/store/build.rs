//! Lists the changes of the schema.

use std::path::Path;
use std::{env, fs, io};

const CHANGES: &str = "database/schema/changes";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the folder of generated files in the environment"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={CHANGES}");
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("schema_changes.rs"), schema_changes()?)
}

/// The contents of the numbered schema files as a Rust array, in the order of their names.
fn schema_changes() -> io::Result<String> {
    let entries = match fs::read_dir(env::current_dir()?.join(CHANGES)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok("&[]".to_owned()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.path();
        files.push(format!("    include_str!({file:?}),\n"));
    }
    files.sort();
    Ok(format!("&[\n{}]", files.concat()))
}
