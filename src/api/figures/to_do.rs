//! The report of a period as PDF, its conversions for an advertiser, if the settings allow it, and
//! what needs doing.

use poem_openapi::param::Query;
use poem_openapi::payload::{Attachment, Json};
use poem_openapi::{Object, OpenApi};

use super::csv_file::csv_file;
use super::period;
use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::conversions::to_csv;
use domain::figures::report_pdf::report_pdf;
use domain::figures::to_do::ToDoLine;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::make_file::make_file;
use http::request::problem::Problem;
use http::server::system_status::System;
use http::server::to_do::{report, to_do};

/// What needs doing.
#[derive(Object)]
struct ToDo {
    /// The most urgent first.
    lines: Vec<ToDoLine>,
}

/// The calls.
pub(super) struct ToDoApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl ToDoApi {
    /// The report of a period
    ///
    /// A PDF with what needs doing now, and ten figures of the period beside those of the one
    /// before. The emails to `mail.report_to` have the same.
    #[oai(path = "/report", method = "get", operation_id = "downloadReport")]
    async fn report(
        &self,
        desk: Admin<System<'_>>,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        let period = period::read(&desk, [period.0, from.0, to.0])?;
        let report = report(&desk, period).await?;
        let (site, file_name) = (desk.publisher.site(), report.file_name());
        let origin = desk.server.origin().into_owned();
        let make = move || {
            report_pdf(&report, &site.company.name, &origin).map_err(|error| error.to_string())
        };
        let pdf = make_file("This file", make).await?;
        Ok(Attachment::new(pdf).filename(file_name))
    }

    /// The conversions of a period
    ///
    /// Accepted offers, and requests that were won without one, whose first visit came by an ad:
    /// click identifier, time and value, in the format of offline conversions of Google Ads.
    /// Nothing else about the customer. 404 unless `desk.ad_conversions` is on.
    #[oai(
        path = "/conversions",
        method = "get",
        operation_id = "downloadConversions"
    )]
    async fn conversions(
        &self,
        desk: Admin<System<'_>>,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        if !desk.desk.ad_conversions {
            let detail = "Conversions are not given away. Set `desk.ad_conversions` to allow it.";
            return Err(Problem::missing(detail).into());
        }
        let days = period::read(&desk, [period.0, from.0, to.0])?.days;
        let (first, last) = (desk.time_zone.day(days.from), desk.time_zone.day(days.to));
        let conversions = desk.store.conversions(first.start..last.end).await?;
        csv_file(to_csv(&conversions, desk.time_zone), "conversions", days)
    }

    /// What needs doing
    ///
    /// Requests that need attention, offers, problems of the system, and samples that are left. The
    /// reports by email and as PDF have the same.
    #[oai(path = "/to-do", method = "get", operation_id = "getToDo")]
    async fn to_do(&self, desk: Admin<System<'_>>) -> AdminResult<ToDo> {
        let lines = to_do(&desk).await?;
        Ok(Json(ToDo { lines }))
    }
}
