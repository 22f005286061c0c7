//! The email of an alarm.

use serde::{Deserialize, Serialize};

use crate::clock::Time;

/// An alarm to one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlarmNotice {
    /// The person's address.
    pub to: String,
    /// As in `on-call test`.
    pub job: String,
    /// The id of the request that it is about.
    pub request: Option<String>,
    /// The beginning of a gap in the on-call schedule.
    pub at: Option<Time>,
    /// How many alarms of this kind wait; `request` is that of the newest.
    #[serde(default)]
    pub count: u32,
}
