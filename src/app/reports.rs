//! Sends the reports of figures to the addresses of `mail.report_to`: of the last week on Monday at
//! 7 o'clock, of the last month on the first, on the company's clock.

use std::sync::Arc;
use std::time::Duration;

use domain::clock::{DAY_MS, Time};
use domain::email::notice::Notice;
use domain::email::report_notice::ReportNotice;
use domain::figures::report::ReportKind;
use http::server::system_status::System;
use http::server::to_do::report;
use http::{AppState, Part};

/// Interval of the checks.
const INTERVAL: Duration = Duration::from_secs(30);
/// A report that is later than this is not sent: the next one is near.
const MAX_LATE_MS: i64 = 2 * DAY_MS;

/// Sends reports.
#[derive(Clone)]
pub struct Reports {
    pub app: Arc<AppState>,
    /// Who gets them; none without an address.
    pub to: Vec<String>,
}

impl Reports {
    /// Sends what is due at intervals until it is dropped.
    pub async fn run(self) {
        loop {
            if let Err(error) = self.send_due().await {
                tracing::warn!(%error, "a report could not be queued; it is tried again");
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Queues the reports that are due and were not queued; returns their number.
    pub async fn send_due(&self) -> anyhow::Result<usize> {
        let mut sent = 0;
        if self.to.is_empty() {
            return Ok(sent);
        }
        let (store, now) = (&self.app.store, self.app.clock.now());
        for kind in ReportKind::ALL {
            let due = kind.last_due(now, &self.app.time_zone);
            if !store.is_report_due(kind, due).await? {
                continue;
            }
            let is_late = now.millis() - due.millis() > MAX_LATE_MS;
            let notices = match is_late {
                true => Vec::new(),
                false => self.notices(kind, due).await?,
            };
            let is_sent = !notices.is_empty();
            sent += usize::from(store.send_report(kind, due, notices, now).await? && is_sent);
        }
        Ok(sent)
    }

    async fn notices(&self, kind: ReportKind, due: Time) -> anyhow::Result<Vec<Notice>> {
        let Some(period) = kind.period(due, &self.app.time_zone) else {
            return Ok(Vec::new());
        };
        let report = report(&System::of(&self.app), period).await?;
        let notice = |to: &String| {
            Notice::Report(ReportNotice {
                to: to.clone(),
                kind: kind.as_str().to_owned(),
                report: report.clone(),
            })
        };
        Ok(self.to.iter().map(notice).collect())
    }
}
