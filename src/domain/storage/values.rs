//! Values that clients send with buckets and files: sizes, lists of types, cache control, metadata.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::{Map, Value};

/// Maximum length of a file's metadata as JSON, in bytes.
const MAX_METADATA_BYTES: usize = 8 * 1024;

/// A size in bytes, as a number or with a decimal unit: `"10MB"`, `"1.5kb"`. `None` for anything
/// else.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: f64 = match text[digits.len()..].trim() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return None,
    };
    let digits = digits.trim();
    if !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let bytes = digits.parse::<f64>().ok()? * unit;
    // Far below 2^53: every limit is a whole number of bytes.
    (1.0..1e15).contains(&bytes).then(|| bytes.floor() as u64)
}

/// Whether `pattern` is `type/subtype` or `type/*`.
pub fn is_type_pattern(pattern: &str) -> bool {
    let is_token = |text: &str| {
        let is_char = |c: char| c.is_ascii_alphanumeric() || "!#$&^_.+-".contains(c);
        !text.is_empty() && text.chars().all(is_char)
    };
    pattern
        .split_once('/')
        .is_some_and(|(kind, sub)| is_token(kind) && (sub == "*" || is_token(sub)))
}

/// Whether a pattern that `is_type_pattern` accepts matches a media type.
pub fn type_matches(pattern: &str, media_type: &str) -> bool {
    let (pattern, found) = (
        pattern.to_ascii_lowercase(),
        super::content_type::essence(media_type),
    );
    match pattern.strip_suffix("/*") {
        Some(kind) => found.split('/').next() == Some(kind),
        None => found == pattern,
    }
}

/// The `Cache-Control` to store: seconds, bare or as `max-age=N`, or else `no-cache`.
pub fn cache_control(text: &str) -> String {
    let text = text.trim();
    let seconds = text.strip_prefix("max-age=").unwrap_or(text);
    match seconds.parse::<u32>() {
        Ok(seconds) if !text.starts_with('+') => format!("max-age={seconds}"),
        _ => "no-cache".to_owned(),
    }
}

/// A file's metadata is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetadataTooLong;

/// A file's metadata: a JSON object. Anything else is ignored. Fails if it is longer than 8 KiB.
pub fn parse_metadata(json: &[u8]) -> Result<Option<Map<String, Value>>, MetadataTooLong> {
    if json.len() > MAX_METADATA_BYTES {
        return Err(MetadataTooLong);
    }
    Ok(serde_json::from_slice(json).ok())
}

/// The metadata in a header: base64 of JSON. Fails if it is longer than 8 KiB.
pub fn decode_metadata(base64: &str) -> Result<Option<Map<String, Value>>, MetadataTooLong> {
    if base64.len() > MAX_METADATA_BYTES * 4 / 3 + 4 {
        return Err(MetadataTooLong);
    }
    decode_base64(base64).map_or(Ok(None), |json| parse_metadata(&json))
}

/// Decodes standard base64, with or without padding.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    STANDARD
        .decode(text)
        .or_else(|_| STANDARD_NO_PAD.decode(text))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_units() {
        for (text, bytes) in [
            ("10MB", Some(10_000_000)),
            ("1.5kb", Some(1_500)),
            ("7", Some(7)),
            ("2 GB", Some(2_000_000_000)),
            ("0", None),
            ("-1", None),
            ("1e3", None),
            ("MB", None),
            ("10 pounds", None),
            ("1.2.3mb", None),
        ] {
            assert_eq!(parse_size(text), bytes, "{text}");
        }
    }

    #[test]
    fn patterns_name_a_type_or_all_of_a_kind() {
        for good in ["image/png", "image/*", "image/svg+xml", "x-a/y.z"] {
            assert!(is_type_pattern(good), "{good}");
        }
        for bad in [
            "", "image", "image/", "/png", "*/*", "*", "a/b/c", "a/b;c", "a b/c",
        ] {
            assert!(!is_type_pattern(bad), "{bad}");
        }
        assert!(type_matches("image/*", "image/png"));
        assert!(type_matches("TEXT/plain", "text/plain;charset=UTF-8"));
        assert!(!type_matches("image/p*", "image/png") && !type_matches("text/*", "image/png"));
    }

    #[test]
    fn cache_control_is_seconds_or_no_cache() {
        for (text, stored) in [
            ("3600", "max-age=3600"),
            ("max-age=60", "max-age=60"),
            ("no-store", "no-cache"),
            ("max-age=60, immutable", "no-cache"),
            ("+5", "no-cache"),
            ("max-age=-1", "no-cache"),
            ("", "no-cache"),
        ] {
            assert_eq!(cache_control(text), stored, "{text}");
        }
    }

    #[test]
    fn metadata_is_an_object_of_at_most_8_kib() {
        let name = |map: Option<Map<String, Value>>| map.map(|map| map["name"].clone());
        assert_eq!(
            parse_metadata(b"{\"name\":\"a\"}").map(name),
            Ok(Some("a".into()))
        );
        for ignored in ["[]", "{", "7", "null", ""] {
            assert_eq!(parse_metadata(ignored.as_bytes()), Ok(None), "{ignored}");
        }
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(MAX_METADATA_BYTES));
        assert_eq!(parse_metadata(long.as_bytes()), Err(MetadataTooLong));
        assert_eq!(
            decode_metadata(&STANDARD.encode(&long)),
            Err(MetadataTooLong)
        );
        assert_eq!(
            decode_metadata("eyJuYW1lIjoiYSJ9").map(name),
            Ok(Some("a".into()))
        );
        assert_eq!(decode_metadata("%%%"), Ok(None));
    }
}
