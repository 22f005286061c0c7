//! Finds the https URLs, email addresses and phone numbers in a text, which become links. Nothing
//! else does: no other scheme, and no address without one.

use std::sync::LazyLock;

use linkify::{LinkFinder, LinkKind};
use regex::Regex;

use crate::phone::e164;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPart<'a> {
    pub text: &'a str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Words,
    Url,
    Email,
    Phone,
}

impl TextPart<'_> {
    /// The URL that the part leads to; `None` for words.
    pub fn link(&self) -> Option<String> {
        match self.kind {
            Kind::Words => None,
            Kind::Url => Some(self.text.to_owned()),
            // `?` and `&` would begin the fields of the message.
            Kind::Email => Some(format!("mailto:{}", self.text.replace('%', "%25")))
                .filter(|link| !link.contains(['?', '&', '#'])),
            Kind::Phone => e164(self.text).map(|number| format!("tel:{number}")),
        }
    }
}

/// A number with its country code, or one of North America.
static PHONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let international = r"\+[0-9](?:[ .()\u{a0}-]{0,2}[0-9]){7,14}";
    let area = r"(?:\([2-9][0-9]{2}\)[ \u{a0}]?|[2-9][0-9]{2}[ .\u{a0}-]?)";
    let national = format!(r"(?:1[ .\u{{a0}}-]?)?{area}[2-9][0-9]{{2}}[ .\u{{a0}}-]?[0-9]{{4}}");
    Regex::new(&format!("{international}|{national}")).ok()
});

/// The text in parts, in order; together they are the text.
pub fn text_parts(text: &str) -> Vec<TextPart<'_>> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url, LinkKind::Email]);
    let mut parts = Vec::new();
    for span in finder.spans(text) {
        let part = span.as_str();
        match span.kind() {
            Some(LinkKind::Url) if is_https(part) => push(&mut parts, part, Kind::Url),
            Some(LinkKind::Email) => push(&mut parts, part, Kind::Email),
            Some(_) => push(&mut parts, part, Kind::Words),
            None => push_phones(&mut parts, part),
        }
    }
    parts
}

fn is_https(url: &str) -> bool {
    let scheme = "https://";
    url.get(..scheme.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

fn push<'a>(parts: &mut Vec<TextPart<'a>>, text: &'a str, kind: Kind) {
    if !text.is_empty() {
        parts.push(TextPart { text, kind });
    }
}

fn push_phones<'a>(parts: &mut Vec<TextPart<'a>>, text: &'a str) {
    let mut rest = 0;
    for found in PHONE.iter().flat_map(|phone| phone.find_iter(text)) {
        if is_apart(text, found.start(), found.end()) {
            push(parts, &text[rest..found.start()], Kind::Words);
            push(parts, found.as_str(), Kind::Phone);
            rest = found.end();
        }
    }
    push(parts, &text[rest..], Kind::Words);
}

/// Whether the number from `start` to `end` is not a part of a longer word or number.
fn is_apart(text: &str, start: usize, end: usize) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '$' | '+' | '#');
    let before = text[..start].chars().next_back();
    let mut after = text[end..].chars();
    let next = after.next();
    let goes_on = next.is_some_and(|c| {
        c.is_alphanumeric()
            || c == '_'
            || (matches!(c, '-' | '.' | ',' | '/') && after.next().is_some_and(char::is_numeric))
    });
    !before.is_some_and(joins) && !goes_on
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::text_parts;

    fn links(text: &str) -> Vec<(&str, String)> {
        let parts = text_parts(text).into_iter();
        parts
            .filter_map(|part| Some((part.text, part.link()?)))
            .collect()
    }

    #[test]
    fn addresses_and_numbers_are_links_without_the_punctuation_after_them() {
        for (text, shown, link) in [
            (
                "See https://guard.example/a?b=1&c=2.",
                "https://guard.example/a?b=1&c=2",
                "",
            ),
            (
                "(https://guard.example/a_(b))",
                "https://guard.example/a_(b)",
                "",
            ),
            ("<https://guard.example/>,", "https://guard.example/", ""),
            ("HTTPS://guard.example!", "HTTPS://guard.example", ""),
            (
                "Write to ann.lee@guard.example.",
                "ann.lee@guard.example",
                "mailto:ann.lee@guard.example",
            ),
            ("Call (713) 555-0188.", "(713) 555-0188", "tel:+17135550188"),
            ("713.555.0188, any time", "713.555.0188", "tel:+17135550188"),
            ("1-713-555-0188", "1-713-555-0188", "tel:+17135550188"),
            ("+44 20 7946 0958;", "+44 20 7946 0958", "tel:+442079460958"),
            ("call:7135550188", "7135550188", "tel:+17135550188"),
        ] {
            let link = if link.is_empty() { shown } else { link };
            assert_eq!(links(text), [(shown, link.to_owned())], "{text}");
        }
    }

    #[test]
    fn nothing_else_is_a_link() {
        for text in [
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "http://guard.example/",
            "ftp://guard.example/",
            "javascript://guard.example/%0aalert(1)",
            "www.guard.example",
            "GP-2K7Q",
            "2026-11-22 18:00",
            "from 2026-11-22 to 2026-11-30",
            "$7135550188",
            "Invoice 44-7135550188-2",
            "71355501881234",
            "77077-1234",
            "12:30 to 14:45",
        ] {
            assert_eq!(links(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_parts_are_the_text_and_links_have_one_of_three_schemes(
            text in "(https://|javascript:|@|a|\\.|713 555 0188|\\+|\"|<|>|'|&|\\n| |\u{202e}){0,12}",
        ) {
            let parts = text_parts(&text);
            prop_assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text.as_str());
            for link in parts.iter().filter_map(super::TextPart::link) {
                let lower = link.to_lowercase();
                let known = ["https://", "mailto:", "tel:+"].iter().any(|s| lower.starts_with(s));
                prop_assert!(known && !link.contains(char::is_whitespace), "{}", link);
            }
        }
    }
}
