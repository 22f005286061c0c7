//! Reads `multipart/form-data` (RFC 7578) with limits on all buffered data: `multer` parses, and
//! gets a frame of the connection only when it needs one.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use futures_util::Stream;
use parking_lot::Mutex;
use poem::http::{HeaderMap, header};

use super::body::{Fault, UploadBody};

/// Maximum number of parts.
pub const MAX_PARTS: usize = 64;
/// Maximum length of the headers of a part, in bytes.
const MAX_HEADERS: usize = 8 * 1024;
/// Memory of a part besides its name and its text, in bytes.
const PART_OVERHEAD: usize = 64;
/// Maximum length of a boundary (RFC 2046, section 5.1.1).
const MAX_BOUNDARY: usize = 70;
/// Memory of a parser, in bytes: a frame, and the headers of a part.
pub const PARSER_MEMORY: usize = 64 * 1024 + MAX_HEADERS;

/// Why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultipartError {
    /// The body has failed.
    Body(Fault),
    /// It is not `multipart/form-data`.
    Malformed,
    /// A text field is longer than its limit.
    FieldTooLong,
    /// There are more than `MAX_PARTS` parts.
    TooManyParts,
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
    /// Memory of the part besides its content, in bytes.
    pub overhead: usize,
}

/// The boundary of a body of the type `multipart/form-data`; `None` if it is of another type.
pub fn boundary(headers: &HeaderMap) -> Option<Option<String>> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next().unwrap_or_default();
    if !kind.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = multer::parse_boundary(value).ok();
    Some(boundary.filter(|text| (1..=MAX_BOUNDARY).contains(&text.len())))
}

/// The input of the parser.
#[derive(Clone, Default)]
struct Feed(Arc<Mutex<Fed>>);

#[derive(Default)]
struct Fed {
    frame: Option<Bytes>,
    is_ended: bool,
}

impl Feed {
    /// Gives the parser a frame, or the end; returns whether it had the end before.
    fn give(&self, frame: Option<Bytes>) -> bool {
        let mut fed = self.0.lock();
        let was_ended = fed.is_ended;
        fed.is_ended |= frame.is_none();
        fed.frame = frame;
        was_ended
    }
}

impl Stream for Feed {
    type Item = Result<Bytes, multer::Error>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut fed = self.0.lock();
        match fed.frame.take() {
            Some(frame) => Poll::Ready(Some(Ok(frame))),
            None if fed.is_ended => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

/// A body in parts.
pub struct Multipart<'a> {
    body: &'a mut UploadBody,
    feed: Feed,
    parser: multer::Multipart<'static>,
    /// The current part.
    field: Option<multer::Field<'static>>,
    parts: usize,
}

impl<'a> Multipart<'a> {
    /// Reads `body`, whose parts are separated by `boundary`.
    pub fn new(body: &'a mut UploadBody, boundary: &str) -> Self {
        let feed = Feed::default();
        Self {
            body,
            parser: multer::Multipart::new(feed.clone(), boundary),
            feed,
            field: None,
            parts: 0,
        }
    }

    /// The underlying body.
    pub const fn body(&mut self) -> &mut UploadBody {
        self.body
    }

    /// The headers of the next part, after skipping the rest of this one. `None` at the end. Fails
    /// if the body cannot be read, or has too many parts.
    pub async fn next_part(&mut self) -> Result<Option<Part>, MultipartError> {
        while self.chunk().await?.is_some() {}
        self.field = None;
        let step = |this: &mut Self, cx: &mut Context<'_>| this.parser.poll_next_field(cx);
        let Some(field) = self.drive(step).await? else {
            while self.body.next().await?.is_some() {}
            return Ok(None);
        };
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(MultipartError::TooManyParts);
        }
        let headers = field.headers().iter();
        let headers: usize = headers
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if headers > MAX_HEADERS {
            return Err(MultipartError::Malformed);
        }
        let content_type = field.headers().get(header::CONTENT_TYPE);
        let part = Part {
            name: field.name().ok_or(MultipartError::Malformed)?.to_owned(),
            file_name: field.file_name().map(str::to_owned),
            content_type: content_type.and_then(|value| Some(value.to_str().ok()?.to_owned())),
            overhead: headers + PART_OVERHEAD,
        };
        self.field = Some(field);
        Ok(Some(part))
    }

    /// The next bytes of this part; `None` at its end. Fails if the body cannot be read.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, MultipartError> {
        loop {
            let chunk = self.drive(|this, cx| match &mut this.field {
                Some(field) => Pin::new(field).poll_next(cx).map(Option::transpose),
                None => Poll::Ready(Ok(None)),
            });
            match chunk.await? {
                Some(bytes) if bytes.is_empty() => {}
                chunk => return Ok(chunk),
            }
        }
    }

    /// The text of this part. Fails if it is longer than `limit` or not UTF-8, or the body cannot
    /// be read.
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

    /// Advances the parser, with as many frames as it needs: never more than the headers of a part
    /// may have.
    async fn drive<T>(
        &mut self,
        mut step: impl FnMut(&mut Self, &mut Context<'_>) -> Poll<multer::Result<T>>,
    ) -> Result<T, MultipartError> {
        let mut collected = 0;
        loop {
            let polled = step(self, &mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(result) = polled {
                return result.map_err(|_| MultipartError::Malformed);
            }
            if collected > MAX_HEADERS {
                return Err(MultipartError::Malformed);
            }
            let frame = self.body.next().await?;
            collected += frame.as_ref().map_or(0, Bytes::len);
            if self.feed.give(frame) {
                return Err(MultipartError::Malformed);
            }
        }
    }
}

#[cfg(test)]
mod tests;
