//! `[alarms]`: who is notified of an emergency, when, and how, until it is acknowledged.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use domain::on_call::alarm::{Channel, WeeklyTime, Who, WorkingHours};

/// The longest chain, and the latest time of a step.
const MAX_STEPS: usize = 20;
const MAX_MINUTES: u32 = 24 * 60;

/// Alarms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Alarms {
    /// The steps, in the order of their times.
    pub chain: Vec<ChainStep>,
    /// When people are notified of overdue requests that are not emergencies, as in
    /// `Mon-Fri 08:00-18:00`.
    pub working_hours: String,
    /// When the weekly test alarm is raised, as in `Mon 10:00`; empty: never.
    pub test: String,
    /// Calls to one person in a minute, a quarter of an hour, an hour and three hours.
    #[serde(skip)]
    pub calls_per_person: [u32; 4],
    /// Text messages to one person in the same times.
    #[serde(skip)]
    pub texts_per_person: [u32; 4],
    /// Calls to all people in 24 hours.
    #[serde(skip)]
    pub calls_per_day: u32,
    /// Text messages to all people in 24 hours.
    #[serde(skip)]
    pub texts_per_day: u32,
}

/// One step of the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChainStep {
    /// Minutes after the beginning.
    pub after_minutes: u32,
    pub who: Who,
    pub by: Vec<Channel>,
}

impl Default for Alarms {
    fn default() -> Self {
        let step = |after_minutes, who, by: &[Channel]| ChainStep {
            after_minutes,
            who,
            by: by.to_vec(),
        };
        let all = [Channel::Push, Channel::Call, Channel::Sms];
        Self {
            chain: vec![
                step(0, Who::OnCall, &[Channel::Push]),
                step(3, Who::OnCall, &[Channel::Call, Channel::Sms]),
                step(10, Who::Next, &all),
                step(20, Who::Everybody, &all),
            ],
            working_hours: "Mon-Fri 08:00-18:00".to_owned(),
            test: "Mon 10:00".to_owned(),
            calls_per_person: [1, 3, 5, 10],
            texts_per_person: [1, 5, 12, 20],
            calls_per_day: 100,
            texts_per_day: 200,
        }
    }
}

impl Alarms {
    pub(super) fn check(&self) -> Result<()> {
        let times = self.chain.iter().map(|step| step.after_minutes);
        if self.chain.is_empty() || self.chain.len() > MAX_STEPS || !times.clone().is_sorted() {
            bail!("setting `alarms.chain`: 1 to {MAX_STEPS} steps in the order of their times");
        }
        if times.clone().any(|minutes| minutes > MAX_MINUTES) {
            bail!("setting `alarms.chain`: `after_minutes` is at most {MAX_MINUTES}");
        }
        if self.chain.iter().any(|step| step.by.is_empty()) {
            bail!("setting `alarms.chain`: `by` names at least one of push, call, sms, email");
        }
        if WorkingHours::parse(&self.working_hours).is_none() {
            bail!("setting `alarms.working_hours`: days and hours, as in Mon-Fri 08:00-18:00");
        }
        if !self.test.is_empty() && WeeklyTime::parse(&self.test).is_none() {
            bail!("setting `alarms.test`: a day and a time, as in Mon 10:00, or empty");
        }
        Ok(())
    }
}
