//! Form posts without JavaScript: the same rules and the same store calls as the JSON API, but with
//! a page as the response. A rejected form, or one that could not be read to its end, returns its
//! page with the values and an error beside each field; a stored form redirects (303), so that a
//! reload sends nothing again.

use std::sync::Arc;
use std::time::Duration;

use poem::http::{Method, StatusCode};
use poem::web::Data;
use poem::{Body, Request, Response, handler};
use tokio::time::timeout;

use super::attachments::{FORM_MEMORY, MAX_FORM_BYTES, read_fields, receive_files};
use super::confirmation::{confirmation_with_refused_files, redirect_to_banner};
use super::paths::FORMS;
use super::rejected_form_page::rejected;
use super::submit::{FormKind, RawForm, submit};
use crate::AppState;
use crate::request::body;
use crate::request::body::{BodyError, MAX_BODY_BYTES};
use crate::request::body_budget::Lease;
use crate::request::client_address::Client;
use crate::request::posted_fields;
use crate::request::posted_fields::Fields;
use crate::request::problem::Problem;
use crate::request::same_site::same_site;
use crate::uploads::body::UploadBody;
use crate::uploads::multipart::{Multipart, MultipartError, boundary};
use domain::form::Form;

/// Whether this request opens a page whose form posts to the same path.
pub fn is_form_view<B>(request: &hyper::Request<B>) -> bool {
    *request.method() == Method::GET && FORMS.contains(&request.uri().path())
}

/// A quote request posted without JavaScript.
#[handler]
pub async fn quote(
    app: Data<&Arc<AppState>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    handle_post(&app, &client, FormKind::Quote, request, body).await
}

/// A contact message posted without JavaScript.
#[handler]
pub async fn contact(
    app: Data<&Arc<AppState>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    handle_post(&app, &client, FormKind::Contact, request, body).await
}

/// Handles a post to the form's own page.
async fn handle_post(
    app: &AppState,
    client: &Client,
    kind: FormKind,
    request: &Request,
    body: Body,
) -> Response {
    let form = kind.form(&app.forms);
    let mut lease = app.bodies.lease(client.address);
    if let FormKind::Quote = kind
        && let Some(boundary) = boundary(request.headers())
        && same_site(request.headers(), &app.server.origin())
    {
        return handle_parts(app, client, request, body, boundary, &mut lease).await;
    }
    let mut bytes = Vec::new();
    let refused = read_form(app, request, body, &mut lease, &mut bytes).await;
    let mut fields = posted_fields::parse(form, &bytes);
    posted_fields::apply_fix(form, &mut fields);
    let path = request.uri().path();
    let stored = match refused {
        Some(problem) => Err(problem),
        None => submit(app, client, kind, raw_form(form, &fields), None).await,
    };
    match stored {
        Ok(receipt) => {
            let urgent = fields.contains_key("emergencyContact");
            redirect_to_banner(app, path, &receipt.reference, urgent)
        }
        Err(problem) => rejected(app, path, form, &fields, &problem),
    }
}

/// Handles a quote form with files. It is validated and stored before its first file is received;
/// refused files do not affect the request.
async fn handle_parts(
    app: &AppState,
    client: &Client,
    request: &Request,
    body: Body,
    boundary: Option<String>,
    lease: &mut Lease,
) -> Response {
    let (kind, path) = (FormKind::Quote, request.uri().path());
    let form = kind.form(&app.forms);
    if let Err(error) = lease.grow(FORM_MEMORY) {
        return rejected(app, path, form, &Fields::new(), &unread(error.into()));
    }
    let mut body = UploadBody::new(body, request.headers(), MAX_FORM_BYTES, &app.files);
    let mut multipart = Multipart::new(&mut body, &boundary.unwrap_or_default());
    let mut read = Vec::new();
    let time = Duration::from_secs(app.server.body_seconds.into());
    let first = timeout(time, read_fields(&mut multipart, &mut read)).await;
    let fields = read.into_iter();
    let fields = fields.filter(|(name, _)| posted_fields::is_known(form, name));
    let mut fields: Fields = fields.collect();
    posted_fields::apply_fix(form, &mut fields);
    let submitted = match &first {
        Ok(Ok(_)) => submit(app, client, kind, raw_form(form, &fields), None).await,
        Ok(Err(MultipartError::FieldTooLong | MultipartError::TooManyParts)) => {
            Err(unread(BodyError::TooLong(MAX_BODY_BYTES)))
        }
        Ok(Err(_)) | Err(_) => Err(unread(BodyError::TimedOut)),
    };
    let response = match (submitted, first) {
        (Err(problem), _) => rejected(app, path, form, &fields, &problem),
        (Ok(receipt), first) => {
            let refused = match first {
                Ok(Ok(Some(first))) => {
                    receive_files(app, client.sender(), &receipt.id, first, &mut multipart).await
                }
                _ => Vec::new(),
            };
            let urgent = fields.contains_key("emergencyContact");
            match refused.is_empty() {
                true => redirect_to_banner(app, path, &receipt.reference, urgent),
                false => {
                    confirmation_with_refused_files(app, path, &receipt.reference, urgent, &refused)
                }
            }
        }
    };
    body.drain().await;
    response
}

/// Reads the body into `bytes`; returns the refusal, if any. After a refusal `bytes` has the part
/// received so far, so that the visitor gets it back.
async fn read_form(
    app: &AppState,
    request: &Request,
    body: Body,
    lease: &mut Lease,
    bytes: &mut Vec<u8>,
) -> Option<Problem> {
    let timeout = Duration::from_secs(app.server.body_seconds.into());
    let read = body::read_partial(body, MAX_BODY_BYTES, timeout, lease, bytes).await;
    if !same_site(request.headers(), &app.server.origin()) {
        let detail = "The form was sent from another site. Please check it and send it from here.";
        return Some(not_sent(StatusCode::FORBIDDEN, detail));
    }
    if !body::has_media_type(posted_fields::URLENCODED, request.headers()) {
        let detail = "Your browser sent the form in a format that we cannot take. \
                      Please check it and send it again.";
        return Some(not_sent(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    Some(unread(read.err()?))
}

/// The problem of a form that could not be read to its end.
fn unread(error: BodyError) -> Problem {
    match error {
        BodyError::TooLong(_) => {
            let detail = "The form is too long. Please shorten your text and send it again.";
            not_sent(StatusCode::PAYLOAD_TOO_LARGE, detail)
        }
        BodyError::TimedOut => {
            let detail = "The form did not arrive completely. \
                          Please check it and send it again, or call us.";
            not_sent(StatusCode::REQUEST_TIMEOUT, detail)
        }
        other => Problem::from(other),
    }
}

fn not_sent(status: StatusCode, detail: &str) -> Problem {
    Problem::new(status, detail).with_title("Your form was not sent.")
}

fn raw_form<'a>(form: &'a Form, fields: &Fields) -> RawForm<'a> {
    let known = form.fields().iter();
    known
        .filter_map(|field| Some((field.key.as_str(), fields.get(&field.name)?.clone())))
        .collect()
}
