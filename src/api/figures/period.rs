//! The period that a call requests.

use jiff::civil::Date;

use crate::filter_params::bad_day;
use domain::figures::period::Period;
use http::request::problem::{Problem, bad_parameter};
use http::server::system_status::System;

/// The period of the parameters `period`, `from` and `to`. Errors: 400 that names one of them.
pub(super) fn read(app: &System<'_>, parameters: [Option<String>; 3]) -> Result<Period, Problem> {
    let today = app.publisher.site().company.today(app.clock.now());
    let [name, from, to] = parameters.each_ref().map(Option::as_deref);
    parse(name, from, to, today)
}

/// The period with this name, or between these days.
fn parse(
    name: Option<&str>,
    from: Option<&str>,
    to: Option<&str>,
    today: Date,
) -> Result<Period, Problem> {
    let (from, to) = (given(from), given(to));
    if from.is_some() || to.is_some() {
        let from = day("from", from)?;
        let to = day("to", to)?;
        return Period::between(from, to).ok_or_else(|| {
            let detail = "`from` is a day before `to` or the same, at most ten years before.";
            bad_parameter("from", detail)
        });
    }
    let name = given(name).unwrap_or("week");
    Period::named(name, today).ok_or_else(|| {
        let detail = format!("`period` is one of {}.", Period::NAMES.join(", "));
        bad_parameter("period", detail)
    })
}

fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn day(name: &'static str, text: Option<&str>) -> Result<Date, Problem> {
    let text = text.filter(|text| text.len() == "2026-11-21".len());
    let day = text.and_then(|text| text.parse().ok());
    day.ok_or_else(|| bad_day(name))
}
