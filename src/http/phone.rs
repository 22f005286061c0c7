//! Callbacks of the phone provider: what a call says, the key that was pressed, how the call ended,
//! and text messages. Each is signed.

use poem::http::{HeaderMap, StatusCode, Uri};
use poem::web::Path;
use poem::{Body, Request, Response, handler};

use crate::request::body::read;
use crate::request::client_address::Client;
use crate::request::problem::{Problem, invalid};
use crate::{Uses, area};
pub use alarms::phone::PREFIX;
use alarms::phone::{gather, reply, say};
use store::on_call::answer::{Answer, Answered};

/// The route template.
pub const TEMPLATE: &str = "/api/phone/{what}";
/// The longest body, in bytes.
const MAX_BODY: usize = 16 * 1024;

area! {
    /// What the callbacks touch.
    PhoneCalls: store, clock, alarms, bodies
}

type Form = Vec<(String, String)>;

/// A callback of a call: `call`, `key` or `status`, with the number of its message.
#[handler]
pub async fn callback(
    app: Uses<PhoneCalls<'_>>,
    Path((what, id)): Path<(String, i64)>,
    request: &Request,
    body: Body,
) -> poem::Result<Response> {
    let form = signed_form(&app, request, body).await?;
    let found = app.store.alarm_message(id).await.map_err(Problem::from)?;
    let message = found.ok_or_else(unknown)?;
    let now = app.clock.now();
    let placed = app.store.call_placed(id, now).await;
    placed.map_err(Problem::from)?;
    let answer = match (what.as_str(), value(&form, "Digits")) {
        ("call", _) => gather(&app.alarms.texts.call(&message, now), id),
        ("key", key) => {
            let given = format!("call {id} {key}");
            match pressed(&app, id, given, key, "call").await? {
                Some((answer, _)) => say(&answer),
                None => gather(&app.alarms.texts.call(&message, now), id),
            }
        }
        ("status", _) => {
            let ended = match value(&form, "CallStatus") {
                "completed" => "no key was pressed",
                "busy" => "the line was busy",
                "no-answer" => "nobody answered the call",
                "failed" | "canceled" => "the call failed",
                _ => return Ok(xml(reply(""))),
            };
            let rules = app.alarms.rules.clone();
            let recorded = app.store.call_ended(id, ended.to_owned(), rules, now);
            recorded.await.map_err(Problem::from)?;
            reply("")
        }
        _ => return Err(unknown().into()),
    };
    Ok(xml(answer))
}

/// A text message to the number of the settings: `1` acknowledges the alarms that the last call or
/// text message to its sender named, `2` passes them on.
#[handler]
pub async fn text_message(
    app: Uses<PhoneCalls<'_>>,
    request: &Request,
    body: Body,
) -> poem::Result<Response> {
    let form = signed_form(&app, request, body).await?;
    let (from, text) = (value(&form, "From").to_owned(), value(&form, "Body").trim());
    let given = match value(&form, "MessageSid") {
        "" => return Err(invalid("MessageSid", "The id of the message is missing.").into()),
        sid => format!("sms {sid}"),
    };
    let found = app.store.last_message_to(from).await;
    let answer = match found.map_err(Problem::from)? {
        Some(message) => match pressed(&app, message, given, text, "sms").await? {
            Some((answer, true)) => answer,
            // The answer was sent before.
            Some((_, false)) => String::new(),
            None => "Reply 1 to take it, 2 to pass it on.".to_owned(),
        },
        // Nothing is said to strangers, who could make it costly.
        None => String::new(),
    };
    Ok(xml(reply(&answer)))
}

/// Does what a person asks for by key or text: 1 takes the alarms that the message named, 2 passes
/// them on. Returns what to say, and whether it was asked for the first time; `None` for any other
/// key.
async fn pressed(
    app: &PhoneCalls<'_>,
    message: i64,
    given: String,
    key: &str,
    by: &'static str,
) -> Result<Option<(String, bool)>, Problem> {
    let takes = match key {
        "1" => true,
        "2" => false,
        _ => return Ok(None),
    };
    let (again, now) = (app.alarms.rules.again_ms, app.clock.now());
    let answer = Answer {
        message,
        id: given,
        takes,
        by,
    };
    let said = match (app.store.answer_message(answer, again, now).await, takes) {
        (Ok(Answered::Repeated), _) => return Ok(Some(("Thank you.".to_owned(), false))),
        // It may have been erased since.
        (Ok(Answered::Alarms(0)) | Err(store::Error::Missing), _) => {
            "It does not wait any more.".to_owned()
        }
        (Ok(Answered::Alarms(1)), true) => "Thank you. It is yours now.".to_owned(),
        (Ok(Answered::Alarms(count)), true) => format!("Thank you. All {count} are yours now."),
        (Ok(Answered::Alarms(1)), false) => "It has been passed on to the next person.".to_owned(),
        (Ok(Answered::Alarms(count)), false) => {
            format!("All {count} have been passed on to the next person.")
        }
        (Err(error), _) => return Err(error.into()),
    };
    let about = app.store.alarm_message(message).await?;
    let about = about.map(|it| app.alarms.texts.named(&it, now));
    Ok(Some((
        format!("{said} {}", about.unwrap_or_default())
            .trim()
            .to_owned(),
        true,
    )))
}

/// The fields of a callback. Fails unless the provider has signed it.
async fn signed_form(app: &PhoneCalls<'_>, request: &Request, body: Body) -> poem::Result<Form> {
    let phone = app.alarms.phone.as_ref().ok_or_else(unknown)?;
    let mut lease = app.bodies.lease(Client::of(request)?.address);
    let bytes = read(
        request.headers(),
        body,
        MAX_BODY,
        app.bodies.timeout,
        &mut lease,
    )
    .await;
    let bytes = bytes.map_err(Problem::from)?;
    let form: Form = serde_urlencoded::from_bytes(&bytes).unwrap_or_default();
    let signature = signature(request.headers());
    match phone.is_signed(path(request.original_uri()), &form, signature) {
        true => Ok(form),
        false => Err(Problem::new(
            StatusCode::FORBIDDEN,
            "The signature of the phone provider is missing or wrong.",
        )
        .into()),
    }
}

fn path(uri: &Uri) -> &str {
    uri.path_and_query().map_or("", |path| path.as_str())
}

fn signature(headers: &HeaderMap) -> &str {
    let value = headers.get("x-twilio-signature");
    value
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}

fn value<'a>(form: &'a Form, name: &str) -> &'a str {
    let found = form.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, value)| value)
}

fn unknown() -> Problem {
    Problem::missing("There is nothing at this address.")
}

fn xml(text: String) -> Response {
    Response::builder()
        .content_type("text/xml; charset=utf-8")
        .body(text)
}
