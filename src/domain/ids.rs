//! New ids: UUIDv7 (RFC 9562), whose text sorts by time; and random secrets.

use uuid::{NoContext, Timestamp, Uuid};

use super::clock::Time;

/// A new id that sorts by `now`.
pub fn new(now: Time) -> Uuid {
    let millis = u64::try_from(now.millis()).unwrap_or(0);
    let at = Timestamp::from_unix(
        NoContext,
        millis / 1000,
        u32::try_from(millis % 1000).unwrap_or(0) * 1_000_000,
    );
    Uuid::new_v7(at)
}

/// `N` bytes from the operating system's random source.
///
/// # Panics
/// When the operating system has no randomness to give: nothing safe can be done without it.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[expect(
        clippy::disallowed_methods,
        clippy::expect_used,
        reason = "the one place that asks for randomness; without it nothing is safe"
    )]
    getrandom::fill(&mut bytes).expect("the operating system gives randomness");
    bytes
}
