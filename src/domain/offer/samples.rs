//! What an offer says that is marked as a sample: it goes to no customer.

use super::document::Document;
use super::faults::Fault;
use crate::text::sample::sample_line;

/// Each text of an offer that is marked as a sample: the field where it is written, in the draft or
/// below `rates` in the published rates, and what to do.
pub fn sample_texts(document: &Document) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut check = |field: String, name: &str, text: &str| {
        if let Some(line) = sample_line(text) {
            let message = format!(
                "{name} is still a sample: \u{201c}{line}\u{201d}. Write your own words in its \
                 place."
            );
            faults.push(Fault { field, message });
        }
    };
    let message = document.message.as_deref().unwrap_or_default();
    check("message".to_owned(), "The message", message);
    let terms = &document.terms;
    for (number, post) in terms.posts.iter().enumerate() {
        check(format!("posts.{number}.title"), "The post", &post.title);
    }
    for (number, line) in terms.manual.iter().enumerate() {
        check(format!("manual.{number}.title"), "The line", &line.title);
    }
    for line in &document.price.lines {
        check(
            "rates.classes".to_owned(),
            "A line of the price",
            &line.title,
        );
    }
    check(
        "rates.insurance".to_owned(),
        "The insurance line",
        &document.insurance,
    );
    for (number, paragraph) in document.conditions.iter().enumerate() {
        let name = format!("The condition \u{201c}{}\u{201d}", paragraph.title);
        let field = format!("rates.conditions.{number}");
        check(field.clone(), &name, &paragraph.title);
        check(field, &name, &paragraph.text);
    }
    let consent = &document.consent;
    check(
        "rates.consent.text".to_owned(),
        "The consent",
        &consent.text,
    );
    for (number, paragraph) in consent.disclosures.iter().enumerate() {
        let name = format!("The disclosure \u{201c}{}\u{201d}", paragraph.title);
        check(
            format!("rates.consent.disclosures.{number}"),
            &name,
            &paragraph.text,
        );
    }
    faults.dedup();
    faults
}
