//! `[desk]`: response times promised to customers, how long spam is kept, and what
//! advertisers get.

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

/// The longest promise: a month.
const MAX_ANSWER_HOURS: u32 = 720;
/// The longest promise of a call right away: a day.
const MAX_EMERGENCY_MINUTES: u32 = 1440;

/// Days after which requests held as spam and emails that were discarded are deleted.
pub const HELD_DAYS: u32 = 30;

/// The quote desk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Desk {
    /// Hours within which a request is answered.
    pub answer_hours: u32,
    /// Minutes within which a visitor who asks for a call right away is answered.
    pub emergency_minutes: u32,
    /// Hours within which a further message of a customer is answered.
    pub next_answer_hours: u32,
    /// Whether admins may download the conversions for an advertiser.
    pub ad_conversions: bool,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            answer_hours: 24,
            emergency_minutes: 30,
            next_answer_hours: 4,
            ad_conversions: false,
        }
    }
}

impl Desk {
    pub(super) fn check(&self) -> Result<()> {
        if !(1..=MAX_ANSWER_HOURS).contains(&self.answer_hours) {
            bail!("setting `desk.answer_hours`: from 1 to {MAX_ANSWER_HOURS}");
        }
        if !(1..=MAX_EMERGENCY_MINUTES).contains(&self.emergency_minutes) {
            bail!("setting `desk.emergency_minutes`: from 1 to {MAX_EMERGENCY_MINUTES}");
        }
        if !(1..=MAX_ANSWER_HOURS).contains(&self.next_answer_hours) {
            bail!("setting `desk.next_answer_hours`: from 1 to {MAX_ANSWER_HOURS}");
        }
        Ok(())
    }
}
