//! The files of an email, in the order of its parts.

use std::collections::HashSet;

use bytes::Bytes;
use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::body::is_unnamed_text;
use super::words;
use domain::text::one_line;

/// Maximum files that are taken out of an email.
const MAX_FILES: usize = 100;
/// Pictures up to this size, in bytes, that a body shows are logos.
const MAX_LOGO: usize = 10 * 1024;
/// Maximum code points of a name.
const MAX_NAME: usize = 150;

/// Parts that are no files of a person: signatures, reports, reactions.
const NO_FILES: [&str; 9] = [
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/pgp-signature",
    "application/pgp-encrypted",
    "message/delivery-status",
    "message/global-delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
    "text/vnd.google.email-reaction+json",
];

/// The endings of files without a name.
const ENDINGS: [(&str, &str); 12] = [
    ("application/pdf", "pdf"),
    ("application/pkcs7-mime", "p7m"),
    ("application/zip", "zip"),
    ("audio/mp4", "m4a"),
    ("image/gif", "gif"),
    ("image/heic", "heic"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/webp", "webp"),
    ("text/calendar", "ics"),
    ("text/vcard", "vcf"),
    ("video/mp4", "mp4"),
];

/// A file of an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedFile {
    pub name: String,
    pub media_type: String,
    pub bytes: Bytes,
}

/// The pictures that the bodies of an email show, by their content ids.
pub(super) struct Pictures {
    /// All of them.
    pub all: HashSet<String>,
    /// Those among what the author wrote, not among earlier emails.
    pub written: HashSet<String>,
}

/// The files of an email without logos, and the number of files that are left out since there are
/// too many.
pub(super) fn files(message: &Message<'_>, pictures: &Pictures) -> (Vec<AttachedFile>, usize) {
    let is_logo = |part: &MessagePart<'_>| {
        let id = part.content_id().unwrap_or_default();
        pictures.all.contains(id)
            && (part.contents().len() <= MAX_LOGO || !pictures.written.contains(id))
    };
    let is_words = |part: &MessagePart<'_>| {
        let root = message.parts.first();
        root.is_some_and(|root| std::ptr::eq(root, part)) && is_unnamed_text(part)
    };
    let parts = message
        .attachments()
        .filter(|part| !is_logo(part) && !is_words(part));
    let all: Vec<_> = parts
        .enumerate()
        .filter(|(_, part)| is_file(part))
        .collect();
    let left_out = all.len().saturating_sub(MAX_FILES);
    let files = all
        .into_iter()
        .take(MAX_FILES)
        .map(|(at, part)| file(at, part));
    (files.collect(), left_out)
}

fn is_file(part: &MessagePart<'_>) -> bool {
    let media_type = media_type(part);
    // One without contents is named, if its sender has given it a name.
    let is_there = !part.contents().is_empty() || part.attachment_name().is_some();
    is_there && !NO_FILES.contains(&media_type.as_str())
}

fn file(at: usize, part: &MessagePart<'_>) -> AttachedFile {
    let media_type = media_type(part);
    let named = words::decoded(part.attachment_name().unwrap_or_default());
    let named = one_line(&named, MAX_NAME);
    let ending = ENDINGS.iter().find(|(of, _)| *of == media_type);
    let name = match (&part.body, ending) {
        _ if !named.is_empty() => named,
        (PartType::Message(inner), _) => {
            let subject = one_line(inner.subject().unwrap_or("email"), MAX_NAME);
            format!("{subject}.eml")
        }
        (_, Some((_, ending))) => format!("file-{}.{ending}", at + 1),
        _ => format!("file-{}", at + 1),
    };
    AttachedFile {
        name,
        media_type,
        bytes: Bytes::copy_from_slice(part.contents()),
    }
}

/// The type of a part in lower case; empty if it has none.
pub(super) fn media_type(part: &MessagePart<'_>) -> String {
    let found = part.content_type().map(|found| {
        let subtype = found.subtype().unwrap_or("octet-stream");
        format!("{}/{subtype}", found.ctype())
    });
    found.unwrap_or_default().to_ascii_lowercase()
}
