//! `[alarms]`: who is notified of an emergency, when, and how, until it is acknowledged.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use domain::on_call::alarm::{Channel, WeeklyTime, Who, WorkingHours};

/// The longest chain, and the latest time of a step.
const MAX_STEPS: usize = 20;
const MAX_MINUTES: u32 = 24 * 60;
/// The largest bounds on calls and text messages.
const MAX_PER_PERSON: u32 = 100;
const MAX_PER_DAY: u32 = 10_000;

/// Alarms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Alarms {
    /// The steps, in the order of their times.
    pub chain: Vec<ChainStep>,
    /// Minutes after which the chain starts again if the customer was not reached.
    pub again_minutes: u32,
    /// When people are notified of overdue requests that are not emergencies, as in
    /// `Mon-Fri 08:00-18:00`.
    pub working_hours: String,
    /// When the weekly test alarm is raised, as in `Mon 10:00`; empty: never.
    pub test: String,
    /// Days before a gap in the on-call schedule at which it is an alarm.
    pub gap_days: u32,
    /// Calls to one person in a minute, a quarter of an hour, an hour and three hours.
    pub calls_per_person: [u32; 4],
    /// Text messages to one person in the same times.
    pub texts_per_person: [u32; 4],
    /// Calls to all people in 24 hours.
    pub calls_per_day: u32,
    /// Text messages to all people in 24 hours.
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
            again_minutes: 30,
            working_hours: "Mon-Fri 08:00-18:00".to_owned(),
            test: "Mon 10:00".to_owned(),
            gap_days: 3,
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
        if !(5..=MAX_MINUTES).contains(&self.again_minutes) {
            bail!("setting `alarms.again_minutes`: from 5 to {MAX_MINUTES}");
        }
        if WorkingHours::parse(&self.working_hours).is_none() {
            bail!("setting `alarms.working_hours`: days and hours, as in Mon-Fri 08:00-18:00");
        }
        if !self.test.is_empty() && WeeklyTime::parse(&self.test).is_none() {
            bail!("setting `alarms.test`: a day and a time, as in Mon 10:00, or empty");
        }
        if !(1..=30).contains(&self.gap_days) {
            bail!("setting `alarms.gap_days`: from 1 to 30");
        }
        for (name, limits) in [
            ("calls_per_person", self.calls_per_person),
            ("texts_per_person", self.texts_per_person),
        ] {
            if limits[0] == 0 || !limits.is_sorted() || limits[3] > MAX_PER_PERSON {
                bail!(
                    "setting `alarms.{name}`: four numbers, each at least the one before, from 1 \
                     to {MAX_PER_PERSON}"
                );
            }
        }
        for (name, limit) in [
            ("calls_per_day", self.calls_per_day),
            ("texts_per_day", self.texts_per_day),
        ] {
            if !(1..=MAX_PER_DAY).contains(&limit) {
                bail!("setting `alarms.{name}`: from 1 to {MAX_PER_DAY}");
            }
        }
        Ok(())
    }
}
