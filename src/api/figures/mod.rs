//! Figures of a period, as tables and as CSV.

mod csv_file;
mod period;
mod to_do;

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Attachment, Json};
use poem_openapi::{Object, OpenApi};

use self::csv_file::csv_file;
use crate::desk::Admin;
use crate::tags::Tag;
use domain::figures::table::Table;
use domain::figures::tables::{Figures, KEYS};
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::Problem;
use http::server::system_status::System;

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
        desk: Admin<System<'_>>,
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
        desk: Admin<System<'_>>,
        /// The key of a table, as in `services`.
        table: Path<String>,
        /// As in the call of all figures.
        period: Query<Option<String>>,
        from: Query<Option<String>>,
        to: Query<Option<String>>,
    ) -> Result<Attachment<Vec<u8>>, AdminError> {
        let period = period::read(&desk, [period.0, from.0, to.0])?;
        let figures = desk.figures.read(&desk.store, period, desk.now).await?;
        let tables = figures.tables(*desk.answer_times).into_iter();
        let found = tables.into_iter().find(|known| known.key == *table);
        let Some(found) = found else {
            let detail = format!("The tables are {}.", KEYS.join(", "));
            return Err(Problem::missing(detail).into());
        };
        csv_file(found.to_csv(), &found.key, figures.period.days)
    }
}

/// The figures of a period beside those of the one before.
#[derive(Object)]
struct FiguresOfPeriod {
    /// The first day, `YYYY-MM-DD` on the company's clock.
    from: String,
    /// The last day.
    to: String,
    /// The first day of the period that it is compared with.
    before_from: String,
    /// The last day of that period.
    before_to: String,
    tables: Vec<Table>,
    /// Whether conversions can be downloaded (`downloadConversions`).
    has_conversions: bool,
}

impl FiguresOfPeriod {
    fn new(figures: &Figures, app: &System<'_>) -> Self {
        let period = figures.period;
        Self {
            from: period.days.from.to_string(),
            to: period.days.to.to_string(),
            before_from: period.before.from.to_string(),
            before_to: period.before.to.to_string(),
            tables: figures.tables(*app.answer_times),
            has_conversions: app.desk.ad_conversions,
        }
    }
}
