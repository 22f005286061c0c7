//! Canonical JSON (RFC 8785): no white space, keys in the order of their UTF-16 code units. Numbers
//! are whole: amounts are cents, and there are no floats.

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::{Error, Value};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of bytes in lower-case hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The canonical bytes of a value.
///
/// # Errors
/// If the value cannot be written as JSON or contains a number that is not whole.
pub fn to_vec(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    write(&serde_json::to_value(value)?, &mut bytes)?;
    Ok(bytes)
}

fn write(value: &Value, out: &mut Vec<u8>) -> Result<(), Error> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => serde_json::to_writer(out, value),
        Value::Number(number) if number.is_f64() => {
            Err(Error::custom(format!("{number} is not a whole number")))
        }
        Value::Number(number) => serde_json::to_writer(out, number),
        Value::Array(items) => {
            out.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                write(item, out)?;
            }
            out.push(b']');
            Ok(())
        }
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
            out.push(b'{');
            for (place, (key, item)) in fields.into_iter().enumerate() {
                if place > 0 {
                    out.push(b',');
                }
                serde_json::to_writer(&mut *out, key)?;
                out.push(b':');
                write(item, out)?;
            }
            out.push(b'}');
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::to_vec;

    fn canonical(value: serde_json::Value) -> String {
        String::from_utf8(to_vec(&value).unwrap()).unwrap()
    }

    #[test]
    fn keys_are_sorted_by_their_utf_16_code_units_and_nothing_is_spaced() {
        // The keys of the example of RFC 8785, section 3.2.3.
        let value = json!({
            "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew", "1": "One",
            "\u{1f600}": "Emoji", "\u{80}": "Control", "\u{f6}": "Latin Small Letter O",
        });
        let text = canonical(value);
        let order = [
            "\"\\r\"",
            "\"1\"",
            "\u{80}",
            "\u{f6}",
            "\u{20ac}",
            "\u{1f600}",
            "\u{fb33}",
        ];
        let places: Vec<_> = order.iter().map(|key| text.find(key).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
        let nested = json!({ "b": [1, { "d": null, "c": true }], "a": -5 });
        assert_eq!(canonical(nested), r#"{"a":-5,"b":[1,{"c":true,"d":null}]}"#);
    }

    #[test]
    fn only_what_json_requires_is_escaped() {
        let text = canonical(json!("\u{8}\u{9}\u{a}\u{c}\u{d}\u{1f}\"\\/é\u{7f}"));
        assert_eq!(text, "\"\\b\\t\\n\\f\\r\\u001f\\\"\\\\/é\u{7f}\"");
    }

    #[test]
    fn a_number_that_is_not_whole_is_refused() {
        assert!(to_vec(&json!({ "cents": 12.5 })).is_err());
    }
}
