//! Reads `multipart/form-data` (RFC 7578) as a stream: a file's bytes are handed on as they arrive,
//! and never more than one frame of the connection is held.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memmem::Finder;
use poem::http::{HeaderMap, header};

use super::upload_body::{Fault, UploadBody};

/// Maximum length of the headers of a part, in bytes.
const MAX_HEADERS: usize = 8 * 1024;
/// Maximum length of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultipartError {
    /// No more bytes come.
    Body(Fault),
    /// It is not `multipart/form-data`.
    Malformed,
    /// A text field is longer than its limit.
    FieldTooLong,
}

impl From<Fault> for MultipartError {
    fn from(fault: Fault) -> Self {
        Self::Body(fault)
    }
}

/// The headers of a part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The file's name; `None` for a text field.
    pub file_name: Option<String>,
    /// The declared media type.
    pub content_type: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// Before the end of a part: the preamble counts as one.
    Data,
    /// After a delimiter.
    Delimiter,
    /// After the last delimiter.
    End,
}

/// A body in parts.
pub struct Multipart<'a> {
    body: &'a mut UploadBody,
    finder: Finder<'static>,
    delimiter: usize,
    buffer: BytesMut,
    position: Position,
}

/// The boundary of a body of the type `multipart/form-data`; `None` if it is of another type.
pub fn boundary(headers: &HeaderMap) -> Option<Option<String>> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let (kind, parameters) = value.split_once(';').unwrap_or((value, ""));
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = parameter(parameters, "boundary");
    Some(boundary.filter(|text| (1..=MAX_BOUNDARY).contains(&text.len())))
}

/// A parameter of a header, `name=value` or `name="value"`.
fn parameter(text: &str, wanted: &str) -> Option<String> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([';', ' ', '\t']);
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_at(after.find(';').unwrap_or(after.len())),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value.to_owned());
        }
        rest = after;
    }
}

impl<'a> Multipart<'a> {
    /// Reads `body`, whose parts are separated by `boundary`.
    pub fn new(body: &'a mut UploadBody, boundary: &str) -> Self {
        let delimiter = format!("\r\n--{boundary}");
        Self {
            body,
            finder: Finder::new(delimiter.as_bytes()).into_owned(),
            delimiter: delimiter.len(),
            // The first delimiter is at the beginning of the body, without a line break.
            buffer: BytesMut::from(&b"\r\n"[..]),
            position: Position::Data,
        }
    }

    /// The headers of the next part, after skipping the rest of this one. `None` at the end.
    ///
    /// # Errors
    /// If the body cannot be read.
    pub async fn next_part(&mut self) -> Result<Option<Part>, MultipartError> {
        while self.chunk().await?.is_some() {}
        if self.position == Position::End {
            return Ok(None);
        }
        // `--` ends the last part; white space may follow a boundary (RFC 2046, section 5.1.1).
        while self.buffer.len() < 2 {
            self.fill().await?;
        }
        if self.buffer.starts_with(b"--") {
            self.position = Position::End;
            self.skip_epilogue().await?;
            return Ok(None);
        }
        let head = self.read_head().await?;
        self.position = Position::Data;
        parse_head(&head).map(Some).ok_or(MultipartError::Malformed)
    }

    /// The next bytes of this part; `None` at its end.
    ///
    /// # Errors
    /// If the body cannot be read.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, MultipartError> {
        loop {
            if self.position != Position::Data {
                return Ok(None);
            }
            if let Some(at) = self.finder.find(&self.buffer) {
                let data = self.buffer.split_to(at).freeze();
                self.buffer.advance(self.delimiter);
                self.position = Position::Delimiter;
                if data.is_empty() {
                    continue;
                }
                return Ok(Some(data));
            }
            // The end of the buffer may be the beginning of a delimiter.
            let safe = self.buffer.len().saturating_sub(self.delimiter - 1);
            if safe > 0 {
                return Ok(Some(self.buffer.split_to(safe).freeze()));
            }
            self.fill().await?;
        }
    }

    /// The text of this part.
    ///
    /// # Errors
    /// If it is longer than `limit` or not UTF-8, or the body cannot be read.
    pub async fn text(&mut self, limit: usize) -> Result<String, MultipartError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = self.chunk().await? {
            if bytes.len() + chunk.len() > limit {
                return Err(MultipartError::FieldTooLong);
            }
            bytes.extend_from_slice(&chunk);
        }
        String::from_utf8(bytes).map_err(|_| MultipartError::Malformed)
    }

    async fn fill(&mut self) -> Result<(), MultipartError> {
        match self.body.next().await? {
            Some(bytes) => self.buffer.extend_from_slice(&bytes),
            None => return Err(MultipartError::Malformed),
        }
        Ok(())
    }

    async fn skip_epilogue(&mut self) -> Result<(), MultipartError> {
        self.buffer.clear();
        while self.body.next().await?.is_some() {}
        Ok(())
    }

    /// The lines between a delimiter and the data.
    async fn read_head(&mut self) -> Result<BytesMut, MultipartError> {
        let finder = Finder::new(b"\r\n\r\n");
        loop {
            if let Some(at) = finder.find(&self.buffer) {
                let head = self.buffer.split_to(at + 2);
                self.buffer.advance(2);
                return Ok(head);
            }
            if self.buffer.len() > MAX_HEADERS {
                return Err(MultipartError::Malformed);
            }
            self.fill().await?;
        }
    }
}

/// Parses the headers of a part. The first line is the rest of the delimiter's line.
fn parse_head(head: &[u8]) -> Option<Part> {
    let head = std::str::from_utf8(head).ok()?;
    let mut lines = head.split("\r\n");
    if !lines.next()?.trim().is_empty() {
        return None;
    }
    let (mut part, mut named) = (Part::default(), false);
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-disposition") {
            let (kind, parameters) = value.split_once(';')?;
            if !kind.trim().eq_ignore_ascii_case("form-data") {
                return None;
            }
            part.name = parameter(parameters, "name")?;
            part.file_name = parameter(parameters, "filename");
            named = true;
        } else if name.eq_ignore_ascii_case("content-type") {
            part.content_type = Some(value.trim().to_owned());
        }
    }
    named.then_some(part)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::stream;
    use poem::http::HeaderMap;

    use super::{Multipart, MultipartError, Part, boundary};
    use crate::http::storage::upload_body::UploadBody;

    /// All parts of `body`, which arrives `step` bytes at a time.
    async fn parts(body: &[u8], step: usize) -> Result<Vec<(Part, Vec<u8>)>, MultipartError> {
        let chunks: Vec<Result<Bytes, std::io::Error>> = body
            .chunks(step)
            .map(|chunk| Ok(Bytes::copy_from_slice(chunk)))
            .collect();
        let body = poem::Body::from_bytes_stream(stream::iter(chunks));
        let mut body = UploadBody::new(body, &HeaderMap::new(), Duration::from_secs(1));
        let mut multipart = Multipart::new(&mut body, "xx");
        let mut parts = Vec::new();
        while let Some(part) = multipart.next_part().await? {
            let mut data = Vec::new();
            while let Some(chunk) = multipart.chunk().await? {
                data.extend_from_slice(&chunk);
            }
            parts.push((part, data));
        }
        Ok(parts)
    }

    const BODY: &[u8] = b"--xx\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n\
        3600\r\n\
        --xx  \r\ncontent-disposition: form-data; name=\"\"; filename=\"a;b.png\"\r\n\
        Content-Type: image/png\r\n\r\n\
        \r\n--x\r\n\r\n--\r\n--xx--\r\nepilogue";

    #[tokio::test]
    async fn parts_are_the_same_however_the_body_is_cut() {
        for step in [1, 2, 3, 7, 64, 1000] {
            let parts = parts(BODY, step).await.unwrap();
            assert_eq!(parts.len(), 2, "{step}");
            assert_eq!(parts[0].0.name, "cacheControl");
            assert_eq!(parts[0].1, b"3600");
            assert_eq!(
                parts[1].0,
                Part {
                    name: String::new(),
                    file_name: Some("a;b.png".into()),
                    content_type: Some("image/png".into()),
                }
            );
            assert_eq!(parts[1].1, b"\r\n--x\r\n\r\n--");
        }
    }

    #[tokio::test]
    async fn a_cut_body_is_malformed_wherever_it_is_cut() {
        let end = BODY.len() - "--\r\nepilogue".len();
        for length in 0..end {
            let parts = parts(&BODY[..length], 16).await;
            assert_eq!(parts, Err(MultipartError::Malformed), "{length}");
        }
        let empty = parts(b"--xx--\r\n", 3).await.unwrap();
        assert!(empty.is_empty());
    }

    #[test]
    fn the_boundary_is_a_parameter_of_the_type() {
        for (value, found) in [
            ("multipart/form-data; boundary=xx", Some(Some("xx"))),
            (
                "Multipart/Form-Data;charset=utf-8; boundary=\"a b\"",
                Some(Some("a b")),
            ),
            ("multipart/form-data", Some(None)),
            ("text/plain; boundary=xx", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", value.parse().unwrap());
            let found = found.map(|found| found.map(str::to_owned));
            assert_eq!(boundary(&headers), found, "{value}");
        }
    }
}
