//! Acceptances by customers, and the codes that confirm another address than the recipient's.

use poem::Response;
use poem::http::{HeaderMap, StatusCode, header};

use super::form::{Form, Opened, meant};
use super::page::Notice;
use super::parts::OfferPages;
use super::posted::field;
use super::responses::{back, invalid, lost};
use crate::request::client_address::Client;
use crate::request::posted_fields::Fields;
use crate::request::problem::{Problem, too_long};
use domain::email::email_address::is_mailable;
use domain::ids;
use domain::text::one_line;
use store::offers::{AcceptOutcome, Acceptor, CodeOutcome, NewAcceptance, NewCode};

const MAX_NAME: usize = 100;
const MAX_AGENT: usize = 300;

/// What was typed into the form of an acceptance.
pub(super) fn accept_form(opened: &Opened, fields: &Fields) -> Form {
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

/// Accepts the offer, or asks for what is missing.
pub(super) async fn accept(
    app: &OfferPages<'_>,
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
        id: opened.version_id(),
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
    if form.name.chars().count() < 2 {
        errors.push(("name", "Type your first and last name.".to_owned()));
    }
    for (field, text) in [("name", &form.name), ("title", &form.title)] {
        errors.extend(too_long(field, text, MAX_NAME).map(|message| (field, message)));
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
    app: &OfferPages<'_>,
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
    app: &OfferPages<'_>,
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
