//! Warns the office of licenses that expire: one email at 60, 30, 14, 7 and 1 days, and one when a
//! license has expired. Each warning is sent once, also across restarts.

use std::time::Duration;

use jiff::civil::Date;

use domain::clock::{Clock, Time};
use domain::email::notice::LicenseNotice;
use site::current::{CurrentSite, SiteState};
use store::Store;

/// Days before the last valid day at which a warning is sent; -1: the license has expired.
pub const STEPS: [i32; 6] = [60, 30, 14, 7, 1, -1];

/// Interval of the checks.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Warns at intervals until it is dropped.
pub async fn run(store: Store, site: CurrentSite, clock: Clock) {
    loop {
        if let Err(error) = warn(&store, &site.get(), clock.now()).await {
            tracing::warn!(%error, "license warnings could not be queued; it is tried again");
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// Queues the warnings that are due at `now` and were not queued before; returns their number.
/// After a pause only the latest step of a license is sent.
pub async fn warn(store: &Store, site: &SiteState, now: Time) -> anyhow::Result<usize> {
    let mut sent = 0;
    let company = &site.company;
    for (code, license) in &company.licenses {
        let Some(expires) = license.expires else {
            continue;
        };
        let left = days_left(expires, now);
        let Some(step) = due_step(left) else { continue };
        let state = site.content.states.iter().find(|state| state.code == *code);
        let notice = LicenseNotice {
            state: state.map_or_else(|| code.clone(), |state| state.name.clone()),
            number: license.number.clone(),
            holder: company.license_holder(license).to_owned(),
            authority: state.map(|state| state.licensing.authority.clone()),
            expires: expires.to_string(),
            days: left,
            in_dashboard: site.sections.contains_key("licenses"),
            to: None,
        };
        sent += usize::from(
            store
                .warn_of_license(code.clone(), step, notice, now)
                .await?,
        );
    }
    Ok(sent)
}

/// Days from the UTC day of `now` to `expires`; negative once it has expired.
pub fn days_left(expires: Date, now: Time) -> i32 {
    let today: Date = now.day().parse().unwrap_or(expires);
    (expires - today).get_days()
}

/// The latest step that `days` have reached; `None` before the first.
fn due_step(days: i32) -> Option<i32> {
    STEPS.into_iter().rev().find(|step| days <= *step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_is_due_until_the_next() {
        for (days, step) in [
            (61, None),
            (60, Some(60)),
            (31, Some(60)),
            (30, Some(30)),
            (14, Some(14)),
            (8, Some(14)),
            (7, Some(7)),
            (2, Some(7)),
            (1, Some(1)),
            (0, Some(1)),
            (-1, Some(-1)),
            (-400, Some(-1)),
        ] {
            assert_eq!(due_step(days), step, "{days}");
        }
    }

    #[test]
    fn days_are_counted_from_the_utc_day() {
        let expires = "2027-01-31".parse().unwrap();
        for (now, days) in [
            ("2026-12-02T23:59:59Z", 60),
            ("2027-01-31T00:00:00Z", 0),
            ("2027-02-01T00:00:00Z", -1),
        ] {
            assert_eq!(days_left(expires, Time::parse(now).unwrap()), days);
        }
    }
}
