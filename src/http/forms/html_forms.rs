//! Form posts without JavaScript: the same rules and the same store calls as the JSON API, but with
//! a page as the response. A rejected form, or one that could not be read to its end, returns its
//! page with the values and an error beside each field; a stored form redirects (303), so that a
//! reload sends nothing again.

use poem::http::Method;
use poem::{Body, Request, Response, handler};
use tokio::time::timeout;

use super::FormPages;
use super::attachments::{FORM_MEMORY, MAX_FORM_BYTES, read_fields, receive_files};
use super::confirmation::{confirmation_with_refused_files, redirect_to_banner};
use super::paths::{FORMS, QUOTE};
use super::rejected_form_page::rejected;
use super::submit::{FormKind, RawForm, submit};
use crate::Uses;
use crate::request::body::{BodyError, MAX_BODY_BYTES};
use crate::request::client_address::Client;
use crate::request::posted_fields::{self, Fields, unread};
use crate::request::problem::Problem;
use crate::uploads::body::UploadBody;
use crate::uploads::multipart::{Multipart, MultipartError, boundary};
use domain::form::Form;

/// The title of what is wrong with a form.
const TITLE: &str = "Your form was not sent.";

/// Whether this request opens a page whose form posts to the same path.
pub fn is_form_view<B>(request: &hyper::Request<B>) -> bool {
    *request.method() == Method::GET && FORMS.contains(&request.uri().path())
}

/// A form posted without JavaScript.
#[handler]
pub async fn post_form(
    app: Uses<FormPages<'_>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    let kind = match request.uri().path() {
        QUOTE => FormKind::Quote,
        _ => FormKind::Contact,
    };
    handle_post(&app, &client, kind, request, body).await
}

/// Handles a post to the form's own page.
async fn handle_post(
    app: &FormPages<'_>,
    client: &Client,
    kind: FormKind,
    request: &Request,
    body: Body,
) -> Response {
    let form = kind.form(app.forms);
    if let FormKind::Quote = kind
        && let Some(boundary) = boundary(request.headers())
        && app.bodies.same_site(request.headers())
    {
        return handle_parts(app, client, request, body, boundary).await;
    }
    let (mut fields, read) =
        posted_fields::read::<Fields>(app.bodies, client, request, body, TITLE).await;
    fields.retain(|name, _| posted_fields::is_known(form, name));
    posted_fields::apply_fix(form, &mut fields);
    let path = request.uri().path();
    let stored = match read {
        Ok(()) => submit(app, client, kind, raw_form(form, &fields), None).await,
        Err(problem) => Err(problem),
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
    app: &FormPages<'_>,
    client: &Client,
    request: &Request,
    body: Body,
    boundary: Option<String>,
) -> Response {
    let (kind, path) = (FormKind::Quote, request.uri().path());
    let form = kind.form(app.forms);
    let mut lease = app.bodies.lease(client.address);
    if let Err(error) = lease.grow(FORM_MEMORY) {
        return rejected(app, path, form, &Fields::new(), &not_sent(error.into()));
    }
    let mut body = UploadBody::new(body, request.headers(), MAX_FORM_BYTES, app.files);
    let mut multipart = Multipart::new(&mut body, &boundary.unwrap_or_default());
    let mut read = Vec::new();
    let first = timeout(app.bodies.timeout, read_fields(&mut multipart, &mut read)).await;
    let fields = read.into_iter();
    let fields = fields.filter(|(name, _)| posted_fields::is_known(form, name));
    let mut fields: Fields = fields.collect();
    posted_fields::apply_fix(form, &mut fields);
    let submitted = match &first {
        Ok(Ok(_)) => submit(app, client, kind, raw_form(form, &fields), None).await,
        Ok(Err(MultipartError::FieldTooLong | MultipartError::TooManyParts)) => {
            Err(not_sent(BodyError::TooLong(MAX_BODY_BYTES)))
        }
        Ok(Err(_)) | Err(_) => Err(not_sent(BodyError::TimedOut)),
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

fn not_sent(error: BodyError) -> Problem {
    unread(error).with_title(TITLE)
}

fn raw_form<'a>(form: &'a Form, fields: &Fields) -> RawForm<'a> {
    let known = form.fields().iter();
    known
        .filter_map(|field| Some((field.key.as_str(), fields.get(&field.name)?.clone())))
        .collect()
}
