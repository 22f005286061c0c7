//! Has the linker pack the relocations of an optimized program where the loader reads them: 0.1 MB
//! in place of 1.3. glibc does since 2.36, musl since 1.2.4, which is older than Rust's.

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
    let is = |name, value| env::var(name).is_ok_and(|found| found == value);
    let reads_packed =
        is("CARGO_CFG_TARGET_ENV", "musl") || glibc().is_some_and(|found| found >= GLIBC);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") && reads_packed {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's glibc, from the first line of `ldd --version`, as in
/// `ldd (Debian GLIBC 2.36-9+deb12u13) 2.36`.
fn glibc() -> Option<(u32, u32)> {
    let output = Command::new("ldd").arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.lines().next()?.rsplit(' ').next()?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
