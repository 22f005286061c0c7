//! The fields of a URL-encoded form post, also of one that is cut off: the visitor's text is
//! returned.

use std::collections::BTreeMap;

use poem::http::StatusCode;
use poem::{Body, Request};

use super::body::{self, Bodies, BodyError, MAX_BODY_BYTES};
use super::client_address::Client;
use super::problem::Problem;
use domain::form::Form;

/// The media type of accepted posts.
const URLENCODED: &str = "application/x-www-form-urlencoded";
/// What a browser is told that sends another media type.
const FORMAT: &str = "Your browser sent the form in a format that we cannot take. Please check it \
                      and send it again.";

/// The button of a rejected form that sends it with one field corrected: its value is the field.
pub const FIX: &str = "fix";

/// Submitted values by field name.
pub type Fields = BTreeMap<String, String>;

/// Corrects the field whose button was pressed; what does not fit into it goes to the message.
pub fn apply_fix(form: &Form, fields: &mut Fields) {
    let Some(name) = fields.remove(FIX) else {
        return;
    };
    let raw = fields.get(&name).map_or("", String::as_str);
    let Some(fix) = form.fix(&name, raw) else {
        return;
    };
    fields.insert(name, fix.value);
    if let Some((line, message)) = fix.moved.zip(form.message_field()) {
        let text = fields.entry(message.name.clone()).or_default();
        let whole = format!("{}\n{line}", text.trim_end());
        whole.trim_start().clone_into(text);
    }
}

/// Reads a form posted from this site: the fields that have arrived, also of a refused one, so that
/// the customer gets them back. Errors, with `title`: 403, 408, 413, 415, 429 or 503.
pub async fn read<F: FromIterator<(String, String)>>(
    bodies: &Bodies,
    client: &Client,
    request: &Request,
    body: Body,
    title: &str,
) -> (F, Result<(), Problem>) {
    let (timeout, mut bytes) = (bodies.timeout, Vec::new());
    let mut lease = bodies.lease(client.address);
    let read = body::read_partial(body, MAX_BODY_BYTES, timeout, &mut lease, &mut bytes).await;
    // Never fails: broken escapes and invalid UTF-8 are replaced.
    let pairs: Vec<_> = serde_urlencoded::from_bytes(&bytes).unwrap_or_default();
    let is_form = body::has_media_type(URLENCODED, request.headers());
    let taken = match read {
        _ if !bodies.same_site(request.headers()) => Err(other_site()),
        _ if !is_form => Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, FORMAT)),
        read => read.map_err(unread),
    };
    let taken = taken.map_err(|problem| problem.with_title(title));
    (pairs.into_iter().collect(), taken)
}

/// 403: the post comes from another site.
pub fn other_site() -> Problem {
    let detail = "The form was sent from another site. Please check it and send it from here.";
    Problem::new(StatusCode::FORBIDDEN, detail)
}

/// The problem of a form that did not arrive whole.
pub fn unread(error: BodyError) -> Problem {
    match error {
        BodyError::TooLong(_) => {
            let detail = "The form is too long. Please shorten your text and send it again.";
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
        }
        BodyError::TimedOut => {
            let detail = "The form did not arrive completely. Please check it and send it again, \
                          or call us.";
            Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
        }
        other => other.into(),
    }
}

/// Whether a form may have a field with this name.
pub fn is_known(form: &Form, name: &str) -> bool {
    name == FIX || form.fields().iter().any(|field| field.name == name)
}
