//! The report of a period as PDF.

use poem_openapi::param::Query;
use poem_openapi::payload::{Attachment, AttachmentType};
use poem_openapi::{ApiResponse, OpenApi};

use super::period;
use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::report_pdf::report_pdf;
use http::request::error_responses::AdminError;
use http::request::make_file::make_file;
use http::server::to_do::report;

#[derive(ApiResponse)]
enum PdfFile {
    /// A PDF.
    #[oai(status = 200)]
    Ok(Attachment<Vec<u8>>),
}

/// The call.
pub(super) struct ReportApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl ReportApi {
    /// The report of a period
    ///
    /// A PDF with what needs doing now, and ten figures of the period beside those of the one
    /// before. The emails to `mail.report_to` have the same.
    #[oai(path = "/report", method = "get", operation_id = "downloadReport")]
    async fn download(
        &self,
        desk: Admin,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<PdfFile, AdminError> {
        let period = period::read(&desk, [period.0, from.0, to.0])?;
        let report = report(&desk, period).await?;
        let (site, file_name) = (desk.site(), report.file_name());
        let origin = desk.server.origin().into_owned();
        let make = move || {
            report_pdf(&report, &site.company.name, &origin).map_err(|error| error.to_string())
        };
        let pdf = make_file("This file", make).await?;
        let file = Attachment::new(pdf).attachment_type(AttachmentType::Attachment);
        Ok(PdfFile::Ok(file.filename(file_name)))
    }
}
