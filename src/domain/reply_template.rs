//! Templates of replies to visitors, from `seeds/emails/replies.json`, filled with facts of the
//! request. The dispatcher reads and edits the text before it is sent.

use serde::Deserialize;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyTemplate {
    /// Identifies it.
    pub key: String,
    /// Its name in a menu.
    pub title: String,
    /// The subject; `{{fact}}` is replaced.
    pub subject: String,
    /// The text; `{{fact}}` is replaced.
    pub text: String,
}

/// The facts that a template may name.
pub const FACTS: [&str; 7] = [
    "first_name",
    "reference",
    "service",
    "answer_by",
    "status_page",
    "company_name",
    "company_phone",
];

impl ReplyTemplate {
    /// The templates of the seeds. Fails if the seed is not valid.
    pub fn bundled() -> serde_json::Result<Vec<Self>> {
        serde_json::from_str(include_str!("../../seeds/emails/replies.json"))
    }

    /// The template with its facts, in the order of `FACTS`. A fact that contains `{{` is not
    /// filled in again.
    pub fn filled(&self, facts: &[String; FACTS.len()]) -> Self {
        Self {
            subject: fill(&self.subject, facts),
            text: fill(&self.text, facts),
            ..self.clone()
        }
    }
}

/// The first `{{fact}}` that was not filled in.
pub fn unfilled(text: &str) -> Option<&str> {
    let start = text.find("{{")?;
    let end = start + text[start..].find("}}")? + 2;
    Some(&text[start..end])
}

fn fill(text: &str, facts: &[String; FACTS.len()]) -> String {
    let mut filled = String::with_capacity(text.len() + 100);
    let mut rest = text;
    while let Some(found) = unfilled(rest) {
        let at = rest.find(found).unwrap_or(0);
        let name = &found[2..found.len() - 2];
        let fact = FACTS.iter().position(|fact| *fact == name);
        filled.push_str(&rest[..at]);
        filled.push_str(fact.map_or(found, |fact| &facts[fact]));
        rest = &rest[at + found.len()..];
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::{FACTS, ReplyTemplate, unfilled};

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
            let filled = template.filled(&facts);
            assert!(filled.text.contains("<first_name {{reference}}>"));
            let text = filled.subject + &filled.text;
            assert_eq!(unfilled(&text.replace("{{reference}}>", "")), None);
        }
    }

    #[test]
    fn a_fact_that_is_not_known_is_named() {
        assert_eq!(
            unfilled("Hello {{nick name}}, {{reference}}"),
            Some("{{nick name}}")
        );
        assert_eq!(unfilled("Hello {{ and }"), None);
    }
}
