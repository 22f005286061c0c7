//! Sends the reports of figures to the addresses of `mail.report_to`: of the last week on Monday at
//! 7 o'clock, of the last month on the first, on the company's clock.

use std::time::Duration;

use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, DAY_MS, Time};
use domain::email::notice::Notice;
use domain::email::report_notice::ReportNotice;
use domain::figures::report::{Report, ReportKind};
use domain::figures::to_do::LICENSE_DAYS;
use domain::request::due_time::AnswerTimes;
use site::current::CurrentSite;
use store::Store;

/// Interval of the checks.
const INTERVAL: Duration = Duration::from_secs(30);
/// A report that is later than this is not sent: the next one is near.
const MAX_LATE_MS: i64 = 2 * DAY_MS;

/// Sends reports.
#[derive(Clone)]
pub struct Reports {
    pub store: Store,
    pub clock: Clock,
    pub zone: TimeZone,
    /// Who gets them; none without an address.
    pub to: Vec<String>,
    pub times: AnswerTimes,
    pub site: CurrentSite,
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
        let now = self.clock.now();
        for kind in ReportKind::ALL {
            let due = kind.last_due(now, &self.zone);
            if !self.store.is_report_due(kind, due).await? {
                continue;
            }
            let is_late = now.millis() - due.millis() > MAX_LATE_MS;
            let notices = match is_late {
                true => Vec::new(),
                false => self.notices(kind, due, now).await?,
            };
            let is_sent = !notices.is_empty();
            sent += usize::from(self.store.send_report(kind, due, notices, now).await? && is_sent);
        }
        Ok(sent)
    }

    async fn notices(&self, kind: ReportKind, due: Time, now: Time) -> anyhow::Result<Vec<Notice>> {
        let Some(period) = kind.period(due, &self.zone) else {
            return Ok(Vec::new());
        };
        let figures = self.store.figures(period).await?;
        let today = self.zone.local(now).date();
        let site = self.site.get();
        let licenses = site.company.expiring_licenses(today, LICENSE_DAYS);
        let to_do = self.store.to_do(now).await?.lines(&licenses);
        let report = Report::new(&figures, self.times, to_do);
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
