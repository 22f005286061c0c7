//! Creates an empty `frontend/dist` if the frontend is not built (`include_dir!` fails without it),
//! and declares the dependencies of a build: a debug build reads the frontend's files at run time.

use std::{env, fs, io};

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the profile in the environment"
)]
fn main() -> io::Result<()> {
    fs::create_dir_all("../../frontend/dist")?;
    println!("cargo::rerun-if-changed=../../seeds");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed=../../frontend/dist");
    }
    Ok(())
}
