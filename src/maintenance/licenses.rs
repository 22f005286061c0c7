//! Warns the office of licenses that expire: one email at 60, 30, 14, 7 and 1 days, and one when a
//! license has expired. Each warning is sent once, also across restarts.

use anyhow::Result;

use super::Maintenance;
use domain::email::notice::LicenseNotice;

/// Days before the last valid day at which a warning is sent; -1: the license has expired.
const STEPS: [i32; 6] = [60, 30, 14, 7, 1, -1];

impl Maintenance {
    /// Queues the warnings that are due and were not queued before; returns their number. After a
    /// pause only the latest step of a license is sent.
    pub async fn warn_of_licenses(&self) -> Result<usize> {
        let (mut sent, now, site) = (0, self.clock.now(), self.site.get());
        let company = &site.company;
        for (code, license) in &company.licenses {
            let days = license.days_left(company.today(now));
            let Some((expires, days)) = license.expires.zip(days) else {
                continue;
            };
            let mut reached = STEPS.into_iter().rev().filter(|step| days <= *step);
            let Some(step) = reached.next() else { continue };
            let state = site.content.states.iter().find(|state| state.code == *code);
            let notice = LicenseNotice {
                state: state.map_or_else(|| code.clone(), |state| state.name.clone()),
                number: license.number.clone(),
                holder: company.license_holder(license).to_owned(),
                authority: state.map(|state| state.licensing.authority.clone()),
                expires: expires.to_string(),
                days,
                in_dashboard: site.sections.contains_key("licenses"),
                to: None,
            };
            let warned = self.store.warn_of_license(code.clone(), step, notice, now);
            sent += usize::from(warned.await?);
        }
        Ok(sent)
    }
}
