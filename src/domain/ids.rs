//! Ids and randomness: UUIDv7 (RFC 9562), whose text sorts by time, `seq` numbers (positions in a
//! queue), and random bytes.

use uuid::{Builder, Uuid, Version};

use super::clock::Time;

/// A new UUIDv7 for the time `now`.
pub fn new(now: Time) -> Uuid {
    at(now.millis(), random_bytes())
}

fn at(millis: i64, rest: [u8; 10]) -> Uuid {
    Builder::from_unix_timestamp_millis(u64::try_from(millis).unwrap_or(0), &rest).into_uuid()
}

/// `seq` numbers per millisecond. More would lengthen the row ids in the search index.
pub const SEQS_PER_MILLI: i64 = 16;

/// The first `seq` of the millisecond `at`.
pub fn first_seq(at: Time) -> i64 {
    at.millis().saturating_mul(SEQS_PER_MILLI)
}

/// The time that a `seq` stands for.
pub const fn time_of_seq(seq: i64) -> Time {
    Time::from_millis(seq / SEQS_PER_MILLI)
}

/// A new id that encodes `seq`: its millisecond as the timestamp, and its number within that
/// millisecond in the four bits after the version (RFC 9562 section 6.2, method 1). The other bits
/// are random.
pub fn from_seq(seq: i64) -> Uuid {
    let mut rest = random_bytes();
    rest[0] = u8::try_from(seq.rem_euclid(SEQS_PER_MILLI)).unwrap_or(0);
    at(seq / SEQS_PER_MILLI, rest)
}

/// The `seq` that an id made by `from_seq` encodes. `None` for any other text.
pub fn seq_of_id(id: &str) -> Option<i64> {
    let id = Uuid::try_parse(id).ok()?;
    if id.get_version() != Some(Version::SortRand) {
        return None;
    }
    let bytes = id.as_bytes();
    let millis = bytes[..6]
        .iter()
        .fold(0, |millis, byte| millis << 8 | i64::from(*byte));
    Some(millis * SEQS_PER_MILLI + i64::from(bytes[6] & 0x0f))
}

/// `N` bytes from the operating system's random source.
///
/// # Panics
/// If the operating system provides no randomness: no secret could be generated safely.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    #[expect(
        clippy::disallowed_methods,
        clippy::expect_used,
        reason = "the only source of randomness; without it no secret is safe"
    )]
    getrandom::fill(&mut bytes).expect("the operating system provides randomness");
    bytes
}

#[cfg(test)]
mod tests {
    use super::{SEQS_PER_MILLI, from_seq, new, seq_of_id};
    use crate::clock::Time;

    #[test]
    fn an_id_encodes_its_seq_and_sorts_by_it() {
        let first = 1_795_230_245_067 * SEQS_PER_MILLI;
        let ids: Vec<_> = (first..first + 40)
            .map(|seq| from_seq(seq).to_string())
            .collect();
        assert!(ids.is_sorted());
        for (seq, id) in (first..).zip(&ids) {
            assert_eq!(seq_of_id(id), Some(seq), "{id}");
        }
        assert_eq!(
            &ids[0][..14],
            &new(Time::from_millis(first / SEQS_PER_MILLI)).to_string()[..14]
        );
        assert_ne!(from_seq(first), from_seq(first));
        for other in ["", "7", "3b241101-e2bb-4255-8caf-4136c566a962", "quote-1"] {
            assert_eq!(seq_of_id(other), None, "{other}");
        }
    }
}
