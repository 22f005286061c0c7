//! Reports in the plain words of a mail server.

use std::sync::LazyLock;

use regex::Regex;

use super::status::{MAX_REASON, MAX_RECIPIENTS};
use super::suspect::Suspect;
use crate::reading::author::ADDRESS;
use crate::reading::classify::is_mail_server;
use domain::email::received_email::FailedRecipient;
use domain::text::one_line;

type Pattern = LazyLock<Option<Regex>>;

/// Subjects of reports of a failure.
static FAILURE: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)undeliver|returned mail|mail delivery fail|delivery (?:has )?fail|failure notice|",
        r"delivery (?:status )?notification|could not be delivered|not delivered|mail failure|",
        r"delivery failure|message rejected|unzustellbar|nicht zugestellt|no se puede entregar|",
        r"no entregado|non remis|échec de (?:la )?remise|non recapitabile|não entregue|",
        r"недоставлен|не доставлено|未送达|退信|配信不能|배달 실패",
    ))
    .ok()
});

/// Subjects of other reports: of a delay, of what was received in a domain's name (DMARC).
static NO_FAILURE: Pattern = LazyLock::new(|| {
    Regex::new(r"(?i)delay|warning|still being retried|verzöger|retras|^report domain:").ok()
});

/// Where the copy of the returned email begins.
static COPY: Pattern = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?im)^[ >]*(?:-{2,}[^\n]{0,30}(?:below this line|copy of the message|forwarded message",
        r"|original message|unsent message|returned message)[^\n]*",
        r"|original message headers:?|return-path:[^\n]*)$",
    ))
    .ok()
});

/// The code of an answer: `550 …`, `#5.1.1`.
static CODE: Pattern = LazyLock::new(|| {
    Regex::new(r"(?:^|[^\d.])(?:5\d\d[ :-]|4\d\d[ :-]|[45]\.\d{1,3}\.\d{1,3})").ok()
});

fn is_match(pattern: &Pattern, text: &str) -> bool {
    pattern
        .as_ref()
        .is_some_and(|pattern| pattern.is_match(text))
}

/// The recipients that a report names, with its reason. `None` if the email is no report of a
/// failure; empty if it names none.
pub(super) fn failures(suspect: &Suspect<'_>) -> Option<Vec<FailedRecipient>> {
    let fields = ["x-failed-recipients", "x-ms-exchange-message-is-ndr"];
    let is_report = suspect.headers.has_any(&fields)
        || is_match(&FAILURE, suspect.subject)
        || is_mail_server(suspect.from);
    if !is_report || is_match(&NO_FAILURE, suspect.subject) {
        return None;
    }
    let copy = COPY.as_ref().and_then(|pattern| pattern.find(suspect.text));
    let said = &suspect.text[..copy.map_or(suspect.text.len(), |copy| copy.start())];
    let reason = reason(said);
    let mut found: Vec<FailedRecipient> = Vec::new();
    let named = suspect
        .headers
        .first("x-failed-recipients")
        .unwrap_or_default();
    for address in [named, said].into_iter().flat_map(addresses) {
        let is_known = found.iter().any(|failure| failure.address == address);
        let is_recipient = !(suspect.has_own_address)(&address) && !is_mail_server(&address);
        if is_recipient && !is_known && found.len() < MAX_RECIPIENTS {
            found.push(FailedRecipient {
                address,
                reason: reason.clone(),
            });
        }
    }
    Some(found)
}

fn addresses(text: &str) -> Vec<String> {
    let found = ADDRESS.as_ref().map(|pattern| pattern.find_iter(text));
    let found = found.into_iter().flatten();
    let plain = found.map(|found| {
        found
            .as_str()
            .trim_end_matches(['.', '\''])
            .to_ascii_lowercase()
    });
    plain.take(MAX_RECIPIENTS * 5).collect()
}

/// The line with the code of the server's answer, or all words.
fn reason(said: &str) -> String {
    let line = said.lines().find(|line| is_match(&CODE, line));
    one_line(line.unwrap_or(said), MAX_REASON)
}
