//! Domain types and rules, a folder for each noun. No SQL, no HTTP, no async code; only `clock`,
//! `ids` and `rate_limit` (a monotonic clock) call the operating system.

pub mod account;
pub mod clock;
pub mod content;
pub mod delivery;
pub mod email;
pub mod figures;
pub mod form;
pub mod ids;
pub mod live;
pub mod offer;
pub mod on_call;
pub mod outage;
pub mod phone;
pub mod promises;
pub mod rate_limit;
pub mod request;
pub mod sealing;
pub mod sender;
pub mod spam;
pub mod storage;
pub mod text;
mod text_enum;
pub mod us_state;
pub mod webhook;

/// Which build of the program runs: its version, the commit and the day of the commit.
pub mod program {
    use std::sync::OnceLock;

    static BUILD: OnceLock<Build> = OnceLock::new();

    /// A build of the program.
    #[derive(Clone, Copy, Debug)]
    pub struct Build {
        /// As in `0.1.0`.
        pub version: &'static str,
        /// The commit, abbreviated; `unknown` outside of its repository.
        pub commit: &'static str,
        /// The day of the commit, as in `2026-11-28`.
        pub date: &'static str,
        /// All of it: `0.1.0 (1a2b3c4d5e6f, 2026-11-28)`.
        pub text: &'static str,
    }

    /// The build that `set` has named; without it, only the version is known.
    pub fn build() -> Build {
        *BUILD.get_or_init(|| Build {
            version: env!("CARGO_PKG_VERSION"),
            commit: "unknown",
            date: "unknown",
            text: env!("CARGO_PKG_VERSION"),
        })
    }

    /// Names the build, once, at the start of the program: only the program itself is compiled anew
    /// for each commit.
    pub fn set(build: Build) {
        let _ = BUILD.set(build);
    }
}
