//! Emails to staff about requests: received, with files, overdue.

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::json;

use super::draft::Draft;
use super::{EmailRenderer, RenderError};
use domain::clock::Time;
use domain::clock::local_time::long_time;
use domain::email::email_address::is_mailable_box;
use domain::form::{ExtraFields, Field, Form};
use domain::request::attribution::Attribution;
use domain::request::contact::ContactMessage;
use domain::request::quote::Quote;
use domain::request::{Request, RequestKind};
use domain::text::one_line;
use store::Object;

/// Maximum code points of a name.
const NAME_MAX: usize = 120;
/// Maximum code points of the preview text.
pub(super) const PREVIEW_MAX: usize = 140;

impl EmailRenderer {
    pub(super) fn quote_email(&self, to: Mailbox, quote: &Quote) -> Result<Draft, RenderError> {
        let form = &self.forms.quote;
        let name = full_name(&quote.first_name, &quote.last_name);
        let facts = json!({
            "quote": quote,
            "name": name,
            "service": form.label("service_type", &quote.service_type),
            "duration": form.label("duration", &quote.duration),
            "found_us": format_attribution(quote.attribution.as_ref()),
            "received": self.local_time(quote.created_at),
            "summary": summary(&name, &quote.phone, quote.description.as_deref()),
            "extra": extra_facts(form, &quote.extra_fields),
        });
        Ok(Draft {
            reply_to: reply_to(&name, &quote.email),
            ..Draft::generated(to, self.templates.render("quote", facts)?)
        })
    }

    /// An email that names the files of a quote; they are opened in the dashboard.
    pub(super) fn files_email(
        &self,
        to: Mailbox,
        quote: &Quote,
        files: &[Object],
    ) -> Result<Draft, RenderError> {
        let name = full_name(&quote.first_name, &quote.last_name);
        let facts = json!({
            "quote": quote,
            "name": name,
            "service": self.forms.quote.label("service_type", &quote.service_type),
            "files": files.iter().map(|file| ("File", describe_file(file))).collect::<Vec<_>>(),
        });
        Ok(Draft {
            reply_to: reply_to(&name, &quote.email),
            ..Draft::generated(to, self.templates.render("files", facts)?)
        })
    }

    pub(super) fn contact_email(
        &self,
        to: Mailbox,
        message: &ContactMessage,
    ) -> Result<Draft, RenderError> {
        let name = full_name(&message.first_name, &message.last_name);
        let facts = json!({
            "message": message,
            "name": name,
            "service": self.forms.contact.label("service", &message.service),
            "found_us": format_attribution(message.attribution.as_ref()),
            "received": self.local_time(message.created_at),
            "summary": summary(&name, &message.phone, Some(&message.details)),
            "extra": extra_facts(&self.forms.contact, &message.extra_fields),
        });
        Ok(Draft {
            reply_to: reply_to(&name, &message.email),
            ..Draft::generated(to, self.templates.render("contact", facts)?)
        })
    }

    /// A time in the company's time zone.
    pub(super) fn local_time(&self, at: Time) -> String {
        long_time(&self.time_zone, at)
    }

    pub(super) fn escalation_email(
        &self,
        to: Mailbox,
        request: &Request,
        step: u8,
    ) -> Result<Draft, RenderError> {
        let (form, field) = match request.kind {
            RequestKind::Quote => (&self.forms.quote, "service_type"),
            RequestKind::Message => (&self.forms.contact, "service"),
        };
        let name = full_name(&request.first_name, &request.last_name);
        let due = self.answer_times.due_of(request);
        let facts = json!({
            "request": {
                "reference": request.reference,
                "phone": request.phone,
                "email": request.email,
                "company": request.company,
                "location": request.location,
                "description": request.description,
                "emergency_contact": request.emergency_contact,
            },
            "name": name,
            "service": form.label(field, &request.service),
            "received": self.local_time(request.created_at),
            "due": long_time(&self.time_zone, due),
            "emailed": request.emailed_at.map(|at| self.local_time(at)),
            "step": step,
            "link": format!("{}/admin?view=attention&request={}", self.origin, request.reference),
        });
        Ok(Draft {
            reply_to: reply_to(&name, &request.email),
            ..Draft::generated(to, self.templates.render("escalation", facts)?)
        })
    }
}

/// `plan.pdf, 120 kB`.
fn describe_file(file: &Object) -> String {
    let name = file.shown_name();
    let (name, size) = (one_line(&name, NAME_MAX), file.size.div_ceil(1000));
    match file.scan.as_str() {
        "infected" => format!("{name}, {size} kB: infected, it cannot be opened"),
        _ => format!("{name}, {size} kB"),
    }
}

/// The fields of the form beyond the specification, by label.
fn extra_facts(form: &Form, fields: &ExtraFields) -> Vec<(String, String)> {
    let filled = |field: &Field| {
        let value = form.label(&field.key, fields.get(&field.key)?);
        Some((field.label.clone(), value.to_owned()))
    };
    form.fields().iter().filter_map(filled).collect()
}

/// The preview beside the subject in a mail program: whom to call, and why.
fn summary(name: &str, phone: &str, text: Option<&str>) -> String {
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    one_line(&format!("{name}, {phone}{text}"), PREVIEW_MAX)
}

fn full_name(first: &str, last: &str) -> String {
    one_line(&format!("{first} {last}"), NAME_MAX)
}

/// The visitor as the reply-to mailbox; `None` if the address is invalid.
fn reply_to(name: &str, email: &str) -> Option<Mailbox> {
    let address: Address = email.parse().ok()?;
    Some(Mailbox::new(Some(name.to_owned()), address)).filter(is_mailable_box)
}

/// The campaign or referrer of the visit; empty if not known.
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
