//! The delivery worker: claims due outbox rows under a lease. `delivery` renders and sends an email
//! for each and records the outcome. `email` renders, `mailer` sends, `pacing` limits concurrency
//! and decides when to claim, `retries` decides when to retry.
//!
//! When a process dies, its rows are claimed again after the lease expires. An email that cannot be
//! delivered is retried for `mail.give_up_hours` (RFC 5321, section 4.5.4.1); after that, or after
//! a permanent rejection, the row is marked as failed and is only retried by an operator.

pub mod current_renderer;
mod delivery;
pub mod email;
pub mod mailer;
mod pacing;
mod retries;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use parking_lot::{Mutex, MutexGuard, RwLock};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use self::current_renderer::CurrentRenderer;
use self::mailer::Mailer;
use self::pacing::{Attempt, Pacing};
use self::retries::RetryPolicy;
use domain::clock::{Clock, DAY_MS};
use domain::outage::Outage;
use store::outbox::admin::LATE_AFTER;
use store::outbox::delivery::{ClaimLimits, ClaimedEmail};
use store::{self, Store};

/// Interval at which overdue emails are logged and old rows are deleted.
const HOUSEKEEPING_INTERVAL: Duration = Duration::from_secs(60);

/// Delivers the emails in the outbox.
pub struct DeliveryWorker {
    store: Store,
    clock: Clock,
    renderer: CurrentRenderer,
    mailer: RwLock<Arc<dyn Mailer>>,
    retries: RetryPolicy,
    /// Emails about one request each to the office within ten minutes.
    single_notices: u32,
    lease_millis: i64,
    /// Days after which a sent email is deleted; 0: never.
    sent_days: u32,
    /// That of the mail server.
    outage: Mutex<Outage>,
}

impl DeliveryWorker {
    /// A worker that renders emails with `renderer`, sends them with `mailer`, and deletes
    /// sent ones after `sent_days` (0: never).
    pub fn new(
        store: Store,
        clock: Clock,
        renderer: CurrentRenderer,
        mailer: Arc<dyn Mailer>,
        settings: &config::Mail,
        sent_days: u32,
    ) -> Self {
        Self {
            sent_days,
            store,
            clock,
            renderer,
            mailer: RwLock::new(mailer),
            retries: RetryPolicy::new(settings),
            single_notices: settings.single_notices,
            // Longer than any send, so that no other process sends the same email at the same time.
            lease_millis: i64::from(settings.timeout_seconds) * 2000 + 30_000,
            outage: Mutex::default(),
        }
    }

    /// Sends through `mailer` from now on, for example with a new password; emails in flight finish
    /// with the one that they started with.
    pub fn replace_mailer(&self, mailer: Arc<dyn Mailer>) {
        *self.mailer.write() = mailer;
    }

    fn mailer(&self) -> Arc<dyn Mailer> {
        self.mailer.read().clone()
    }

    /// Delivers until `stop` becomes true or its sender is dropped, then finishes the emails in
    /// flight.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut attempts = JoinSet::new();
        let mut pacing = Pacing::new(self.mailer().concurrency());
        let mut last_housekeeping: Option<Instant> = None;
        while !*stop.borrow() && stop.has_changed().is_ok() {
            if last_housekeeping.is_none_or(|at| at.elapsed() >= HOUSEKEEPING_INTERVAL) {
                self.run_housekeeping().await;
                last_housekeeping = Some(Instant::now());
            }
            match self.claim(pacing.poll()).await {
                Ok(rows) => {
                    if rows.is_empty() && pacing.is_idle() {
                        self.mailer().close_idle().await;
                    }
                    for row in rows {
                        pacing.started(row.priority);
                        attempts.spawn(self.clone().attempt_timed(row));
                    }
                }
                Err(error) => error.log_background("the outbox cannot be read"),
            }
            self.wait(&mut attempts, &mut pacing, &mut stop).await;
        }
        while attempts.join_next().await.is_some() {}
        self.mailer().close_idle().await;
    }

    /// Waits until the next poll of the outbox.
    async fn wait(
        &self,
        attempts: &mut JoinSet<Attempt>,
        pacing: &mut Pacing,
        stop: &mut watch::Receiver<bool>,
    ) {
        loop {
            tokio::select! {
                Some(finished) = attempts.join_next(), if !attempts.is_empty() => {
                    if let Ok(attempt) = finished {
                        // Whether notices were written during the attempt.
                        let notified = self.store.outbox_notified().now_or_never().is_some();
                        pacing.finished(attempt, self.store.pending_writes(), notified);
                    }
                }
                () = self.store.outbox_notified(), if pacing.is_idle() => return,
                () = sleep_until(pacing.next_poll()) => return,
                _ = stop.changed() => return,
            }
        }
    }

    /// Claims one batch of due emails, attempts each, waits for all of them and returns their
    /// number. `run`, in contrast, claims more while some are still in flight. Fails if the outbox
    /// cannot be read or no row can be claimed.
    pub async fn deliver_due(self: &Arc<Self>) -> store::Result<usize> {
        let limits = Pacing::new(self.mailer().concurrency()).poll();
        let rows = self.claim(limits).await?.into_iter();
        let attempts: JoinSet<_> = rows.map(|row| self.clone().attempt_timed(row)).collect();
        Ok(attempts.join_all().await.len())
    }

    async fn claim(&self, limits: ClaimLimits) -> store::Result<Vec<ClaimedEmail>> {
        let (lease, now) = (self.lease_millis, self.clock.now());
        if limits.total == 0 || !self.store.has_due_emails(limits, now).await? {
            return Ok(Vec::new());
        }
        self.store.claim_due(limits, lease, now).await
    }

    fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock()
    }

    /// Logs how many more emails have been undelivered for over an hour, unless the mail server is
    /// known to be down, and deletes the rows of emails sent long ago.
    pub async fn run_housekeeping(&self) {
        let now = self.clock.now();
        let overdue = self.store.newly_overdue(now.plus_millis(-LATE_AFTER), 100);
        match overdue.await {
            Ok(rows) => {
                let oldest = rows.iter().min_by_key(|row| row.created_at);
                if let Some(oldest) = oldest.filter(|_| !self.outage().lasts()) {
                    tracing::error!(
                        emails = rows.len(),
                        oldest = %oldest.id,
                        since = %oldest.created_at,
                        "emails undelivered for over an hour; see `guardpost outbox list`"
                    );
                }
            }
            Err(error) => error.log_background("overdue emails could not be read"),
        }
        if self.sent_days == 0 {
            return;
        }
        let sent_before = now.plus_millis(-i64::from(self.sent_days) * DAY_MS);
        if let Err(error) = self.store.delete_sent_emails(sent_before, 500).await {
            error.log_background("old outbox rows could not be deleted");
        }
    }
}
