//! Emails to staff about the operation of the server and the company: jobs, alarms, licenses.

use lettre::message::Mailbox;
use serde_json::json;

use super::draft::{Draft, PdfFile, recipient};
use super::staff::PREVIEW_MAX;
use super::{EmailRenderer, RenderError};
use domain::clock::Time;
use domain::email::notice::LicenseNotice;
use domain::email::report_notice::ReportNotice;
use domain::email::request_list::RequestList;
use domain::figures::report_pdf::report_pdf;
use domain::request::Request;
use domain::text::one_line;

impl EmailRenderer {
    pub(super) fn maintenance_email(
        &self,
        to: Mailbox,
        job: &str,
        error: &str,
        succeeded_at: Option<Time>,
    ) -> Result<Draft, RenderError> {
        let facts = json!({
            "job": job,
            "error": error,
            "succeeded_at": succeeded_at.map(|at| self.local_time(at)).unwrap_or_default(),
            "summary": one_line(error, PREVIEW_MAX),
        });
        self.generated(to, "maintenance", facts)
    }

    /// An alarm without a request: a gap in the rota from `gap` on, or the weekly test.
    pub(super) fn alarm_email(&self, to: Mailbox, gap: Option<Time>) -> Result<Draft, RenderError> {
        let facts = json!({ "gap": gap.map(|at| self.local_time(at)) });
        self.generated(to, "alarm", facts)
    }

    /// Several alarms of a kind that wait; `newest` is the request of the newest.
    pub(super) fn alarms_email(
        &self,
        to: Mailbox,
        count: u32,
        newest: &Request,
    ) -> Result<Draft, RenderError> {
        let facts = json!({
            "count": count,
            "emergency": newest.emergency_contact,
            "service": newest.service_label(&self.forms),
            "reference": newest.reference,
            "location": newest.location,
            "received": self.local_time(newest.created_at),
        });
        self.generated(to, "alarms_waiting", facts)
    }

    /// Several requests in one email; `named` are the first of them that are stored still.
    pub(super) fn requests_email(
        &self,
        to: Mailbox,
        list: &RequestList,
        named: &[Request],
    ) -> Result<Draft, RenderError> {
        if named.is_empty() {
            return Err(RenderError::NotNeeded);
        }
        let requests: Vec<_> = named.iter().map(|request| self.listed(request)).collect();
        let facts = json!({
            "overdue": list.is_overdue,
            "count": list.count,
            "emergencies": list.emergencies,
            "more": usize::try_from(list.count).unwrap_or_default().saturating_sub(list.ids.len()),
            "requests": requests,
        });
        self.generated(to, "requests", facts)
    }

    /// The reference of a request, and what it is about.
    fn listed(&self, request: &Request) -> [String; 2] {
        let call = match request.emergency_contact {
            true => format!("call {} now: ", request.phone),
            false => String::new(),
        };
        let place = request.location.as_deref().unwrap_or("no place given");
        let (service, received) = (
            request.service_label(&self.forms),
            self.local_time(request.created_at),
        );
        let about = format!("{call}{service}, {place}, {received}");
        [request.reference.clone(), about]
    }

    pub(super) fn license_email(
        &self,
        to: Mailbox,
        license: &LicenseNotice,
    ) -> Result<Draft, RenderError> {
        let when = match license.days {
            ..0 => "has expired".to_owned(),
            0 => "expires today".to_owned(),
            1 => "expires tomorrow".to_owned(),
            days => format!("expires in {days} days"),
        };
        let facts = json!({
            "license": license,
            "when": when,
            "expired": license.days < 0,
            "editor": format!("{}/admin/site?section=licenses", self.origin),
        });
        self.generated(to, "license", facts)
    }

    /// The figures of a week or a month, with the same as PDF.
    pub(super) fn report_email(&self, notice: &ReportNotice) -> Result<Draft, RenderError> {
        let to = recipient(&notice.to)?;
        let report = &notice.report;
        let lines = report.figures.iter();
        // As wide as the longest one, for the plain text.
        let lines = lines.map(|it| (format!("{:<18}", it.name), it.line()));
        let lines: Vec<(String, String)> = lines.collect();
        let to_do = report.to_do.iter();
        let to_do = to_do.map(|line| {
            let link = line
                .path
                .as_ref()
                .map(|path| format!("{}{path}", self.origin));
            (line.text.clone(), link, line.urgent)
        });
        let to_do: Vec<(String, Option<String>, bool)> = to_do.collect();
        let words = json!({
            "kind": notice.kind,
            "from": report.from,
            "until": report.until,
            "days": report.days(),
            "figures": lines,
            "to_do": to_do,
            "asked": report.number("Asked"),
            "won": report.number("Won"),
        });
        let company = self.office.name.as_deref().unwrap_or_default();
        let pdf = report_pdf(report, company, &self.origin).map_err(|error| {
            tracing::error!(%error, "the PDF of a report cannot be made");
            RenderError::Permanent("its PDF cannot be made")
        })?;
        let file = PdfFile {
            name: report.file_name(),
            bytes: pdf,
        };
        Ok(Draft {
            attachments: vec![file],
            ..self.generated(to, "report", words)?
        })
    }
}
