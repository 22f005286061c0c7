//! The rota as a calendar, under an address that cannot be guessed: calendar programs send no
//! token.

use poem::http::{HeaderName, header};
use poem::web::Path;
use poem::{Response, handler};
use subtle::ConstantTimeEq;

use crate::request::problem::Problem;
use crate::{Uses, area};
use auth::Auth;
use domain::clock::DAY_MS;
pub use domain::on_call::rota_calendar::CALENDAR_PREFIX as PREFIX;
use domain::on_call::rota_calendar::calendar;

/// The route template.
pub const TEMPLATE: &str = "/on-call/{name}";
/// The days that the calendar shows.
const DAYS: std::ops::Range<i64> = -14..90;

area! {
    /// What the calendar is made of.
    Calendar: store, clock, auth, time_zone, publisher
}

/// The name of the calendar with this number.
pub fn name(auth: &Auth, number: i64) -> String {
    format!("{}.ics", auth.calendar_token(number))
}

/// Shows the calendar.
#[handler]
pub async fn show(rota: Uses<Calendar<'_>>, Path(asked): Path<String>) -> poem::Result<Response> {
    let now = rota.clock.now();
    let stored = rota.store.rota(now).await.map_err(Problem::from)?;
    let known = name(rota.auth, stored.calendar);
    if !bool::from(known.as_bytes().ct_eq(asked.as_bytes())) {
        let detail = "There is no calendar at this address. It may have a new one.";
        return Err(Problem::missing(detail).into());
    }
    let people = rota.store.reachable(now).await.map_err(Problem::from)?;
    let email = |id: &str| {
        let person = people.iter().find(|person| person.user_id == id);
        person
            .and_then(|person| person.email.clone())
            .unwrap_or_default()
    };
    let (from, until) = (
        now.plus_millis(DAYS.start * DAY_MS),
        now.plus_millis(DAYS.end * DAY_MS),
    );
    let spans = stored.rota.shown_spans(rota.time_zone, from, until);
    let title = format!("On call, {}", rota.publisher.site().company.name);
    Ok(Response::builder()
        .content_type("text/calendar; charset=utf-8")
        .header(header::CACHE_CONTROL, "private, no-cache")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(HeaderName::from_static("x-robots-tag"), "noindex")
        .body(calendar(&title, &spans, email, now)))
}
