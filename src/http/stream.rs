//! The stream under hyper. It tells the connection's timer what is written, and puts the headers of
//! every answer on the refusals that hyper makes itself (400, 414, 431), for which it has no hook.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes, BytesMut};
use poem::http::HeaderMap;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::security_headers;
use super::timeouts::ConnectionTimer;

/// How the head of a refusal by hyper begins after its status line. Our own answers never begin so:
/// hyper writes these two after all others.
const BY_HYPER: [&[u8]; 2] = [
    b"connection: close\r\ncontent-length: 0\r\n",
    b"content-length: 0\r\n",
];

/// The headers of every answer, as they stand on the wire.
#[derive(Clone, Debug)]
pub struct HeaderLines(Bytes);

impl HeaderLines {
    /// The lines of the `security` headers and of those that go with them.
    pub fn new(security: &HeaderMap) -> Self {
        let mut all = HeaderMap::new();
        security_headers::complete(&mut all, security);
        let mut lines = BytesMut::new();
        for (name, value) in &all {
            for part in [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"] {
                lines.extend_from_slice(part);
            }
        }
        Self(lines.freeze())
    }

    /// The refusal with these lines, where hyper is about to write one.
    fn completed(&self, written: &[u8]) -> Option<Bytes> {
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
pub struct Stream<S> {
    stream: S,
    pace: Arc<ConnectionTimer>,
    lines: HeaderLines,
    /// What is written in place of hyper's refusal.
    refusal: Bytes,
}

impl<S> Stream<S> {
    /// `stream` under `pace`, with `lines` for the refusals.
    pub const fn new(stream: S, pace: Arc<ConnectionTimer>, lines: HeaderLines) -> Self {
        Self {
            stream,
            pace,
            lines,
            refusal: Bytes::new(),
        }
    }

    fn note(&self, written: &Poll<io::Result<usize>>) {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.pace.moved();
        }
    }

    /// Whether `bytes` are a refusal by hyper, which is then written by `poll_refusal`.
    fn refuses(&mut self, bytes: &[u8]) -> bool {
        if self.refusal.is_empty()
            && let Some(refusal) = self.lines.completed(bytes)
        {
            self.refusal = refusal;
        }
        !self.refusal.is_empty()
    }
}

impl<S: AsyncWrite + Unpin> Stream<S> {
    /// Writes the refusal; says then that the `length` bytes of hyper's own are written.
    fn poll_refusal(&mut self, cx: &mut Context<'_>, length: usize) -> Poll<io::Result<usize>> {
        while !self.refusal.is_empty() {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, &self.refusal))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.refusal.advance(written),
            }
        }
        Poll::Ready(Ok(length))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Stream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Stream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.refuses(bytes) {
            return self.poll_refusal(cx, bytes.len());
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let first: &[u8] = parts.first().map_or(&[], |part| part);
        if self.refuses(first) {
            return self.poll_refusal(cx, first.len());
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.note(&written);
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
