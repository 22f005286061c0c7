//! The signature below an author's words: after the mark `-- ` (RFC 3676, section 4.3), after
//! dashes and the author's name, or a line that a mail program has added.

use std::sync::LazyLock;

use regex::Regex;

use super::super::line::{Line, Quote};

/// Maximum lines of a signature below dashes that are not its mark.
const MAX_LINES: usize = 12;
/// Maximum characters of the line with the author's name.
const MAX_NAME: usize = 40;
/// Maximum characters of a line that a mail program has added.
const MAX_FOOTER: usize = 120;

/// Hides the signature at the end of what is shown.
pub(super) fn hide(lines: &[Line], author: &str, hidden: &mut [bool]) {
    let is_shown = |at: &usize| !hidden[*at] && !lines[*at].is_blank();
    let Some(last) = (0..lines.len()).rev().find(is_shown) else {
        return;
    };
    let start = start(&lines[..=last], author);
    hidden[start..=last].fill(true);
}

/// The line at which the signature begins; the number of lines if there is none.
pub(super) fn start(lines: &[Line], author: &str) -> usize {
    let marked = lines.iter().rposition(|line| is_mark(line, "-- "));
    let marked = marked.or_else(|| named(lines, author)).filter(|at| {
        // A quote below it is no signature.
        lines[*at..].iter().all(|line| line.quote != Quote::Cited)
    });
    let mut end = marked.unwrap_or(lines.len());
    let last = lines[..end].iter().rposition(|line| !line.is_blank());
    if let Some(last) = last
        && is_footer(&lines[last])
    {
        end = last;
    }
    end
}

/// Whether a line is no more than a mark. Spaces before it are no part of it.
fn is_mark(line: &Line, mark: &str) -> bool {
    line.quote == Quote::None && line.text.trim_end_matches('\r') == mark
}

/// Dashes above the author's name.
fn named(lines: &[Line], author: &str) -> Option<usize> {
    let at = lines
        .iter()
        .rposition(|line| line.quote == Quote::None && matches!(line.text.trim(), "--" | "—"))?;
    let below = lines[at + 1..]
        .iter()
        .filter(|line| !line.is_blank())
        .count();
    let name = lines.get(at + 1)?.text.to_lowercase();
    let mut parts = author.split(|c: char| !c.is_alphanumeric());
    let is_short = name.chars().count() <= MAX_NAME;
    let is_named = is_short
        && parts.any(|part| part.chars().count() > 2 && has_word(&name, &part.to_lowercase()));
    (is_named && below <= MAX_LINES).then_some(at)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|found| found == word)
}

/// Whether a mail program has added this line.
fn is_footer(line: &Line) -> bool {
    let text = line.text.trim().trim_start_matches(['-', '*', '<', ' ']);
    let is_match = FOOTER
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text));
    line.quote == Quote::None && text.chars().count() < MAX_FOOTER && is_match
}

static FOOTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let device = concat!(
        r"(?:\w+ )?(?:iphone|ipad|ipod|android|galaxy|samsung|blackberry|pixel|huawei|xiaomi|",
        r"motorola|nokia|phone|smartphone|mobile|handy|tablet|outlook|mail|gmail|yahoo|proton|aol|",
        r"verizon|t-mobile|at&t|workspace|m[óo]vil|celular|telefon|téléphone)",
    );
    let sent = concat!(
        r"sent (?:from|via|with|using)|get outlook for|von|gesendet (?:von|mit|aus)|",
        r"enviado (?:desde|do|con|a partir)|envoyé (?:de|depuis|avec)|inviato da|",
        r"verzonden (?:vanaf|met)|obtenir outlook pour|obtener outlook para",
    );
    Regex::new(&format!(r"(?i)^(?:{sent})(?: (?:my|the|meinem|meinen|mi|meu|mon|mijn|il mio|dal mio))? ?\[?(?:{device}|ios)\b"))
        .ok()
});
