//! Emails to staff about requests: received, with files, overdue.

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::{Value, json};

use super::draft::Draft;
use super::{EmailRenderer, RenderError};
use domain::clock::Time;
use domain::clock::local_time::long_time;
use domain::email::email_address::is_mailable_box;
use domain::form::{ExtraFields, Field, Form};
use domain::request::attribution::Attribution;
use domain::request::{Request, RequestKind, RequestSource};
use domain::storage::ScanState;
use domain::text::one_line;
use store::storage::objects::Object;

/// Maximum code points of a name.
const NAME_MAX: usize = 120;
/// Maximum code points of the preview text.
pub(super) const PREVIEW_MAX: usize = 140;

impl EmailRenderer {
    /// A new quote request or contact message.
    pub(super) fn request_email(
        &self,
        to: Mailbox,
        request: &Request,
    ) -> Result<Draft, RenderError> {
        let template = match request.kind {
            RequestKind::Quote => "quote",
            RequestKind::Message => "contact",
        };
        let facts = json!({ "request": self.facts(request) });
        self.about_request(to, request, template, facts)
    }

    /// An email that names the files of a quote; they are opened in the dashboard.
    pub(super) fn files_email(
        &self,
        to: Mailbox,
        request: &Request,
        files: &[Object],
    ) -> Result<Draft, RenderError> {
        let facts = json!({
            "request": self.facts(request),
            "files": files.iter().map(|file| ("File", describe_file(file))).collect::<Vec<_>>(),
        });
        self.about_request(to, request, "files", facts)
    }

    pub(super) fn escalation_email(
        &self,
        to: Mailbox,
        request: &Request,
        step: u8,
    ) -> Result<Draft, RenderError> {
        let facts = json!({
            "request": self.facts(request),
            "due": self.local_time(self.answer_times.due_of(request)),
            "emailed": request.emailed_at.map(|at| self.local_time(at)),
            "step": step,
        });
        self.about_request(to, request, "escalation", facts)
    }

    /// An email whose answer goes to the customer.
    fn about_request(
        &self,
        to: Mailbox,
        request: &Request,
        template: &str,
        facts: Value,
    ) -> Result<Draft, RenderError> {
        Ok(Draft {
            reply_to: reply_to(request),
            ..self.generated(to, template, facts)?
        })
    }

    /// What templates say of a request.
    fn facts(&self, request: &Request) -> Value {
        let form = request.form(&self.forms);
        let name = name_line(request);
        json!({
            "id": request.id,
            "reference": request.reference,
            "name": name,
            "phone": request.phone,
            "email": request.email,
            "company": request.company,
            "service": request.service_label(&self.forms),
            "location": request.location.as_deref().unwrap_or_default(),
            "start_date": request.start_date.as_deref().unwrap_or_default(),
            "duration": form.label("duration", request.duration.as_deref().unwrap_or_default()),
            "description": request.description,
            "emergency_contact": request.emergency_contact,
            "by_phone": request.source == RequestSource::Phone,
            "found_us": format_attribution(request.attribution.as_ref()),
            "received": self.local_time(request.created_at),
            "summary": summary(&name, request),
            "extra": extra_facts(form, &request.extra_fields),
        })
    }

    /// A time in the company's time zone.
    pub(super) fn local_time(&self, at: Time) -> String {
        long_time(&self.time_zone, at)
    }
}

/// `plan.pdf, 120 kB`.
fn describe_file(file: &Object) -> String {
    let name = file.shown_name();
    let (name, size) = (one_line(&name, NAME_MAX), file.size.div_ceil(1000));
    match file.scan {
        ScanState::Infected => format!("{name}, {size} kB: infected, it cannot be opened"),
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
fn summary(name: &str, request: &Request) -> String {
    let text = request.description.as_ref();
    let text = text.map(|text| format!(": {text}")).unwrap_or_default();
    one_line(&format!("{name}, {}{text}", request.phone), PREVIEW_MAX)
}

fn name_line(request: &Request) -> String {
    one_line(&request.full_name(), NAME_MAX)
}

/// The customer as the reply-to mailbox; `None` if the address is invalid.
fn reply_to(request: &Request) -> Option<Mailbox> {
    let address: Address = request.email.parse().ok()?;
    Some(Mailbox::new(Some(name_line(request)), address)).filter(is_mailable_box)
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
