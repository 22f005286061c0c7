//! Asks git for the commit that is built (`guardpost --version`), and has the linker pack the
//! relocations of an optimized program where the loader reads them: 0.1 MB in place of 1.3. glibc
//! does since 2.36, musl since 1.2.4, which is older than Rust's.

use std::env;
use std::process::Command;

/// The first glibc that reads packed relocations.
const GLIBC: (u32, u32) = (2, 36);

#[expect(
    clippy::disallowed_methods,
    reason = "cargo names the profile and the target in the environment"
)]
fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=GUARDPOST_COMMIT");
    // A build for development is not made anew for each commit.
    if env::var("PROFILE").is_ok_and(|found| found == "release")
        && let Some(folder) = git(&["rev-parse", "--absolute-git-dir"])
    {
        println!("cargo::rerun-if-changed={folder}/logs/HEAD");
    }
    // Where there is no repository, as in an image, the environment says which commit it is.
    let given = env::var("GUARDPOST_COMMIT")
        .ok()
        .filter(|given| !given.is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"]));
    let date = git(&["show", "--no-patch", "--format=%cs", "HEAD"]);
    for (name, found) in [("COMMIT", commit), ("DATE", date)] {
        let found = found.unwrap_or_else(|| "unknown".to_owned());
        println!("cargo::rustc-env=GUARDPOST_{name}={found}");
    }
    let is = |name, value| env::var(name).is_ok_and(|found| found == value);
    let reads_packed =
        is("CARGO_CFG_TARGET_ENV", "musl") || glibc().is_some_and(|found| found >= GLIBC);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") && reads_packed {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// What git prints; `None` without git or outside of a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// The version of this machine's glibc, from the first line of `ldd --version`, as in
/// `ldd (Debian GLIBC 2.36-9+deb12u13) 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("ldd").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.lines().next()?.rsplit(' ').next()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
