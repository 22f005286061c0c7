//! What needs doing, in words, with the page of the desk where it is done.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use crate::text::grouped::grouped;

/// What waits for the office.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToDo {
    /// Emergencies that need attention.
    pub emergencies: i64,
    /// Requests that need attention and are overdue.
    pub overdue: i64,
    /// Requests with a message that no admin has opened.
    pub unread: i64,
    /// Requests that need attention, neither emergencies nor overdue.
    pub others: i64,
    /// Offers that wait for the customer and end within a week.
    pub offers_expiring: i64,
    /// Offers that the customer has accepted, and no admin has confirmed.
    pub offers_unconfirmed: i64,
    /// Sample requests.
    pub sample_requests: i64,
    /// Whether offers would be made with the sample of the rates.
    pub has_sample_rates: bool,
}

/// What is to be done about the system and the site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemToDo {
    /// Problems, a sentence each: backups, emails, licenses, gaps of the rota.
    pub problems: Vec<ToDoLine>,
    /// Whether no backups are made.
    pub has_no_backups: bool,
    /// Facts of the company that are samples, as in `media_email`.
    pub sample_facts: Vec<&'static str>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Object)]
pub struct ToDoLine {
    /// As in `1 offer ends within a week`.
    pub text: String,
    /// The path of the desk's page; null for what is done on the server.
    pub path: Option<String>,
    /// Whether a customer or the office waits for it now.
    #[serde(default)]
    pub urgent: bool,
}

impl ToDoLine {
    /// A line with the `path` of the desk's page where it is done.
    pub fn new(text: impl Into<String>, path: Option<&str>, urgent: bool) -> Self {
        Self {
            text: text.into(),
            path: path.map(str::to_owned),
            urgent,
        }
    }
}

/// The lines of a list.
struct Lines(Vec<ToDoLine>);

impl Lines {
    /// Adds a number of things, if there are any.
    fn count(&mut self, count: i64, words: [&str; 2], path: &str, urgent: bool) {
        if count > 0 {
            let [one, more] = words;
            let text = format!("{} {}", grouped(count), if count == 1 { one } else { more });
            self.0.push(ToDoLine::new(text, Some(path), urgent));
        }
    }
}

impl ToDo {
    /// What needs doing, the most urgent first.
    pub fn lines(&self, system: &SystemToDo) -> Vec<ToDoLine> {
        let mut lines = Lines(Vec::new());
        lines.count(
            self.emergencies,
            ["emergency waits for a call", "emergencies wait for a call"],
            "/admin?view=attention&emergency=true",
            true,
        );
        lines.count(
            self.overdue,
            ["request is overdue", "requests are overdue"],
            "/admin?view=attention&overdue=true",
            true,
        );
        lines.count(
            self.offers_unconfirmed,
            [
                "accepted offer is not staffed yet",
                "accepted offers are not staffed yet",
            ],
            "/admin/offers?show=unconfirmed",
            true,
        );
        lines.count(
            self.unread,
            [
                "customer has written, and nobody has read it",
                "customers have written, and nobody has read it",
            ],
            "/admin?view=attention&unread=true",
            false,
        );
        lines.count(
            self.others,
            [
                "other request needs attention",
                "other requests need attention",
            ],
            "/admin?view=attention&overdue=false&emergency=false",
            false,
        );
        lines.count(
            self.offers_expiring,
            ["offer ends within a week", "offers end within a week"],
            "/admin/offers?show=expiring",
            false,
        );
        lines.0.extend(system.problems.iter().cloned());
        if system.has_no_backups {
            let text = "No backups are made: set backup.to in config.toml.";
            lines.0.push(ToDoLine::new(text, None, false));
        }
        lines.count(
            self.sample_requests,
            ["sample request is left", "sample requests are left"],
            "/admin?view=everything",
            false,
        );
        if self.has_sample_rates {
            let text = "Offers are made with sample rates.";
            lines
                .0
                .push(ToDoLine::new(text, Some("/admin/rates"), false));
        }
        if !system.sample_facts.is_empty() {
            let facts = system.sample_facts.join(", ").replace('_', " ");
            let text = format!("The site still shows samples: {facts}.");
            let path = Some("/admin/site?section=facts");
            lines.0.push(ToDoLine::new(text, path, false));
        }
        lines.0
    }
}

#[cfg(test)]
mod tests {
    use super::{SystemToDo, ToDo};

    #[test]
    fn thousands_have_commas() {
        let to_do = ToDo {
            overdue: 1_204,
            ..ToDo::default()
        };
        let lines = to_do.lines(&SystemToDo::default());
        assert_eq!(lines[0].text, "1,204 requests are overdue");
    }
}
