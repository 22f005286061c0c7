//! The line with which a mail program introduces a quote: `On Tue, Nov 24, 2026 at 11:58 AM Acme
//! Guard <office@guard.example> wrote:`, in many languages. It has a date and a time, and an
//! address or the word for "wrote"; a person's own sentence has not all of them.

use std::sync::LazyLock;

use regex::Regex;

use super::super::line::{Line, Mark};

/// Lines over which mail programs wrap it.
const MAX_LINES: usize = 4;

type Pattern = LazyLock<Option<Regex>>;

/// `11:58`, `11h58`, `kl. 11.58`.
static TIME: Pattern = LazyLock::new(|| {
    Regex::new(r"(?:^|\D)\d{1,2}\s?[:h時时시]\s?\d{2}|\b(?:kl\.?|klo|um|om|o) \d{1,2}\.\d{2}\b")
        .ok()
});

/// A year, or a date of three numbers.
static DATE: Pattern =
    LazyLock::new(|| Regex::new(r"(?:^|\D)20\d\d|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b").ok());

/// Where it begins in the commonest languages.
static BEGIN: Pattern =
    LazyLock::new(|| Regex::new(r"^(?:On|Am|Le|El|Il|Em|Op|Den|W dniu|Dnia|Vào|Noong|在)\b").ok());

/// "Wrote:" at its end.
static WROTE: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:wrote|writes|schrieb[^:]{0,120}|a écrit|escribió|ha scritto|escreveu|",
        r"schreef[^:]{0,120}|napisał\(?a?\)?|skrev[^:]{0,120}|kirjoitti|yazdı|đã viết|написал\(?а?\)?|",
        r"写道|寫道)\s?[:：]?$",
    ))
    .ok()
});

fn is_match(pattern: &Pattern, text: &str) -> bool {
    pattern
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text))
}

/// The text of the lines without marks around it.
fn joined(lines: &[Line]) -> String {
    let words: Vec<&str> = lines.iter().map(Line::unquoted).collect();
    words.join(" ").trim_matches(['-', ' ']).to_owned()
}

/// Whether a text has a date and a time, and ends as one.
fn is_attribution(text: &str) -> bool {
    let ends = is_match(&WROTE, text) || (text.contains('@') && text.ends_with([':', '：']));
    ends && is_match(&TIME, text) && is_match(&DATE, text)
}

/// Whether a text has the word for "wrote" at its end.
pub(super) fn says_wrote(text: &str) -> bool {
    is_match(&WROTE, text)
}

/// The text and the number of lines of the attribution at the beginning of `lines`.
pub(super) fn at_start(lines: &[Line]) -> Option<(String, usize)> {
    let length = lines
        .iter()
        .take(MAX_LINES)
        .take_while(|line| !line.is_blank())
        .count();
    let (text, count) = (1..=length).find_map(|count| {
        let text = joined(&lines[..count]);
        let is_marked = lines[0].mark == Mark::Attribution && text.ends_with([':', '：']);
        (is_marked || is_attribution(&text)).then_some((text, count))
    })?;
    // The author's words may stand right above it.
    let begins_below = count > 1
        && !is_match(&BEGIN, &text)
        && (1..count).any(|start| is_attribution(&joined(&lines[start..count])));
    (!begins_below).then_some((text, count))
}

/// The text of the attribution at the end of `lines`, perhaps with empty lines below it, and the
/// line at which it begins.
pub(super) fn at_end(lines: &[Line]) -> Option<(String, usize)> {
    let end = lines.iter().rposition(|line| !line.is_blank())? + 1;
    let length = lines[..end]
        .iter()
        .rev()
        .take(MAX_LINES)
        .take_while(|line| !line.is_blank());
    let length = length.count();
    let found: Vec<(String, usize)> = (1..=length)
        .map(|count| (joined(&lines[end - count..end]), end - count))
        .filter(|(text, start)| is_attribution(text) || lines[*start].mark == Mark::Attribution)
        .collect();
    let whole = found.iter().position(|(text, _)| is_match(&BEGIN, text));
    found.into_iter().nth(whole.unwrap_or(0))
}
