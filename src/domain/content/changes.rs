//! What differs between two values of a section, in the words of its form: for the question before
//! a publication, and for the history.

use std::collections::HashSet;

use poem_openapi::Object;
use serde_json::Value;

use super::shape::{Field, Section, Shape};

/// The longest shown text of a change, in characters.
const MAX_TEXT: usize = 200;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Object)]
#[oai(rename = "SiteChange")]
pub struct Change {
    /// Where in the section, in the words of its form.
    pub place: String,
    /// The former text; null if something was added.
    pub before: Option<String>,
    /// The next text; null if something was removed. If both are null, entries were moved.
    pub after: Option<String>,
}

impl Change {
    fn new(place: &str, before: Option<String>, after: Option<String>) -> Self {
        let place = place.to_owned();
        Self {
            place,
            before,
            after,
        }
    }
}

/// Every difference between two values of `section`, in the order of its form.
pub fn changes(section: &Section, before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(&section.shape, before, after, "", &mut found);
    found
}

fn compare(shape: &Shape, before: &Value, after: &Value, place: &str, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    match shape {
        Shape::Object { fields } => {
            for field in fields {
                let label = match (&field.shape, field.label.as_str()) {
                    (Shape::Slug, _) => continue,
                    (Shape::Sample, _) => "Sample",
                    (_, label) => label,
                };
                let place = join(place, label);
                compare(
                    &field.shape,
                    &before[&field.key],
                    &after[&field.key],
                    &place,
                    found,
                );
            }
        }
        Shape::List { of, unique, .. } => {
            let key = unique.as_deref();
            entries(of, key, list(before), list(after), place, found);
        }
        _ => found.push(Change::new(place, shown(before), shown(after))),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Compares the entries of a list. Entries with the same key belong together; the others do in
/// their order, and what is left was added or removed.
fn entries(
    of: &Shape,
    key: Option<&str>,
    before: &[Value],
    after: &[Value],
    place: &str,
    found: &mut Vec<Change>,
) {
    let id = |value: &Value| key.map_or_else(|| title(of, value), |key| value[key].to_string());
    let mut former: Vec<Option<usize>> = vec![None; after.len()];
    let mut used = HashSet::new();
    for (nth, entry) in after.iter().enumerate() {
        let mut same = (0..before.len()).filter(|other| !used.contains(other));
        if let Some(other) = same.find(|other| id(&before[*other]) == id(entry)) {
            used.insert(other);
            former[nth] = Some(other);
        }
    }
    let in_order = former.iter().flatten().is_sorted();
    let mut left: Vec<usize> = (0..before.len()).filter(|it| !used.contains(it)).collect();
    for (nth, entry) in after.iter().enumerate() {
        let pair = match former[nth] {
            Some(other) => Some(other),
            None if left.is_empty() => None,
            None => Some(left.remove(0)),
        };
        let name = title(of, pair.map_or(entry, |other| &before[other]));
        let within = match of {
            Shape::Object { .. } => join(place, &name),
            _ => join(place, &(nth + 1).to_string()),
        };
        match pair {
            Some(other) => compare(of, &before[other], entry, &within, found),
            None => found.push(Change::new(place, None, Some(cut(&title(of, entry))))),
        }
    }
    for other in left {
        let removed = cut(&title(of, &before[other]));
        found.push(Change::new(place, Some(removed), None));
    }
    if !in_order {
        found.push(Change::new(place, None, None));
    }
}

/// What an entry is called, as in frontend/src/admin/site/shape.ts: its name, else its first words.
fn title(of: &Shape, value: &Value) -> String {
    let Shape::Object { fields } = of else {
        return shown(value).unwrap_or_default();
    };
    let words = |field: &&Field| matches!(field.shape, Shape::Text { .. } | Shape::Choice { .. });
    let named = fields.iter().filter(|field| field.is_name);
    let mut texts = named
        .chain(fields.iter().filter(words))
        .map(|field| &value[&field.key]);
    let text = texts.find_map(|text| text.as_str().filter(|text| !text.is_empty()));
    text.unwrap_or_default().to_owned()
}

/// A value as it is shown to people.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::String(text) => Some(cut(text)),
        Value::Array(list) => {
            let texts: Vec<String> = list.iter().filter_map(shown).collect();
            Some(cut(&texts.join(", ")))
        }
        other => Some(cut(&other.to_string())),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn join(place: &str, label: &str) -> String {
    match (place.is_empty(), label.is_empty()) {
        (true, _) => label.to_owned(),
        (_, true) => place.to_owned(),
        _ => format!("{place} / {label}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::ContentRules;

    fn lines(section: &str, before: &Value, after: &Value) -> Vec<String> {
        let rules = ContentRules::bundled().unwrap();
        let section = rules.section(section).unwrap();
        let line = |change: Change| {
            let text = |it: Option<String>| it.unwrap_or_else(|| "-".to_owned());
            format!(
                "{}: {} > {}",
                change.place,
                text(change.before),
                text(change.after)
            )
        };
        changes(section, before, after)
            .into_iter()
            .map(line)
            .collect()
    }

    fn faq(key: &str, question: &str, answer: &str) -> Value {
        json!({ "key": key, "question": question, "answer": answer })
    }

    #[test]
    fn a_change_is_named_by_its_entry_and_field() {
        let (a, b, c) = (
            faq("a", "Why?", "So."),
            faq("b", "When?", "Now."),
            faq("c", "Who?", "We."),
        );
        let before = json!([a, b]);
        for (after, expected) in [
            (json!([a, b]), vec![]),
            (
                json!([faq("a", "Why?", "Because."), b]),
                vec!["Why? / Answer: So. > Because."],
            ),
            (json!([a, b, c]), vec![": - > Who?"]),
            (json!([b]), vec![": Why? > -"]),
            (json!([b, a]), vec![": - > -"]),
            (
                json!([a, c]),
                vec![
                    "When? / Question: When? > Who?",
                    "When? / Answer: Now. > We.",
                ],
            ),
        ] {
            assert_eq!(lines("faqs", &before, &after), expected);
        }
        let facts = |hours: &str| json!({ "name": "A", "hours": hours });
        assert_eq!(
            lines("facts", &facts("Day"), &facts("Night")),
            ["Hours: Day > Night"]
        );
        let client = |name: &str, sample: bool| json!([{ "name": name, "sample": sample }]);
        assert_eq!(
            lines("clients", &client("Old", true), &client("New", false)),
            ["Old / Sample: yes > no", "Old / Name: Old > New"]
        );
        // Without a field that is a name, it is called by its first words.
        let claim = json!([{ "key": "fast", "claim": "Fast", "state": "" }]);
        assert_eq!(lines("claims", &json!([]), &claim), [": - > Fast"]);
    }

    #[test]
    fn long_texts_are_cut() {
        let long = "é".repeat(300);
        let (before, after) = (faq("a", "Q", "x"), faq("a", "Q", &long));
        let found = lines("faqs", &json!([before]), &json!([after]));
        let expected = format!("Q / Answer: x > {}…", "é".repeat(MAX_TEXT));
        assert_eq!(found, [expected]);
    }
}
