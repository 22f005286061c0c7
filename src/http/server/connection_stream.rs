//! The stream below hyper. It reports writes to the connection's timer, and adds the security
//! headers to the errors that hyper writes itself (400, 414, 431), for which it has no hook.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use poem::http::HeaderMap;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::timeouts::ConnectionTimer;
use crate::pages::security_headers::SecurityHeaders;

/// The beginning of the headers of hyper's own errors. Our responses never begin like this, because
/// hyper writes these two headers after all others.
const BY_HYPER: [&[u8]; 2] = [
    b"connection: close\r\ncontent-length: 0\r\n",
    b"content-length: 0\r\n",
];

/// The security headers as bytes of an HTTP/1.1 head.
#[derive(Clone, Debug)]
pub struct HeaderLines(Bytes);

impl HeaderLines {
    /// The `security` headers and the defaults, serialized.
    pub fn new(security: &SecurityHeaders) -> Self {
        let mut all = HeaderMap::new();
        security.apply_to(&mut all);
        let mut lines = BytesMut::new();
        for (name, value) in &all {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                lines.extend_from_slice(part);
            }
        }
        Self(lines.freeze())
    }

    /// The error with these headers added, if `written` is an error of hyper's own.
    fn with_headers(&self, written: &[u8]) -> Option<Bytes> {
        if !written.starts_with(b"HTTP/1.1 4") {
            return None;
        }
        let end = written.windows(2).position(|pair| pair == b"\r\n")? + 2;
        let (status, rest) = written.split_at(end);
        let by_hyper = BY_HYPER.iter().any(|begin| rest.starts_with(begin));
        by_hyper.then(|| Bytes::from([status, &self.0, rest].concat()))
    }
}

/// A connection's stream.
#[derive(Debug)]
pub struct ConnectionStream<S> {
    stream: S,
    timer: Arc<ConnectionTimer>,
    lines: HeaderLines,
    /// The replacement of hyper's error, still to be written.
    pending: Bytes,
}

impl<S> ConnectionStream<S> {
    /// Wraps `stream`, with `lines` for hyper's errors.
    pub const fn new(stream: S, timer: Arc<ConnectionTimer>, lines: HeaderLines) -> Self {
        Self {
            stream,
            timer,
            lines,
            pending: Bytes::new(),
        }
    }

    fn record_progress(&self, written: &Poll<io::Result<usize>>) {
        if let Poll::Ready(Ok(bytes @ 1..)) = written {
            self.timer.record_write(*bytes as u64);
        }
    }

    /// Whether `bytes` are an error of hyper's own, which `poll_error` then writes.
    fn replaces_error(&mut self, bytes: &[u8]) -> bool {
        if self.pending.is_empty()
            && let Some(pending) = self.lines.with_headers(bytes)
        {
            self.pending = pending;
        }
        !self.pending.is_empty()
    }
}

impl<S: AsyncWrite + Unpin> ConnectionStream<S> {
    /// Writes the replaced error, then reports hyper's `length` bytes as written.
    fn poll_error(&mut self, cx: &mut Context<'_>, length: usize) -> Poll<io::Result<usize>> {
        while !self.pending.is_empty() {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &self.pending))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.pending.advance(written),
            }
        }
        Poll::Ready(Ok(length))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ConnectionStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ConnectionStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.replaces_error(bytes) {
            return self.poll_error(cx, bytes.len());
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.record_progress(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first: &[u8] = parts.first().map_or(&[], |part| part);
        if self.replaces_error(first) {
            return self.poll_error(cx, first.len());
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.record_progress(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
