//! Form posts without JavaScript: the same rules and the same store calls as the JSON API, but with
//! a page as the response. A rejected form returns its page with the values and an error beside
//! each field; a stored form redirects (303), so that a reload sends nothing again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lol_html::errors::{AttributeNameError, RewritingError};
use lol_html::html_content::{ContentType, Element};
use lol_html::{RewriteStrSettings, element, rewrite_str};
use poem::http::{StatusCode, header};
use poem::web::Data;
use poem::{Body, IntoResponse, Request, Response, handler};

use super::App;
use super::body::{self, MAX_BODY_BYTES};
use super::body_budget::Lease;
use super::client_address::{Client, network};
use super::problem::Problem;
use super::submit::{FormKind, RawForm, submit};
use crate::domain::form::Form;

/// The path of the quote form's page, which is also the form's action.
pub const QUOTE: &str = "/quote";
/// The path of the contact form's page, which is also the form's action.
pub const CONTACT: &str = "/contact";

/// A quote request posted without JavaScript.
#[handler]
pub async fn quote(
    app: Data<&Arc<App>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    handle_post(&app, &client, FormKind::Quote, request, body).await
}

/// A contact message posted without JavaScript.
#[handler]
pub async fn contact(
    app: Data<&Arc<App>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    handle_post(&app, &client, FormKind::Contact, request, body).await
}

/// Handles a post to the form's own page.
async fn handle_post(
    app: &App,
    client: &Client,
    kind: FormKind,
    request: &Request,
    body: Body,
) -> Response {
    let form = kind.form(&app.forms);
    let mut lease = app.bodies.lease(network(client.address));
    let fields = match parse_form(app, form, request, body, &mut lease).await {
        Ok(fields) => fields,
        Err(problem) => return problem.into_response(),
    };
    let stored = submit(app, client, kind, raw_form(form, &fields), None).await;
    respond(app, request.uri().path(), form, &fields, stored.err())
}

/// Submitted values by field name.
type Fields = BTreeMap<String, String>;

async fn parse_form(
    app: &App,
    form: &Form,
    request: &Request,
    body: Body,
    lease: &mut Lease,
) -> Result<Fields, Problem> {
    if !body::same_site(request.headers(), &app.server.origin()) {
        let detail =
            "This form was sent from another site. Please open ours and send it from there.";
        return Err(Problem::new(StatusCode::FORBIDDEN, detail));
    }
    if !body::has_media_type("application/x-www-form-urlencoded", request.headers()) {
        let detail = "Send the form as application/x-www-form-urlencoded.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let timeout = Duration::from_secs(app.server.body_seconds.into());
    let bytes = body::read(request.headers(), body, MAX_BODY_BYTES, timeout, lease).await?;
    let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(&bytes).map_err(|error| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            format!("The form cannot be read: {error}"),
        )
    })?;
    Ok(pairs
        .into_iter()
        .filter(|(name, _)| form.fields().iter().any(|field| field.name == *name))
        .collect())
}

fn raw_form<'a>(form: &'a Form, fields: &Fields) -> RawForm<'a> {
    let known = form.fields().iter();
    known
        .filter_map(|field| Some((field.key.as_str(), fields.get(&field.name)?.clone())))
        .collect()
}

fn respond(
    app: &App,
    path: &str,
    form: &Form,
    fields: &Fields,
    error: Option<Problem>,
) -> Response {
    let Some(problem) = error else {
        let location = format!("{path}?sent=1");
        return Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, location)
            .finish();
    };
    let Some(page) = app.pages.html(path, "") else {
        return problem.into_response();
    };
    match error_page(
        &String::from_utf8_lossy(&page),
        path,
        form,
        fields,
        &problem,
    ) {
        Ok(html) => problem.into_page(html),
        Err(error) => {
            tracing::error!(%error, path, "cannot render the page of a rejected form");
            problem.into_response()
        }
    }
}

/// The page with the submitted values and the error messages.
fn error_page(
    page: &str,
    path: &str,
    form: &Form,
    fields: &Fields,
    problem: &Problem,
) -> Result<String, RewritingError> {
    let value = |name: &str| fields.get(name).map_or("", String::as_str);
    let message = |name: &str| {
        let field = form.fields().iter().find(|field| field.name == name)?;
        problem.field_message(&field.key)
    };
    let in_form = |part: &str| format!("form[action=\"{path}\"] {part}");
    let select = Rc::new(RefCell::new(String::new()));
    let mark_invalid = |element: &mut Element<'_, '_>, name: &str| match message(name) {
        Some(_) => element.set_attribute("aria-invalid", "true"),
        None => Ok(()),
    };
    let name_of = |element: &Element<'_, '_>| element.get_attribute("name").unwrap_or_default();
    let handlers = vec![
        element!(in_form("input[name]"), |input| {
            let name = name_of(input);
            if input.get_attribute("type").as_deref() == Some("checkbox") {
                set_boolean(input, "checked", fields.contains_key(&name))?;
            } else {
                input.set_attribute("value", value(&name))?;
            }
            Ok(mark_invalid(input, &name)?)
        }),
        element!(in_form("textarea[name]"), |area| {
            let name = name_of(area);
            area.set_inner_content(value(&name), ContentType::Text);
            Ok(mark_invalid(area, &name)?)
        }),
        element!(in_form("select[name]"), |list| {
            let name = name_of(list);
            mark_invalid(list, &name)?;
            *select.borrow_mut() = name;
            Ok(())
        }),
        element!(in_form("select[name] option"), |option| {
            let selected =
                option.get_attribute("value").unwrap_or_default() == value(&select.borrow());
            Ok(set_boolean(option, "selected", selected)?)
        }),
        element!(in_form(".field-error[id]"), |element| {
            let id = element.get_attribute("id").unwrap_or_default();
            // An id may have a prefix: the field's name is the part before `-error`.
            let name = id.trim_end_matches("-error").rsplit('-').next();
            if let Some(message) = name.and_then(message) {
                element.remove_attribute("hidden");
                element.set_inner_content(message, ContentType::Text);
            }
            Ok(())
        }),
        element!(in_form(".form-alert"), |element| {
            element.remove_attribute("hidden");
            element.set_inner_content(problem.title(), ContentType::Text);
            element.prepend("<strong>", ContentType::Html);
            element.append("</strong> ", ContentType::Html);
            element.append(problem.detail(), ContentType::Text);
            Ok(())
        }),
    ];
    let settings = handlers.into_iter().fold(
        RewriteStrSettings::new(),
        RewriteStrSettings::append_element_content_handler,
    );
    rewrite_str(page, settings)
}

fn set_boolean(
    element: &mut Element<'_, '_>,
    name: &str,
    on: bool,
) -> Result<(), AttributeNameError> {
    if on {
        return element.set_attribute(name, "");
    }
    element.remove_attribute(name);
    Ok(())
}
