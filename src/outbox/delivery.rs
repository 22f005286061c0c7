//! One delivery: renders and sends the email of a claimed row, and records the outcome.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::time::{Instant, sleep};

use super::DeliveryWorker;
use super::email::RenderError;
use super::mailer::DeliveryError;
use super::pacing::Attempt;
use domain::clock::Time;
use store::outbox::admin::OWN_HEADERS;
use store::outbox::delivery::ClaimedEmail;
use store::{self};

/// Delay before an outcome is written again after a database error.
const RECORD_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The result of a delivery attempt.
enum DeliveryOutcome {
    /// Accepted by the mailer.
    Sent,
    /// Retried at that time.
    Rescheduled(DeliveryError, Time),
    /// Kept as failed.
    Failed(DeliveryError),
    /// Kept as failed, without its expired code and link.
    Expired,
    /// Deleted without being sent.
    NotNeeded,
    /// Deleted, since a list that is sent later names its request.
    Listed,
}

impl DeliveryWorker {
    /// Delivers a claimed email; returns how long it took.
    pub(super) async fn attempt_timed(self: Arc<Self>, row: ClaimedEmail) -> Attempt {
        let (priority, started) = (row.priority, Instant::now());
        let delivered = AssertUnwindSafe(self.deliver(row)).catch_unwind().await;
        if delivered.is_err() {
            tracing::error!("email delivery panicked; retried when the lease expires");
        }
        Attempt {
            priority,
            duration: started.elapsed(),
        }
    }

    async fn deliver(&self, row: ClaimedEmail) {
        let (row, outcome) = self.attempt(row).await;
        while let Err(error) = self.record(&row, &outcome).await {
            error.log_background("the outcome of a delivery could not be stored");
            if !matches!(outcome, DeliveryOutcome::Sent) {
                // Unsent: the row is claimed again when the lease expires.
                return;
            }
            // Without this record the email would be sent a second time.
            sleep(RECORD_RETRY_DELAY).await;
        }
    }

    /// Tries to send a row; returns it as it is after its notice was split, with the outcome.
    async fn attempt(&self, row: ClaimedEmail) -> (ClaimedEmail, DeliveryOutcome) {
        let row = match self.split_recipients(&row).await {
            Ok(Some(row)) => row,
            Ok(None) => return (row, DeliveryOutcome::Listed),
            Err(error) => {
                let outcome = self.classify(&row, read_failed(error));
                return (row, outcome);
            }
        };
        let outcome = match self.render_and_send(&row).await {
            Ok(()) => DeliveryOutcome::Sent,
            Err(outcome) => outcome,
        };
        (row, outcome)
    }

    async fn render_and_send(&self, row: &ClaimedEmail) -> Result<(), DeliveryOutcome> {
        let renderer = self.renderer.get();
        let rendered = renderer.render(&self.store, row, self.clock.now());
        let email = rendered.await.map_err(|error| match error {
            RenderError::OwnHeaders => self.wait_for_correction(row),
            RenderError::Temporary(error) => self.classify(row, read_failed(error)),
            RenderError::Permanent(reason) => {
                DeliveryOutcome::Failed(DeliveryError::permanent(reason, reason))
            }
            RenderError::Expired => DeliveryOutcome::Expired,
            RenderError::NotNeeded => DeliveryOutcome::NotNeeded,
        })?;
        let sent = self.mailer().send(&email).await;
        sent.map_err(|error| self.classify(row, error))
    }

    /// Inserts a row for each staff address; returns the first, to be delivered now, if any.
    async fn split_recipients(&self, row: &ClaimedEmail) -> store::Result<Option<ClaimedEmail>> {
        let notices = self.renderer.get().split_recipients(row);
        if notices.is_empty() {
            return Ok(Some(row.clone()));
        }
        self.store
            .split_notice(row, notices, self.single_notices, self.clock.now())
            .await
    }

    /// Decides whether a failed attempt is retried, by the error, the attempts and the age.
    fn classify(&self, row: &ClaimedEmail, error: DeliveryError) -> DeliveryOutcome {
        let (now, attempts) = (self.clock.now(), row.attempts);
        if error.permanent || self.retries.is_exhausted(row.tried_since, attempts, now) {
            return DeliveryOutcome::Failed(error);
        }
        DeliveryOutcome::Rescheduled(error, now.plus_millis(self.retries.delay(attempts)))
    }

    /// An email is never given up for a fault of the settings.
    fn wait_for_correction(&self, row: &ClaimedEmail) -> DeliveryOutcome {
        tracing::error!(
            email = %row.id,
            kind = %row.kind,
            "an address of ours cannot be written into the headers of emails: correct the email \
             address in the editor of the site, or `company.email`, `mail.from` and `mail.to`"
        );
        let error = DeliveryError::temporary("an address of ours is invalid", OWN_HEADERS);
        let delay = self.retries.delay(row.attempts);
        DeliveryOutcome::Rescheduled(error, self.clock.now().plus_millis(delay))
    }

    async fn record(&self, row: &ClaimedEmail, outcome: &DeliveryOutcome) -> store::Result<()> {
        match outcome {
            DeliveryOutcome::Sent => {
                self.store.email_sent(row, self.clock.now()).await?;
                let ended = self.outage().ended(self.clock.now());
                if let Some((since, failures)) = ended {
                    tracing::info!(%since, failures, "the mail server takes emails again");
                    self.store.wake_waiting_emails(self.clock.now()).await?;
                }
            }
            DeliveryOutcome::Rescheduled(error, due) => {
                let detail = error.detail.clone();
                self.store.reschedule_email(row, *due, detail).await?;
                if let Some(server) = &error.down {
                    self.log_outage(server, error);
                    let (why, now) = (format!("{server}: {}", error.detail), self.clock.now());
                    self.store.mail_server_failed(why, now).await?;
                    return Ok(());
                }
                tracing::warn!(
                    email = %row.id,
                    kind = %row.kind,
                    attempts = row.attempts,
                    error = %error.summary,
                    "email rescheduled"
                );
            }
            DeliveryOutcome::Failed(error) => {
                let detail = error.detail.clone();
                self.store.email_failed(row, detail, false).await?;
                tracing::error!(
                    email = %row.id,
                    kind = %row.kind,
                    attempts = row.attempts,
                    error = %error.summary,
                    "email failed; see `guardpost outbox list`"
                );
            }
            // Hundreds of requests make no hundreds of lines in the log.
            DeliveryOutcome::Listed => {}
            DeliveryOutcome::NotNeeded => {
                self.store.email_not_needed(row).await?;
                tracing::info!(
                    email = %row.id,
                    kind = %row.kind,
                    "email not sent: it is not needed"
                );
            }
            DeliveryOutcome::Expired => {
                let detail = "its code and link expired before it could be sent".to_owned();
                self.store.email_failed(row, detail, true).await?;
                tracing::error!(
                    email = %row.id,
                    kind = %row.kind,
                    "email failed: its code expired before it could be sent"
                );
            }
        }
        Ok(())
    }

    /// Logs that the mail server accepts no emails: at the beginning, and every hour.
    fn log_outage(&self, server: &str, error: &DeliveryError) {
        if let Some((since, failures)) = self.outage().failed(self.clock.now()) {
            tracing::error!(
                server,
                cause = %error.summary,
                detail = %error.detail,
                %since,
                failures,
                "the mail server takes no emails; they wait in the outbox"
            );
        }
    }
}

fn read_failed(error: store::Error) -> DeliveryError {
    DeliveryError::temporary("its data cannot be read", error)
}
