//! Figures as files for spreadsheets.

use poem::http::StatusCode;
use poem_openapi::payload::Attachment;

use domain::figures::period::Days;
use http::request::error_responses::AdminError;
use http::request::problem::Problem;

/// A file to save, named after the days that it is about.
pub(super) fn csv_file(
    csv: Result<Vec<u8>, csv::Error>,
    name: &str,
    days: Days,
) -> Result<Attachment<Vec<u8>>, AdminError> {
    let csv = csv.map_err(|error| {
        tracing::error!(%error, "a file of figures cannot be written");
        let detail = "This file cannot be written.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    })?;
    let name = format!("{name}-{}-{}.csv", days.from, days.to);
    Ok(Attachment::new(csv).filename(name))
}
