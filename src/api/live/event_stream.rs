//! The body of one stream: an opening frame, then the frames of the feed, with a comment as a
//! heartbeat while idle, and a last frame with the reason for the end.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::time::sleep;

use domain::live::LiveEvent;
use http::open_streams::StreamHandle;
use http::server::timeouts::StreamSlot;
use store::live::feed::Listener;

/// Idle time after which a comment is sent: shorter than the timeouts of proxies.
pub const HEARTBEAT: Duration = Duration::from_secs(25);
/// A comment (HTML Living Standard, section 9.2.6).
const COMMENT: Bytes = Bytes::from_static(b": \n\n");

/// One stream.
pub struct LiveStream {
    /// Sent first.
    pub opening: Option<Bytes>,
    /// The position in the feed.
    pub listener: Listener,
    /// Its place among the open streams.
    pub handle: StreamHandle,
    /// Keeps the connection open.
    pub _connection: StreamSlot,
    /// The interval of the heartbeat.
    pub heartbeat: Duration,
}

impl LiveStream {
    /// The stream as a response body.
    pub fn into_body(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        stream::unfold(Some(self), async |live| {
            let mut live = live?;
            let (bytes, is_last) = live.next().await;
            Some((Ok(bytes), (!is_last).then_some(live)))
        })
    }

    /// The next bytes, and whether they are the last.
    async fn next(&mut self) -> (Bytes, bool) {
        if let Some(opening) = self.opening.take() {
            return (opening, false);
        }
        tokio::select! {
            biased;
            reason = self.handle.ended() => (LiveEvent::End(reason).frame(None), true),
            frames = self.listener.next() => (frames, false),
            () = sleep(self.heartbeat) => (COMMENT, false),
        }
    }
}
