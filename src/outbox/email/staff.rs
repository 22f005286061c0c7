//! What the office is told: a quote was asked for, a message came in. The facts that decide come
//! first.

use lettre::Address;
use lettre::message::Mailbox;

use super::body::{Action, EmailBody, Fact};
use super::{Draft, EmailRenderer, one_line};
use crate::config::tel_link;
use crate::domain::attribution::Attribution;
use crate::domain::clock::Time;
use crate::domain::contact::ContactMessage;
use crate::domain::quote::Quote;

/// Code points of a fact in a subject; more is cut in many inboxes.
const IN_SUBJECT: usize = 60;
/// Code points of the words beside a subject.
const IN_PREVIEW: usize = 140;

impl EmailRenderer {
    pub(super) fn quote_email(&self, to: Mailbox, quote: &Quote) -> Draft {
        let form = &self.forms.quote;
        let service = form.label("service_type", &quote.service_type);
        let urgent = quote.emergency_contact;
        let name = full_name(&quote.first_name, &quote.last_name);
        // A phone shows forty letters of a subject: what cannot wait stands first.
        let subject = format!(
            "{} request: {service}, {}, starts {}",
            if urgent { "Call now, quote" } else { "Quote" },
            one_line(&quote.location, IN_SUBJECT),
            quote.start_date,
        );
        let facts = vec![
            Fact::linked("Call", &quote.phone, tel_link(&quote.phone)),
            Fact::new("Service", service),
            Fact::new("Where", &quote.location),
            Fact::new("Starts", &long_day(&quote.start_date)),
            Fact::new("For", form.label("duration", &quote.duration)),
            Fact::new("Name", &name),
            Fact::new("Company", quote.company.as_deref().unwrap_or_default()),
            Fact::new("E-mail", &quote.email),
            Fact::new("Found us", &origin_of(quote.attribution.as_ref())),
            Fact::new("Received", &moment(&quote.created_at)),
        ];
        Draft {
            to,
            reply_to: visitor(&name, &quote.email),
            subject: one_line(&subject, usize::MAX),
            sheet: EmailBody {
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
            IN_SUBJECT,
        );
        let name = full_name(&message.first_name, &message.last_name);
        let facts = vec![
            Fact::linked("Call", &message.phone, tel_link(&message.phone)),
            Fact::new("Service", &service),
            Fact::new("Name", &name),
            Fact::new("Company", message.company.as_deref().unwrap_or_default()),
            Fact::new("E-mail", &message.email),
            Fact::new("Found us", &origin_of(message.attribution.as_ref())),
            Fact::new("Received", &moment(&message.created_at.to_string())),
        ];
        Draft {
            to,
            reply_to: visitor(&name, &message.email),
            subject: format!("Contact message: {service}, from {name}"),
            sheet: EmailBody {
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

/// What a list of mails shows beside the subject: whom to call, and why.
fn preview(name: &str, phone: &str, words: Option<&str>) -> String {
    let words = words.map(|words| format!(": {words}")).unwrap_or_default();
    one_line(&format!("{name}, {phone}{words}"), IN_PREVIEW)
}

fn full_name(first: &str, last: &str) -> String {
    one_line(&format!("{first} {last}"), 2 * IN_SUBJECT)
}

/// The visitor as somebody to answer; none where the address is one that no mail server would take.
fn visitor(name: &str, email: &str) -> Option<Mailbox> {
    let address: Address = email.parse().ok()?;
    Some(Mailbox::new(Some(name.to_owned()), address))
}

/// `2026-12-01` as `Tuesday, December 1, 2026`.
fn long_day(day: &str) -> String {
    match day.parse::<jiff::civil::Date>() {
        Ok(date) => date.strftime("%A, %B %-d, %Y").to_string(),
        Err(_) => day.to_owned(),
    }
}

/// A stored time as `November 21, 2026, 12:00 UTC`.
fn moment(at: &str) -> String {
    Time::parse(at)
        .and_then(|at| jiff::Timestamp::from_millisecond(at.millis()).ok())
        .map(|at| at.strftime("%B %-d, %Y, %H:%M UTC").to_string())
        .unwrap_or_default()
}

/// The campaign or the site that led here, where one is known.
fn origin_of(attribution: Option<&Attribution>) -> String {
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
