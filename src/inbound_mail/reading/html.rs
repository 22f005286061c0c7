//! The text of an HTML body. Places where quoted history begins and ends become marked
//! lines, which `folding` reads and removes.

use std::sync::LazyLock;

use mail_parser::decoders::html::html_to_text;
use regex::Regex;

/// A line before quoted history.
pub(super) const HISTORY: char = '\u{e000}';
/// A line after quoted history.
pub(super) const HISTORY_END: char = '\u{e001}';

/// The text of an HTML body.
pub(super) fn text_of_html(html: &str) -> String {
    let html = html.replace([HISTORY, HISTORY_END, '\0'], "");
    let html = replace(&HISTORY_BEGINS, &html, &format!("<br>{HISTORY}<br>$0"));
    let html = replace(&HISTORY_ENDS, &html, &format!("$0<br>{HISTORY_END}<br>"));
    let html = replace(&BLOCK_ENDS, &html, "<br>$0");
    html_to_text(&html)
}

fn replace(pattern: &Option<Regex>, text: &str, by: &str) -> String {
    match pattern {
        Some(pattern) => pattern.replace_all(text, by).into_owned(),
        None => text.to_owned(),
    }
}

/// Quotes of Gmail, Outlook (new and mobile), Yahoo, Apple Mail, Thunderbird and ProtonMail.
static HISTORY_BEGINS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?ix) <blockquote\b
        | <div\b[^>]{0,300}\b(?:id|class)\s*=\s*["']?[^"'>]{0,100}
            (?:gmail_quote|appendonsend|divRplyFwdMsg|yahoo_quoted|moz-cite-prefix
              |protonmail_quote|x_divRplyFwdMsg|mail-editor-reference-message-container)"#,
    )
    .ok()
});

static HISTORY_ENDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)</blockquote\s*>").ok());

static BLOCK_ENDS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)</(?:div|tr|li|h[1-6]|table|ul|ol)\s*>").ok());
