//! Answers of customers: accept, decline, ask.

use poem::http::{HeaderMap, StatusCode, header};
use poem::{Request, Response};

use super::address::meant;
use super::opened::Opened;
use super::page::{Form, Notice, Page};
use super::posted::Fields;
use super::responses::{open, refused_with, respond, with_headers};
use crate::AppState;
use crate::request::client_address::Client;
use crate::request::problem::Problem;
use domain::email::email_address::is_mailable;
use domain::ids;
use domain::offer::state::OfferState;
use domain::text::{clean, one_line};
use store::offers::{
    AcceptOutcome, Acceptor, CodeOutcome, NewAcceptance, NewCode, OfferAnswer, VersionId,
};

const MAX_NAME: usize = 100;
const MAX_REASON: usize = 500;
const MAX_QUESTION: usize = 2000;
const MAX_AGENT: usize = 300;

/// The response to a post of one of the page's forms. Errors: what refuses the post as a whole.
pub(super) async fn answer(
    app: &AppState,
    client: &Client,
    request: &Request,
    opened: &Opened,
    fields: &Fields,
) -> Result<Response, Problem> {
    match fields.get("answer").map(String::as_str) {
        Some("accept") => accept(app, client, request.headers(), opened, fields).await,
        Some("decline") => decline(app, opened, fields).await,
        Some("ask") => ask(app, opened, fields).await,
        Some("opened") => read(app, opened).await,
        _ => {
            let detail = "The form is not complete. Open the link in our email again.";
            Err(Problem::new(StatusCode::BAD_REQUEST, detail))
        }
    }
}

/// The page with what was typed into the form of a refused post.
pub(super) fn returned(
    app: &AppState,
    opened: &Opened,
    fields: &Fields,
    problem: &Problem,
) -> Response {
    let answer = fields.get("answer").map(String::as_str);
    let mut form = match answer {
        Some("accept") => accept_form(opened, fields),
        _ => Form::of(opened),
    };
    form.reason = text(fields, "reason");
    form.question = text(fields, "question");
    let page = Page {
        problem: Some(problem),
        ..Page::new(app, opened, &form, None)
    };
    refused_with(problem, page.html())
}

fn accept_form(opened: &Opened, fields: &Fields) -> Form {
    Form {
        name: field(fields, "name"),
        title: field(fields, "title"),
        email: field(fields, "email"),
        has_consent: fields.contains_key("consent"),
        code: field(fields, "code"),
        asks_code: opened.has_code,
        ..Form::default()
    }
}

async fn accept(
    app: &AppState,
    client: &Client,
    headers: &HeaderMap,
    opened: &Opened,
    fields: &Fields,
) -> Result<Response, Problem> {
    let mut form = accept_form(opened, fields);
    check(&mut form, &opened.sent.recipient);
    if !form.errors.is_empty() {
        return Ok(invalid(app, opened, &form, None));
    }
    if fields.contains_key("another") {
        return send_another_code(app, opened, form).await;
    }
    let code = form.code.clone();
    let typed = code
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>();
    let number = &opened.link.number;
    let email = meant(&form.email, &opened.sent.recipient).to_owned();
    let stored = |code: &str| app.offer_keys.code(number, &email, code);
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|agent| agent.to_str().ok());
    let acceptance = NewAcceptance {
        id: version_id(opened),
        acceptor: Acceptor::Customer {
            name: form.name.clone(),
            title: form.title.clone(),
            email: email.clone(),
            client: client.address.to_string(),
            user_agent: one_line(agent.unwrap_or_default(), MAX_AGENT),
            code: Some(typed)
                .filter(|typed| !typed.is_empty())
                .map(|typed| stored(&typed)),
        },
    };
    let now = app.clock.now();
    let key = app.seal_key.clone();
    match app.store.accept_offer(acceptance, key, now).await? {
        AcceptOutcome::Accepted | AcceptOutcome::Again => Ok(back(app, opened, "")),
        AcceptOutcome::Closed(_) => lost(app, opened).await,
        AcceptOutcome::NeedsCode => send_code(app, opened, form, false).await,
        AcceptOutcome::WrongCode => {
            form.asks_code = true;
            let message = "This code is wrong or no longer valid. Type the newest code of our \
                           email, or press “Send another code”.";
            form.errors.push(("code", message.to_owned()));
            Ok(invalid(app, opened, &form, None))
        }
    }
}

/// Finds what is wrong with the fields of an acceptance.
fn check(form: &mut Form, recipient: &str) {
    let mut errors = Vec::new();
    let length = form.name.chars().count();
    if length < 2 {
        errors.push(("name", "Type your first and last name.".to_owned()));
    } else if length > MAX_NAME {
        let message = format!("The name has {length} characters; at most {MAX_NAME} fit.");
        errors.push(("name", message));
    }
    let length = form.title.chars().count();
    if length > MAX_NAME {
        let message = format!("The title has {length} characters; at most {MAX_NAME} fit.");
        errors.push(("title", message));
    }
    if !is_mailable(meant(&form.email, recipient)) {
        let message = "Type your email address, as in name@company.com.";
        errors.push(("email", message.to_owned()));
    }
    if !form.has_consent {
        let message = "Check this box to accept the offer electronically.";
        errors.push(("consent", message.to_owned()));
    }
    form.errors = errors;
}

/// Sends a code in place of the one before.
async fn send_another_code(
    app: &AppState,
    opened: &Opened,
    mut form: Form,
) -> Result<Response, Problem> {
    let recipient = &opened.sent.recipient;
    if meant(&form.email, recipient).eq_ignore_ascii_case(recipient) {
        let message = "The address that this offer was sent to needs no code.";
        form.errors.push(("email", message.to_owned()));
        return Ok(invalid(app, opened, &form, None));
    }
    form.code.clear();
    send_code(app, opened, form, true).await
}

/// Sends a code to the address that was typed, unless it has a valid one and not `is_another`, and
/// prompts for it.
async fn send_code(
    app: &AppState,
    opened: &Opened,
    mut form: Form,
    is_another: bool,
) -> Result<Response, Problem> {
    let number = opened.link.number.clone();
    let code = six_digits();
    let sealed = app.auth.email_key().seal(&code, &number);
    let sealed = sealed.map_err(|error| {
        tracing::error!(%error, "a code cannot be sealed");
        Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The code cannot be sent. Please call us.",
        )
    })?;
    let new = NewCode {
        version: opened.link.version,
        address: form.email.clone(),
        code: app.offer_keys.code(&number, &form.email, &code),
        sealed,
        number,
        is_another,
    };
    match app.store.send_offer_code(new, app.clock.now()).await? {
        CodeOutcome::Sent => {
            form.asks_code = true;
            Ok(invalid(app, opened, &form, Some(Notice::CodeSent)))
        }
        CodeOutcome::Closed(_) => lost(app, opened).await,
        CodeOutcome::TooMany => {
            form.asks_code = true;
            let message = "Several codes were sent already. Use the newest one, or wait an hour.";
            form.errors.push(("code", message.to_owned()));
            Ok(invalid(app, opened, &form, None))
        }
    }
}

fn six_digits() -> String {
    let number = u64::from_le_bytes(ids::random_bytes::<8>()) % 1_000_000;
    format!("{number:06}")
}

async fn decline(app: &AppState, opened: &Opened, fields: &Fields) -> Result<Response, Problem> {
    let reason = text(fields, "reason");
    let length = reason.chars().count();
    if length > MAX_REASON {
        let message = format!("The text has {length} characters; at most {MAX_REASON} fit.");
        let form = Form {
            reason,
            errors: vec![("reason", message)],
            ..Form::of(opened)
        };
        return Ok(invalid(app, opened, &form, None));
    }
    record(app, opened, OfferAnswer::Declined { reason }, "").await
}

async fn ask(app: &AppState, opened: &Opened, fields: &Fields) -> Result<Response, Problem> {
    let question = text(fields, "question");
    let length = question.chars().count();
    let message = match length {
        0 => Some("Write your question.".to_owned()),
        _ if length > MAX_QUESTION => Some(format!(
            "The text has {length} characters; at most {MAX_QUESTION} fit."
        )),
        _ => None,
    };
    if let Some(message) = message {
        let form = Form {
            question,
            errors: vec![("question", message)],
            ..Form::of(opened)
        };
        return Ok(invalid(app, opened, &form, None));
    }
    record(
        app,
        opened,
        OfferAnswer::Question { text: question },
        "?asked",
    )
    .await
}

/// A person reads the page: sent by its script at the first press.
async fn read(app: &AppState, opened: &Opened) -> Result<Response, Problem> {
    if opened.sent.opened_at.is_none() {
        let now = app.clock.now();
        app.store.open_offer(version_id(opened), now).await?;
    }
    let nothing = Response::builder().status(StatusCode::NO_CONTENT);
    Ok(with_headers(nothing.finish()))
}

fn version_id(opened: &Opened) -> VersionId {
    VersionId {
        number: opened.link.number.clone(),
        version: opened.link.version,
    }
}

async fn record(
    app: &AppState,
    opened: &Opened,
    answer: OfferAnswer,
    query: &str,
) -> Result<Response, Problem> {
    let now = app.clock.now();
    let closed = app
        .store
        .answer_offer(version_id(opened), answer, None, now);
    match closed.await? {
        None => Ok(back(app, opened, query)),
        Some(_) => lost(app, opened).await,
    }
}

/// 409: the version was answered, or is no longer open. The page says which.
async fn lost(app: &AppState, opened: &Opened) -> Result<Response, Problem> {
    let path = app
        .offer_keys
        .path(&opened.link.number, opened.link.version);
    let name = path.trim_start_matches(domain::offer::link::PREFIX);
    let opened = match open(app, name).await {
        Ok(opened) => opened,
        Err(response) => return Ok(response),
    };
    let notice = match opened.sent.state_at(app.clock.now()) {
        OfferState::Sent => None,
        _ => Some(Notice::NotTaken),
    };
    let form = Form::of(&opened);
    let page = Page::new(app, &opened, &form, notice);
    Ok(respond(StatusCode::CONFLICT, page.html()))
}

fn invalid(app: &AppState, opened: &Opened, form: &Form, notice: Option<Notice>) -> Response {
    let page = Page::new(app, opened, form, notice);
    let status = match form.errors.is_empty() {
        true => StatusCode::OK,
        false => StatusCode::UNPROCESSABLE_ENTITY,
    };
    respond(status, page.html())
}

/// To the page, so that a reload sends nothing again.
fn back(app: &AppState, opened: &Opened, query: &str) -> Response {
    let path = app
        .offer_keys
        .path(&opened.link.number, opened.link.version);
    with_headers(
        Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, format!("{path}{query}"))
            .finish(),
    )
}

fn field(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), false)
}

fn text(fields: &Fields, name: &str) -> String {
    clean(fields.get(name).map_or("", String::as_str), true)
}
