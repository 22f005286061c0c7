//! The stored text of an offer as HTML: the same words, with headings and labels marked.

use std::fmt::Write;

use crate::site::placeholders::escape_html;

/// The longest label of a line like `Email: ana@example.com`, in characters.
const MAX_LABEL: usize = 60;

/// The text as HTML. Lines in capitals are headings, indented lines belong to the line before, and
/// the rest is text, line by line.
pub(super) fn of_text(text: &str) -> String {
    let mut html = String::new();
    let mut was_blank = true;
    for line in text.lines() {
        if line.trim().is_empty() {
            was_blank = true;
            continue;
        }
        // Writing to a String cannot fail.
        let _ = match line {
            _ if is_heading(line) && was_blank => {
                writeln!(html, "<h2>{}</h2>", escape_html(line))
            }
            _ if line.starts_with(' ') => {
                writeln!(html, "<p class=\"how\">{}</p>", escape_html(line.trim()))
            }
            _ => writeln!(html, "<p>{}</p>", labeled(line)),
        };
        was_blank = false;
    }
    html
}

fn is_heading(line: &str) -> bool {
    line.chars().any(char::is_alphabetic) && !line.chars().any(char::is_lowercase)
}

/// A line whose label is marked.
fn labeled(line: &str) -> String {
    match line.split_once(": ") {
        Some((label, value)) if label.chars().count() <= MAX_LABEL && !label.contains(". ") => {
            format!(
                "<span>{}:</span> <b>{}</b>",
                escape_html(label),
                escape_html(value)
            )
        }
        _ => escape_html(line).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_text;

    #[test]
    fn all_words_of_the_text_are_shown_and_markup_is_not() {
        let text = "Guard <Co>\n\nOFFER GP-2K7Q-1\nEmail: a@b.example\n  12 h × $34.00\n\nA & B.\n";
        let html = of_text(text);
        assert_eq!(
            html,
            "<p>Guard &lt;Co&gt;</p>\n<h2>OFFER GP-2K7Q-1</h2>\n\
             <p><span>Email:</span> <b>a@b.example</b></p>\n<p class=\"how\">12 h × $34.00</p>\n\
             <p>A &amp; B.</p>\n"
        );
    }
}
