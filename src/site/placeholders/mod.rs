//! Replaces `{{company.KEY}}` placeholders by company facts, escaped for their context.
//! `docs/architecture.md` ("Facts") lists the keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::photos::{Photo, Photos};
use config::{Company, is_loopback};
use domain::clock::Time;
use domain::clock::local_time::minutes_in_words;
use domain::promises::promises;

/// The syntax surrounding a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeContext {
    /// Plain text: not escaped.
    Text,
    /// HTML text or a quoted attribute; percent-encoded inside a `mailto:` URL.
    Html,
    /// Inside a JSON string.
    Json,
}

/// The values of the placeholders by key.
#[derive(Debug)]
pub struct Placeholders {
    values: BTreeMap<String, String>,
    photos: Photos,
    json: String,
}

const OPEN: &str = "{{company.";
const CLOSE: &str = "}}";

fn json_object(entries: &BTreeMap<String, String>) -> Map<String, Value> {
    let entries = entries.iter();
    let entries = entries.map(|(key, value)| (key.clone(), Value::from(value.as_str())));
    entries.collect()
}

impl Placeholders {
    /// The facts of `company` for the site at `base_url`. `call_minutes` is the response time for
    /// calls, `now` gives the copyright year, `photos` replace scenes, `sso` is whether single
    /// sign-on is configured for any domain.
    pub fn new(
        company: &Company,
        call_minutes: u32,
        base_url: &str,
        now: Time,
        photos: Photos,
        sso: bool,
    ) -> Self {
        let today = company.today(now);
        let plain = [
            ("name", company.name.clone()),
            ("legal_name", company.legal_name.clone()),
            ("phone", company.phone.clone()),
            ("phone_href", company.phone_href()),
            ("email", company.email.clone()),
            ("media_email", company.press_email().to_owned()),
            ("street", company.street.clone()),
            ("city", company.city.clone()),
            ("region", company.region.clone()),
            ("postal_code", company.postal_code.clone()),
            ("address", company.address()),
            ("hours", company.hours.clone()),
            ("call_soon", call_soon(call_minutes)),
            ("base_url", base_url.to_owned()),
            ("year", today.year().to_string()),
        ];
        let plain = plain.map(|(key, value)| (key.to_owned(), value));
        let promises = promises().iter();
        let promises = promises.map(|(key, words)| (format!("promise_{key}"), words.clone()));
        let mut values: BTreeMap<String, String> = plain.into_iter().chain(promises).collect();
        let mut json = json_object(&values);
        let mut licensed = false;
        for (group, facts) in license_facts(company, today) {
            // The scripts expect this group even without licenses.
            if group == "licenses" || !facts.is_empty() {
                json.insert(group.into(), json_object(&facts).into());
            }
            licensed |= group == "licenses" && !facts.is_empty();
            let named = facts.into_iter();
            values.extend(named.map(|(state, fact)| (format!("{group}.{state}"), fact)));
        }
        if !photos.is_empty() {
            let address = |(scene, photo): (&String, &Photo)| (scene.clone(), photo.address());
            let addresses: BTreeMap<_, _> = photos.iter().map(address).collect();
            json.insert("photos".into(), json_object(&addresses).into());
        }
        for (key, is_set) in [
            ("licensed", licensed),
            ("samples", is_local(base_url)),
            ("sso", sso),
        ] {
            if is_set {
                json.insert(key.into(), true.into());
                values.insert(key.into(), "true".to_owned());
            }
        }
        Self {
            values,
            photos,
            json: script_json(&Value::Object(json)),
        }
    }

    /// Marks the pages as different from those of the build: the browser's code then loads
    /// documents instead of rendering them (`navigation.ts`).
    #[must_use]
    pub fn with_edited_pages(mut self, edited: bool) -> Self {
        if edited {
            self.json.replace_range(..1, "{\"edited\":true,");
        }
        self
    }

    /// The value of `key`; empty if unset.
    pub fn get(&self, key: &str) -> &str {
        self.values.get(key).map_or("", String::as_str)
    }

    /// The photo that replaces a scene.
    pub fn photo(&self, scene: &str) -> Option<&Photo> {
        self.photos.get(scene)
    }

    pub fn has_photos(&self) -> bool {
        !self.photos.is_empty()
    }

    /// Replaces every `{{company.KEY}}` in `text`, and `{{company.json}}` by all values as JSON
    /// that is safe inside a script element.
    pub fn fill(&self, text: &str, context: EscapeContext) -> String {
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
                    match context {
                        EscapeContext::Text => filled.push_str(value),
                        EscapeContext::Html if in_mailto_url(&filled) => {
                            filled.push_str(&percent_encode(value));
                        }
                        EscapeContext::Html => filled.push_str(&escape_html(value)),
                        EscapeContext::Json => filled.push_str(&escape_json(value)),
                    }
                }
            }
            rest = &after[end + CLOSE.len()..];
        }
        filled.push_str(rest);
        filled
    }
}

/// The facts of the licenses by state: number, holder and last day of licenses that are valid on
/// the day `today`; under `expired`, the others.
fn license_facts(company: &Company, today: Date) -> [(&'static str, BTreeMap<String, String>); 4] {
    let mut facts = ["licenses", "license_holders", "license_expires", "expired"]
        .map(|group| (group, BTreeMap::new()));
    for (state, license) in &company.licenses {
        let holder = company.license_holder(license).to_owned();
        let known = if license.has_expired(today) {
            [String::new(), String::new(), String::new(), "true".into()]
        } else {
            let number = license.number.clone();
            [number, holder, license.expires_text(), String::new()]
        };
        for ((_, group), fact) in facts.iter_mut().zip(known) {
            if !fact.is_empty() {
                group.insert(state.clone(), fact);
            }
        }
    }
    facts
}

/// Whether the site can be reached only from its own host, where samples are shown: never in public
/// (16 CFR 465).
fn is_local(base_url: &str) -> bool {
    let url = reqwest::Url::parse(base_url);
    url.is_ok_and(|url| url.host_str().is_some_and(is_loopback))
}

/// The text for a visitor who asked for a call right away; the phone number follows.
fn call_soon(minutes: u32) -> String {
    let soon = minutes_in_words(minutes);
    format!("We will call you within {soon}. If you cannot wait, call us now:")
}

/// Escapes `text` for HTML text and quoted attributes.
pub fn escape_html(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// JSON that cannot close the script element it is in.
pub fn script_json(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn escape_json(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Whether the text ends inside an attribute that starts with `mailto:`.
fn in_mailto_url(text: &str) -> bool {
    text.rfind('"').is_some_and(|quote| {
        text[..quote].ends_with('=') && text[quote + 1..].starts_with("mailto:")
    })
}

/// Encodes everything except the unreserved characters of RFC 3986 and `@` (RFC 6068).
fn percent_encode(text: &str) -> String {
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
mod tests;
