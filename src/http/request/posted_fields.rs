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
