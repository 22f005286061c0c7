//! The facts that a reply template can name.

use domain::account::profile::Profile;
use domain::clock::local_time::customer_time;
use domain::clock::{MINUTE_MS, Time};
use domain::email::reply_template;
use domain::email::reply_template::FACTS;
use domain::request::Request;
use http::AppState;

/// Minimum time until a due time that a template promises, in milliseconds.
const PROMISE_MARGIN_MS: i64 = 5 * MINUTE_MS;

/// When the customer can expect the answer, after "You will hear from us". A due time that will
/// have passed when the reply is read is not promised.
fn answer_by(app: &AppState, request: &Request, due: Time) -> String {
    match due > app.clock.now().plus_millis(PROMISE_MARGIN_MS) {
        true => format!("by {}", customer_time(request, &app.time_zone, due)),
        false => "as soon as possible".to_owned(),
    }
}

/// The facts of a request, in the order of `FACTS`; `writer` sends the reply.
pub(super) fn facts(app: &AppState, request: &Request, writer: &Profile) -> [String; FACTS.len()] {
    let (due, site) = (app.answer_times.due_of(request), app.site());
    let company = &site.company;
    [
        request.first_name.clone(),
        request.reference.clone(),
        request.service_label(&app.forms).to_owned(),
        answer_by(app, request, due),
        format!(
            "{}{}",
            app.server.origin(),
            app.status_links.path(&request.reference)
        ),
        company.name.clone(),
        company.phone.clone(),
        reply_template::sender(writer, &company.name),
    ]
}
