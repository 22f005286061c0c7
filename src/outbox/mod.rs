//! The postman: claims due rows by a lease, lets a letter be written and sent for each, and notes what became of it. What is said and how it
//! travels is in `letter` and `mailer`.
//!
//! A row whose process dies is claimed again when its lease is over. A letter is counted as tried when it is claimed, and given up after
//! `mail.max_attempts` tries or a permanent refusal; it is then kept, and retried when an operator says so.

pub mod letter;
pub mod mailer;

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use self::letter::{Scribe, Unwritten};
use self::mailer::{Mailer, Refusal};
use crate::config;
use crate::domain::clock::{Clock, Time};
use crate::domain::ids;
use crate::store::{self, Claimed, LONGEST_WAIT, Store};

/// How often the box is looked into for what other processes wrote and for retries that have come due.
const LOOK: Duration = Duration::from_secs(2);
/// Pause between two batches for each visitor who waits for a commit, and one more: on a small host a letter costs as much as several posts, and a flood of
/// letters leaves the processor and the disk to the visitors who cause it.
const BREATH: Duration = Duration::from_millis(20);
/// While visitors go on writing, the postman rests this many times as long as the last batch took: a tenth of the time is his.
const REST: u32 = 9;
/// The longest that one batch counts for this: a mail server that hangs says nothing of the visitors.
const LONGEST_BATCH: Duration = Duration::from_millis(100);
/// Visitors for whom the postman pauses at most: a flood that does not end must not keep the office from hearing of it.
const POLITENESS: usize = 50;
/// How often late letters are told of and old rows removed.
const TEND: Duration = Duration::from_secs(60);
/// How long a letter may stay untold before the log says so, in milliseconds.
const LATE: i64 = 60 * 60 * 1000;
/// How long the row of a letter that has left is kept: enough to answer "did we ever hear of it?", in milliseconds.
const KEPT: i64 = 30 * 24 * 60 * 60 * 1000;
/// The longest regular wait between two tries, in milliseconds. With its jitter it stays below `store::LONGEST_WAIT`.
const SLOWEST: i64 = LONGEST_WAIT * 4 / 5;
/// Pause before the fate of a letter is noted again, where the database could not take it.
const NOTE_AGAIN: Duration = Duration::from_secs(1);

/// Delivers what the outbox holds.
pub struct Postman {
    store: Store,
    clock: Clock,
    scribe: Scribe,
    mailer: Arc<dyn Mailer>,
    max_attempts: u32,
    retry_millis: i64,
    lease_millis: i64,
}

impl Postman {
    /// A postman for `store` who has letters written by `scribe` and sent by `mailer`.
    pub fn new(
        store: Store,
        clock: Clock,
        scribe: Scribe,
        mailer: Arc<dyn Mailer>,
        settings: &config::Mail,
    ) -> Self {
        Self {
            store,
            clock,
            scribe,
            mailer,
            max_attempts: settings.max_attempts,
            retry_millis: i64::from(settings.retry_seconds) * 1000,
            // Longer than any send can take, so that a slow one is not sent by somebody else as well.
            lease_millis: i64::from(settings.timeout_seconds) * 2000 + 30_000,
        }
    }

    /// Delivers until `stop` turns true or nobody is left to say so, then finishes what is under way.
    pub async fn run(self: Arc<Self>, mut stop: watch::Receiver<bool>) {
        let mut tended: Option<Instant> = None;
        while !*stop.borrow() && stop.has_changed().is_ok() {
            let begun = Instant::now();
            if tended.is_none_or(|at| at.elapsed() >= TEND) {
                self.tend().await;
                tended = Some(Instant::now());
            }
            match self.deliver_due().await {
                Ok(0) => {
                    self.mailer.rest().await;
                    self.wait(&mut stop).await;
                }
                Ok(_) => self.give_way(begun.elapsed(), &mut stop).await,
                Err(error) => {
                    tracing::warn!(%error, "the outbox could not be read");
                    self.wait(&mut stop).await;
                }
            }
        }
        self.mailer.rest().await;
    }

    /// Claims what is due, as much as can be on its way at once, and tries each; says how many.
    ///
    /// # Errors
    /// When the outbox cannot be read or nothing can be claimed.
    pub async fn deliver_due(self: &Arc<Self>) -> store::Result<usize> {
        let (lease, now) = (self.lease_millis, self.clock.now());
        if !self.store.anything_due(lease, now).await? {
            return Ok(0);
        }
        let rows = self
            .store
            .claim_due(self.mailer.at_once(), lease, now)
            .await?;
        let claimed = rows.len();
        let mut tries = JoinSet::new();
        for row in rows {
            let postman = self.clone();
            tries.spawn(async move { postman.deliver(row).await });
        }
        while let Some(ended) = tries.join_next().await {
            if ended.is_err() {
                tracing::error!(
                    "a letter ended its try with a panic; it is tried again when its lease is over"
                );
            }
        }
        Ok(claimed)
    }

    /// Tells the log of letters that could not be told for an hour, each once, and removes rows of letters that left long ago.
    pub async fn tend(&self) {
        let now = self.clock.now();
        match self.store.newly_late(now.plus_millis(-LATE), 100).await {
            Ok(rows) => rows.iter().for_each(|row| {
                tracing::error!(letter = %row.id, kind = %row.kind, since = %row.created_at, attempts = row.attempts, "a letter could not be told for an hour");
            }),
            Err(error) => tracing::warn!(%error, "the outbox could not be looked through"),
        }
        if let Err(error) = self.store.forget_sent(now.plus_millis(-KEPT), 500).await {
            tracing::warn!(%error, "old rows of the outbox could not be removed");
        }
    }

    async fn give_way(&self, took: Duration, stop: &mut watch::Receiver<bool>) {
        let visitors = self.store.waiting().min(POLITENESS);
        let mut pause = BREATH * u32::try_from(visitors + 1).unwrap_or(1);
        // More was written while these were on their way.
        if self.store.noticed().now_or_never().is_some() {
            pause = pause.max(took.min(LONGEST_BATCH) * REST);
        }
        tokio::select! {
            () = sleep(pause) => {}
            _ = stop.changed() => {}
        }
    }

    async fn wait(&self, stop: &mut watch::Receiver<bool>) {
        tokio::select! {
            () = self.store.noticed() => {}
            () = sleep(LOOK) => {}
            _ = stop.changed() => {}
        }
    }

    async fn deliver(&self, row: Claimed) {
        let outcome = if row.attempts > self.max_attempts {
            Err(Fate::GivenUp(Refusal::permanent(
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

    async fn attempt(&self, row: &Claimed) -> Result<(), Fate> {
        let row = &self.share_out(row).await.map_err(|error| {
            self.after(row, Refusal::temporary("its facts cannot be read", error))
        })?;
        let letter = match self.scribe.write(&self.store, row, self.clock.now()).await {
            Ok(letter) => letter,
            Err(Unwritten::Later(error)) => {
                return Err(self.after(row, Refusal::temporary("its facts cannot be read", error)));
            }
            Err(Unwritten::Never(why)) => {
                return Err(Fate::GivenUp(Refusal::permanent(why, why)));
            }
            Err(Unwritten::Spent) => return Err(Fate::Spent),
        };
        self.mailer
            .send(&letter)
            .await
            .map_err(|refusal| self.after(row, refusal))
    }

    /// Gives each address of the office a row of its own; what is in hand goes on as the first of them.
    async fn share_out(&self, row: &Claimed) -> store::Result<Claimed> {
        let shares = self.scribe.shares(row);
        if shares.is_empty() {
            return Ok(row.clone());
        }
        self.store.share_letter(row, shares).await
    }

    /// What a refusal means after so many tries.
    fn after(&self, row: &Claimed, refusal: Refusal) -> Fate {
        if refusal.permanent || row.attempts >= self.max_attempts {
            return Fate::GivenUp(refusal);
        }
        Fate::PutOff(
            refusal,
            self.clock.now().plus_millis(self.pause(row.attempts)),
        )
    }

    /// Milliseconds until the next try: doubling from `mail.retry_seconds` up to an hour, and up to a quarter more by chance, so that letters refused
    /// together do not come back together.
    fn pause(&self, attempts: u32) -> i64 {
        let doubled = 2_i64.saturating_pow(attempts.saturating_sub(1));
        let pause = self.retry_millis.saturating_mul(doubled).min(SLOWEST);
        let chance = i64::from(u16::from_le_bytes(ids::random_bytes()));
        pause + pause / 4 * chance / i64::from(u16::MAX)
    }

    async fn note(&self, row: &Claimed, outcome: &Result<(), Fate>) -> store::Result<()> {
        match outcome {
            Ok(()) => self.store.letter_sent(row, self.clock.now()).await?,
            Err(Fate::PutOff(refusal, due)) => {
                self.store
                    .letter_put_off(row, *due, refusal.said.clone())
                    .await?;
                tracing::warn!(letter = %row.id, kind = %row.kind, attempts = row.attempts, why = %refusal.brief, "a letter is tried again later");
            }
            Err(Fate::GivenUp(refusal)) => {
                self.store
                    .letter_failed(row, refusal.said.clone(), false)
                    .await?;
                tracing::error!(letter = %row.id, kind = %row.kind, attempts = row.attempts, why = %refusal.brief, "a letter is given up; see `guardpost outbox list`");
            }
            Err(Fate::Spent) => {
                let why = "its code and link ran out before it could be sent".to_owned();
                self.store.letter_failed(row, why, true).await?;
                tracing::error!(letter = %row.id, kind = %row.kind, "a letter is given up: its code ran out before it could be sent");
            }
        }
        Ok(())
    }
}

/// What becomes of a letter that has not left.
enum Fate {
    /// Tried again then.
    PutOff(Refusal, Time),
    /// Kept as failed.
    GivenUp(Refusal),
    /// Kept as failed, without its secret, which no longer works.
    Spent,
}
