//! The encoded words of header fields (RFC 2047, RFC 2231), in every character set that bodies may
//! have.

use std::sync::LazyLock;

use base64::Engine;
use regex::Regex;

use super::charset;
use super::parts::{BASE64, quoted_printable};

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
        _ => {
            // Escaped, since spaces at the end of a line are none.
            let escaped = word[3].replace('_', "=20");
            Some(quoted_printable(escaped.as_bytes()))
        }
    }
}
