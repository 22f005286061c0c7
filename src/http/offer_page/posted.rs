//! Reads a post of the page's forms.

use std::collections::BTreeMap;
use std::time::Duration;

use poem::http::StatusCode;
use poem::{Body, Request};

use crate::AppState;
use crate::request::body::{self, BodyError, MAX_BODY_BYTES};
use crate::request::client_address::Client;
use crate::request::posted_fields::URLENCODED;
use crate::request::problem::Problem;
use crate::request::same_site::same_site;
use domain::text::clean;

/// Values by the name of the field.
pub(super) type Fields = BTreeMap<String, String>;

/// Reads the fields of a post from this site; of a refused one, those that have arrived, so that
/// the customer gets them back. Errors: 403, 408, 413, 415, 503, or 429 if the client has posted too
/// often.
pub(super) async fn read(
    app: &AppState,
    client: &Client,
    request: &Request,
    body: Body,
    fields: &mut Fields,
) -> Result<(), Problem> {
    let timeout = Duration::from_secs(app.server.body_seconds.into());
    let (mut lease, mut bytes) = (app.bodies.lease(client.address), Vec::new());
    let read = body::read_partial(body, MAX_BODY_BYTES, timeout, &mut lease, &mut bytes).await;
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(&bytes).unwrap_or_default();
    fields.extend(pairs);
    allow(app, client, request)?;
    if !body::has_media_type(URLENCODED, request.headers()) {
        let detail = "Your browser sent the form in a format that we cannot take.";
        return Err(not_sent(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    read.map_err(|error| match error {
        BodyError::TooLong(_) => {
            let detail = "The text is too long. Please shorten it and send it again.";
            not_sent(StatusCode::PAYLOAD_TOO_LARGE, detail)
        }
        BodyError::TimedOut => {
            let detail = "The form did not arrive completely. Please check it and send it again, \
                          or call us.";
            not_sent(StatusCode::REQUEST_TIMEOUT, detail)
        }
        other => Problem::from(other),
    })
}

/// Whether a post comes from this site, of a client that has not posted too often. Errors: 403,
/// 429.
pub(super) fn allow(app: &AppState, client: &Client, request: &Request) -> Result<(), Problem> {
    let checked = app.offer_posts.check(&client.key, client.site.as_deref());
    checked.map_err(|seconds| {
        let detail = "You have sent several forms in a short time. Please wait a minute.";
        not_sent(StatusCode::TOO_MANY_REQUESTS, detail).with_retry_after(seconds)
    })?;
    if !same_site(request.headers(), &app.server.origin()) {
        let detail = "The form was sent from another site. Please check it and send it from here.";
        return Err(not_sent(StatusCode::FORBIDDEN, detail));
    }
    Ok(())
}

fn not_sent(status: StatusCode, detail: &str) -> Problem {
    Problem::new(status, detail).with_title("Your answer was not sent.")
}

/// The line of a field, cleaned.
pub(super) fn field(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), false)
}

/// The text of a field, cleaned; it may have several lines.
pub(super) fn text(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), true)
}
