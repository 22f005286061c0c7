//! The reference of a request: a short text such as `GP-2K7Q` that can be said on the phone.
//! Requests are counted from one; the reference is this number after a keyed permutation, so that
//! references are unique but do not reveal how many requests there are.

use sha2::{Digest, Sha256};

/// Characters that are not mistaken for each other, and no vowels, which could make words.
const ALPHABET: &[u8; 28] = b"23456789BCDFGHJKLMNPQRSTVWXZ";
const PREFIX: &str = "GP-";
/// Characters after the prefix in the first 614,656 references; later ones have one more.
const MIN_LEN: u32 = 4;
/// Characters after the prefix of the longest reference.
const MAX_LEN: u32 = 8;
/// Rounds of the permutation: with three, each output digit depends on each input digit.
const ROUNDS: u8 = 3;

/// The reference of the request with this number, the first being 1. `key` selects the permutation.
pub fn encode(number: u64, key: &[u8]) -> String {
    let (mut index, mut len) = (number.saturating_sub(1), MIN_LEN);
    while len < MAX_LEN && index >= base_power(len) {
        index -= base_power(len);
        len += 1;
    }
    let permuted = permute(index % base_power(len), len, key);
    let digit = |place| ALPHABET[(permuted / base_power(place) % BASE) as usize];
    let digits = (0..len).rev().map(|place| char::from(digit(place)));
    PREFIX.chars().chain(digits).collect()
}

/// The reference in `text`, as it is stored: typed in any case, with or without the prefix.
pub fn parse(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let digits = text.strip_prefix(PREFIX).unwrap_or(&text);
    let has_length = (MIN_LEN as usize..=MAX_LEN as usize).contains(&digits.len());
    let is_valid = has_length && digits.bytes().all(|byte| ALPHABET.contains(&byte));
    is_valid.then(|| format!("{PREFIX}{digits}"))
}

const BASE: u64 = ALPHABET.len() as u64;

const fn base_power(exponent: u32) -> u64 {
    BASE.pow(exponent)
}

/// A permutation of the numbers below `BASE` to the power of `len`: an unbalanced Feistel network
/// over the two halves of the digits, with additions instead of exclusive ors.
fn permute(index: u64, len: u32, key: &[u8]) -> u64 {
    let (high_size, low_size) = (base_power(len / 2), base_power(len - len / 2));
    let (mut high, mut low) = (index / low_size, index % low_size);
    for round in 0..ROUNDS {
        high = (high + hash(key, len, 2 * round, low) % high_size) % high_size;
        low = (low + hash(key, len, 2 * round + 1, high) % low_size) % low_size;
    }
    high * low_size + low
}

fn hash(key: &[u8], len: u32, round: u8, half: u64) -> u64 {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update(len.to_be_bytes());
    hash.update([round]);
    hash.update(half.to_be_bytes());
    let bytes = hash.finalize();
    bytes
        .iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{BASE, encode, parse, permute};

    #[test]
    fn every_number_has_a_reference_of_its_own() {
        // Halves of equal and of different size.
        for len in [2, 3] {
            let all = BASE.pow(len);
            let permuted: HashSet<_> = (0..all).map(|n| permute(n, len, b"key")).collect();
            assert_eq!(permuted.len() as u64, all);
            assert!(permuted.iter().all(|index| *index < all));
        }
        let last = BASE.pow(4);
        for (numbers, length) in [(last - 30_000..last + 1, 7), (last + 1..last + 30_000, 8)] {
            let count = numbers.clone().count();
            let references: HashSet<_> = numbers.map(|n| encode(n, b"key")).collect();
            assert_eq!(references.len(), count);
            assert!(references.iter().all(|reference| reference.len() == length));
        }
    }

    #[test]
    fn consecutive_references_do_not_tell_how_many_lie_between() {
        let value = |number| permute(number, 4, b"key") as i64;
        let steps: HashSet<_> = (0..1000).map(|n| value(n + 1) - value(n)).collect();
        assert!(steps.len() > 990, "{} different steps", steps.len());
        assert_ne!(encode(1, b"key"), encode(1, b"another key"));
    }

    #[test]
    fn the_reference_of_a_number_is_the_same_in_every_version() {
        assert_eq!(encode(1, b"key"), "GP-8CBX");
        assert_eq!(encode(1_000_000, b"key"), "GP-RRC86");
    }

    #[test]
    fn a_reference_is_read_as_people_type_it() {
        for (text, read) in [
            ("GP-2K7Q", Some("GP-2K7Q")),
            ("gp-2k7q", Some("GP-2K7Q")),
            (" 2k7q ", Some("GP-2K7Q")),
            ("2K7QZ", Some("GP-2K7QZ")),
            ("2K7", None),
            ("2K7O", None),
            ("HOUSTON", None),
            ("2K7Q2K7QX", None),
            ("", None),
        ] {
            assert_eq!(parse(text).as_deref(), read, "{text:?}");
        }
        let reference = encode(42, b"key");
        assert_eq!(parse(&reference.to_lowercase()), Some(reference));
    }
}
