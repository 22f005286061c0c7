//! The encoded words of header fields (RFC 2047, RFC 2231), in every character set that bodies may
//! have.

use std::sync::LazyLock;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use regex::Regex;

use super::charset;

/// Base64 as mail programs write it: with or without padding.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,20})?\?([BbQq])\?([^?]*)\?=").ok()
});

/// The text of a field. What cannot be decoded stays as it is.
pub(super) fn decoded(field: &str) -> String {
    let Some(pattern) = WORD.as_ref() else {
        return field.to_owned();
    };
    let mut text = String::new();
    // Neighbors of one character set are decoded together: a character may be split.
    let (mut label, mut bytes) = (String::new(), Vec::new());
    let mut end = 0;
    for word in pattern.captures_iter(field) {
        let (Some(whole), Some(value)) = (word.get(0), word_bytes(&word)) else {
            continue;
        };
        let between = &field[end..whole.start()];
        let is_next = end > 0 && between.trim().is_empty();
        let is_same = is_next && label.eq_ignore_ascii_case(&word[1]);
        if !is_same {
            text.push_str(&charset::decoded(&bytes, &label));
            bytes.clear();
            label = word[1].to_owned();
        }
        if !is_next {
            text.push_str(between);
        }
        bytes.extend(value);
        end = whole.end();
    }
    text.push_str(&charset::decoded(&bytes, &label));
    text.push_str(&field[end..]);
    text
}

fn word_bytes(word: &regex::Captures<'_>) -> Option<Vec<u8>> {
    match &word[2] {
        "B" | "b" => {
            let packed: String = word[3].split_whitespace().collect();
            BASE64.decode(packed).ok()
        }
        _ => Some(quoted(&word[3])),
    }
}

/// The bytes of a word in `Q`.
fn quoted(word: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let hex = after.get(..2).filter(|_| *byte == b'=');
        match hex.and_then(|hex| hex::decode(hex).ok()) {
            Some(decoded) => {
                bytes.extend(decoded);
                rest = &after[2..];
            }
            None if *byte == b'_' => bytes.push(b' '),
            None => bytes.push(*byte),
        }
    }
    bytes
}
