//! The body of an upload: read frame by frame, bounded in length and time, and discarded after a
//! refusal so that the sender can read the answer.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use poem::Body;
use poem::http::{HeaderMap, header};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval, timeout};

use storage::Files;
use storage::space::Space;

/// Minimum rate of a whole upload in bytes per second, after twice the time of silence.
const MIN_RATE: u32 = 8 * 1024;
/// Interval of the checks of free space while an upload waits for its next bytes.
const SPACE_INTERVAL: Duration = Duration::from_secs(1);

/// Why no more bytes arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No bytes arrived within 30 seconds.
    Silent,
    /// The whole upload takes too long.
    Slow,
    /// It is longer than its limit.
    TooLong,
    /// The disk is short of space.
    NoSpace,
    /// The connection or the framing is broken.
    Broken,
}

/// A body that is read frame by frame.
pub struct UploadBody {
    body: BoxBody<Bytes, io::Error>,
    /// Maximum length, in bytes.
    limit: u64,
    silence: Duration,
    /// Time spent waiting for bytes.
    waited: Duration,
    read: u64,
    /// Whether the sender waits for the answer before it sends the body (`Expect: 100-continue`).
    expects_continue: bool,
    /// The space whose shortage ends the upload.
    space: Option<(Space, Interval)>,
    fault: Option<Fault>,
}

impl UploadBody {
    /// Reads `body`, limited to `limit` bytes, by the settings of `files`.
    pub fn new(body: Body, headers: &HeaderMap, limit: u64, files: &Files) -> Self {
        let silence = Duration::from_secs(files.config.silence_seconds.into());
        Self::with_silence(body, headers, limit, silence)
    }

    /// Reads `body`; a pause longer than `silence` ends it.
    pub fn with_silence(body: Body, headers: &HeaderMap, limit: u64, silence: Duration) -> Self {
        Self {
            body: body.into(),
            limit,
            silence,
            waited: Duration::ZERO,
            read: 0,
            expects_continue: headers.contains_key(header::EXPECT),
            space: None,
            fault: None,
        }
    }

    /// From now on, a shortage of disk space ends the body: its bytes are stored.
    pub fn end_when_short(&mut self, space: &Space) {
        let mut checks = interval(SPACE_INTERVAL);
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        checks.reset();
        self.space = Some((space.clone(), checks));
    }

    /// The next bytes; `None` at the end. Fails if the body is silent, slow, broken or too long, or
    /// the disk is short of space.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let result = match self.frame().await {
            Ok(Some(_)) if self.read > self.limit => Err(Fault::TooLong),
            result => result,
        };
        self.fault = result.as_ref().err().copied();
        result
    }

    async fn frame(&mut self) -> Result<Option<Bytes>, Fault> {
        loop {
            let earned = u32::try_from(self.read).unwrap_or(u32::MAX) / MIN_RATE;
            let allowed = 2 * self.silence + Duration::from_secs(earned.into());
            let left = allowed.saturating_sub(self.waited);
            let started = Instant::now();
            let received = tokio::select! {
                biased;
                received = timeout(self.silence.min(left), self.body.frame()) => received,
                () = space_is_short(self.space.as_mut()) => return Err(Fault::NoSpace),
            };
            self.waited += started.elapsed();
            match received {
                Ok(None) => return Ok(None),
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) if data.is_empty() => {}
                    Ok(data) => {
                        self.read += data.len() as u64;
                        return Ok(Some(data));
                    }
                    Err(_trailers) => {}
                },
                Ok(Some(Err(_))) => return Err(Fault::Broken),
                Err(_elapsed) if left < self.silence => return Err(Fault::Slow),
                Err(_elapsed) => return Err(Fault::Silent),
            }
        }
    }

    /// Reads and discards the rest, up to twice the limit in all: a sender that is still sending
    /// when the connection is closed would not see the answer.
    pub async fn drain(&mut self) {
        if self.expects_continue && self.read == 0 {
            return;
        }
        self.space = None;
        let most = self.limit.saturating_mul(2);
        while !matches!(
            self.fault,
            Some(Fault::Silent | Fault::Slow | Fault::Broken)
        ) && self.read < most
        {
            match self.frame().await {
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }
}

/// Completes when the space is short.
async fn space_is_short(space: Option<&mut (Space, Interval)>) {
    let Some((space, checks)) = space else {
        return std::future::pending().await;
    };
    loop {
        checks.tick().await;
        if space.is_short() {
            return;
        }
    }
}
