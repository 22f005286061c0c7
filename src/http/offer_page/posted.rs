//! Reads a post of the page's forms.

use poem::http::StatusCode;
use poem::{Body, Request};

use super::parts::OfferPages;
use crate::request::client_address::Client;
use crate::request::posted_fields::{self, Fields, other_site};
use crate::request::problem::Problem;
use domain::text::clean;

/// The title of what is wrong with an answer.
const TITLE: &str = "Your answer was not sent.";

/// Reads the fields of a post from this site; of a refused one, those that have arrived, so that
/// the customer gets them back. Errors: 403, 408, 413, 415, 503, or 429 if the client has posted too
/// often.
pub(super) async fn read(
    app: &OfferPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
    fields: &mut Fields,
) -> Result<(), Problem> {
    let (pairs, read): (Fields, _) =
        posted_fields::read(app.bodies, client, request, body, TITLE).await;
    fields.extend(pairs);
    allow(app, client, request)?;
    read
}

/// Whether a post comes from this site, of a client that has not posted too often. Errors: 403,
/// 429.
pub(super) fn allow(
    app: &OfferPages<'_>,
    client: &Client,
    request: &Request,
) -> Result<(), Problem> {
    let checked = app.offer_posts.check(&client.key, client.site.as_deref());
    checked.map_err(|seconds| {
        let detail = "You have sent several forms in a short time. Please wait a minute.";
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, detail);
        problem.with_title(TITLE).with_retry_after(seconds)
    })?;
    match app.bodies.same_site(request.headers()) {
        true => Ok(()),
        false => Err(other_site().with_title(TITLE)),
    }
}

/// The line of a field, cleaned.
pub(super) fn field(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), false)
}

/// The text of a field, cleaned; it may have several lines.
pub(super) fn text(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), true)
}
