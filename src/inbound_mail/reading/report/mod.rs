//! Reports of mail servers: which email was returned, and why (RFC 3464), also as qmail, Exim,
//! Exchange and Yahoo write them in plain words.

mod plain;
mod status;
mod suspect;

use mail_parser::{Message, MessageParser, MessagePart, PartType};

pub(super) use suspect::Suspect;

use super::attached::media_type;
use super::classify::{has_empty_return_path, is_mail_server};
use super::headers::{Headers, message_ids};
use domain::email::message_id::EmailId;
use domain::email::received_email::DeliveryReport;

/// Maximum bytes of a part that are read.
const MAX_PART: usize = 64 * 1024;

/// What a report says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reported {
    /// An email was not delivered.
    Failure(DeliveryReport),
    /// A recipient has reported an email as spam (RFC 5965).
    Complaint,
    /// Perhaps that an email was not delivered.
    Unclear,
}

/// The report in an email; `None` if there is none. One of a delay or of success is none.
pub(super) fn reported(suspect: &Suspect<'_>) -> Option<Reported> {
    let has = |kind: &str| {
        suspect
            .message
            .parts
            .iter()
            .any(|part| media_type(part) == kind)
    };
    if has("message/feedback-report") {
        return Some(Reported::Complaint);
    }
    if has("message/disposition-notification") || !is_from_program(suspect) {
        return None;
    }
    let failures = match status_of(suspect.message) {
        Some(status) => status::failures(&status)?,
        None => plain::failures(suspect)?,
    };
    Some(match failures.is_empty() {
        true => Reported::Unclear,
        false => Reported::Failure(DeliveryReport {
            original: original(suspect),
            reference: reference(suspect),
            failures,
        }),
    })
}

/// Our emails that a report returns, whole or by their headers.
pub(super) fn returned(suspect: &Suspect<'_>) -> Vec<EmailId> {
    let headers = suspect.message.parts.iter().filter_map(returned_header);
    let ids = headers.flat_map(|headers| headers.message_ids("message-id"));
    let ids = ids.chain(message_ids(suspect.text));
    ids.map(|id| (suspect.read_id)(&id))
        .filter(is_ours)
        .collect()
}

fn is_ours(id: &EmailId) -> bool {
    matches!(id, EmailId::Ours(_))
}

/// Whether a program has sent it, by its envelope, its author or its fields.
fn is_from_program(suspect: &Suspect<'_>) -> bool {
    let headers = suspect.headers;
    let says_so = headers
        .word("auto-submitted")
        .is_some_and(|value| value != "no");
    let is_report = headers
        .word("content-type")
        .is_some_and(|value| value == "multipart/report");
    says_so || is_report || has_empty_return_path(headers) || is_mail_server(suspect.from)
}

/// The fields of the delivery status, if there are any.
fn status_of(message: &Message<'_>) -> Option<String> {
    let kinds = ["message/delivery-status", "message/global-delivery-status"];
    let mut parts = message.parts.iter();
    let part = parts.find(|part| kinds.contains(&media_type(part).as_str()))?;
    Some(String::from_utf8_lossy(limited(part.contents())).into_owned())
}

/// The number of our email that was returned: by the copy of it, by the fields of the report, by
/// the Message-ID in its words.
fn original(suspect: &Suspect<'_>) -> Option<i64> {
    let status = status_of(suspect.message).unwrap_or_default();
    let in_status = message_ids(&status)
        .into_iter()
        .map(|id| (suspect.read_id)(&id));
    let all = returned(suspect)
        .into_iter()
        .chain(suspect.ancestors.iter().cloned());
    let mut all = all.chain(in_status);
    all.find_map(|id| match id {
        EmailId::Ours(number) => Some(number),
        EmailId::Other(_) => None,
    })
}

/// The reference of the request: by the signed address in the email that was returned, or to which
/// the report was sent.
fn reference(suspect: &Suspect<'_>) -> Option<String> {
    let headers = suspect.message.parts.iter().filter_map(returned_header);
    let mut fields = headers.filter_map(|headers| headers.first("reply-to").map(str::to_owned));
    let in_copy = fields.find_map(|field| (suspect.find_reference)(&field));
    in_copy
        .or_else(|| (suspect.find_reference)(suspect.text))
        .or_else(|| suspect.addressed.first().cloned())
}

/// The header of the email that was returned, whole or only its header.
fn returned_header(part: &MessagePart<'_>) -> Option<Headers> {
    if let PartType::Message(returned) = &part.body {
        return Some(Headers::of(returned));
    }
    let is_header = matches!(
        media_type(part).as_str(),
        "text/rfc822-headers"
            | "message/rfc822"
            | "message/rfc822-headers"
            | "message/global"
            | "message/global-headers"
    );
    let bytes = limited(part.contents());
    let parsed = is_header.then(|| MessageParser::default().parse_headers(bytes));
    Some(Headers::of(&parsed??))
}

fn limited(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAX_PART)]
}
