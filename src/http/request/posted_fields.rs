//! The fields of a form post, in any of the three encodings of HTML forms. Only the URL-encoded
//! form is accepted; the others, and bodies that are cut off, are read to return the visitor's
//! text.

use std::collections::BTreeMap;

use poem::http::HeaderMap;

use super::body::has_media_type;
use domain::form::Form;

/// The media type of accepted posts.
pub const URLENCODED: &str = "application/x-www-form-urlencoded";

/// The button of a rejected form that sends it with one field corrected: its value is the field.
pub const FIX: &str = "fix";

/// Submitted values by field name.
pub type Fields = BTreeMap<String, String>;

/// Corrects the field whose button was pressed; what does not fit into it goes to the message.
pub fn apply_fix(form: &Form, fields: &mut Fields) {
    let Some(name) = fields.remove(FIX) else {
        return;
    };
    let raw = fields.get(&name).map_or("", String::as_str);
    let Some(fix) = form.fix(&name, raw) else {
        return;
    };
    fields.insert(name, fix.value);
    if let Some((line, message)) = fix.moved.zip(form.message_field()) {
        let text = fields.entry(message.name.clone()).or_default();
        let whole = format!("{}\n{line}", text.trim_end());
        whole.trim_start().clone_into(text);
    }
}

/// The values of the form's own fields, and of the button that corrects one; others are ignored.
pub fn parse(form: &Form, headers: &HeaderMap, body: &[u8]) -> Fields {
    let pairs = if has_media_type("multipart/form-data", headers) {
        multipart(&String::from_utf8_lossy(body))
    } else if has_media_type("text/plain", headers) {
        plain_text(&String::from_utf8_lossy(body))
    } else {
        // Never fails: broken escapes and invalid UTF-8 are replaced.
        serde_urlencoded::from_bytes(body).unwrap_or_default()
    };
    pairs
        .into_iter()
        .filter(|(name, _)| is_known(form, name))
        .collect()
}

/// Whether a form may have a field with this name.
pub fn is_known(form: &Form, name: &str) -> bool {
    name == FIX || form.fields().iter().any(|field| field.name == name)
}

/// The parts of a `multipart/form-data` body (RFC 7578); its first line is the delimiter.
fn multipart(body: &str) -> Vec<(String, String)> {
    let delimiter = body.lines().next().unwrap_or_default();
    if delimiter.len() < 3 {
        return Vec::new();
    }
    let parts = body.split(delimiter).filter_map(|part| {
        let (head, value) = part.split_once("\r\n\r\n")?;
        let name = head.split_once("name=\"")?.1.split('"').next()?;
        let value = value.strip_suffix("\r\n").unwrap_or(value);
        Some((name.to_owned(), value.to_owned()))
    });
    parts.collect()
}

/// The lines of a `text/plain` body; a line without a name continues the last value.
fn plain_text(body: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for line in body.lines() {
        match (line.split_once('='), pairs.last_mut()) {
            (Some((name, value)), _) if name.bytes().all(|b| b.is_ascii_alphabetic()) => {
                pairs.push((name.to_owned(), value.to_owned()));
            }
            (_, Some((_, last))) => {
                last.push('\n');
                last.push_str(line);
            }
            _ => {}
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use poem::http::{HeaderValue, header};

    use super::*;
    use domain::form::Forms;

    fn parsed(media_type: &'static str, body: &[u8]) -> Vec<(String, String)> {
        let forms = Forms::bundled().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        parse(&forms.contact, &headers, body).into_iter().collect()
    }

    #[test]
    fn every_encoding_gives_the_same_fields() {
        let expected = [
            ("details".to_owned(), "one = 1\ntwo".to_owned()),
            ("firstName".to_owned(), "Zoë".to_owned()),
        ];
        let urlencoded = "firstName=Zo%C3%AB&details=one+%3D+1%0Atwo&unknown=x";
        assert_eq!(parsed(URLENCODED, urlencoded.as_bytes()), expected);
        let multipart = "--b\r\nContent-Disposition: form-data; name=\"firstName\"\r\n\r\nZoë\r\n\
            --b\r\nContent-Disposition: form-data; name=\"details\"\r\n\r\none = 1\ntwo\r\n\
            --b--\r\n";
        let media_type = "multipart/form-data; boundary=b";
        assert_eq!(parsed(media_type, multipart.as_bytes()), expected);
        let plain = "firstName=Zoë\r\ndetails=one = 1\r\ntwo\r\n";
        assert_eq!(parsed("text/plain", plain.as_bytes()), expected);
    }

    #[test]
    fn a_body_that_is_cut_off_gives_what_it_has() {
        let cut = parsed(URLENCODED, b"firstName=Ana&details=two+guards+at+%C3");
        assert_eq!(cut[0].1, "two guards at \u{fffd}");
        assert_eq!(cut[1].1, "Ana");
        for media_type in [URLENCODED, "multipart/form-data; boundary=b", "text/plain"] {
            for body in ["", "-", "--\r\n\r\n", "=&=;%", "\0\u{1}"] {
                assert_eq!(parsed(media_type, body.as_bytes()), []);
            }
        }
    }
}
