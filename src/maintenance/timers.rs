//! What comes due by the time alone: reminders of requests, requests and messages that wait for too
//! long, and offers that end.

use std::time::Duration;

use domain::clock::Clock;
use domain::request::due_time::AnswerTimes;
use store::Store;

/// The pause between two looks for it.
const INTERVAL: Duration = Duration::from_secs(5);

/// Does what has come due.
#[derive(Clone)]
pub struct Timers {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// When an answer is late.
    pub answer_times: AnswerTimes,
}

impl Timers {
    /// Runs until it is dropped.
    pub async fn run(self) {
        loop {
            self.run_due().await;
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Does what is due now. What fails is logged and due again.
    pub async fn run_due(&self) {
        let (store, now, times) = (&self.store, self.clock.now(), self.answer_times);
        let done = [
            (
                store.bring_back_follow_ups(now).await,
                "requests to be followed up could not be brought back",
            ),
            (
                store.escalate_overdue(times, now).await,
                "overdue requests could not be escalated",
            ),
            (
                store.escalate_unanswered(times, now).await,
                "overdue messages could not be escalated",
            ),
            (
                store.advance_offers(now).await,
                "offers could not be ended or reminded of",
            ),
        ];
        for (result, why) in done {
            if let Err(error) = result {
                error.log_background(why);
            }
        }
    }
}
