//! Emails whose words or files are inside a file that only some programs open.

use mail_parser::{Message, MessagePart, MimeHeaders};

use super::attached::media_type;
use super::parts::attribute;
use domain::email::received_email::EmailMark;

/// The types of S/MIME content in DER: `1.2.840.113549.1.7.2` and `…3` (RFC 5652).
const SIGNED_DATA: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02];
const ENVELOPED_DATA: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03];
/// Bytes of a file in which its type is looked for.
const START: usize = 64;

/// What a reader should know of the parts of an email.
pub(super) fn marks(message: &Message<'_>, text: &str) -> Vec<EmailMark> {
    let mut marks: Vec<EmailMark> = message.parts.iter().filter_map(mark).collect();
    if text.contains("-----BEGIN PGP MESSAGE-----") {
        marks.push(EmailMark::Encrypted);
    }
    marks.dedup();
    marks
}

fn mark(part: &MessagePart<'_>) -> Option<EmailMark> {
    let name = part.attachment_name().unwrap_or_default();
    match media_type(part).as_str() {
        "multipart/encrypted" | "application/pgp-encrypted" => Some(EmailMark::Encrypted),
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => smime(part),
        "application/ms-tnef" | "application/vnd.ms-tnef" => Some(EmailMark::OutlookFile),
        _ if name.eq_ignore_ascii_case("winmail.dat") => Some(EmailMark::OutlookFile),
        _ => None,
    }
}

/// Signed or encrypted, by the content; its name for itself is missing in old programs.
fn smime(part: &MessagePart<'_>) -> Option<EmailMark> {
    let bytes = part.contents();
    let start = &bytes[..bytes.len().min(START)];
    let has = |kind: &[u8]| memchr::memmem::find(start, kind).is_some();
    match attribute(part, "smime-type").to_ascii_lowercase().as_str() {
        "certs-only" => None,
        _ if has(&SIGNED_DATA) => Some(EmailMark::SignedFile),
        _ if has(&ENVELOPED_DATA) => Some(EmailMark::Encrypted),
        "signed-data" => Some(EmailMark::SignedFile),
        _ => Some(EmailMark::Encrypted),
    }
}
