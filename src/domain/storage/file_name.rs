//! The `Content-Disposition` of a download (RFC 6266).

use super::names::percent_decode;

/// Maximum length of a file name, in characters.
const MAX_CHARACTERS: usize = 150;

/// The header for a file called `name`: shown in the page, or saved.
pub fn content_disposition(inline: bool, name: &str) -> String {
    let name: String = name.chars().map(safe).take(MAX_CHARACTERS).collect();
    let ascii: String = name
        .chars()
        .map(|c| if c.is_ascii() { c } else { '_' })
        .collect();
    let kind = if inline { "inline" } else { "attachment" };
    format!(
        "{kind}; filename=\"{ascii}\"; filename*=UTF-8''{}",
        escape(&name)
    )
}

/// The name in a `download` parameter, already decoded once. The public client escapes the name of
/// a signed URL twice.
pub fn requested_name(decoded: &str) -> String {
    match percent_decode(decoded) {
        Some(again) if decoded.contains('%') => again,
        _ => decoded.to_owned(),
    }
}

/// Control characters, quotes, slashes and characters that reverse the direction of text become
/// `_`.
fn safe(c: char) -> char {
    match c {
        '"' | '/' | '\\' => '_',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '_',
        c if c.is_control() => '_',
        c => c,
    }
}

/// Percent-encodes all but the `attr-char` of RFC 5987.
fn escape(text: &str) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{content_disposition, requested_name};

    #[test]
    fn a_name_is_written_for_old_and_new_browsers() {
        for (name, header) in [
            (
                "plan.pdf",
                "attachment; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf",
            ),
            (
                "Grundriß 1.pdf",
                "attachment; filename=\"Grundri_ 1.pdf\"; filename*=UTF-8''Grundri%C3%9F%201.pdf",
            ),
            (
                "a\"b\\c/d\r\ne\u{202e}f",
                "attachment; filename=\"a_b_c_d__e_f\"; filename*=UTF-8''a_b_c_d__e_f",
            ),
        ] {
            assert_eq!(content_disposition(false, name), header);
        }
        let long = content_disposition(true, &"é".repeat(400));
        assert_eq!(long.matches("%C3%A9").count(), 150);
        assert!(long.starts_with("inline; "));
    }

    #[test]
    fn a_name_escaped_twice_is_decoded_again() {
        for (decoded, name) in [
            ("%C3%BC.pdf", "ü.pdf"),
            ("ü.pdf", "ü.pdf"),
            ("100%.pdf", "100%.pdf"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(requested_name(decoded), name);
        }
    }
}
