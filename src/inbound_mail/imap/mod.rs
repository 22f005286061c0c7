//! Reads a mailbox by IMAP. The position in it is stored after each message, so that a restart
//! reads none twice and loses none; nothing is deleted. A message that cannot be read is tried
//! again and then set aside by its number, while the others are read.

mod command;
mod connection;
mod error;
mod folder;
mod messages;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::sleep;

pub use connection::mailbox_name;
use connection::{Account, OpenFolder};
use domain::clock::{Clock, MINUTE_MS};
pub use error::ImapError;
use store::Store;

/// How long a connection waits for the server's report of a new message before it polls.
const IDLE_TIME: Duration = Duration::from_secs(5 * 60);
/// Interval at which the database records that the mailbox is read.
const KEEP_MS: i64 = 10 * MINUTE_MS;
/// The pauses after failures; the last one is repeated.
const PAUSES: [u64; 5] = [5, 15, 60, 300, 600];

/// What stores a message.
pub trait Receive: Send + Sync {
    /// Stores a raw message, whatever it is, before it returns. An error means that it should be
    /// tried again later.
    fn receive(&self, raw: Vec<u8>) -> BoxFuture<'_, Result<(), String>>;
}

/// Why a mailbox cannot be read, and how often that was so since it could; empty if it can.
#[derive(Default)]
struct Outage {
    error: Option<String>,
    failures: usize,
}

/// Reads one mailbox.
#[derive(Clone)]
pub struct MailboxReader {
    account: Account,
    /// The folder into which stored messages are moved; empty: they stay.
    move_to: String,
    /// How often a server without IDLE is asked.
    poll_interval: Duration,
    /// Bytes of the longest message that is read whole.
    max_bytes: u64,
    receiver: Arc<dyn Receive>,
    store: Store,
    clock: Clock,
}

impl MailboxReader {
    /// The reader of the mailbox in the settings; `None` if there is none. `patience` is how long
    /// the server may take for an answer.
    ///
    /// # Errors
    /// If the certificate file cannot be read, or the host is no name.
    pub fn new(
        settings: &config::Inbound,
        patience: Duration,
        receiver: Arc<dyn Receive>,
        store: Store,
        clock: Clock,
    ) -> Result<Option<Self>> {
        if settings.host.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            account: Account::new(settings, patience)?,
            move_to: settings.done_folder.clone(),
            poll_interval: Duration::from_secs(settings.poll_seconds.into()),
            max_bytes: settings.max_bytes(),
            receiver,
            store,
            clock,
        }))
    }

    /// Reads the mailbox until `stop` becomes true or its sender is dropped. An outage is logged
    /// when it begins, when its reason changes and when it is over.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut outage = Outage::default();
        while !*stop.borrow() && stop.has_changed().is_ok() {
            let session = self.read_until_failure(&mut outage);
            let Err(error) = tokio::select! {
                ended = session => ended,
                _ = stop.changed() => return,
            };
            let text = error.to_string();
            self.keep_failure(text.clone()).await;
            if outage.error.as_ref() != Some(&text) {
                tracing::warn!(
                    mailbox = self.account.name(),
                    error = text,
                    "the mailbox cannot be read"
                );
                outage.error = Some(text);
            }
            let pause = PAUSES[outage.failures.min(PAUSES.len() - 1)];
            outage.failures += 1;
            tokio::select! {
                () = sleep(Duration::from_secs(pause)) => {}
                _ = stop.changed() => return,
            }
        }
    }

    async fn read_until_failure(&self, outage: &mut Outage) -> Result<Infallible, ImapError> {
        let (mut open, _) = self.connect_and_read().await?;
        let mut kept_at = self.clock.now();
        loop {
            if std::mem::take(outage).error.is_some() {
                tracing::info!(mailbox = self.account.name(), "the mailbox is read again");
            }
            open = self.wait_for_new(open).await?;
            (open, _) = self.read_all(open).await?;
            if kept_at <= self.clock.now().plus_millis(-KEEP_MS) {
                self.keep_success().await;
                kept_at = self.clock.now();
            }
        }
    }

    /// Connects and stores the new messages; returns how many, with the connection.
    ///
    /// # Errors
    /// Why the mailbox or a message cannot be read.
    pub async fn connect_and_read(&self) -> Result<(OpenFolder, usize), ImapError> {
        let open = self.account.open().await?;
        let read = self.read_all(open).await?;
        self.keep_success().await;
        Ok(read)
    }

    /// Stores new messages until there are none: while some were stored, others may have come.
    async fn read_all(&self, mut open: OpenFolder) -> Result<(OpenFolder, usize), ImapError> {
        let mut all = 0;
        loop {
            let count;
            (open, count) = self.read_new(open).await?;
            if count == 0 {
                return Ok((open, all));
            }
            all += count;
        }
    }

    /// Records that all messages are stored or set aside.
    async fn keep_success(&self) {
        let (mailbox, now) = (self.account.name(), self.clock.now());
        if let Err(error) = self.store.mailbox_read(mailbox, now).await {
            error.log_background("the state of the mailbox could not be stored");
        }
    }

    async fn keep_failure(&self, error: String) {
        let (mailbox, now) = (self.account.name(), self.clock.now());
        if let Err(error) = self.store.mailbox_failed(mailbox, error, now).await {
            error.log_background("the state of the mailbox could not be stored");
        }
    }

    /// Returns when the server reports something, or when it should be asked.
    async fn wait_for_new(&self, mut open: OpenFolder) -> Result<OpenFolder, ImapError> {
        if !open.can_idle {
            sleep(self.poll_interval).await;
            self.account
                .within(open.session.run("NOOP", |_| {}))
                .await?;
            return Ok(open);
        }
        let account = &self.account;
        account.within(open.session.begin_idle()).await?;
        open.session.wait_idle(IDLE_TIME).await?;
        account.within(open.session.end_idle()).await?;
        Ok(open)
    }
}

/// Signs in, opens the folder, and leaves; returns the number of messages in it.
///
/// # Errors
/// What is wrong with the settings or the server.
pub async fn try_mailbox(settings: &config::Inbound, patience: Duration) -> Result<u32> {
    let account = Account::new(settings, patience)?;
    let mut open = account.open().await?;
    let _ = account.within(open.session.run("LOGOUT", |_| {})).await;
    Ok(open.messages)
}

fn not_stored(error: store::Error) -> ImapError {
    ImapError::NotStored(error.to_string())
}
