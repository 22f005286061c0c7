//! Figures in the API.

use poem_openapi::Object;

use domain::figures::table::Table;
use domain::figures::tables::Figures;
use http::AppState;

/// The figures of a period beside those of the one before.
#[derive(Object)]
pub(super) struct FiguresOfPeriod {
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
    pub(super) fn new(figures: &Figures, app: &AppState) -> Self {
        let period = figures.period;
        Self {
            from: period.days.from.to_string(),
            to: period.days.to.to_string(),
            before_from: period.before.from.to_string(),
            before_to: period.before.to.to_string(),
            tables: figures.tables(app.answer_times),
            has_conversions: app.desk.ad_conversions,
        }
    }
}
