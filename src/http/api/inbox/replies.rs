//! The dashboard's calls for emails of requests: reply templates, replies, and retries of failed
//! emails.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};

use super::dto::Event;
use super::errors::unknown_request;
use crate::domain::clock::Time;
use crate::domain::local_time::customer_time;
use crate::domain::reply_template;
use crate::domain::reply_template::{ReplyTemplate, unfilled};
use crate::domain::request::{Request, RequestKind};
use crate::domain::text::strip_invisible;
use crate::http::AppState;
use crate::http::api::tags::Tag;
use crate::http::request::error_responses::AdminError;
use crate::http::request::problem::Problem;
use crate::http::request::require_admin::Admin;
use crate::http::request::strict_json::{StrictJson, UniqueKeys};
use crate::store::NewReply;

/// Maximum code points of a subject.
const SUBJECT_MAX: usize = 200;
/// Maximum code points of a text.
const TEXT_MAX: usize = 10_000;
/// Minimum time until a due time that a template promises, in milliseconds.
const PROMISE_MARGIN_MS: i64 = 5 * 60 * 1000;

/// A template of a reply.
#[derive(Object)]
#[oai(rename = "ReplyTemplate")]
struct Template {
    key: String,
    /// Its name in a menu.
    title: String,
    subject: String,
    text: String,
}

impl From<ReplyTemplate> for Template {
    fn from(template: ReplyTemplate) -> Self {
        Self {
            key: template.key,
            title: template.title,
            subject: template.subject,
            text: template.text,
        }
    }
}

#[derive(Object)]
struct ReplyTemplates {
    templates: Vec<Template>,
}

/// A reply to the visitor.
#[derive(Object)]
#[oai(rename = "Reply")]
struct ReplyBody {
    /// At most 200 characters.
    subject: Option<String>,
    /// Plain text, at most 10,000 characters.
    text: Option<String>,
}

#[derive(ApiResponse)]
enum TemplatesResponse {
    /// The templates.
    #[oai(status = 200)]
    Ok(Json<ReplyTemplates>),
}

#[derive(ApiResponse)]
enum ReplyResponse {
    /// Stored; sent in ten seconds, or the same reply was stored before.
    #[oai(status = 201)]
    Created(Json<Event>),
}

#[derive(ApiResponse)]
enum RetryResponse {
    /// It is sent again at once.
    #[oai(status = 202)]
    Accepted,
}

/// The endpoints.
pub struct ReplyApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl ReplyApi {
    /// List the reply templates
    ///
    /// Each name of a fact in double braces is replaced by the fact.
    #[oai(
        path = "/reply-templates",
        method = "get",
        operation_id = "listReplyTemplates"
    )]
    async fn templates(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
    ) -> Result<TemplatesResponse, AdminError> {
        let templates = app.reply_templates.iter().cloned().map(Template::from);
        Ok(TemplatesResponse::Ok(Json(ReplyTemplates {
            templates: templates.collect(),
        })))
    }

    /// List the reply templates with the facts of a request
    ///
    /// `id` is the request's id or reference.
    #[oai(
        path = "/inbox/:id/reply-templates",
        method = "get",
        operation_id = "listFilledReplyTemplates"
    )]
    async fn filled_templates(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<String>,
    ) -> Result<TemplatesResponse, AdminError> {
        let request = app.store.request(id.0).await.map_err(unknown_request)?;
        let facts = facts(&app, &request);
        let templates = app.reply_templates.iter();
        Ok(TemplatesResponse::Ok(Json(ReplyTemplates {
            templates: templates
                .map(|template| template.filled(&facts).into())
                .collect(),
        })))
    }

    /// Reply to a visitor
    ///
    /// The email is sent after ten seconds; until then it can be undone. When the mail server has
    /// accepted it, the request counts as answered, unless the customer wants a call. The same
    /// reply within ten minutes is not stored twice. `id` is the request's id or reference.
    #[oai(
        path = "/inbox/:id/replies",
        method = "post",
        operation_id = "replyToRequest"
    )]
    async fn reply(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<String>,
        body: StrictJson<UniqueKeys, ReplyBody>,
    ) -> Result<ReplyResponse, AdminError> {
        let reply = NewReply {
            subject: required(&body.0, "subject", SUBJECT_MAX)?,
            text: required(&body.0, "text", TEXT_MAX)?,
        };
        let (viewer, now) = (admin.0.user.id, app.clock.now());
        let event = app.store.reply(id.0, reply, viewer.clone(), now).await;
        let event = event.map_err(unknown_request)?;
        let history = [event.clone()];
        Ok(ReplyResponse::Created(Json(Event::new(
            event, &history, &viewer, now,
        ))))
    }

    /// Send a failed email again
    ///
    /// `id` is the `email_id` in the history of a request.
    #[oai(
        path = "/emails/:id/retry",
        method = "post",
        operation_id = "retryEmail"
    )]
    async fn retry(
        &self,
        app: Data<&Arc<AppState>>,
        _admin: Admin,
        id: Path<String>,
    ) -> Result<RetryResponse, AdminError> {
        let id = id.parse().map_err(|_| {
            Problem::new(StatusCode::BAD_REQUEST, "The id of an email is a number.")
        })?;
        app.store.retry_request_email(id, app.clock.now()).await?;
        Ok(RetryResponse::Accepted)
    }
}

/// The text of a member without invisible characters; 422 if it is empty or too long, or contains
/// an unfilled fact.
fn required(body: &UniqueKeys, member: &str, max: usize) -> Result<String, Problem> {
    let refused =
        |detail: String| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail).with_field(member);
    let text = body.text(member).unwrap_or_default().replace("\r\n", "\n");
    let text = strip_invisible(&text).trim().to_owned();
    let length = text.chars().count();
    if text.is_empty() {
        return Err(refused(format!("A reply needs a {member}.")));
    }
    if length > max {
        return Err(refused(format!(
            "The {member} has {length} characters; at most {max} are sent."
        )));
    }
    if let Some(fact) = unfilled(&text) {
        return Err(refused(format!(
            "Replace {fact} in the {member} before you send it."
        )));
    }
    Ok(text)
}

/// When the customer can expect the answer, after "You will hear from us". A due time that will
/// have passed when the reply is read is not promised.
fn answer_by(app: &AppState, request: &Request, due: Time) -> String {
    match due > app.clock.now().plus_millis(PROMISE_MARGIN_MS) {
        true => format!("by {}", customer_time(request, &app.time_zone, due)),
        false => "as soon as possible".to_owned(),
    }
}

/// The facts of a request, in the order of `reply_template::FACTS`.
fn facts(app: &AppState, request: &Request) -> [String; reply_template::FACTS.len()] {
    let (form, field) = match request.kind {
        RequestKind::Quote => (&app.forms.quote, "service_type"),
        RequestKind::Message => (&app.forms.contact, "service"),
    };
    let (due, site) = (app.answer_times.due_of(request), app.site());
    [
        request.first_name.clone(),
        request.reference.clone(),
        form.label(field, &request.service).to_owned(),
        answer_by(app, request, due),
        format!(
            "{}{}",
            app.server.origin(),
            app.status_links.path(&request.reference)
        ),
        site.company.name.clone(),
        site.company.phone.clone(),
    ]
}
