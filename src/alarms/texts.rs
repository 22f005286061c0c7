//! The texts of alarms: the service, the city, and how long ago; no names.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::domain::clock::local_time::long_time;
use crate::domain::clock::time_zone::TimeZone;
use crate::domain::clock::{MINUTE_MS, Time};
use crate::domain::form::Forms;
use crate::domain::on_call::alarm::AlarmKind;
use crate::domain::request::{Request, RequestKind};
use crate::domain::text::one_line;
use crate::domain::webhook::ChatText;
use crate::store::on_call::messages::ClaimedMessage;

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
            "tag": topic(message.alarm),
            "alarm": message.alarm,
        })
    }

    /// What a call says.
    pub fn call(&self, message: &ClaimedMessage, now: Time) -> String {
        format!(
            "{}. {}. {}. Press 1 to take it. Press 2 to pass it on.",
            self.company,
            self.title(message),
            self.line(message, now)
        )
    }

    /// A text message.
    pub fn sms(&self, message: &ClaimedMessage, now: Time) -> String {
        let (title, line, link) = (
            self.title(message),
            self.line(message, now),
            self.link(message),
        );
        format!("{title}: {line}. Reply 1 to take it, 2 to pass it on. {link}")
    }

    fn title(&self, message: &ClaimedMessage) -> &'static str {
        match message.kind {
            AlarmKind::Emergency if message.round > 1 => "Emergency, the customer still waits",
            AlarmKind::Emergency => "Emergency",
            AlarmKind::Overdue => "Overdue request",
            AlarmKind::Test => "Test alarm",
            AlarmKind::Gap => "Nobody is on call",
        }
    }

    fn line(&self, message: &ClaimedMessage, now: Time) -> String {
        if let Some(request) = &message.request {
            let received = Time::parse(&request.created_at).unwrap_or(now);
            return format!("{}, {}", self.about(request), ago(received, now));
        }
        match message.about.as_deref().and_then(Time::parse) {
            Some(at) => format!("from {}", long_time(&self.time_zone, at)),
            None => "Please acknowledge it".to_owned(),
        }
    }

    /// The service and the city of a request.
    fn about(&self, request: &Request) -> String {
        let (form, field) = match request.kind {
            RequestKind::Quote => (&self.forms.quote, "service_type"),
            RequestKind::Message => (&self.forms.contact, "service"),
        };
        let service = form.label(field, &request.service);
        let location = request.location.as_deref().unwrap_or_default();
        let city = one_line(location.split(',').next().unwrap_or_default(), MAX_CITY);
        match city.trim() {
            "" => service.to_owned(),
            city => format!("{service} in {city}"),
        }
    }

    fn link(&self, message: &ClaimedMessage) -> String {
        match &message.request {
            Some(request) => self.request_link(request),
            None => format!("{}/admin/on-call", self.origin),
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
            },
            None => ChatText {
                title: title.to_owned(),
                line: self.company.clone(),
                link: format!("{}/admin/on-call", self.origin),
                is_urgent,
            },
        }
    }
}

/// The name under which pushes of an alarm replace each other.
pub(super) fn topic(alarm: i64) -> String {
    format!("alarm-{alarm}")
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
