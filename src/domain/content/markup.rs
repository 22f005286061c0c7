//! The markup of long texts: `**bold**`, `[words](https://site.example)` and line breaks. Links
//! lead to `https:`, `mailto:` and `tel:` only. `frontend/src/ui/marked.tsx` renders it; anything
//! else is shown as it is written.

const BOLD: &str = "**";
const SCHEMES: [&str; 3] = ["https://", "mailto:", "tel:"];

/// What is wrong with the markup of a text, as half a sentence.
pub(super) fn broken(text: &str) -> Option<String> {
    if text.matches(BOLD).count() % 2 == 1 {
        return Some("has ** once; write it before and after the bold words".to_owned());
    }
    for line in text.split('\n') {
        let mut rest = line;
        while let Some(middle) = rest.find("](") {
            let Some(link) = link_at(rest, middle) else {
                let rule = "has a link that is not complete; write [words](https://site.example)";
                return Some(rule.to_owned());
            };
            if !is_target(link.target) {
                let target: String = link.target.chars().take(60).collect();
                return Some(format!(
                    "has a link to {target}; a link starts with https://, mailto: or tel:"
                ));
            }
            rest = &rest[link.end..];
        }
    }
    None
}

/// The text without its markup: for search engines, and where only words are shown.
pub fn plain(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(middle) = rest.find("](") {
        match link_at(rest, middle).filter(|link| is_target(link.target)) {
            Some(link) => {
                words.push_str(&rest[..link.start]);
                words.push_str(&rest[link.start + 1..middle]);
                rest = &rest[link.end..];
            }
            None => {
                words.push_str(&rest[..middle + 2]);
                rest = &rest[middle + 2..];
            }
        }
    }
    words.push_str(rest);
    words.replace(BOLD, "").replace('\n', " ")
}

struct Link<'a> {
    /// Where `[` is.
    start: usize,
    target: &'a str,
    /// The place after `)`.
    end: usize,
}

/// The link of which `](` is at `middle`.
fn link_at(text: &str, middle: usize) -> Option<Link<'_>> {
    let start = text[..middle].rfind('[')?;
    let words = &text[start + 1..middle];
    let after = &text[middle + 2..];
    let target = &after[..after.find(')')?];
    let is_shown = !words.trim().is_empty() && !words.contains([']', '\n']);
    let is_written =
        !target.is_empty() && !target.contains(|c: char| c == '(' || c.is_whitespace());
    (is_shown && is_written).then_some(Link {
        start,
        target,
        end: middle + 2 + target.len() + 1,
    })
}

fn is_target(target: &str) -> bool {
    let rest = SCHEMES
        .iter()
        .find_map(|scheme| target.strip_prefix(scheme));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['"', '<', '>', '\\', '`']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_web_to_mail_and_to_phones_only() {
        for text in [
            "Plain.",
            "We are **licensed** in [Texas](https://tops.portal.texas.gov/).",
            "[Write](mailto:office@guard.example) or\n[call](tel:{{company.phone}})",
            "**[Both](https://guard.example/a?b=c#d)**",
            "A list [1] and (2)",
        ] {
            assert_eq!(broken(text), None, "{text}");
        }
        for (text, rule) in [
            ("[x](javascript:alert(1))", "not complete"),
            ("[x](javascript:alert)", "has a link to javascript:alert;"),
            (
                "[x](http://guard.example)",
                "has a link to http://guard.example;",
            ),
            ("[x](//guard.example)", "starts with https://"),
            ("[x](/about)", "has a link to /about;"),
            ("[x](https://)", "has a link to https://;"),
            ("[x](https://a.example\"onclick)", "has a link to"),
            ("[x](data:text/html,a)", "has a link to data:"),
            ("[x]( https://a.example)", "not complete"),
            ("[](https://a.example)", "not complete"),
            ("[x](https://a.example", "not complete"),
            ("**bold", "has ** once"),
        ] {
            let found = broken(text).unwrap_or_default();
            assert!(found.contains(rule), "{text}: {found}");
        }
    }

    #[test]
    fn the_words_are_left_without_markup() {
        for (text, words) in [
            ("Plain [1] text.", "Plain [1] text."),
            ("Be **sure**:\nask.", "Be sure: ask."),
            (
                "See [our page](https://a.example/b) and **[that](tel:1)**.",
                "See our page and that.",
            ),
            ("[x](javascript:1)", "[x](javascript:1)"),
        ] {
            assert_eq!(plain(text), words);
        }
    }
}
