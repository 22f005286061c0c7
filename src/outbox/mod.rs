//! The postman: claims due rows by a lease, lets an email be written and sent for each, and notes
//! what became of it. What is said and how it travels is in `letter` and `mailer`; how many are
//! under way at once, and when the next ones are claimed, is in `pacing`; when one is tried again,
//! in `retries`.
//!
//! A row whose process dies is claimed again when its lease is over. An email that cannot be
//! delivered is tried again for `mail.give_up_hours` (RFC 5321, section 4.5.4.1); after that, or
//! after a permanent refusal, it is kept, and retried when an operator says so.

pub mod email;
pub mod mailer;
mod pacing;
mod retries;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use self::email::{EmailRenderer, RenderError};
use self::mailer::{DeliveryError, Mailer};
use self::pacing::{Ended, Pacing};
use self::retries::Retries;
use crate::config;
use crate::domain::clock::{Clock, Time};
use crate::store::{self, ClaimLimits, ClaimedEmail, LATE_AFTER, Store};

/// How often late letters are told of and old rows removed.
const TEND: Duration = Duration::from_secs(60);
/// How long the row of a letter that has left is kept: enough to answer "did we ever hear of it?", in milliseconds.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1000;
/// Tries in a row during each of which the process ended, after which the email is given up: it may
/// be what ends the process.
const MOST_UNFINISHED: u32 = 20;
/// Pause before the fate of a letter is noted again, where the database could not take it.
const NOTE_AGAIN: Duration = Duration::from_secs(1);

/// Before the first claim: later than any moment, so that the first one looks for rows from the
/// future.
const NEVER: i64 = i64::MAX;

/// Delivers what the outbox holds.
pub struct DeliveryWorker {
    store: Store,
    clock: Clock,
    renderer: EmailRenderer,
    mailer: Arc<dyn Mailer>,
    retries: Retries,
    lease_millis: i64,
    /// When rows were last claimed, by the clock, which may be put back.
    last_claim: AtomicI64,
}

impl DeliveryWorker {
    /// A postman for `store` who has letters written by `scribe` and sent by `mailer`.
    pub fn new(
        store: Store,
        clock: Clock,
        renderer: EmailRenderer,
        mailer: Arc<dyn Mailer>,
        settings: &config::Mail,
    ) -> Self {
        Self {
            store,
            clock,
            renderer,
            mailer,
            retries: Retries::new(settings),
            // Longer than any send can take, so that a slow one is not sent by somebody else as well.
            lease_millis: i64::from(settings.timeout_seconds) * 2000 + 30_000,
            last_claim: AtomicI64::new(NEVER),
        }
    }

    /// Delivers until `stop` turns true or nobody is left to say so, then finishes what is under way.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut sending = JoinSet::new();
        let mut pacing = Pacing::new(self.mailer.at_once());
        let mut tended: Option<Instant> = None;
        while !*stop.borrow() && stop.has_changed().is_ok() {
            if tended.is_none_or(|at| at.elapsed() >= TEND) {
                self.tend().await;
                tended = Some(Instant::now());
            }
            match self.claim(pacing.look()).await {
                Ok(rows) => {
                    if rows.is_empty() && pacing.is_idle() {
                        self.mailer.rest().await;
                    }
                    for row in rows {
                        pacing.begun(row.priority);
                        sending.spawn(self.clone().deliver_timed(row));
                    }
                }
                Err(error) => tracing::warn!(%error, "the outbox could not be read"),
            }
            self.wait(&mut sending, &mut pacing, &mut stop).await;
        }
        while sending.join_next().await.is_some() {}
        self.mailer.rest().await;
    }

    /// Waits until it is time to look into the outbox again.
    async fn wait(
        &self,
        sending: &mut JoinSet<Ended>,
        pacing: &mut Pacing,
        stop: &mut watch::Receiver<bool>,
    ) {
        loop {
            tokio::select! {
                Some(ended) = sending.join_next(), if !sending.is_empty() => {
                    if let Ok(ended) = ended {
                        // More was written while this one was on its way.
                        let more = self.store.outbox_notified().now_or_never().is_some();
                        pacing.ended(ended, self.store.pending_writes(), more);
                    }
                }
                () = self.store.outbox_notified(), if pacing.is_idle() => return,
                () = sleep_until(pacing.next_look()) => return,
                _ = stop.changed() => return,
            }
        }
    }

    /// Claims what is due, as much as can be on its way at once, tries each, and waits for all;
    /// says how many. `run` does not wait for all.
    ///
    /// # Errors
    /// When the outbox cannot be read or nothing can be claimed.
    pub async fn deliver_due(self: &Arc<Self>) -> store::Result<usize> {
        let rows = self
            .claim(Pacing::new(self.mailer.at_once()).look())
            .await?;
        let tries = rows.into_iter().map(|row| self.clone().deliver_timed(row));
        let tries: JoinSet<_> = tries.collect();
        Ok(tries.join_all().await.len())
    }

    async fn claim(&self, room: ClaimLimits) -> store::Result<Vec<ClaimedEmail>> {
        let (lease, now) = (self.lease_millis, self.clock.now());
        if now.millis() < self.last_claim.swap(now.millis(), Relaxed)
            && let Err(error) = self
                .store
                .repair_outbox(self.retries.longest_waits(), now)
                .await
        {
            self.last_claim.store(NEVER, Relaxed);
            return Err(error);
        }
        if room.total == 0 || !self.store.has_due_emails(room, lease, now).await? {
            return Ok(Vec::new());
        }
        self.store.claim_due(room, lease, now).await
    }

    /// Tells the log of letters that could not be told for an hour, each once, and removes rows of letters that left long ago.
    pub async fn tend(&self) {
        let now = self.clock.now();
        match self.store.newly_overdue(now.plus_millis(-LATE_AFTER), 100).await {
            Ok(rows) => rows.iter().for_each(|row| {
                tracing::error!(letter = %row.id, kind = %row.kind, since = %row.created_at, attempts = row.attempts, "a letter could not be told for an hour");
            }),
            Err(error) => tracing::warn!(%error, "the outbox could not be looked through"),
        }
        if let Err(error) = self
            .store
            .delete_sent_emails(now.plus_millis(-KEPT), 500)
            .await
        {
            tracing::warn!(%error, "old rows of the outbox could not be removed");
        }
    }

    /// Tries one email to its end, whatever that is.
    async fn deliver_timed(self: Arc<Self>, row: ClaimedEmail) -> Ended {
        let (priority, begun) = (row.priority, Instant::now());
        let tried = AssertUnwindSafe(self.deliver(row)).catch_unwind().await;
        if tried.is_err() {
            tracing::error!(
                "a letter ended its try with a panic; it is tried again when its lease is over"
            );
        }
        Ended {
            priority,
            took: begun.elapsed(),
        }
    }

    async fn deliver(&self, row: ClaimedEmail) {
        let outcome = if row.unfinished > MOST_UNFINISHED {
            Err(DeliveryOutcome::GivenUp(DeliveryError::permanent(
                "its tries never came to an end",
                "the process ended during each try",
            )))
        } else {
            self.attempt(&row).await
        };
        while let Err(error) = self.note(&row, &outcome).await {
            tracing::error!(%error, letter = %row.id, "what became of a letter cannot be noted");
            if outcome.is_err() {
                // It has not left, so nothing is lost when somebody claims it after its lease.
                return;
            }
            // It would be sent again until it is noted that it has left.
            sleep(NOTE_AGAIN).await;
        }
    }

    async fn attempt(&self, row: &ClaimedEmail) -> Result<(), DeliveryOutcome> {
        let row = &self.share_out(row).await.map_err(|error| {
            self.after(
                row,
                DeliveryError::temporary("its facts cannot be read", error),
            )
        })?;
        let letter = match self
            .renderer
            .write(&self.store, row, self.clock.now())
            .await
        {
            Ok(letter) => letter,
            Err(RenderError::Later(error)) => {
                return Err(self.after(
                    row,
                    DeliveryError::temporary("its facts cannot be read", error),
                ));
            }
            Err(RenderError::Never(why)) => {
                return Err(DeliveryOutcome::GivenUp(DeliveryError::permanent(why, why)));
            }
            Err(RenderError::Spent) => return Err(DeliveryOutcome::Spent),
        };
        self.mailer
            .send(&letter)
            .await
            .map_err(|refusal| self.after(row, refusal))
    }

    /// Gives each address of the office a row of its own; what is in hand goes on as the first of them.
    async fn share_out(&self, row: &ClaimedEmail) -> store::Result<ClaimedEmail> {
        let shares = self.renderer.shares(row);
        if shares.is_empty() {
            return Ok(row.clone());
        }
        self.store.split_recipients(row, shares).await
    }

    /// What a refusal means after so many tries in so long a time.
    fn after(&self, row: &ClaimedEmail, refusal: DeliveryError) -> DeliveryOutcome {
        let now = self.clock.now();
        if refusal.permanent || self.retries.are_over(row.tried_since, row.attempts, now) {
            return DeliveryOutcome::GivenUp(refusal);
        }
        DeliveryOutcome::PutOff(refusal, now.plus_millis(self.retries.pause(row.attempts)))
    }

    async fn note(
        &self,
        row: &ClaimedEmail,
        outcome: &Result<(), DeliveryOutcome>,
    ) -> store::Result<()> {
        match outcome {
            Ok(()) => self.store.email_sent(row, self.clock.now()).await?,
            Err(DeliveryOutcome::PutOff(refusal, due)) => {
                self.store
                    .reschedule_email(row, *due, refusal.said.clone())
                    .await?;
                tracing::warn!(letter = %row.id, kind = %row.kind, attempts = row.attempts, why = %refusal.brief, "a letter is tried again later");
            }
            Err(DeliveryOutcome::GivenUp(refusal)) => {
                self.store
                    .email_failed(row, refusal.said.clone(), false)
                    .await?;
                tracing::error!(letter = %row.id, kind = %row.kind, attempts = row.attempts, why = %refusal.brief, "a letter is given up; see `guardpost outbox list`");
            }
            Err(DeliveryOutcome::Spent) => {
                let why = "its code and link ran out before it could be sent".to_owned();
                self.store.email_failed(row, why, true).await?;
                tracing::error!(letter = %row.id, kind = %row.kind, "a letter is given up: its code ran out before it could be sent");
            }
        }
        Ok(())
    }
}

/// What becomes of a letter that has not left.
enum DeliveryOutcome {
    /// Tried again then.
    PutOff(DeliveryError, Time),
    /// Kept as failed.
    GivenUp(DeliveryError),
    /// Kept as failed, without its secret, which no longer works.
    Spent,
}
