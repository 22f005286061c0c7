//! Delivery reports (RFC 3464): which email was returned, and why.

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::headers::Headers;
use crate::domain::email::message_id::{EmailId, MessageIds};
use crate::domain::email::received_email::{DeliveryReport, FailedRecipient};
use crate::domain::email::reply_address::ReplyAddresses;
use crate::domain::text::one_line;

/// Recipients that are read.
const MAX_RECIPIENTS: usize = 20;
/// Maximum code points of a reason.
const MAX_REASON: usize = 500;
/// Maximum bytes of a part that are read.
const MAX_PART: usize = 64 * 1024;

/// The report of failed deliveries in an email; `None` if there is none. A report of a delay is
/// none.
pub(super) fn delivery_report(
    message: &Message<'_>,
    headers: &Headers,
    addresses: &ReplyAddresses,
    message_ids: &MessageIds,
) -> Option<DeliveryReport> {
    let kind = headers.first("content-type")?.to_ascii_lowercase();
    if !kind.starts_with("multipart/report") || kind.contains("disposition-notification") {
        return None;
    }
    let status = message
        .parts
        .iter()
        .find(|part| is_type(part, &["delivery-status", "global-delivery-status"]))?;
    let failures = failures(&String::from_utf8_lossy(limited(part_bytes(status))));
    if failures.is_empty() {
        return None;
    }
    let returned = message.parts.iter().find_map(returned_header);
    Some(DeliveryReport {
        original: returned.as_ref().and_then(|returned| {
            let id = returned.message_ids("message-id").into_iter().next()?;
            match message_ids.read(&id) {
                EmailId::Ours(number) => Some(number),
                EmailId::Other(_) => None,
            }
        }),
        reference: returned.as_ref().and_then(|returned| {
            let reply_to = returned.first("reply-to")?;
            addresses.find(reply_to)
        }),
        failures,
    })
}

fn is_type(part: &MessagePart<'_>, subtypes: &[&str]) -> bool {
    subtypes
        .iter()
        .any(|subtype| part.is_content_type("message", subtype))
}

/// The header of the email that was returned, whole or only its header.
fn returned_header(part: &MessagePart<'_>) -> Option<Headers> {
    if let PartType::Message(returned) = &part.body {
        return Some(Headers::of(returned));
    }
    let is_header = part.is_content_type("text", "rfc822-headers")
        || is_type(
            part,
            &["rfc822", "rfc822-headers", "global", "global-headers"],
        );
    if !is_header {
        return None;
    }
    let parsed = MessageParser::default().parse_headers(limited(part_bytes(part)))?;
    Some(Headers::of(&parsed))
}

fn part_bytes<'a>(part: &'a MessagePart<'_>) -> &'a [u8] {
    part.contents()
}

fn limited(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.len().min(MAX_PART)]
}

/// The failed recipients of a delivery status: groups of fields, separated by empty lines.
fn failures(status: &str) -> Vec<FailedRecipient> {
    let status = status
        .replace("\r\n", "\n")
        .replace("\n ", " ")
        .replace("\n\t", " ");
    let groups = status.split("\n\n").filter_map(failure);
    groups.take(MAX_RECIPIENTS).collect()
}

fn failure(group: &str) -> Option<FailedRecipient> {
    let field = |name: &str| {
        let fields = group.lines().filter_map(|line| line.split_once(':'));
        let found = fields
            .into_iter()
            .find(|(field, _)| field.trim().eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.trim().to_owned())
    };
    // `rfc822; customer@property.example`, `smtp; 550 5.1.1 No such user`.
    let value = |name: &str| {
        let text = field(name)?;
        let value = text
            .split_once(';')
            .map_or(text.as_str(), |(_, value)| value);
        Some(value.trim().to_owned())
    };
    let action = field("action").unwrap_or_default();
    let code = field("status").unwrap_or_default();
    let address = value("original-recipient").or_else(|| value("final-recipient"))?;
    if !action.eq_ignore_ascii_case("failed") {
        return None;
    }
    let reason = value("diagnostic-code").unwrap_or_default();
    let reason = match reason.is_empty() {
        true => format!("returned by the mail server ({code})"),
        false => reason,
    };
    Some(FailedRecipient {
        address: address.trim_matches(['<', '>']).to_ascii_lowercase(),
        reason: one_line(&reason, MAX_REASON),
    })
}
