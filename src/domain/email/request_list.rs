//! The notice of many requests at once.

use serde::{Deserialize, Serialize};

/// Requests that are named in one email.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestList {
    /// Whether they are overdue; else they are new.
    pub is_overdue: bool,
    /// The ids of the first ones.
    pub ids: Vec<String>,
    /// How many there are.
    pub count: u32,
    /// How many of them want a call right away.
    pub emergencies: u32,
    /// The recipient, after a notice to several staff addresses was split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl RequestList {
    /// Requests that are named with their details.
    const MAX_NAMED: usize = 50;

    /// Adds a request.
    pub fn add(&mut self, id: &str, is_emergency: bool) {
        self.count += 1;
        self.emergencies += u32::from(is_emergency);
        if self.ids.len() < Self::MAX_NAMED {
            self.ids.push(id.to_owned());
        }
    }
}
