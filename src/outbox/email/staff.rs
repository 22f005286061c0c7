//! Emails to staff about quote requests and contact messages, the most important facts first.

use lettre::Address;
use lettre::message::Mailbox;

use super::body::{Action, EmailBody, Fact};
use super::{Draft, EmailRenderer, one_line};
use crate::config::tel_link;
use crate::domain::attribution::Attribution;
use crate::domain::clock::Time;
use crate::domain::contact::ContactMessage;
use crate::domain::quote::Quote;

/// Maximum code points of a value in a subject; many inboxes cut longer subjects.
const SUBJECT_VALUE_MAX: usize = 60;
/// Maximum code points of the preview text.
const PREVIEW_MAX: usize = 140;

impl EmailRenderer {
    pub(super) fn quote_email(&self, to: Mailbox, quote: &Quote) -> Draft {
        let form = &self.forms.quote;
        let service = form.label("service_type", &quote.service_type);
        let urgent = quote.emergency_contact;
        let name = full_name(&quote.first_name, &quote.last_name);
        // Phones show about forty characters of a subject, so urgency comes first.
        let subject = format!(
            "{} request: {service}, {}, starts {}",
            if urgent { "Call now, quote" } else { "Quote" },
            one_line(&quote.location, SUBJECT_VALUE_MAX),
            quote.start_date,
        );
        let facts = vec![
            Fact::linked("Call", &quote.phone, tel_link(&quote.phone)),
            Fact::new("Service", service),
            Fact::new("Where", &quote.location),
            Fact::new("Starts", &format_date(&quote.start_date)),
            Fact::new("For", form.label("duration", &quote.duration)),
            Fact::new("Name", &name),
            Fact::new("Company", quote.company.as_deref().unwrap_or_default()),
            Fact::new("E-mail", &quote.email),
            Fact::new("Found us", &format_attribution(quote.attribution.as_ref())),
            Fact::new("Received", &format_time(&quote.created_at)),
        ];
        Draft {
            to,
            reply_to: reply_to(&name, &quote.email),
            subject: one_line(&subject, usize::MAX),
            body: EmailBody {
                heading: format!("Quote request: {service}"),
                preview: preview(&name, &quote.phone, quote.description.as_deref()),
                urgent: urgent.then(|| format!("{name} asks for a call right away.")),
                facts,
                passage: quote
                    .description
                    .clone()
                    .map(|text| ("In their words".to_owned(), text)),
                action: Some(Action {
                    label: "Open this quote".to_owned(),
                    link: format!("{}/admin?quote={}", self.origin, quote.id),
                }),
                notes: vec!["Answer this mail to write to the visitor.".to_owned()],
                ..EmailBody::default()
            },
        }
    }

    pub(super) fn contact_email(&self, to: Mailbox, message: &ContactMessage) -> Draft {
        let service = one_line(
            self.forms.contact.label("service", &message.service),
            SUBJECT_VALUE_MAX,
        );
        let name = full_name(&message.first_name, &message.last_name);
        let facts = vec![
            Fact::linked("Call", &message.phone, tel_link(&message.phone)),
            Fact::new("Service", &service),
            Fact::new("Name", &name),
            Fact::new("Company", message.company.as_deref().unwrap_or_default()),
            Fact::new("E-mail", &message.email),
            Fact::new(
                "Found us",
                &format_attribution(message.attribution.as_ref()),
            ),
            Fact::new("Received", &format_time(&message.created_at.to_string())),
        ];
        Draft {
            to,
            reply_to: reply_to(&name, &message.email),
            subject: format!("Contact message: {service}, from {name}"),
            body: EmailBody {
                heading: format!("Message from {name}"),
                preview: preview(&name, &message.phone, Some(&message.details)),
                facts,
                passage: Some(("In their words".to_owned(), message.details.clone())),
                notes: vec!["Answer this mail to write to the visitor.".to_owned()],
                ..EmailBody::default()
            },
        }
    }
}

/// The preview beside the subject in an inbox: whom to call, and why.
fn preview(name: &str, phone: &str, text: Option<&str>) -> String {
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    one_line(&format!("{name}, {phone}{text}"), PREVIEW_MAX)
}

fn full_name(first: &str, last: &str) -> String {
    one_line(&format!("{first} {last}"), 2 * SUBJECT_VALUE_MAX)
}

/// The visitor as the reply-to mailbox; `None` if the address is invalid.
fn reply_to(name: &str, email: &str) -> Option<Mailbox> {
    let address: Address = email.parse().ok()?;
    Some(Mailbox::new(Some(name.to_owned()), address))
}

/// `2026-12-01` as `Tuesday, December 1, 2026`.
fn format_date(day: &str) -> String {
    match day.parse::<jiff::civil::Date>() {
        Ok(date) => date.strftime("%A, %B %-d, %Y").to_string(),
        Err(_) => day.to_owned(),
    }
}

/// A stored time as `November 21, 2026, 12:00 UTC`.
fn format_time(at: &str) -> String {
    Time::parse(at)
        .and_then(|at| jiff::Timestamp::from_millisecond(at.millis()).ok())
        .map(|at| at.strftime("%B %-d, %Y, %H:%M UTC").to_string())
        .unwrap_or_default()
}

/// The campaign or referrer of the visit, if known.
fn format_attribution(attribution: Option<&Attribution>) -> String {
    let Some(from) = attribution else {
        return String::new();
    };
    let campaign = [&from.utm_source, &from.utm_medium, &from.utm_campaign];
    let named: Vec<_> = campaign
        .into_iter()
        .chain([&from.referrer_host])
        .flatten()
        .map(String::as_str)
        .collect();
    named.join(" / ")
}
