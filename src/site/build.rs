//! Copies what a release embeds of `frontend/dist` to the folder of generated files: of files that
//! the frontend build has compressed, the compressed copies only. Declares the dependencies of a
//! build: a debug build reads the frontend's files at run time.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const DIST: &str = "../../frontend/dist";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the profile and the folder of generated files in the environment"
)]
fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=../../seeds");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DIST}");
        let out = env::var("OUT_DIR").map_err(io::Error::other)?;
        let embedded = Path::new(&out).join("dist");
        if embedded.exists() {
            fs::remove_dir_all(&embedded)?;
        }
        // Without the frontend the folder is empty, and the server says that it is not built.
        fs::create_dir_all(&embedded)?;
        if Path::new(DIST).exists() {
            copy(Path::new(DIST), &embedded)?;
        }
    }
    Ok(())
}

/// Copies a folder without the files that have a compressed copy.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&path, &target)?;
        } else if !compressed_copy(&path).exists() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

fn compressed_copy(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".br");
    name.into()
}
