//! Customers' emails: stored whole before they are acknowledged to the mail server (`receive`),
//! then read by the server (`reading`) and brought into the conversation of their request
//! (`take_in`). An email that a crash leaves between the two is taken in after the next start.

pub mod imap;
pub mod reading;
mod take_in;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::sync::{Mutex, watch};

use self::imap::Receive;
use self::reading::process::EmailProgram;
use self::reading::{Reader, fingerprint};
use domain::clock::{Clock, DAY_MS};
use domain::ids;
use storage::{self, Code, Files};
use store::conversation::received::{NewEmail, Way, object_name};
use store::{self, Store};

/// Interval of looks for emails that are stored but not taken in.
const PENDING_INTERVAL: Duration = Duration::from_secs(1);
/// The pause after a look that failed: the disk is full, or the database busy.
const RETRY_INTERVAL: Duration = Duration::from_secs(30);
/// Interval at which old emails without a request are deleted.
const PURGE_INTERVAL: Duration = Duration::from_secs(3600);

/// What an empty `mail.inbound.authserv_id` costs.
pub const UNVERIFIED: &str = "`mail.inbound.authserv_id` is empty, so that each email is marked as \
    possibly not from the customer, starts no clock for an answer, and opens no closed request \
    again. Set it to the name of your mail server in the `Authentication-Results` of an email";

/// Why an email is not stored.
#[derive(Debug, thiserror::Error)]
pub enum ReceiveError {
    /// It will never be accepted.
    #[error("{0}")]
    Refused(String),
    /// It may be accepted later; the sender's server keeps it.
    #[error("the email cannot be stored now: {0}")]
    TryAgain(String),
}

/// Receives emails. Cheap to clone.
#[derive(Clone)]
pub struct InboundMail {
    pub store: Store,
    pub clock: Clock,
    pub files: Files,
    pub reader: Reader,
    /// Reads emails.
    pub program: EmailProgram,
    /// Held by who takes emails in, one after the other.
    pub turn: Arc<Mutex<()>>,
    /// Maximum size of an email, in bytes.
    pub max_bytes: u64,
    /// What the database calls the mailbox; `None` if there is none.
    pub mailbox: Option<String>,
}

impl InboundMail {
    /// Whether customers' emails are received without any of them being verified.
    pub fn verifies_nobody(&self) -> bool {
        let is_received = self.mailbox.is_some() || self.reader.addresses.has_mailbox();
        is_received && self.reader.authserv_id.is_empty()
    }

    /// Stores an email durably; the same one once, whatever way it comes. `recipient` is the
    /// address of its envelope, if it is known.
    pub async fn receive(
        &self,
        bytes: Vec<u8>,
        way: Way,
        recipient: Option<String>,
    ) -> Result<(), ReceiveError> {
        let stored = self.store_once(bytes, way, recipient).await;
        if let Err(error) = &stored {
            tracing::warn!(way = way.as_str(), %error, "an email was not stored");
        }
        stored
    }

    async fn store_once(
        &self,
        bytes: Vec<u8>,
        way: Way,
        recipient: Option<String>,
    ) -> Result<(), ReceiveError> {
        let size = bytes.len() as u64;
        if size > self.max_bytes {
            let max = self.max_bytes / (1024 * 1024);
            return Err(ReceiveError::Refused(format!(
                "the email is too large: at most {max} MB are accepted"
            )));
        }
        if bytes.trim_ascii().is_empty() {
            return Err(ReceiveError::Refused("the email is empty".to_owned()));
        }
        let hashed = tokio::task::spawn_blocking(move || {
            let fingerprint = fingerprint(&bytes);
            (fingerprint, bytes)
        });
        let (fingerprint, bytes) = hashed.await.map_err(|_| try_again("it cannot be read"))?;
        let known = self.store.has_email(fingerprint.clone()).await;
        if known.map_err(store_failed)? {
            return Ok(());
        }
        let now = self.clock.now();
        let id = ids::new(now).to_string();
        let stored = self.files.store_email_bytes(bytes, object_name(&id)).await;
        let stored = stored.map_err(storage_failed)?;
        let email = NewEmail {
            id,
            fingerprint,
            way,
            recipient,
            object: stored.object.clone(),
        };
        let inserted = self.store.store_email(email, now).await;
        self.files.scan_soon();
        inserted.map_err(store_failed).map(drop)
    }

    /// Takes in what is pending, at intervals, until `stop` becomes true.
    pub async fn run(self, stop: watch::Receiver<bool>) {
        let purges = async {
            loop {
                self.purge().await;
                tokio::time::sleep(PURGE_INTERVAL).await;
            }
        };
        tokio::select! {
            () = self.take_in_at_intervals(stop) => {}
            () = purges => {}
        }
    }

    async fn take_in_at_intervals(&self, mut stop: watch::Receiver<bool>) {
        while !*stop.borrow() && stop.has_changed().is_ok() {
            let pause = match self.take_in_pending().await {
                true => PENDING_INTERVAL,
                false => RETRY_INTERVAL,
            };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = stop.changed() => {}
            }
        }
    }

    /// Deletes old emails that were discarded, or are without a request and made by programs.
    pub async fn purge(&self) {
        let before = self.clock.now();
        let before = before.plus_millis(-i64::from(config::HELD_DAYS) * DAY_MS);
        match self.store.purge_emails(before).await {
            Ok(0) => {}
            Ok(deleted) => {
                tracing::info!(deleted, "deleted old emails without a request");
                self.files.collect_released().await;
            }
            Err(error) => error.log_background("old emails could not be deleted"),
        }
    }
}

impl Receive for InboundMail {
    /// One that will never be accepted stays in the mailbox: the reader sets it aside.
    fn receive(&self, raw: Vec<u8>) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let received = Self::receive(self, raw, Way::Imap, None).await;
            received.map_err(|error| match error {
                ReceiveError::Refused(reason) | ReceiveError::TryAgain(reason) => reason,
            })
        })
    }
}

fn try_again(reason: &str) -> ReceiveError {
    ReceiveError::TryAgain(reason.to_owned())
}

fn store_failed(error: store::Error) -> ReceiveError {
    ReceiveError::TryAgain(error.to_string())
}

fn storage_failed(error: storage::Error) -> ReceiveError {
    match error {
        storage::Error::Refused(refusal) if refusal.code == Code::InsufficientStorage => {
            try_again("the disk is full")
        }
        error => ReceiveError::TryAgain(error.to_string()),
    }
}
