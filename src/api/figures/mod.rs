//! Figures of a period, as tables and as CSV.

mod conversions;
mod csv_file;
mod dto;
mod period;
mod report;
mod to_do;

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Attachment, Json};

use self::csv_file::csv_file;
use self::dto::FiguresOfPeriod;
use crate::require_admin::Admin;
use crate::tags::Tag;
use domain::figures::tables::KEYS;
use http::AppState;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;

/// All calls of the page of figures.
pub fn endpoints() -> impl OpenApi {
    (
        FiguresApi,
        report::ReportApi,
        conversions::ConversionsApi,
        to_do::ToDoApi,
    )
}

/// The calls that read figures.
struct FiguresApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Figures")]
impl FiguresApi {
    /// The figures of a period
    ///
    /// Requests count on the day of their receipt, won ones on the day on which they were signed,
    /// offers on the day on which their first version was sent, on the company's clock. What was
    /// erased stays in the counts. A period that is not over is compared with as many days of the
    /// one before. The numbers may be a minute old.
    #[oai(path = "/figures", method = "get", operation_id = "getFigures")]
    async fn figures(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        /// `week` (default), `last_week`, `month`, `last_month`, `quarter` or `year`.
        period: Query<Option<String>>,
        /// In place of `period`: the first day, `YYYY-MM-DD`.
        from: Query<Option<String>>,
        /// The last day.
        to: Query<Option<String>>,
    ) -> Result<Json<FiguresOfPeriod>, AdminError> {
        let period = period::read(&app, [period.0, from.0, to.0])?;
        let figures = app
            .figures
            .read(&app.store, period, app.clock.now())
            .await?;
        Ok(Json(FiguresOfPeriod::new(&figures, &app)))
    }

    /// A table of figures
    ///
    /// In CSV, a cell that a spreadsheet would evaluate as a formula starts with an apostrophe.
    #[oai(
        path = "/figures/:table",
        method = "get",
        operation_id = "getFiguresTable"
    )]
    async fn table(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        /// The key of a table, as in `services`.
        table: Path<String>,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        let period = period::read(&app, [period.0, from.0, to.0])?;
        let figures = app
            .figures
            .read(&app.store, period, app.clock.now())
            .await?;
        let tables = figures.tables(app.answer_times).into_iter();
        let found = tables.into_iter().find(|known| known.key == *table);
        let Some(found) = found else {
            let detail = format!("The tables are {}.", KEYS.join(", "));
            return Err(Problem::new(StatusCode::NOT_FOUND, detail).into());
        };
        csv_file(found.to_csv(), &found.key, figures.period.days)
    }
}
