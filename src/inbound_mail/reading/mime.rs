//! What programs leave out of an email, so that the parser finds its parts: a boundary that is not
//! named, and one that is never closed.

use std::borrow::Cow;

use mail_parser::{MessageParser, MimeHeaders};

/// Maximum characters of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;
/// Maximum multiparts inside one another whose end is looked for.
const MAX_DEPTH: usize = 50;

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

/// The email with a boundary for its parts and the end of the last one, and with a header, if it
/// has no more than words.
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

/// Closes the parts that nothing closes: at a boundary around them, and at the end.
fn with_end<'a>(bytes: &'a [u8], boundary: &str) -> Cow<'a, [u8]> {
    let mut open = vec![Open::new(boundary.as_bytes())];
    let mut missing: Vec<(usize, Vec<u8>)> = Vec::new();
    let (mut is_header, mut is_body, mut at) = (false, false, 0);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        is_body |= text.is_empty();
        is_header &= !text.is_empty();
        if let Some(inner) = named_boundary(text).filter(|_| is_header && open.len() < MAX_DEPTH) {
            open.push(Open::new(inner));
        }
        if let Some((depth, is_end)) = found(text, &open).filter(|_| is_body) {
            let inner = open.drain(depth + 1..).rev();
            missing.extend(inner.filter_map(|inner| inner.end(at)));
            open[depth].has_begun = true;
            open.truncate(if is_end { depth } else { depth + 1 });
            is_header = !is_end;
        }
        at += line.len();
    }
    missing.extend(open.into_iter().rev().filter_map(|open| open.end(at)));
    if missing.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut closed = Vec::with_capacity(bytes.len() + 100);
    let mut from = 0;
    for (at, end) in missing {
        closed.extend_from_slice(&bytes[from..at]);
        closed.extend(end);
        from = at;
    }
    closed.extend_from_slice(&bytes[from..]);
    Cow::Owned(closed)
}

/// A multipart that is not closed yet.
struct Open<'a> {
    boundary: &'a [u8],
    /// Whether its first part has begun.
    has_begun: bool,
}

impl<'a> Open<'a> {
    fn new(boundary: &'a [u8]) -> Self {
        Self {
            boundary,
            has_begun: false,
        }
    }

    /// The line that closes it, at this place, unless it has no parts.
    fn end(self, at: usize) -> Option<(usize, Vec<u8>)> {
        let line = [b"\r\n--", self.boundary, b"--\r\n"].concat();
        self.has_begun.then_some((at, line))
    }
}

/// Which of the open boundaries a line is, the innermost first, and whether it closes it.
fn found(line: &[u8], open: &[Open<'_>]) -> Option<(usize, bool)> {
    let rest = line.strip_prefix(b"--")?;
    let depth = |text: &[u8]| open.iter().rposition(|open| open.boundary == text);
    let ended = rest.strip_suffix(b"--").and_then(depth);
    depth(rest)
        .map(|depth| (depth, false))
        .or(ended.map(|depth| (depth, true)))
}

/// The boundary that a line of a part's header names.
fn named_boundary(line: &[u8]) -> Option<&[u8]> {
    let name = b"boundary=";
    let mut windows = line.windows(name.len());
    let at = windows.position(|found| found.eq_ignore_ascii_case(name))?;
    let value = &line[at + name.len()..];
    let named = match value.strip_prefix(b"\"") {
        Some(quoted) => quoted.split(|byte| *byte == b'"').next(),
        None => value
            .split(|byte| *byte == b';' || byte.is_ascii_whitespace())
            .next(),
    };
    named.filter(|named| (1..=MAX_BOUNDARY).contains(&named.len()))
}
