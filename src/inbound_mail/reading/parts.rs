//! The text of a part: its bytes without their transfer encoding, in the characters that they are
//! in.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::{charset, flowed};

/// Base64 as mail programs write it: with or without padding.
pub(super) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);
/// Maximum bytes of a part that are read.
const MAX_PART: usize = 32 * 1024 * 1024;
/// Bytes of an HTML body in which its character set is looked for.
const HTML_HEAD: usize = 2_048;

/// The text of a part.
pub(super) struct PartText {
    pub text: String,
    pub is_html: bool,
    /// Whether it is only the beginning.
    pub is_cut: bool,
}

/// The text of a part that is one.
pub(super) fn text_of(message: &Message<'_>, part: &MessagePart<'_>) -> PartText {
    let (bytes, is_cut) = bytes_of(message, part);
    let is_html = is_html(part);
    let named = attribute(part, "charset");
    let in_html = || html_charset(&bytes[..bytes.len().min(HTML_HEAD)]);
    let label = match named.is_empty() && is_html {
        true => in_html(),
        false => named,
    };
    let mut text = charset::decoded(&bytes, &label);
    if !is_html && attribute(part, "format").eq_ignore_ascii_case("flowed") {
        text = flowed::joined(&text, attribute(part, "delsp").eq_ignore_ascii_case("yes"));
    }
    PartText {
        text,
        is_html,
        is_cut,
    }
}

/// Whether a part is HTML; `Content-Type: html` is one, too.
fn is_html(part: &MessagePart<'_>) -> bool {
    let kind = part.content_type();
    let is_word =
        kind.is_some_and(|it| it.subtype().is_none() && it.ctype().eq_ignore_ascii_case("html"));
    matches!(part.body, PartType::Html(_)) || is_word
}

/// An attribute of the content type; empty if there is none.
pub(super) fn attribute(part: &MessagePart<'_>, name: &str) -> String {
    let kind = part.content_type();
    let value = kind.and_then(|kind| kind.attribute(name));
    value.unwrap_or_default().trim().to_owned()
}

/// The bytes of a part as its sender had them, and whether they are only the beginning.
pub(super) fn bytes_of(message: &Message<'_>, part: &MessagePart<'_>) -> (Vec<u8>, bool) {
    let (start, end) = (part.offset_body as usize, part.offset_end as usize);
    let raw = message.raw_message.get(start..end).unwrap_or_default();
    let is_cut = raw.len() > MAX_PART;
    let raw = &raw[..raw.len().min(MAX_PART)];
    let bytes = match transfer_encoding(message, part).as_str() {
        "base64" => base64(raw),
        "quoted-printable" => quoted_printable(raw),
        _ => raw.to_vec(),
    };
    (bytes, is_cut)
}

/// The transfer encoding in lower case, without the comments that some programs write.
fn transfer_encoding(message: &Message<'_>, part: &MessagePart<'_>) -> String {
    let is_encoding = |name: &str| name.eq_ignore_ascii_case("content-transfer-encoding");
    let field = part.headers.iter().find(|it| is_encoding(it.name.as_str()));
    let raw = field.and_then(|it| {
        message
            .raw_message
            .get(it.offset_start as usize..it.offset_end as usize)
    });
    let text = String::from_utf8_lossy(raw.unwrap_or_default());
    let word = text
        .split(['(', ';', ' ', '\t'])
        .find(|word| !word.trim().is_empty());
    word.unwrap_or_default()
        .trim()
        .trim_matches('"')
        .to_ascii_lowercase()
}

/// Base64, and what a list has written below it as it is.
fn base64(raw: &[u8]) -> Vec<u8> {
    let is_packed = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let mut packed = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while !rest.is_empty() && !packed.ends_with(b"=") {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, below) = rest.split_at(end);
        if !line.trim_ascii().iter().all(is_packed) {
            break;
        }
        packed.extend_from_slice(line.trim_ascii());
        rest = below;
    }
    let whole = packed.len() - packed.len() % 4;
    let decoded = BASE64
        .decode(&packed)
        .or_else(|_| BASE64.decode(&packed[..whole]));
    match decoded {
        Ok(mut bytes) => {
            if !rest.trim_ascii().is_empty() {
                bytes.push(b'\n');
                bytes.extend_from_slice(rest);
            }
            bytes
        }
        Err(_) => raw.to_vec(),
    }
}

/// Quoted-printable; what is none stays as it is.
pub(super) fn quoted_printable(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    for line in raw.split_inclusive(|byte| *byte == b'\n') {
        let content = line.trim_ascii_end();
        let is_soft = content.ends_with(b"=");
        let mut rest = content.strip_suffix(b"=").unwrap_or(content);
        while let Some((byte, after)) = rest.split_first() {
            let hex = after.get(..2).filter(|_| *byte == b'=');
            match hex.and_then(|hex| hex::decode(hex).ok()) {
                Some(decoded) => {
                    bytes.extend(decoded);
                    rest = &after[2..];
                }
                None => {
                    bytes.push(*byte);
                    rest = after;
                }
            }
        }
        if !is_soft && line.ends_with(b"\n") {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// The character set that an HTML body names in a `meta` element; empty if it names none.
fn html_charset(head: &[u8]) -> String {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let found = head
        .split_once("charset=")
        .map(|(_, rest)| rest.trim_start_matches(['"', '\'', ' ']));
    let is_label = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
    let found = found.map(|rest| rest.chars().take_while(|c| is_label(*c)).collect());
    found.unwrap_or_default()
}
