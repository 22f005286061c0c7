//! Sends the reports of figures to the addresses of `mail.report_to`: of the last week on Monday at
//! 7 o'clock, of the last month on the first, on the company's clock.

use std::time::Duration;

use jiff::civil::Date;

use crate::license_warnings::days_left;
use domain::clock::time_zone::TimeZone;
use domain::clock::{Clock, DAY_MS, Time};
use domain::email::notice::Notice;
use domain::email::report_notice::ReportNotice;
use domain::figures::report::{ReportKind, facts};
use domain::request::due_time::AnswerTimes;
use site::current::CurrentSite;
use store::Store;

/// Interval of the checks.
const INTERVAL: Duration = Duration::from_secs(30);
/// A report that is later than this is not sent: the next one is near.
const MAX_LATE_MS: i64 = 2 * DAY_MS;
/// Days before its last day from which a license is named.
const LICENSE_DAYS: i32 = 60;

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
        let (facts, to_do) = (facts(&figures, self.times), self.to_do(now).await?);
        let notice = |to: &String| {
            Notice::Report(ReportNotice {
                to: to.clone(),
                kind: kind.as_str().to_owned(),
                from: period.days.from.to_string(),
                until: period.days.to.to_string(),
                facts: facts.clone(),
                to_do: to_do.clone(),
            })
        };
        Ok(self.to.iter().map(notice).collect())
    }

    /// What needs doing, the most urgent first.
    async fn to_do(&self, now: Time) -> anyhow::Result<Vec<String>> {
        let found = self.store.to_do(now).await?;
        let mut lines = Vec::new();
        let mut add = |count: i64, one: &str, more: &str| {
            if count > 0 {
                lines.push(format!("{count} {}", if count == 1 { one } else { more }));
            }
        };
        add(
            found.emergencies,
            "emergency waits for a call",
            "emergencies wait for a call",
        );
        add(
            found.attention,
            "request needs attention",
            "requests need attention",
        );
        add(
            found.offers_unconfirmed,
            "accepted offer is not staffed yet",
            "accepted offers are not staffed yet",
        );
        add(
            found.offers_expiring,
            "offer ends within a week",
            "offers end within a week",
        );
        for (state, license) in &self.site.get().company.licenses {
            let left = license.expires.map(|day: Date| days_left(day, now));
            if let Some(days) = left.filter(|days| *days <= LICENSE_DAYS) {
                lines.push(match days {
                    ..0 => format!("the {state} license has expired"),
                    days => format!("the {state} license expires in {days} days"),
                });
            }
        }
        Ok(lines)
    }
}
