//! The body of an upload: read frame by frame, ended by silence, and dropped after a refusal so
//! that the sender gets to read the answer.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use poem::Body;
use poem::http::{HeaderMap, header};
use tokio::time::timeout;

use super::error_response::ErrorResponse;
use crate::domain::storage::MAX_FILE_BYTES;
use crate::files::Refusal;

/// Bytes that are read in all before a connection is closed: twice the limit of a file.
const MAX_DROPPED: u64 = 2 * MAX_FILE_BYTES;

/// Why no more bytes come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing came for the time of `files.silence_seconds`.
    Silent,
    /// The connection or the framing is broken.
    Broken,
}

impl From<Fault> for ErrorResponse {
    fn from(fault: Fault) -> Self {
        let message = match fault {
            Fault::Silent => "The upload stopped sending",
            Fault::Broken => "The body is incomplete",
        };
        Refusal::invalid(message).into()
    }
}

/// A body that is read as it arrives.
pub struct UploadBody {
    body: BoxBody<Bytes, io::Error>,
    silence: Duration,
    read: u64,
    /// Whether the sender waits for the answer before it sends the body.
    expects_continue: bool,
    fault: Option<Fault>,
}

impl UploadBody {
    /// Reads `body`, which a silence of `silence` ends.
    pub fn new(body: Body, headers: &HeaderMap, silence: Duration) -> Self {
        Self {
            body: body.into(),
            silence,
            read: 0,
            expects_continue: headers.contains_key(header::EXPECT),
            fault: None,
        }
    }

    /// The next bytes; `None` at the end.
    ///
    /// # Errors
    /// If the body is silent or broken.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Fault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        loop {
            let fault = match timeout(self.silence, self.body.frame()).await {
                Ok(None) => return Ok(None),
                Ok(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) if data.is_empty() => continue,
                    Ok(data) => {
                        self.read += data.len() as u64;
                        return Ok(Some(data));
                    }
                    Err(_trailers) => continue,
                },
                Ok(Some(Err(_))) => Fault::Broken,
                Err(_elapsed) => Fault::Silent,
            };
            self.fault = Some(fault);
            return Err(fault);
        }
    }

    /// Reads and drops what is still to come, up to twice the limit of a file in all: a sender that
    /// is still sending when the connection is closed would not see the answer.
    pub async fn drain(&mut self) {
        if self.expects_continue && self.read == 0 {
            return;
        }
        while self.read < MAX_DROPPED {
            match self.next().await {
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => return,
            }
        }
    }
}
