//! Reads an email: who wrote it, to which request it belongs, what it says, and its files. Nothing
//! here fails: an email that cannot be understood is one without text, and its bytes are kept.

mod attached;
mod authentication;
mod classify;
mod folding;
mod headers;
mod html;
mod report;

use mail_parser::{Message, MessageParser, PartType};
use sha2::{Digest, Sha256};

pub use attached::AttachedFile;
use headers::Headers;

use crate::domain::email::message_id::{EmailId, MessageIds};
use crate::domain::email::received_email::{EmailClass, ReceivedEmail};
use crate::domain::email::reply_address::ReplyAddresses;
use crate::domain::text::{one_line, visible};

/// Maximum parts of an email that is read; of one with more, only the header is.
const MAX_PARTS: usize = 1_000;
/// Maximum code points of each of the two texts.
const MAX_TEXT: usize = 20_000;
/// Maximum bytes of a body that are read.
const MAX_BODY: usize = 1024 * 1024;
/// Maximum code points of a subject.
const MAX_SUBJECT: usize = 300;
/// Maximum code points of a name or an address.
const MAX_NAME: usize = 200;
/// Maximum Message-IDs of a conversation that are looked at.
const MAX_IDS: usize = 100;

/// What the reader has to know.
#[derive(Clone)]
pub struct Reader {
    pub addresses: ReplyAddresses,
    pub message_ids: MessageIds,
    /// The name of our own mail server in `Authentication-Results`; empty: no sender is verified.
    pub authserv_id: String,
}

/// An email with its files.
#[derive(Debug)]
pub struct Read {
    pub email: ReceivedEmail,
    pub files: Vec<AttachedFile>,
}

impl Reader {
    /// Reads an email. `recipient` is the address of its envelope, if it is known. Call it on a
    /// thread that may block: a large email takes a tenth of a second.
    pub fn read(&self, bytes: &[u8], recipient: Option<&str>) -> Read {
        let bytes = without_envelope_line(bytes);
        let parser = MessageParser::default();
        let has_limits = count_parts(bytes) <= MAX_PARTS;
        let message = match has_limits {
            true => parser.parse(bytes),
            false => parser.parse_headers(bytes),
        };
        let message = message.unwrap_or_default();
        let headers = Headers::of(&message);
        let (from, from_name) = author(&message, &headers);
        let written = body(&message);
        let folded = folding::fold(&written);
        let (text, is_text_cut) = limited(&folded.text);
        let (folded, is_folded_cut) = limited(&folded.folded);
        let message_id = headers.message_ids("message-id").into_iter().next();
        let email = ReceivedEmail {
            fingerprint: fingerprint_of(&headers, bytes),
            is_ours: message_id.as_deref().is_some_and(|id| self.is_ours(id)),
            message_id,
            class: self.classify(&message, &headers, &from),
            is_verified: authentication::is_verified(&headers, &self.authserv_id, &from),
            from,
            from_name,
            subject: one_line(message.subject().unwrap_or_default(), MAX_SUBJECT),
            reference: self.reference(&headers, recipient),
            ancestors: self.ancestors(&headers),
            references: last(headers.message_ids("references")),
            is_cut: is_text_cut || is_folded_cut || !has_limits,
            text,
            folded,
        };
        let files = match headers.word("content-type").as_deref() {
            Some("multipart/report") => Vec::new(),
            _ => attached::files(&message),
        };
        Read { email, files }
    }

    fn classify(&self, message: &Message<'_>, headers: &Headers, from: &str) -> EmailClass {
        match report::delivery_report(message, headers, &self.addresses, &self.message_ids) {
            Some(report) => EmailClass::Report(report),
            None if classify::is_automatic(headers, from) => EmailClass::Automatic,
            None => EmailClass::Human,
        }
    }

    fn is_ours(&self, id: &str) -> bool {
        matches!(self.message_ids.read(id), EmailId::Ours(_))
    }

    fn ancestors(&self, headers: &Headers) -> Vec<EmailId> {
        let mut ids = headers.message_ids("in-reply-to");
        for id in headers.message_ids("references").into_iter().rev() {
            if !ids.contains(&id) && ids.len() < MAX_IDS {
                ids.push(id);
            }
        }
        let ids = ids.iter().take(MAX_IDS);
        ids.map(|id| self.message_ids.read(id)).collect()
    }

    /// The reference in the signed address that the email was sent to.
    fn reference(&self, headers: &Headers, recipient: Option<&str>) -> Option<String> {
        let names = [
            "delivered-to",
            "x-original-to",
            "envelope-to",
            "x-envelope-to",
            "to",
            "cc",
        ];
        let named = names.iter().flat_map(|name| headers.all(name));
        recipient
            .into_iter()
            .chain(named)
            .find_map(|text| self.addresses.find(text))
    }
}

/// The fingerprint of an email that is not read yet.
pub fn fingerprint(bytes: &[u8]) -> String {
    let bytes = without_envelope_line(bytes);
    let message = MessageParser::default().parse_headers(bytes);
    fingerprint_of(&Headers::of(&message.unwrap_or_default()), bytes)
}

/// A pipe may put a line `From sender date` before the header (mbox).
fn without_envelope_line(bytes: &[u8]) -> &[u8] {
    match bytes.starts_with(b"From ") {
        true => match memchr::memchr(b'\n', bytes) {
            Some(end) => &bytes[end + 1..],
            None => &[],
        },
        false => bytes,
    }
}

/// The number of parts that an email may have: how often a line begins with `Content-Type:`.
fn count_parts(bytes: &[u8]) -> usize {
    memchr::memmem::find_iter(bytes, b"\n")
        .filter(|at| {
            let line = bytes.get(at + 1..at + 14).unwrap_or_default();
            line.eq_ignore_ascii_case(b"content-type:")
        })
        .count()
}

/// The address and the name of the author. An email with several has none that can be verified.
fn author(message: &Message<'_>, headers: &Headers) -> (String, Option<String>) {
    let addresses: Vec<_> = message
        .from()
        .map(|from| from.iter().collect())
        .unwrap_or_default();
    let [only] = addresses.as_slice() else {
        return Default::default();
    };
    if headers.all("from").count() != 1 {
        return Default::default();
    }
    let address = one_line(only.address().unwrap_or_default(), MAX_NAME);
    let name = only.name.as_deref().map(|name| one_line(name, MAX_NAME));
    (address.to_lowercase(), name.filter(|name| !name.is_empty()))
}

/// The text of an email: that of its plain parts, or else of its HTML.
fn body(message: &Message<'_>) -> String {
    let plain = joined(message.text_bodies());
    if !plain.trim().is_empty() {
        return plain;
    }
    let html = joined(message.html_bodies());
    match html.trim().is_empty() {
        // A multipart without parts.
        true => joined(message.parts.iter().take(1)),
        false => html,
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a mail_parser::MessagePart<'a>>) -> String {
    let mut text = String::new();
    for part in parts.take(MAX_PARTS) {
        let body = match &part.body {
            PartType::Text(body) => start(body, MAX_BODY).to_owned(),
            PartType::Html(body) => html::text_of_html(start(body, MAX_BODY)),
            _ => continue,
        };
        text.push_str(&visible(&body, true));
        text.push('\n');
        if text.len() > MAX_BODY {
            break;
        }
    }
    text
}

/// The beginning of a text, up to `max` bytes.
fn start(text: &str, max: usize) -> &str {
    &text[..text.floor_char_boundary(max)]
}

/// The text up to its limit, and whether there is more.
fn limited(text: &str) -> (String, bool) {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => (text[..end].to_owned(), true),
        None => (text.to_owned(), false),
    }
}

fn last(mut ids: Vec<String>) -> Vec<String> {
    let first = ids.len().saturating_sub(MAX_IDS);
    ids.split_off(first)
}

/// A hash of what stays the same whatever way an email comes: its Message-ID, author and date, and
/// its body without the ends of lines. Servers on the way add fields to the header.
fn fingerprint_of(headers: &Headers, bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    for name in ["message-id", "from", "date", "subject"] {
        hash.update(headers.first(name).unwrap_or_default());
        hash.update([0]);
    }
    for line in body_of(bytes).split(|byte| *byte == b'\n') {
        hash.update(line.trim_ascii_end());
        hash.update(b"\n");
    }
    hex::encode(hash.finalize())
}

/// The bytes below the header, without empty lines at their end.
fn body_of(bytes: &[u8]) -> &[u8] {
    let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
    let ends = ends.iter().filter_map(|end| {
        let at = memchr::memmem::find(bytes, end)?;
        Some(at + end.len())
    });
    let start = ends.min().unwrap_or(bytes.len());
    bytes[start..].trim_ascii_end()
}
