//! The type of a file, found in its content alone. Its name and its declared type are ignored, so
//! that no type can pass for another.

use quick_xml::Reader;
use quick_xml::events::Event;

/// Length of the beginning that is kept to recognize a type, in bytes.
const HEAD_BYTES: usize = 16 * 1024;

/// A type that the storage service accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentType {
    /// A JPEG picture.
    Jpeg,
    /// A PNG picture.
    Png,
    /// A WebP picture.
    WebP,
    /// A PDF document.
    Pdf,
    /// Plain text.
    Text,
    /// Comma-separated values.
    Csv,
    /// An SVG drawing.
    Svg,
    /// Anything else, and a picture that cannot be rewritten: only ever downloaded.
    Opaque,
}

impl ContentType {
    /// The types that visitors may send.
    pub const VISITORS: [Self; 4] = [Self::Jpeg, Self::Png, Self::WebP, Self::Pdf];

    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::WebP => "image/webp",
            Self::Pdf => "application/pdf",
            Self::Text => "text/plain;charset=UTF-8",
            Self::Csv => "text/csv;charset=UTF-8",
            Self::Svg => "image/svg+xml",
            Self::Opaque => "application/octet-stream",
        }
    }

    /// Whether the service decodes and rewrites it.
    pub const fn is_picture(self) -> bool {
        matches!(self, Self::Jpeg | Self::Png | Self::WebP)
    }
}

/// Whether a stored object of this media type is a picture that the service wrote.
pub fn is_rewritten_picture(media_type: &str) -> bool {
    ContentType::VISITORS
        .iter()
        .any(|kind| kind.is_picture() && kind.media_type() == media_type)
}

/// The part of a media type before its parameters, in lower case.
pub fn essence(media_type: &str) -> String {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// Reads the bytes of a file in order and finds its type.
#[derive(Debug, Default)]
pub struct Detector {
    head: Vec<u8>,
    text: TextCheck,
}

impl Detector {
    /// Reads the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let missing = HEAD_BYTES - self.head.len();
        self.head
            .extend_from_slice(&bytes[..bytes.len().min(missing)]);
        self.text.update(bytes);
    }

    /// The type, given the declared one. `Err` holds the name of a type that the service does not
    /// accept.
    pub fn finish(self, declared: &str) -> Result<ContentType, String> {
        let head = self.head.as_slice();
        let declared = essence(declared);
        if head.starts_with(b"\xff\xd8\xff") {
            return Ok(ContentType::Jpeg);
        }
        if head.starts_with(b"\x89PNG\r\n\x1a\n") {
            return Ok(ContentType::Png);
        }
        if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
            return Ok(ContentType::WebP);
        }
        if head.starts_with(b"%PDF-") {
            return Ok(ContentType::Pdf);
        }
        if self.text.is_text() {
            return Ok(match () {
                () if is_svg(head) => ContentType::Svg,
                () if declared == "text/csv" => ContentType::Csv,
                () => ContentType::Text,
            });
        }
        Err(other_type(head).map_or_else(|| printable(&declared), str::to_owned))
    }
}

/// The name of a well-known type that is not accepted, for the message of the refusal.
fn other_type(head: &[u8]) -> Option<&'static str> {
    let brand = head.get(4..12)?;
    Some(match head {
        [b'G', b'I', b'F', b'8', ..] => "image/gif",
        [b'B', b'M', ..] => "image/bmp",
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => "image/tiff",
        [b'P', b'K', 3, 4, ..] => "application/zip",
        [0x1f, 0x8b, ..] => "application/gzip",
        _ => match brand {
            b"ftypheic" | b"ftypheix" | b"ftyphevc" | b"ftypmif1" => "image/heic",
            b"ftypavif" => "image/avif",
            _ if brand.starts_with(b"ftyp") => "video/mp4",
            _ => return None,
        },
    })
}

/// The declared type if it looks like one.
fn printable(declared: &str) -> String {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$&^_.+-/".contains(c);
    let recognized = ContentType::VISITORS.map(|kind| essence(kind.media_type()));
    let is_wrong = declared.starts_with("text/") || recognized.contains(&declared.to_owned());
    if declared.is_empty() || is_wrong || declared.len() > 100 || !declared.chars().all(is_token) {
        return "application/octet-stream".to_owned();
    }
    declared.to_owned()
}

/// Whether the first element of an XML document is `svg`.
fn is_svg(head: &[u8]) -> bool {
    let mut document = Reader::from_reader(head);
    loop {
        match document.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) => {
                return root.local_name().as_ref() == b"svg";
            }
            Ok(Event::Text(text)) if text.trim_ascii().is_empty() => {}
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::DocType(_)) => {}
            _ => return false,
        }
    }
}

/// Whether all bytes are UTF-8 without control characters other than tab, line feed, carriage
/// return and form feed.
#[derive(Debug)]
struct TextCheck {
    valid: bool,
    /// The beginning of a character whose end has not arrived yet.
    partial: Vec<u8>,
}

impl Default for TextCheck {
    fn default() -> Self {
        Self {
            valid: true,
            partial: Vec::new(),
        }
    }
}

impl TextCheck {
    fn update(&mut self, bytes: &[u8]) {
        if !self.valid {
            return;
        }
        let joined;
        let bytes = if self.partial.is_empty() {
            bytes
        } else {
            joined = [self.partial.as_slice(), bytes].concat();
            &joined
        };
        let (text, partial) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, &[][..]),
            Err(error) => {
                let (valid, rest) = bytes.split_at(error.valid_up_to());
                self.valid = error.error_len().is_none();
                (std::str::from_utf8(valid).unwrap_or_default(), rest)
            }
        };
        let is_forbidden = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0c');
        self.valid &= !text.contains(is_forbidden);
        self.partial = partial.to_vec();
    }

    fn is_text(&self) -> bool {
        self.valid && self.partial.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentType, Detector};

    fn detect(bytes: &[u8], declared: &str) -> Result<ContentType, String> {
        // One byte at a time, so that every character is cut.
        let mut detector = Detector::default();
        bytes.chunks(1).for_each(|chunk| detector.update(chunk));
        let by_byte = detector.finish(declared);
        let mut detector = Detector::default();
        detector.update(bytes);
        assert_eq!(detector.finish(declared), by_byte);
        by_byte
    }

    #[test]
    fn the_content_decides_and_not_the_declared_type() {
        use ContentType::{Csv, Jpeg, Pdf, Png, Svg, Text, WebP};
        let svg = b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n\
                    <!-- <html> --><!DOCTYPE svg [<!ENTITY a \"b\">]>\n<svg:svg/>";
        let cases: &[(&[u8], &str, ContentType)] = &[
            (b"\xff\xd8\xff\xe0", "text/html", Jpeg),
            (b"\x89PNG\r\n\x1a\n", "", Png),
            (b"RIFF\x04\0\0\0WEBPVP8 ", "image/png", WebP),
            (b"%PDF-1.7\n\xe2\xe3\xcf\xd3", "image/png", Pdf),
            ("Grüße\t1\r\n".as_bytes(), "image/png", Text),
            (b"a,b\n1,2\n", "text/csv; charset=utf-8", Csv),
            (b"<html><svg></svg></html>", "image/svg+xml", Text),
            (b"<svg onload=\"alert(1)\">", "text/csv", Svg),
            (b"<!DOCTYPE svg><svg id=\"[\"/>", "", Svg),
            (svg, "", Svg),
            (b"\n%PDF-1.7", "application/pdf", Text),
        ];
        for (bytes, declared, found) in cases {
            assert_eq!(detect(bytes, declared), Ok(*found), "{declared}");
        }
    }

    #[test]
    fn other_content_is_refused_by_the_name_of_its_type() {
        let cases: &[(&[u8], &str, &str)] = &[
            (b"GIF89a\x01\0\x01\0\0\0", "image/png", "image/gif"),
            (b"\0\0\0\x18ftypheic\0\0", "image/jpeg", "image/heic"),
            (
                b"PK\x03\x04\0\0\0\0\0\0\0\0",
                "image/jpeg",
                "application/zip",
            ),
            (b"\0\x01\x02", "image/jpeg", "application/octet-stream"),
            (b"\0\x01\x02", "a/b\r\nx: y", "application/octet-stream"),
            (b"text\x07", "text/plain", "application/octet-stream"),
            (b"cut \xc3", "application/x-thing", "application/x-thing"),
            ("C1 \u{85}".as_bytes(), "", "application/octet-stream"),
        ];
        for (bytes, declared, named) in cases {
            assert_eq!(detect(bytes, declared), Err((*named).to_owned()));
        }
    }
}
