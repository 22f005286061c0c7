//! Makes an empty bundle folder where the frontend has not been built, and asks cargo to look again when the bundle changes:
//! `include_dir!` does neither.

use std::{fs, io};

fn main() -> io::Result<()> {
    fs::create_dir_all("frontend/dist")?;
    println!("cargo::rerun-if-changed=frontend/dist");
    println!("cargo::rerun-if-changed=seeds");
    Ok(())
}
