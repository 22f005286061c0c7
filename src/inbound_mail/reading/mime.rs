//! What programs leave out of an email, so that the parser finds its parts: a boundary that is not
//! named, and one that is never closed.

use std::borrow::Cow;

use mail_parser::{MessageParser, MimeHeaders};

/// Maximum characters of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// A pipe may put a line `From sender date` before the header (mbox); others put empty lines or a
/// byte order mark there.
pub(super) fn without_envelope_line(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let bytes = bytes.trim_ascii_start();
    let is_line = bytes.starts_with(b"From ") || bytes.starts_with(b">From ");
    match (is_line, memchr::memchr(b'\n', bytes)) {
        (true, Some(end)) => &bytes[end + 1..],
        (true, None) => &[],
        (false, _) => bytes,
    }
}

/// The email with a boundary for its parts and the end of the last one, and with a header, if it has
/// no more than words.
pub(super) fn repaired(bytes: &[u8]) -> Cow<'_, [u8]> {
    let header = MessageParser::default().parse_headers(bytes);
    let Some(header) = header.filter(|header| !header.parts.is_empty()) else {
        return Cow::Owned([b"MIME-Version: 1.0\r\n\r\n", bytes].concat());
    };
    let kind = header
        .content_type()
        .filter(|it| it.ctype().eq_ignore_ascii_case("multipart"));
    let Some(kind) = kind else {
        return Cow::Borrowed(bytes);
    };
    let named = kind.attribute("boundary").unwrap_or_default();
    if named.is_empty() {
        let mut fields = header.headers().iter();
        let field = fields.find(|it| it.name.as_str().eq_ignore_ascii_case("content-type"));
        let end = field.map(|field| field.offset_end as usize);
        return end
            .and_then(|end| with_boundary(bytes, end))
            .unwrap_or(Cow::Borrowed(bytes));
    }
    with_end(bytes, named)
}

/// Names the boundary of the body's first part in the field that ends at `field_end`.
fn with_boundary(bytes: &[u8], field_end: usize) -> Option<Cow<'_, [u8]>> {
    let (head, rest) = bytes.split_at_checked(field_end)?;
    let head = head.trim_ascii_end();
    let mut lines = rest
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let boundary = lines.find_map(|line| {
        let boundary = line.strip_prefix(b"--")?;
        let is_boundary = (1..=MAX_BOUNDARY).contains(&boundary.len())
            && boundary
                .iter()
                .all(|byte| byte.is_ascii_graphic() && *byte != b'"');
        is_boundary.then_some(boundary)
    })?;
    let named = [head, b"; boundary=\"", boundary, b"\"\r\n", rest].concat();
    Some(Cow::Owned(
        with_end(&named, &String::from_utf8_lossy(boundary)).into_owned(),
    ))
}

/// Closes the last part, if nothing does.
fn with_end<'a>(bytes: &'a [u8], boundary: &str) -> Cow<'a, [u8]> {
    let end = format!("--{boundary}--");
    match memchr::memmem::find(bytes, end.as_bytes()) {
        Some(_) => Cow::Borrowed(bytes),
        None => Cow::Owned([bytes, b"\r\n", end.as_bytes(), b"\r\n"].concat()),
    }
}
