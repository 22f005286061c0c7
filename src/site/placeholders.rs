//! The company's facts as values by key, and how they are put where a text says `{{company.KEY}}`: escaped for the place they stand in.
//! `docs/architecture.md` ("Facts") lists the keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use crate::config::Company;
use crate::domain::clock::Time;

/// Where a fact is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeContext {
    /// Plain text: as it is.
    Text,
    /// HTML, as text or in a quoted attribute; inside a `mailto:` address percent-encoded.
    Html,
    /// Inside a string of JSON.
    Json,
}

/// The facts by key.
#[derive(Debug)]
pub struct Placeholders {
    values: BTreeMap<String, String>,
    photos: BTreeMap<String, String>,
    json: String,
}

const OPEN: &str = "{{company.";
const CLOSE: &str = "}}";

impl Placeholders {
    /// The facts of `company` for the site at `base_url`, as of `now`; `photos` are paths by the scene they stand for, `sso` is whether some people
    /// sign in at their own company.
    pub fn new(
        company: &Company,
        base_url: &str,
        now: Time,
        photos: BTreeMap<String, String>,
        sso: bool,
    ) -> Self {
        let plain = [
            ("name", company.name.clone()),
            ("legal_name", company.legal_name.clone()),
            ("phone", company.phone.clone()),
            ("phone_href", company.phone_href()),
            ("email", company.email.clone()),
            ("media_email", company.press().to_owned()),
            ("street", company.street.clone()),
            ("city", company.city.clone()),
            ("region", company.region.clone()),
            ("postal_code", company.postal_code.clone()),
            ("address", company.address()),
            ("hours", company.hours.clone()),
            ("base_url", base_url.to_owned()),
            ("year", now.day()[..4].to_owned()),
        ];
        let text = |value: &String| Value::String(value.clone());
        let mut all: Map<String, Value> = plain
            .iter()
            .map(|(key, value)| ((*key).to_owned(), text(value)))
            .collect();
        let licenses = company.licenses.iter();
        all.insert(
            "licenses".into(),
            licenses
                .clone()
                .map(|(state, number)| (state.clone(), text(number)))
                .collect::<Map<_, _>>()
                .into(),
        );
        if !photos.is_empty() {
            let paths = photos
                .iter()
                .map(|(scene, path)| (scene.clone(), text(path)));
            all.insert("photos".into(), paths.collect::<Map<_, _>>().into());
        }
        if sso {
            all.insert("sso".into(), true.into());
        }
        let values = plain
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .chain(licenses.map(|(state, number)| (format!("licenses.{state}"), number.clone())))
            .collect();
        Self {
            values,
            photos,
            json: script_json(&Value::Object(all)),
        }
    }

    /// The fact under `key`; empty where the company has none.
    pub fn get(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    /// The path of the photo that stands for a scene.
    pub fn photo(&self, scene: &str) -> Option<&str> {
        self.photos.get(scene).map(String::as_str)
    }

    /// Whether the operator has put photos in place of scenes.
    pub fn has_photos(&self) -> bool {
        !self.photos.is_empty()
    }

    /// `text` with every `{{company.KEY}}` filled, and `{{company.json}}` by all of them as JSON that may stand in a script element.
    pub fn fill(&self, text: &str, place: EscapeContext) -> String {
        let mut filled = String::with_capacity(text.len() + text.len() / 16);
        let mut rest = text;
        while let Some(at) = rest.find(OPEN) {
            let (before, after) = rest.split_at(at);
            filled.push_str(before);
            let Some(end) = after.find(CLOSE) else {
                rest = after;
                break;
            };
            match &after[OPEN.len()..end] {
                "json" => filled.push_str(&self.json),
                key => {
                    let value = self.get(key);
                    match place {
                        EscapeContext::Text => filled.push_str(value),
                        EscapeContext::Html if in_mail_address(&filled) => {
                            filled.push_str(&percent_encoded(value));
                        }
                        EscapeContext::Html => filled.push_str(&escaped(value)),
                        EscapeContext::Json => filled.push_str(&json_inside(value)),
                    }
                }
            }
            rest = &after[end + CLOSE.len()..];
        }
        filled.push_str(rest);
        filled
    }
}

/// `text` for HTML, as text or in a quoted attribute.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// JSON that cannot end the script element it stands in.
pub fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn json_inside(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Whether the text ends inside an attribute that began with `mailto:`.
fn in_mail_address(text: &str) -> bool {
    text.rfind('"').is_some_and(|quote| {
        text[..quote].ends_with('=') && text[quote + 1..].starts_with("mailto:")
    })
}

/// Everything but RFC 3986's unreserved characters and the `@` of an address (RFC 6068).
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::{Company, EscapeContext, Placeholders, Time};

    fn facts() -> Placeholders {
        let company = Company {
            name: "O'Neil & \"Sons\" <b>".into(),
            licenses: [("TX".to_owned(), "B-1".to_owned())].into(),
            ..Company::default()
        };
        Placeholders::new(
            &company,
            "https://x.example",
            Time::from_millis(0),
            [].into(),
            false,
        )
    }

    #[test]
    fn a_fact_is_escaped_for_the_place_it_stands_in() {
        for (text, place, filled) in [
            (
                "{{company.name}}!",
                EscapeContext::Text,
                "O'Neil & \"Sons\" <b>!",
            ),
            (
                "<p title=\"{{company.name}}\">",
                EscapeContext::Html,
                "<p title=\"O&#39;Neil &amp; &quot;Sons&quot; &lt;b&gt;\">",
            ),
            (
                "{\"name\":\"{{company.name}}\"}",
                EscapeContext::Json,
                "{\"name\":\"O'Neil & \\\"Sons\\\" <b>\"}",
            ),
            (
                "<a href=\"mailto:{{company.email}}?subject=To%20{{company.name}}\">{{company.year}}</a>",
                EscapeContext::Html,
                "<a href=\"mailto:office@guardpost.example?subject=To%20O%27Neil%20%26%20%22Sons%22%20%3Cb%3E\">1970</a>",
            ),
            (
                "{{company.licenses.TX}}{{company.licenses.CA}}",
                EscapeContext::Html,
                "B-1",
            ),
            ("{{company.phone", EscapeContext::Html, "{{company.phone"),
        ] {
            assert_eq!(facts().fill(text, place), filled);
        }
    }

    #[test]
    fn the_json_block_cannot_end_its_script_element() {
        let block = facts().fill("{{company.json}}", EscapeContext::Html);
        assert!(!block.contains('<'));
        let read: serde_json::Value = serde_json::from_str(&block).unwrap();
        assert_eq!(read["name"], "O'Neil & \"Sons\" <b>");
        assert_eq!(read["licenses"]["TX"], "B-1");
    }
}
