//! Where an earlier email begins that is not marked line by line.

use std::sync::LazyLock;

use regex::Regex;

use super::super::line::{Line, Mark, Quote};
use super::thread::Thread;
use super::{attribution, header_block};

/// The words of lines of dashes before an earlier email.
const SEPARATORS: &str = "\
    original message|original appointment|reply message|ursprüngliche nachricht|\
    originalnachricht|mensaje original|message d'origine|message original|\
    mensagem original|messaggio originale|oorspronkelijk bericht|исходное сообщение|原始邮件|\
    原始郵件|元のメッセージ|원본 메시지";

/// The words before an email that its author passes on.
const FORWARDS: &str = "\
    forwarded message|forwarded email|begin forwarded message|weitergeleitete nachricht|\
    anfang der weitergeleiteten nachricht|mensaje reenviado|inicio del mensaje reenviado|\
    message transféré|début du message transféré|début du message réexpédié|\
    mensagem encaminhada|início da mensagem reencaminhada|messaggio inoltrato|\
    inizio messaggio inoltrato|doorgestuurd bericht|пересылаемое сообщение|转发的邮件|轉寄的郵件|\
    転送メッセージ";

/// A line of a ticket system.
const ABOVE: &str = "please type your reply above this line|reply above this line";

/// Words of an author who answers inside the earlier email.
static BELOW: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:below|inline|in-line|in (?:red|blue|green|bold|caps)|",
        r"abajo|más abajo|en rojo|ci-dessous|unten|siehe unten|abaixo|sotto)\b",
    ))
    .ok()
});

/// The words of a line without dashes and other marks around them, in lower case.
fn words(line: &Line) -> String {
    let text = line
        .text
        .trim()
        .trim_matches(['-', '—', '#', '*', '=', ' ', ':', '：', '\u{a0}']);
    text.to_lowercase()
}

/// Whether the words of a line are one of these texts.
fn is_one_of(texts: &str, line: &Line) -> bool {
    let words = words(line);
    texts.split('|').any(|text| text == words)
}

/// Whether the author passes on what follows: it is news, not history.
pub(super) fn is_forward(line: &Line) -> bool {
    line.quote == Quote::None && is_one_of(FORWARDS, line)
}

/// The line from which on everything is an earlier email of ours; `None` if there is none, or if
/// the author writes inside it.
pub(super) fn start(lines: &[Line], thread: &Thread<'_>) -> Option<usize> {
    let start = (0..lines.len()).find(|at| begins(&lines[*at..], thread))?;
    let own = &lines[..start];
    let writes_inside = own.iter().any(|line| {
        BELOW
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(&line.text))
    });
    let is_alone = own.iter().all(Line::is_blank);
    (!writes_inside && !is_alone).then_some(start)
}

fn begins(lines: &[Line], thread: &Thread<'_>) -> bool {
    let line = &lines[0];
    if line.quote == Quote::Cited || line.is_blank() {
        return false;
    }
    let is_separator = is_separator(line);
    if is_separator || line.mark == Mark::History {
        let below = &lines[usize::from(is_separator)..];
        let author = header_block::author(below);
        return author.map_or(thread.is_answer, |author| thread.is_ours(&author));
    }
    if is_one_of(ABOVE, line) {
        return true;
    }
    if let Some(author) = header_block::author(lines) {
        return thread.is_ours(&author);
    }
    // `On … wrote:` above an email that is not marked: only with our address in it.
    attribution::at_start(lines).is_some_and(|(text, count)| {
        let below = lines[count..].iter().find(|line| !line.is_blank());
        let is_marked = below.is_some_and(|line| line.quote != Quote::None);
        !is_marked && attribution::says_wrote(&text) && (thread.has_own_address)(&text)
    })
}

fn is_separator(line: &Line) -> bool {
    line.text.trim().starts_with("--") && is_one_of(SEPARATORS, line)
}
