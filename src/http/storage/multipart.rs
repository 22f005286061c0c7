//! Reads `multipart/form-data` (RFC 7578) as a stream: a file's bytes are handed on as they arrive,
//! and never more than one frame of the connection is held.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memmem::Finder;

use super::part_headers::{Part, parse_head};
use super::upload_body::{Fault, UploadBody};

/// Maximum length of the headers of a part, in bytes.
const MAX_HEADERS: usize = 8 * 1024;

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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::stream;
    use poem::http::HeaderMap;

    use super::{Multipart, MultipartError, Part};
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
}
