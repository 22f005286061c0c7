//! Templates of replies to visitors, from `seeds/emails/replies.json`, filled with facts of the
//! request. The dispatcher reads and edits the text before it is sent.

use std::sync::LazyLock;

use poem_openapi::Object;
use regex::{Captures, Regex};
use serde::Deserialize;

use crate::account::profile::Profile;

/// A template of a reply.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Object)]
#[serde(deny_unknown_fields)]
pub struct ReplyTemplate {
    /// Identifies it; the id of one that an admin has written.
    pub key: String,
    /// Its name in a menu.
    pub title: String,
    pub subject: String,
    pub text: String,
    /// Whether all admins see it.
    #[serde(skip, default = "is_shipped")]
    pub shared: bool,
    /// Whether you may change and delete it.
    #[serde(skip)]
    pub editable: bool,
}

/// A template to store.
#[derive(Clone, Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
pub struct NewTemplate {
    /// 1 to 80 characters; no two of yours are the same.
    pub title: String,
    /// At most 200 characters; may be empty.
    #[serde(default)]
    #[oai(default)]
    pub subject: String,
    /// 1 to 10,000 characters. A fact's name in double braces is replaced by the fact.
    pub text: String,
    /// Whether all admins see it.
    #[serde(default)]
    #[oai(default)]
    pub shared: bool,
    /// The id or reference of the request for which the text was written: what belongs to it, such
    /// as the customer's name, becomes the name of a fact in double braces again.
    pub request: Option<String>,
}

/// All admins see the templates of the seeds.
const fn is_shipped() -> bool {
    true
}

/// The facts that a template may name.
pub const FACTS: [&str; 8] = [
    "first_name",
    "reference",
    "service",
    "answer_by",
    "status_page",
    "company_name",
    "company_phone",
    "sender",
];

/// The facts that belong to one request, in the order in which `unfill` looks for them: one may
/// contain a later one.
const OF_REQUEST: [&str; 5] = [
    "status_page",
    "answer_by",
    "service",
    "reference",
    "first_name",
];

impl ReplyTemplate {
    /// The templates of the seeds. Fails if the seed is not valid.
    pub fn bundled() -> serde_json::Result<Vec<Self>> {
        serde_json::from_str(include_str!("../../../seeds/emails/replies.json"))
    }

    /// With these facts in subject and text.
    pub fn filled(self, facts: &[String; FACTS.len()]) -> Self {
        Self {
            subject: fill(&self.subject, facts),
            text: fill(&self.text, facts).trim().to_owned(),
            ..self
        }
    }
}

/// Who writes a reply, as its end says it: nothing if a signature follows.
pub fn sender(writer: &Profile, company: &str) -> String {
    match (&writer.signature, &writer.name) {
        (Some(_), _) => String::new(),
        (None, Some(name)) => format!("{name}\n{company}"),
        (None, None) => company.to_owned(),
    }
}

/// The name of a fact, or of none, in double braces.
static BRACED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?s)\{\{(.*?)\}\}").ok());

/// The first `{{fact}}` that was not filled in.
pub fn unfilled(text: &str) -> Option<&str> {
    Some(BRACED.as_ref()?.find(text)?.as_str())
}

/// The first `{{fact}}` that no request has.
pub fn unknown_fact(text: &str) -> Option<&str> {
    let mut found = BRACED.as_ref()?.captures_iter(text);
    let unknown = found.find(|found| !FACTS.contains(&&found[1]))?;
    Some(unknown.get(0)?.as_str())
}

/// A text with `{{fact}}` in place of the facts of a request that it contains as whole words.
pub fn unfill(text: &str, facts: &[String; FACTS.len()]) -> String {
    let mut text = text.to_owned();
    for name in OF_REQUEST {
        let fact = FACTS.iter().position(|fact| *fact == name);
        let Some(value) = fact.map(|at| facts[at].as_str()) else {
            continue;
        };
        if value.chars().count() > 1 {
            text = replace_words(&text, value, &format!("{{{{{name}}}}}"));
        }
    }
    text
}

fn replace_words(text: &str, words: &str, by: &str) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, _) in text.match_indices(words) {
        let end = at + words.len();
        let before = text[..at].chars().next_back();
        let after = text[end..].chars().next();
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        if !joins(before) && !joins(after) {
            replaced.push_str(&text[copied..at]);
            replaced.push_str(by);
            copied = end;
        }
    }
    replaced.push_str(&text[copied..]);
    replaced
}

/// The text with its facts, in the order of `FACTS`. A fact that contains `{{` is not filled in
/// again.
pub fn fill(text: &str, facts: &[String; FACTS.len()]) -> String {
    let Some(braced) = &*BRACED else {
        return text.to_owned();
    };
    let fact = |found: &Captures<'_>| {
        let at = FACTS.iter().position(|fact| *fact == &found[1]);
        at.map_or(&found[0], |at| facts[at].as_str()).to_owned()
    };
    braced.replace_all(text, fact).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{FACTS, Profile, ReplyTemplate, fill, sender, unfill, unfilled};

    #[test]
    fn every_fact_of_every_template_is_filled_in_once() {
        let templates = ReplyTemplate::bundled().unwrap();
        let keys: Vec<_> = templates.iter().map(|template| &template.key).collect();
        assert_eq!(
            keys,
            ["received", "need_details", "price_follows", "cannot_serve"]
        );
        let facts = FACTS.map(|name| format!("<{name} {{{{reference}}}}>"));
        for template in &templates {
            let text = fill(&template.text, &facts);
            assert!(text.contains("<first_name {{reference}}>"));
            assert!(text.ends_with("<sender {{reference}}>"));
            let text = fill(&template.subject, &facts) + &text;
            assert_eq!(unfilled(&text.replace("{{reference}}>", "")), None);
        }
    }

    #[test]
    fn the_end_of_a_reply_names_its_writer_unless_a_signature_does() {
        let profile = |name: Option<&str>, signature: Option<&str>| Profile {
            name: name.map(str::to_owned),
            signature: signature.map(str::to_owned),
        };
        assert_eq!(sender(&profile(None, None), "Guards"), "Guards");
        assert_eq!(sender(&profile(Some("Ann"), None), "Guards"), "Ann\nGuards");
        assert_eq!(sender(&profile(Some("Ann"), Some("A.")), "Guards"), "");
    }

    #[test]
    fn what_belongs_to_one_request_becomes_a_fact_again() {
        let mut facts = FACTS.map(|_| String::new());
        facts[0] = "Ann".to_owned();
        facts[1] = "GP-2K7Q".to_owned();
        facts[4] = "https://guard.example/r/GP-2K7Q".to_owned();
        assert_eq!(
            unfill(
                "Ann, Annie: GP-2K7Q, https://guard.example/r/GP-2K7Q",
                &facts
            ),
            "{{first_name}}, Annie: {{reference}}, {{status_page}}"
        );
    }
}
