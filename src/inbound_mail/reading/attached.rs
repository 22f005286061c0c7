//! The files of an email, in the order of its parts.

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use crate::domain::text::one_line;

/// Maximum files that are taken out of an email.
const MAX_FILES: usize = 20;
/// Pictures up to this size, in bytes, that the HTML of an email shows are logos of signatures.
const MAX_LOGO: usize = 100 * 1024;
/// Maximum code points of a name.
const MAX_NAME: usize = 150;

/// A file of an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachedFile {
    pub name: String,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

/// The files of an email, without the pictures of signatures and digital signatures.
pub(super) fn files(message: &Message<'_>) -> Vec<AttachedFile> {
    let html: Vec<&str> = message
        .html_bodies()
        .filter_map(|part| match &part.body {
            PartType::Html(html) => Some(html.as_ref()),
            _ => None,
        })
        .collect();
    let is_shown = |part: &MessagePart<'_>| {
        let shown = part.content_id().is_some_and(|id| {
            let address = format!("cid:{id}");
            html.iter().any(|html| html.contains(&address))
        });
        shown && part.contents().len() <= MAX_LOGO
    };
    let is_whole = |part: &MessagePart<'_>| {
        message
            .parts
            .first()
            .is_some_and(|first| std::ptr::eq(first, part))
    };
    let files = message
        .attachments()
        .filter(|part| !is_shown(part) && !is_whole(part));
    let files = files.enumerate().filter_map(|(at, part)| file(at, part));
    files.take(MAX_FILES).collect()
}

fn file(at: usize, part: &MessagePart<'_>) -> Option<AttachedFile> {
    let media_type = media_type(part);
    let is_signature = [
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
    ]
    .contains(&media_type.as_str())
        || media_type == "application/pgp-signature"
        || media_type.starts_with("message/delivery-status");
    let bytes = part.contents();
    if bytes.is_empty() || is_signature {
        return None;
    }
    let named = one_line(part.attachment_name().unwrap_or_default(), MAX_NAME);
    let name = match (&part.body, named.is_empty()) {
        (PartType::Message(inner), true) => {
            let subject = one_line(inner.subject().unwrap_or("email"), MAX_NAME);
            format!("{subject}.eml")
        }
        (_, true) => format!("file-{}", at + 1),
        _ => named,
    };
    Some(AttachedFile {
        name,
        media_type,
        bytes: bytes.to_vec(),
    })
}

fn media_type(part: &MessagePart<'_>) -> String {
    let found = part.content_type().map(|found| {
        let subtype = found.subtype().unwrap_or("octet-stream");
        format!("{}/{subtype}", found.ctype())
    });
    found.unwrap_or_default().to_ascii_lowercase()
}
