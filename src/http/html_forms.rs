//! The forms without JavaScript: the same rules, the same verbs, answered with a page. A refusal gives back the very page, with what was typed in its
//! place and each message beside its field; a success leads to the page that says so, so that a reload sends nothing again.

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
use super::body::{self, LIMIT};
use super::body_budget::Lease;
use super::client_address::{Client, network};
use super::problem::Problem;
use super::submit::{FormKind, Raw, submit};
use crate::domain::form::Form;

/// The page of the quote form, and where it posts to.
pub const QUOTE: &str = "/quote";
/// The page of the contact form, and where it posts to.
pub const CONTACT: &str = "/contact";

/// A quote request posted by a browser without JavaScript.
#[handler]
pub async fn quote(
    app: Data<&Arc<App>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    posted(&app, &client, FormKind::Quote, request, body).await
}

/// A contact message posted by a browser without JavaScript.
#[handler]
pub async fn contact(
    app: Data<&Arc<App>>,
    client: Client,
    request: &Request,
    body: Body,
) -> Response {
    posted(&app, &client, FormKind::Contact, request, body).await
}

/// The form's page is where it was posted to.
async fn posted(
    app: &App,
    client: &Client,
    filled: FormKind,
    request: &Request,
    body: Body,
) -> Response {
    let form = filled.form(&app.forms);
    let mut lease = app.bodies.lease(network(client.address));
    let fields = match read(app, form, request, body, &mut lease).await {
        Ok(fields) => fields,
        Err(problem) => return problem.into_response(),
    };
    let stored = submit(app, client, filled, raw(form, &fields), None).await;
    answer(app, request.uri().path(), form, &fields, stored.err())
}

/// What was typed, by the names of the form.
type Fields = BTreeMap<String, String>;

async fn read(
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
    if !body::is("application/x-www-form-urlencoded", request.headers()) {
        let detail = "Send the form as application/x-www-form-urlencoded.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let patience = Duration::from_secs(app.server.body_seconds.into());
    let bytes = body::read(request.headers(), body, LIMIT, patience, lease).await?;
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

fn raw<'a>(form: &'a Form, fields: &Fields) -> Raw<'a> {
    let known = form.fields().iter();
    known
        .filter_map(|field| Some((field.key.as_str(), fields.get(&field.name)?.clone())))
        .collect()
}

fn answer(
    app: &App,
    path: &str,
    form: &Form,
    fields: &Fields,
    refused: Option<Problem>,
) -> Response {
    let Some(problem) = refused else {
        let location = format!("{path}?sent=1");
        return Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, location)
            .finish();
    };
    let Some(page) = app.pages.html(path, "") else {
        return problem.into_response();
    };
    match refused_page(
        &String::from_utf8_lossy(&page),
        path,
        form,
        fields,
        &problem,
    ) {
        Ok(html) => problem.on_page(html),
        Err(error) => {
            tracing::error!(%error, path, "the page of a refused form could not be written");
            problem.into_response()
        }
    }
}

/// The page with what was typed and why it was refused.
fn refused_page(
    page: &str,
    path: &str,
    form: &Form,
    fields: &Fields,
    problem: &Problem,
) -> Result<String, RewritingError> {
    let value = |name: &str| fields.get(name).map_or("", String::as_str);
    let refusal = |name: &str| {
        let field = form.fields().iter().find(|field| field.name == name)?;
        problem.message(&field.key)
    };
    let inside = |part: &str| format!("form[action=\"{path}\"] {part}");
    let select = Rc::new(RefCell::new(String::new()));
    let mark = |element: &mut Element<'_, '_>, name: &str| match refusal(name) {
        Some(_) => element.set_attribute("aria-invalid", "true"),
        None => Ok(()),
    };
    let name_of = |element: &Element<'_, '_>| element.get_attribute("name").unwrap_or_default();
    let handlers = vec![
        element!(inside("input[name]"), |input| {
            let name = name_of(input);
            if input.get_attribute("type").as_deref() == Some("checkbox") {
                set(input, "checked", fields.contains_key(&name))?;
            } else {
                input.set_attribute("value", value(&name))?;
            }
            Ok(mark(input, &name)?)
        }),
        element!(inside("textarea[name]"), |area| {
            let name = name_of(area);
            area.set_inner_content(value(&name), ContentType::Text);
            Ok(mark(area, &name)?)
        }),
        element!(inside("select[name]"), |list| {
            let name = name_of(list);
            mark(list, &name)?;
            *select.borrow_mut() = name;
            Ok(())
        }),
        element!(inside("select[name] option"), |option| {
            let chosen =
                option.get_attribute("value").unwrap_or_default() == value(&select.borrow());
            Ok(set(option, "selected", chosen)?)
        }),
        element!(inside(".field-error[id]"), |place| {
            let id = place.get_attribute("id").unwrap_or_default();
            // The same form may stand on a page under a prefix: the field's name is what stands before `-error`.
            let name = id.trim_end_matches("-error").rsplit('-').next();
            if let Some(message) = name.and_then(refusal) {
                place.remove_attribute("hidden");
                place.set_inner_content(message, ContentType::Text);
            }
            Ok(())
        }),
        element!(inside(".form-alert"), |place| {
            place.remove_attribute("hidden");
            place.set_inner_content(problem.title(), ContentType::Text);
            place.prepend("<strong>", ContentType::Html);
            place.append("</strong> ", ContentType::Html);
            place.append(problem.detail(), ContentType::Text);
            Ok(())
        }),
    ];
    let settings = handlers.into_iter().fold(
        RewriteStrSettings::new(),
        RewriteStrSettings::append_element_content_handler,
    );
    rewrite_str(page, settings)
}

fn set(element: &mut Element<'_, '_>, name: &str, on: bool) -> Result<(), AttributeNameError> {
    if on {
        return element.set_attribute(name, "");
    }
    element.remove_attribute(name);
    Ok(())
}
