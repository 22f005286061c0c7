//! Names of buckets, and keys: the paths of objects within a bucket.

/// Maximum length of a key, in bytes.
const MAX_KEY_BYTES: usize = 1024;
/// Maximum length of a bucket's name, in bytes.
const MAX_BUCKET_BYTES: usize = 100;
/// Maximum length of the name of a visitor's file, in bytes.
const MAX_VISITOR_NAME_BYTES: usize = 100;
/// Words of the routes, which are reserved.
const ROUTE_WORDS: [&str; 8] = [
    "authenticated",
    "copy",
    "info",
    "list",
    "list-v2",
    "move",
    "sign",
    "upload",
];

/// Whether `name` may name a bucket.
pub fn is_bucket_name(name: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=MAX_BUCKET_BYTES).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(|byte| part(byte) || byte == b'.')
        && !ROUTE_WORDS.contains(&name)
}

/// Whether `key` may name an object.
pub fn is_key(key: &str) -> bool {
    (1..=MAX_KEY_BYTES).contains(&key.len())
        && key.bytes().all(is_key_byte)
        && key
            .split('/')
            .all(|segment| !matches!(segment, "" | "." | ".."))
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_/!.*'() &$=@;:+,-".contains(&byte)
}

/// The quote and the file name of a key in the bucket of quotes, `<quote id>/<name>`.
pub fn split_quote_key(key: &str) -> Option<(&str, &str)> {
    key.split_once('/').filter(|(_, name)| !name.contains('/'))
}

/// Whether a visitor may give a file this name.
pub fn is_visitor_name(name: &str) -> bool {
    name.len() <= MAX_VISITOR_NAME_BYTES && is_key(name)
}

pub fn first_segment(key: &str) -> &str {
    key.split('/').next().unwrap_or_default()
}

/// Decodes the percent escapes of a path once. `None` for an incomplete escape or invalid UTF-8.
pub fn percent_decode(text: &str) -> Option<String> {
    let (mut bytes, mut out) = (text.bytes(), Vec::with_capacity(text.len()));
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        out.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(out).ok()
}

/// A key for a file with the display name `name`: characters that no key may have become `-`.
pub fn key_for(name: &str) -> String {
    let clean = |c: char| match u8::try_from(c) {
        Ok(byte) if is_key_byte(byte) && byte != b'/' => c,
        _ => '-',
    };
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let key: String = base.chars().map(clean).collect();
    let key = key.trim_matches([' ', '-']);
    let from = key.len().saturating_sub(MAX_VISITOR_NAME_BYTES - 10);
    match &key[from..] {
        "" | "." | ".." => "file".to_owned(),
        key => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_named_by_letters_digits_and_three_signs() {
        for name in ["a", "public", "Team_7", "-x", "a.b", &"x".repeat(100)] {
            assert!(is_bucket_name(name), "{name}");
        }
        let long = "x".repeat(101);
        for name in [
            "", ".a", "a b", "a/b", "é", "sign", "upload", "list-v2", &long,
        ] {
            assert!(!is_bucket_name(name), "{name}");
        }
    }

    #[test]
    fn keys_have_no_empty_and_no_dot_segments() {
        let longest = "k".repeat(1024);
        for key in ["a", "a/b.png", "A!-_.*'() &$=@;:+,", "a/.b", &longest] {
            assert!(is_key(key), "{key}");
        }
        let long = "k".repeat(1025);
        for key in [
            "", "/a", "a/", "a//b", "a/./b", "../a", "a?b", "a#b", "a%b", "ü", "a\\b", "a\0", &long,
        ] {
            assert!(!is_key(key), "{key:?}");
        }
    }

    #[test]
    fn any_file_name_becomes_a_key() {
        for (name, key) in [
            ("plan.pdf", "plan.pdf"),
            ("C:\\scans\\Grundriß Süd.pdf", "Grundri- S-d.pdf"),
            ("../../etc/passwd", "passwd"),
            ("..", "file"),
            ("", "file"),
            ("平面図", "file"),
        ] {
            assert_eq!(key_for(name), key);
            assert!(is_visitor_name(key));
        }
        assert!(is_visitor_name(&key_for(&"x".repeat(300))));
    }
}
