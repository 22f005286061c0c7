//! Separates what an author wrote from the quoted history and the signature below it. What cannot
//! be separated is shown: nothing is lost.

use std::sync::LazyLock;

use regex::Regex;

use super::html::{HISTORY, HISTORY_END};

/// Lines of a text that are looked at; the rest is folded.
const MAX_LINES: usize = 20_000;
/// Maximum lines of a signature after its mark.
const MAX_SIGNATURE: usize = 12;
/// Lines over which mail programs wrap `On … wrote:`.
const MAX_ATTRIBUTION: usize = 4;

/// What an author wrote, and the rest of the email.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Folded {
    pub text: String,
    pub folded: String,
}

/// Folds the text of an email.
pub(super) fn fold(text: &str) -> Folded {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let searched = &lines[..lines.len().min(MAX_LINES)];
    let forwarded = searched.iter().position(|line| is_forward(line));
    let searched = &searched[..forwarded.unwrap_or(searched.len())];
    let history = (0..searched.len()).find(|at| begins_history(searched, *at));
    let history = history.unwrap_or(lines.len());
    let end = signature_start(&lines[..history]);
    let written = joined(&lines[..end]);
    match written.is_empty() {
        true => Folded {
            text: joined(&lines),
            folded: String::new(),
        },
        false => Folded {
            text: written,
            folded: joined(&lines[end..]),
        },
    }
}

/// The lines without marks, without empty lines around them and with at most one between two
/// others.
fn joined(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut is_after_empty = true;
    for line in lines {
        if line.contains([HISTORY, HISTORY_END]) || (line.is_empty() && is_after_empty) {
            continue;
        }
        is_after_empty = line.is_empty();
        text.push_str(line);
        text.push('\n');
    }
    text.trim().to_owned()
}

/// Whether everything from this line on is history.
fn begins_history(lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    let rest = &lines[at..];
    if line.contains(HISTORY) {
        return rest
            .iter()
            .rposition(|line| line.contains(HISTORY_END))
            .is_none_or(|end| {
                // Text after the last quote is an answer below it.
                signature_start(&rest[end + 1..]) == 0 || is_blank(&rest[end + 1..])
            });
    }
    if is_separator(line) || begins_header_block(rest) {
        return true;
    }
    if let Some(length) = attribution(rest) {
        let below = &rest[length..];
        let first = below.iter().find(|line| !line.is_empty());
        // Quoted by marks, then perhaps an answer below; or not marked at all.
        return first.is_none_or(|line| !is_quoted(line)) || is_all_quoted(below);
    }
    is_quoted(line) && is_all_quoted(rest) && !lines[..at].iter().all(|line| line.is_empty())
}

fn is_blank(lines: &[&str]) -> bool {
    lines.iter().all(|line| line.trim().is_empty())
}

fn is_quoted(line: &str) -> bool {
    line.trim_start().starts_with('>')
}

/// Whether these lines are quoted, up to a signature.
fn is_all_quoted(lines: &[&str]) -> bool {
    let end = signature_start(lines);
    let lines = &lines[..end];
    lines.iter().all(|line| line.is_empty() || is_quoted(line))
}

/// The number of lines of `On … wrote:` at the beginning; `None` if there is none.
fn attribution(lines: &[&str]) -> Option<usize> {
    let begins = [
        "On ", "Am ", "Le ", "El ", "Il ", "Em ", "Op ", "> On ", "Den ", "W dniu ", "在",
    ];
    let first = lines.first()?.trim_start_matches(['*', ' ']);
    if !begins.iter().any(|begin| first.starts_with(begin)) {
        return None;
    }
    let mut text = String::new();
    for (at, line) in lines.iter().take(MAX_ATTRIBUTION).enumerate() {
        if line.is_empty() {
            return None;
        }
        text.push_str(line.trim_start_matches(['>', ' ']));
        text.push(' ');
        let is_end = ATTRIBUTION_END
            .as_ref()
            .is_some_and(|end| end.is_match(text.trim_end()));
        if is_end && text.chars().any(|c| c.is_ascii_digit()) {
            return Some(at + 1);
        }
    }
    None
}

static ATTRIBUTION_END: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?:wrote|writes|schrieb[^:]{0,120}|a écrit|escribió|ha scritto|escreveu|",
        r"schreef[^:]{0,120}|napisał\(?a?\)?|skrev[^:]{0,120}|写道)\s?[:：]\*?$",
    ))
    .ok()
});

/// A line before an email that the author passes on: what follows is news, not history.
fn is_forward(line: &str) -> bool {
    let text = line.trim().trim_matches('-').trim();
    let names = [
        "Forwarded message",
        "Forwarded Message",
        "Begin forwarded message:",
        "Weitergeleitete Nachricht",
        "Mensaje reenviado",
    ];
    names.contains(&text)
}

/// A line before the history of Outlook and others.
fn is_separator(line: &str) -> bool {
    let text = line.trim().trim_matches('-').trim();
    let is_dashed = line.trim().starts_with("--") && line.trim().ends_with("--");
    let names = [
        "Original Message",
        "Original Appointment",
        "Ursprüngliche Nachricht",
        "Mensaje original",
        "Message d'origine",
        "Mensagem original",
        "Reply message",
        "Please type your reply above this line",
        "Reply above this line",
        "##- Please type your reply above this line -##",
    ];
    (is_dashed || line.contains("##")) && names.iter().any(|name| text.contains(name))
}

/// Whether a block of `From:`, `Sent:`, `To:` and `Subject:` begins here, perhaps after a rule.
fn begins_header_block(lines: &[&str]) -> bool {
    let is_rule = |line: &str| line.len() >= 10 && line.chars().all(|c| c == '_');
    let lines = match lines.first() {
        Some(line) if is_rule(line.trim()) => &lines[1..],
        _ => lines,
    };
    let names: [[&str; 4]; 5] = [
        ["From", "Sent|Date", "To", "Subject"],
        ["Von", "Gesendet|Datum", "An", "Betreff"],
        [
            "De",
            "Enviado el|Enviado|Fecha|Enviada em",
            "Para",
            "Asunto|Assunto",
        ],
        ["De", "Envoyé|Date", "À", "Objet"],
        ["Da", "Inviato|Data", "A", "Oggetto"],
    ];
    let named = |line: &str, names: &str| {
        let line = line.trim_start_matches(['*', '>', ' ']);
        names.split('|').any(|name| {
            let rest = line.strip_prefix(name).unwrap_or_default();
            rest.trim_start_matches(['*', ' ', '\u{a0}'])
                .starts_with(':')
        })
    };
    let mut block = lines.iter().skip_while(|line| line.is_empty()).take(7);
    let Some(first) = block.next() else {
        return false;
    };
    let block: Vec<_> = block.collect();
    names.iter().any(|[from, others @ ..]| {
        let found = |name: &&&str| block.iter().any(|line| named(line, name));
        named(first, from) && others.iter().filter(found).count() >= 2
    })
}

/// The line at which the signature begins; the number of lines if there is none.
fn signature_start(lines: &[&str]) -> usize {
    let content = lines.iter().rposition(|line| !line.trim().is_empty());
    let Some(last) = content else {
        return lines.len();
    };
    let from = (last + 1).saturating_sub(MAX_SIGNATURE + 1);
    let marked = (from..=last).find(|at| matches!(lines[*at].trim_end(), "--" | "—" | "-- "));
    let mut end = marked.unwrap_or(lines.len());
    // `Sent from my iPhone`, alone or above a mark.
    let footer = lines[..end]
        .iter()
        .rposition(|line| !line.trim().is_empty());
    if let Some(footer) = footer
        && is_footer(lines[footer])
    {
        end = footer;
    }
    end
}

/// Whether a mail program has added this line.
fn is_footer(line: &str) -> bool {
    let line = line.trim().trim_start_matches(['-', '*', '<', ' ']);
    let begins = [
        "Sent from my ",
        "Sent from Mail for ",
        "Sent from Outlook for ",
        "Sent from Yahoo Mail",
        "Sent from Proton Mail",
        "Sent via ",
        "Sent with Proton",
        "Get Outlook for ",
        "Von meinem ",
        "Gesendet von ",
        "Enviado desde mi ",
        "Enviado do meu ",
        "Envoyé de mon ",
        "Inviato da ",
    ];
    line.len() < 120 && begins.iter().any(|begin| line.starts_with(begin))
}
