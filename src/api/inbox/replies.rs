//! The dashboard's calls for emails of requests: replies, and retries of failed emails.

use poem::http::StatusCode;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::dto::event::RequestEvent;
use super::errors::unknown_request;
use super::parts::Inbox;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::local_time::long_time;
use domain::clock::time_zone::TimeZone;
use domain::email::email_address::EmailAddress;
use domain::email::reply_template::unfilled;
use domain::request::event::Verb;
use domain::storage::MAX_FILE_BYTES;
use domain::text::sample::sample_line;
use domain::text::strip_invisible;
use http::request::error_responses::AdminError;
use http::request::problem::{AnsweredSince, Problem, invalid, too_long};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Accepted, Created};
use store::Store;
use store::inbox::replies::{NewReply, ReplyFile};
use store::storage::objects::Object as StoredObject;

/// Maximum code points of a subject.
pub(super) const SUBJECT_MAX: usize = 200;
/// Maximum code points of a text.
pub(super) const TEXT_MAX: usize = 10_000;
/// Maximum further recipients.
const MAX_CC: usize = 5;
/// Maximum files of a reply.
const MAX_FILES: usize = 10;
/// Lifetime of a link to a file, in seconds: a week.
const LINK_SECONDS: u32 = 604_800;

/// A reply to the visitor.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    /// At most 200 characters.
    subject: String,
    /// Plain text, at most 10,000 characters. Your signature follows it.
    text: String,
    /// The recipient: the customer's address if absent, or one at which a message of the
    /// conversation asks for its answer (`reply_to`).
    to: Option<String>,
    /// Up to five further addresses.
    cc: Option<Vec<String>>,
    /// Up to ten files of the request, of its conversation, or uploaded for the reply to
    /// `mail/<id of the request>/` of the storage service, as `bucket/key`. Beyond 10 MB in all,
    /// the email has links in their place, which work for seven days.
    files: Option<Vec<String>>,
    /// The id of the last event of the history that you have seen. If a colleague has answered the
    /// customer since, the reply is refused; send it again with the `last_event` of the refusal to
    /// send it anyway.
    seen: Option<i64>,
}

/// The endpoints.
pub struct ReplyApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Emails")]
impl ReplyApi {
    /// Reply to a visitor
    ///
    /// The email is sent after ten seconds; until then it can be undone. When the mail server has
    /// accepted it, the request counts as answered, unless the customer wants a call. The same
    /// reply within ten minutes is not stored twice. 409 with the code `answered_since`, and
    /// `answered`: a colleague has answered since the event `seen`. `id` is the request's id or
    /// reference.
    /// Stored; sent in ten seconds, or the same reply was stored before.
    #[oai(
        path = "/inbox/:id/replies",
        method = "post",
        operation_id = "replyToRequest"
    )]
    async fn reply(
        &self,
        desk: Desk<Inbox<'_>>,
        id: Path<String>,
        body: StrictJson<Reply>,
    ) -> Result<Created<RequestEvent>, AdminError> {
        let body = body.0;
        let files = at_most(MAX_FILES, "files", body.files)?;
        let reply = NewReply {
            subject: required("subject", &body.subject, SUBJECT_MAX)?,
            text: required("text", &body.text, TEXT_MAX)?,
            to: recipient(&desk.store, &id.0, body.to).await?,
            cc: addresses(at_most(MAX_CC, "cc", body.cc)?)?,
            files: reply_files(&desk, &id.0, files).await?,
            seen: body.seen,
        };
        let event = desk.store.reply(id.0, reply, desk.me(), desk.now).await;
        let event = event.map_err(unknown_request)?;
        let event = event.map_err(|since| answered_since(desk.time_zone, *since))?;
        let history = [event.clone()];
        Ok(Created::of(RequestEvent::of_caller(&desk, event, &history)))
    }

    /// Send a failed email again
    ///
    /// `id` is the `email_id` in the history of a request.
    /// It is sent again at once.
    #[oai(
        path = "/emails/:id/retry",
        method = "post",
        operation_id = "retryEmail"
    )]
    async fn retry(&self, desk: Desk, id: Path<String>) -> Result<Accepted, AdminError> {
        let id = id.parse().map_err(|_| {
            Problem::new(StatusCode::BAD_REQUEST, "The id of an email is a number.")
        })?;
        desk.store.retry_request_email(id, desk.now).await?;
        Ok(Accepted::Queued)
    }
}

/// The recipient, if it is not the customer's address: one that the conversation names.
async fn recipient(store: &Store, id: &str, to: Option<String>) -> Result<Option<String>, Problem> {
    let Some(to) = to.filter(|to| !to.is_empty()) else {
        return Ok(None);
    };
    let request = store.request(id.to_owned()).await;
    if request
        .map_err(unknown_request)?
        .email
        .eq_ignore_ascii_case(&to)
    {
        return Ok(None);
    }
    let named = store.answer_addresses(id.to_owned()).await;
    match named
        .map_err(unknown_request)?
        .into_iter()
        .find(|it| it.eq_ignore_ascii_case(&to))
    {
        Some(named) => Ok(Some(named)),
        None => Err(invalid(
            "to",
            "No message of this request asks for an answer there.",
        )),
    }
}

/// The list; empty if it is absent. Errors: 422 if it is too long.
fn at_most(max: usize, member: &str, list: Option<Vec<String>>) -> Result<Vec<String>, Problem> {
    let list = list.unwrap_or_default();
    if list.len() > max {
        let detail = format!("`{member}` is a list of at most {max} texts.");
        return Err(invalid(member, detail));
    }
    Ok(list)
}

fn addresses(cc: Vec<String>) -> Result<Vec<String>, Problem> {
    let is_address = |address: &&String| address.parse::<EmailAddress>().is_ok();
    match cc.iter().find(|address| !is_address(address)) {
        Some(wrong) => Err(invalid("cc", format!("{wrong} is not an email address."))),
        None => Ok(cc),
    }
}

/// The files of a reply; with links if they are too large for an email.
async fn reply_files(
    desk: &Desk<Inbox<'_>>,
    id: &str,
    names: Vec<String>,
) -> Result<Vec<ReplyFile>, Problem> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let objects = desk.store.reply_files(id.to_owned(), names).await;
    let objects = objects.map_err(|error| match error {
        store::Error::Conflict(detail) => invalid("files", detail),
        other => unknown_request(other),
    })?;
    let size: u64 = objects.iter().map(|object| object.size).sum();
    let mut files = Vec::new();
    for object in objects {
        let link = match size > MAX_FILE_BYTES {
            true => Some(link(desk, &object).await?),
            false => None,
        };
        files.push(ReplyFile { object, link });
    }
    Ok(files)
}

/// A link to a file for seven days.
async fn link(inbox: &Inbox<'_>, object: &StoredObject) -> Result<String, Problem> {
    let (bucket, key) = (object.bucket_id.clone(), object.name.clone());
    let token = inbox.files.sign_download(bucket, key, LINK_SECONDS).await;
    let token = token.map_err(|error| {
        error.log();
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The links to the files could not be made. Please try again.",
        )
    })?;
    let path = object.name.replace('%', "%25").replace(' ', "%20");
    let origin = inbox.server.origin();
    Ok(format!(
        "{origin}/storage/v1/object/sign/{}/{path}?token={token}",
        object.bucket_id
    ))
}

/// Says who has answered the customer, how and when.
fn answered_since(zone: &TimeZone, since: store::inbox::replies::AnsweredSince) -> Problem {
    let answer = since.answer;
    let how = match answer.event.verb() {
        Verb::Called => "called and reached the customer",
        Verb::OfferSent => "sent an offer",
        _ => "replied",
    };
    let detail = format!(
        "{} {how} on {}, after you opened this reply. Read the history, then send yours anyway, \
         or drop it.",
        answer.actor_shown(),
        long_time(zone, answer.at)
    );
    Problem::conflict(detail).with_answer(AnsweredSince {
        by: answer.actor,
        verb: answer.event.verb(),
        at: answer.at.to_string(),
        last_event: since.last_event,
    })
}

/// The text without invisible characters; 422 if it is empty or too long, or contains
/// an unfilled fact.
fn required(member: &str, text: &str, max: usize) -> Result<String, Problem> {
    let refused = |detail: String| invalid(member, detail);
    let text = text.replace("\r\n", "\n");
    let text = strip_invisible(&text).trim().to_owned();
    if text.is_empty() {
        return Err(refused(format!("A reply needs a {member}.")));
    }
    if let Some(detail) = too_long(member, &text, max) {
        return Err(refused(detail));
    }
    if let Some(fact) = unfilled(&text) {
        return Err(refused(format!(
            "Replace {fact} in the {member} before you send it."
        )));
    }
    if let Some(line) = sample_line(&text) {
        return Err(refused(format!(
            "The {member} has a sample: \u{201c}{line}\u{201d}. Write your own words in its place."
        )));
    }
    Ok(text)
}
