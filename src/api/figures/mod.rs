//! Figures of a period, as tables and as CSV.

mod csv_file;
mod dto;
mod period;
mod to_do;

use poem_openapi::OpenApi;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Attachment, Json};

use self::csv_file::csv_file;
use self::dto::FiguresOfPeriod;
use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::tables::KEYS;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;

/// All calls of the page of figures.
pub fn endpoints() -> impl OpenApi {
    (FiguresApi, to_do::ToDoApi)
}

/// The calls that read figures.
struct FiguresApi;

#[OpenApi(prefix_path = "/api/admin/figures", tag = "Tag::Figures")]
impl FiguresApi {
    /// The figures of a period
    ///
    /// Requests count on the day of their receipt, won ones on the day on which they were signed,
    /// offers on the day on which their first version was sent, on the company's clock. What was
    /// erased stays in the counts. A period that is not over is compared with as many days of the
    /// one before. The numbers may be a minute old.
    #[oai(path = "/", method = "get", operation_id = "getFigures")]
    async fn figures(
        &self,
        desk: Admin,
        /// `week` (default), `last_week`, `month`, `last_month`, `quarter` or `year`.
        period: Query<Option<String>>,
        /// In place of `period`: the first day, `YYYY-MM-DD`.
        from: Query<Option<String>>,
        /// The last day.
        to: Query<Option<String>>,
    ) -> AdminResult<FiguresOfPeriod> {
        let period = period::read(&desk, [period.0, from.0, to.0])?;
        let figures = desk.figures.read(&desk.store, period, desk.now).await?;
        Ok(Json(FiguresOfPeriod::new(&figures, &desk)))
    }

    /// A table of figures
    ///
    /// In CSV, a cell that a spreadsheet would evaluate as a formula starts with an apostrophe.
    #[oai(path = "/:table", method = "get", operation_id = "getFiguresTable")]
    async fn table(
        &self,
        desk: Admin,
        /// The key of a table, as in `services`.
        table: Path<String>,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        let period = period::read(&desk, [period.0, from.0, to.0])?;
        let figures = desk.figures.read(&desk.store, period, desk.now).await?;
        let tables = figures.tables(desk.answer_times).into_iter();
        let found = tables.into_iter().find(|known| known.key == *table);
        let Some(found) = found else {
            let detail = format!("The tables are {}.", KEYS.join(", "));
            return Err(Problem::missing(detail).into());
        };
        csv_file(found.to_csv(), &found.key, figures.period.days)
    }
}
