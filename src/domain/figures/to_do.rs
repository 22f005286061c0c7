//! What needs doing, in words, with the page of the desk where it is done.

use serde::{Deserialize, Serialize};

/// Days before its last day from which a license is named.
pub const LICENSE_DAYS: i32 = 60;

/// The numbers of what waits for the office.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToDo {
    /// Emergencies that need attention.
    pub emergencies: i64,
    /// All requests that need attention.
    pub attention: i64,
    /// Offers that wait for the customer and end within a week.
    pub offers_expiring: i64,
    /// Offers that the customer has accepted, and nobody has confirmed.
    pub offers_unconfirmed: i64,
    /// Sample requests.
    pub sample_requests: i64,
    /// Whether offers would be made with the sample of the rates.
    pub has_sample_rates: bool,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToDoLine {
    /// As in `1 offer ends within a week`.
    pub text: String,
    /// The path of the desk's page.
    pub path: String,
}

impl ToDo {
    /// What needs doing, the most urgent first. `licenses` are those that expire soon, by state,
    /// with the days that are left; negative after the last one.
    pub fn lines(&self, licenses: &[(String, i32)]) -> Vec<ToDoLine> {
        let mut lines = Vec::new();
        let mut add = |count: i64, one: &str, more: &str, path: &str| {
            if count > 0 {
                let text = format!("{count} {}", if count == 1 { one } else { more });
                let path = path.to_owned();
                lines.push(ToDoLine { text, path });
            }
        };
        add(
            self.emergencies,
            "emergency waits for a call",
            "emergencies wait for a call",
            "/admin?view=attention&emergency=true",
        );
        add(
            self.attention - self.emergencies,
            "other request needs attention",
            "other requests need attention",
            "/admin?view=attention",
        );
        add(
            self.offers_unconfirmed,
            "accepted offer is not staffed yet",
            "accepted offers are not staffed yet",
            "/admin?view=offers&show=accepted",
        );
        add(
            self.offers_expiring,
            "offer ends within a week",
            "offers end within a week",
            "/admin?view=offers&show=waiting",
        );
        for (state, days) in licenses {
            let text = match days {
                ..0 => format!("the {state} license has expired"),
                0 => format!("the {state} license expires today"),
                1 => format!("the {state} license expires tomorrow"),
                days => format!("the {state} license expires in {days} days"),
            };
            let path = "/admin/site".to_owned();
            lines.push(ToDoLine { text, path });
        }
        lines
    }
}
