//! The header of an email: its fields in order, unfolded.

use mail_parser::{Message, MessageParser};

use super::charset;

/// Maximum number of fields that are looked at.
const MAX_FIELDS: usize = 2_000;
/// Maximum bytes of a field that are looked at.
const MAX_FIELD: usize = 64 * 1024;

/// Maximum bytes of a header that is read by itself.
pub(super) const MAX_HEADER: usize = 256 * 1024;

/// The header of an email, whose fields are not taken apart. It takes little time and memory, for
/// any bytes.
pub(super) fn raw(bytes: &[u8]) -> Option<Message<'_>> {
    let parser = MessageParser::new().default_header_raw();
    parser.parse_headers(&bytes[..bytes.len().min(MAX_HEADER)])
}

/// The fields of a header, in order.
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    /// The fields of a message; names are in lower case. Bytes that are not UTF-8 are windows-1252.
    pub(super) fn of(message: &Message<'_>) -> Self {
        // An email without a header has no parts.
        let root = message.parts.first().map(|root| root.headers.as_slice());
        let fields = root
            .unwrap_or_default()
            .iter()
            .take(MAX_FIELDS)
            .map(|header| {
                let (start, end) = (header.offset_start as usize, header.offset_end as usize);
                let end = end.min(start.saturating_add(MAX_FIELD));
                let raw = message.raw_message.get(start..end).unwrap_or_default();
                let value = charset::decoded(raw, "").replace(['\r', '\n', '\0'], " ");
                (
                    header.name.as_str().to_ascii_lowercase(),
                    value.trim().to_owned(),
                )
            });
        Self(fields.collect())
    }

    /// The topmost field with this name.
    pub(super) fn first(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The fields with this name, from the top.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter().filter(move |(field, _)| field == name);
        fields.map(|(_, value)| value.as_str())
    }

    /// Whether there is a field with one of these names.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        self.0
            .iter()
            .any(|(field, _)| names.contains(&field.as_str()))
    }

    /// The first word of the topmost field with this name, in lower case, without comments and
    /// parameters.
    pub(super) fn word(&self, name: &str) -> Option<String> {
        let value = self.first(name)?;
        let word = value.split([';', '(', ' ', '\t', ',']).next()?;
        Some(word.to_ascii_lowercase())
    }

    /// The Message-IDs in the fields with this name, in order.
    pub(super) fn message_ids(&self, name: &str) -> Vec<String> {
        self.all(name).flat_map(message_ids).collect()
    }
}

/// Maximum length of a Message-ID.
const MAX_ID: usize = 250;

/// The Message-IDs in a text, with their angle brackets, which old programs leave out; a fold
/// inside one does not break it. Others than visible ASCII are left out: they are written into
/// headers of answers.
pub(super) fn message_ids(text: &str) -> Vec<String> {
    let inside = text
        .split('<')
        .skip(1)
        .filter_map(|part| part.split_once('>'));
    let mut ids: Vec<String> = inside
        .map(|(id, _)| id.split_whitespace().collect())
        .collect();
    if ids.is_empty() {
        let words = text.split([' ', '\t', ',', ';', '"']);
        ids = words
            .filter(|word| word.contains('@'))
            .map(str::to_owned)
            .collect();
    }
    let is_id = |id: &String| {
        !id.is_empty() && id.len() <= MAX_ID && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    ids.iter()
        .filter(|id| is_id(id))
        .map(|id| format!("<{id}>"))
        .collect()
}
