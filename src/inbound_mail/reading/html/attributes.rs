//! What the attributes of an element say of a body, as mail programs write them.

use html5gum::StartTag;

/// Before a quote: Gmail, Thunderbird.
const ATTRIBUTIONS: [&str; 2] = ["gmail_attr", "moz-cite-prefix"];
/// Before the history, as siblings of it: Outlook on the web and for phones.
const HISTORIES: [&str; 3] = [
    "appendonsend",
    "divrplyfwdmsg",
    "mail-editor-reference-message-container",
];
/// Around a quote that is no `blockquote`: Yahoo, Zoho.
const QUOTES: [&str; 2] = ["yahoo_quoted", "zmail_extra"];
/// On a `blockquote` that a program has made: Gmail, Proton Mail, Apple Mail, Outlook for Mac.
const CITES: [&str; 4] = ["gmail_quote", "protonmail_quote", "cite", "yahoo_quoted"];
/// The `-- ` above a signature of Gmail.
const SIGNATURE_MARK: &str = "gmail_signature_prefix";

/// The attributes of an element.
pub(super) struct Attributes<'a>(pub &'a StartTag<()>);

impl Attributes<'_> {
    /// The value of an attribute; empty if there is none.
    pub(super) fn text(&self, name: &str) -> String {
        let value = self.0.attributes.get(name.as_bytes());
        let value = value.map(|value| String::from_utf8_lossy(value).trim().to_owned());
        value.unwrap_or_default()
    }

    pub(super) fn is_attribution(&self) -> bool {
        self.has_name(&ATTRIBUTIONS)
    }

    pub(super) fn begins_history(&self) -> bool {
        self.has_name(&HISTORIES)
    }

    pub(super) fn is_quote(&self) -> bool {
        self.0.name.as_slice() != b"blockquote" && self.has_name(&QUOTES)
    }

    pub(super) fn is_signature_mark(&self) -> bool {
        self.has_name(&[SIGNATURE_MARK])
    }

    /// Whether a `blockquote` quotes another email.
    pub(super) fn is_cite(&self) -> bool {
        self.text("type").eq_ignore_ascii_case("cite")
            || !self.text("cite").is_empty()
            || self.has_name(&CITES)
    }

    /// Whether the style strikes the words out.
    pub(super) fn is_struck(&self) -> bool {
        let style = self.text("style").to_ascii_lowercase();
        style.contains("text-decoration") && style.contains("line-through")
    }

    /// Whether the id or a class is one of these; Outlook writes `x_` before those of others.
    fn has_name(&self, names: &[&str]) -> bool {
        let words = format!("{} {}", self.text("id"), self.text("class")).to_ascii_lowercase();
        words.split_ascii_whitespace().any(|word| {
            let word = word.trim_start_matches("x_");
            // Yahoo numbers its ids.
            names
                .iter()
                .any(|name| word == *name || is_numbered(word, name))
        })
    }
}

fn is_numbered(word: &str, name: &str) -> bool {
    let rest = word
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('_'));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}
