//! The texts of alarms: the service, the city, and how long ago; no names.

use std::sync::Arc;

use serde_json::{Value, json};

use domain::clock::local_time::long_time;
use domain::clock::time_zone::TimeZone;
use domain::clock::{MINUTE_MS, Time};
use domain::form::Forms;
use domain::on_call::alarm::AlarmKind;
use domain::request::Request;
use domain::text::grouped::grouped;
use domain::text::one_line;
use domain::webhook::ChatText;
use store::on_call::messages::ClaimedMessage;

/// The longest name of a city, in code points.
const MAX_CITY: usize = 40;

/// Writes the texts of alarms.
#[derive(Clone)]
pub struct Texts {
    pub forms: Arc<Forms>,
    pub origin: String,
    pub company: String,
    pub time_zone: TimeZone,
}

impl Texts {
    /// The push of a message. `tag`: a later one with the same tag replaces it on the screen.
    pub fn push(&self, message: &ClaimedMessage, now: Time) -> Value {
        json!({
            "title": self.title(message),
            "body": self.line(message, now),
            "url": self.link(message),
            "tag": topic(message),
            "alarm": message.alarm,
        })
    }

    /// What a call says.
    pub fn call(&self, message: &ClaimedMessage, now: Time) -> String {
        let take = match message.named {
            0 | 1 => "Press 1 to take it. Press 2 to pass it on.",
            _ => "Press 1 to take them all. Press 2 to pass them on.",
        };
        let (company, title) = (&self.company, self.title(message));
        format!("{company}. {title}. {}. {take}", self.line(message, now))
    }

    /// A text message.
    pub fn sms(&self, message: &ClaimedMessage, now: Time) -> String {
        let take = match message.named {
            0 | 1 => "Reply 1 to take it, 2 to pass it on.",
            _ => "Reply 1 to take them all, 2 to pass them on.",
        };
        let (title, line) = (self.title(message), self.line(message, now));
        format!("{title}: {line}. {take} {}", self.link(message))
    }

    /// What a message was about, for the answer to a person who has taken it.
    pub fn named(&self, message: &ClaimedMessage, now: Time) -> String {
        match &message.request {
            Some(_) => format!("{}.", self.line(message, now)),
            None => String::new(),
        }
    }

    fn title(&self, message: &ClaimedMessage) -> String {
        let count = grouped(message.named.into());
        match message.kind {
            AlarmKind::Emergency if message.named > 1 => format!("{count} emergencies are waiting"),
            AlarmKind::Overdue if message.named > 1 => {
                format!("{count} overdue requests are waiting")
            }
            AlarmKind::Emergency if message.round > 1 => {
                "Emergency, the customer is still waiting".to_owned()
            }
            AlarmKind::Emergency => "Emergency".to_owned(),
            AlarmKind::Overdue => "Overdue request".to_owned(),
            AlarmKind::Test => "Test alarm".to_owned(),
            AlarmKind::Gap => "Nobody is on call".to_owned(),
        }
    }

    fn line(&self, message: &ClaimedMessage, now: Time) -> String {
        if let Some(request) = &message.request {
            let received = request.created_at;
            let newest = if message.named > 1 {
                "The newest: "
            } else {
                ""
            };
            return format!("{newest}{}, {}", self.about(request), ago(received, now));
        }
        match message.about.as_deref().and_then(Time::parse) {
            Some(at) => format!("from {}", long_time(&self.time_zone, at)),
            None => "Please acknowledge it".to_owned(),
        }
    }

    /// The service and the city of a request.
    fn about(&self, request: &Request) -> String {
        let service = request.service_label(&self.forms);
        let location = request.location.as_deref().unwrap_or_default();
        let city = one_line(location.split(',').next().unwrap_or_default(), MAX_CITY);
        match city.trim() {
            "" => service.to_owned(),
            city => format!("{service} in {city}"),
        }
    }

    fn link(&self, message: &ClaimedMessage) -> String {
        match &message.request {
            Some(request) if message.named <= 1 => self.request_link(request),
            _ => format!("{}/admin/on-call", self.origin),
        }
    }

    fn request_link(&self, request: &Request) -> String {
        format!("{}/admin?request={}", self.origin, request.reference)
    }

    /// The text for a chat room about an event with this title.
    pub fn chat(&self, title: &str, request: Option<&Request>, is_urgent: bool) -> ChatText {
        match request {
            Some(request) => ChatText {
                title: format!("{title} {}", request.reference),
                line: self.about(request),
                link: self.request_link(request),
                is_urgent,
                count: 1,
            },
            None => ChatText {
                title: title.to_owned(),
                line: self.company.clone(),
                link: format!("{}/admin/on-call", self.origin),
                is_urgent,
                count: 1,
            },
        }
    }
}

/// The name under which pushes replace each other: those about one alarm, and those about many.
pub(super) fn topic(message: &ClaimedMessage) -> String {
    match message.named {
        0 | 1 => format!("alarm-{}", message.alarm),
        _ => format!("alarms-{}", message.kind.as_str()),
    }
}

/// `3 minutes ago`.
fn ago(then: Time, now: Time) -> String {
    let minutes = (now.millis() - then.millis()).max(0) / MINUTE_MS;
    match minutes {
        0 => "just now".to_owned(),
        1 => "1 minute ago".to_owned(),
        2..=119 => format!("{minutes} minutes ago"),
        _ => format!("{} hours ago", minutes / 60),
    }
}
