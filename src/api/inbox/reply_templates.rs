//! The dashboard's calls for templates of replies: those of the program, one's own, and shared
//! ones.

use std::ops::RangeInclusive;

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::errors::unknown_request;
use super::parts::Inbox;
use super::replies::{SUBJECT_MAX, TEXT_MAX};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::account::profile::Profile;
use domain::clock::local_time::customer_time;
use domain::clock::{MINUTE_MS, Time};
use domain::email::reply_template::{self, FACTS, NewTemplate, ReplyTemplate};
use domain::request::Request;
use domain::text::{clean, strip_invisible};
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid, too_long};
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};
use store::Error;

/// Maximum code points of a title.
const TITLE_MAX: usize = 80;

#[derive(Object)]
struct ReplyTemplates {
    templates: Vec<ReplyTemplate>,
}

/// The endpoints.
pub struct TemplateApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Emails")]
impl TemplateApi {
    /// List the reply templates
    ///
    /// Each name of a fact in double braces is replaced by the fact.
    /// Those of the program, then yours and the shared ones, by title.
    #[oai(
        path = "/reply-templates",
        method = "get",
        operation_id = "listReplyTemplates"
    )]
    async fn templates(&self, desk: Desk<Inbox<'_>>) -> AdminResult<ReplyTemplates> {
        let templates = all(&desk).await?;
        Ok(Json(ReplyTemplates { templates }))
    }

    /// List the reply templates with the facts of a request
    ///
    /// `id` is the request's id or reference.
    /// Those of the program, then yours and the shared ones, by title.
    #[oai(
        path = "/inbox/:id/reply-templates",
        method = "get",
        operation_id = "listFilledReplyTemplates"
    )]
    async fn filled_templates(
        &self,
        desk: Desk<Inbox<'_>>,
        id: Path<String>,
    ) -> AdminResult<ReplyTemplates> {
        let request = desk.store.request(id.0).await.map_err(unknown_request)?;
        let facts = facts(&desk, &request, &desk.store.profile(desk.me()).await?);
        let templates = all(&desk).await?.into_iter();
        let templates = templates.map(|template| template.filled(&facts)).collect();
        Ok(Json(ReplyTemplates { templates }))
    }

    /// Store a reply template
    #[oai(
        path = "/reply-templates",
        method = "post",
        operation_id = "addReplyTemplate"
    )]
    async fn add(
        &self,
        desk: Desk<Inbox<'_>>,
        body: StrictJson<NewTemplate>,
    ) -> Result<Created<ReplyTemplate>, AdminError> {
        let me = desk.me();
        let mut new = body.0;
        if let Some(id) = new.request.take() {
            let request = desk.store.request(id).await.map_err(unknown_request)?;
            let facts = facts(&desk, &request, &Profile::default());
            new.subject = reply_template::unfill(&new.subject, &facts);
            new.text = reply_template::unfill(&new.text, &facts);
        }
        let (text, now) = (parse(&new)?, desk.now);
        let added = desk.store.add_template(me, text, now).await;
        Ok(Created::of(added.map_err(refused)?))
    }

    /// Change a reply template
    ///
    /// One of yours, or a shared one whose owner has left, which becomes yours.
    #[oai(
        path = "/reply-templates/:id",
        method = "put",
        operation_id = "changeReplyTemplate"
    )]
    async fn change(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<NewTemplate>,
    ) -> AdminResult<ReplyTemplate> {
        let (me, now) = (desk.me(), desk.now);
        let text = parse(&body.0)?;
        let changed = desk.store.change_template(id.0, me, text, now).await;
        Ok(Json(changed.map_err(refused)?))
    }

    /// Delete a reply template
    #[oai(
        path = "/reply-templates/:id",
        method = "delete",
        operation_id = "deleteReplyTemplate"
    )]
    async fn delete(&self, desk: Desk, id: Path<String>) -> Result<NoContent, AdminError> {
        let deleted = desk.store.delete_template(id.0, desk.me()).await;
        deleted.map_err(refused)?;
        Ok(NoContent::Done)
    }
}

/// The templates of the program, then those that `viewer` sees, with their `{{facts}}`.
async fn all(desk: &Desk<Inbox<'_>>) -> Result<Vec<ReplyTemplate>, Problem> {
    let mut templates = desk.reply_templates.clone();
    templates.extend(desk.store.reply_templates(desk.me()).await?);
    Ok(templates)
}

fn refused(error: Error) -> Problem {
    match error {
        Error::Conflict(detail) => Problem::from(Error::Conflict(detail)).with_field("title"),
        other => other.into(),
    }
}

/// The cleaned texts of a template; 422 for one that is too long or names an unknown fact.
fn parse(new: &NewTemplate) -> Result<NewTemplate, Problem> {
    let title = clean(&new.title, false);
    if !(1..=TITLE_MAX).contains(&title.chars().count()) {
        return Err(invalid(
            "title",
            "A template's name has 1 to 80 characters.",
        ));
    }
    Ok(NewTemplate {
        title,
        subject: parse_text(&new.subject, "subject", 0..=SUBJECT_MAX)?.replace('\n', " "),
        text: parse_text(&new.text, "text", 1..=TEXT_MAX)?,
        shared: new.shared,
        request: None,
    })
}

/// Minimum time until a due time that a template promises, in milliseconds.
const PROMISE_MARGIN_MS: i64 = 5 * MINUTE_MS;

/// When the customer can expect the answer, after "You will hear from us". A due time that will
/// have passed when the reply is read is not promised.
fn answer_by(desk: &Desk<Inbox<'_>>, request: &Request, due: Time) -> String {
    match due > desk.now.plus_millis(PROMISE_MARGIN_MS) {
        true => format!("by {}", customer_time(request, desk.time_zone, due)),
        false => "as soon as possible".to_owned(),
    }
}

/// The facts of a request, in the order of `FACTS`; `writer` sends the reply.
fn facts(desk: &Desk<Inbox<'_>>, request: &Request, writer: &Profile) -> [String; FACTS.len()] {
    let (due, site) = (desk.times.due_of(request), desk.publisher.site());
    let company = &site.company;
    [
        request.first_name.clone(),
        request.reference.clone(),
        request.service_label(desk.forms).to_owned(),
        answer_by(desk, request, due),
        format!(
            "{}{}",
            desk.server.origin(),
            desk.status_links.path(&request.reference)
        ),
        company.name.clone(),
        company.phone.clone(),
        reply_template::sender(writer, &company.name),
    ]
}

/// The cleaned text; 422 if it is too short or too long, or names an unknown fact.
fn parse_text(text: &str, field: &str, lengths: RangeInclusive<usize>) -> Result<String, Problem> {
    let text = text.replace("\r\n", "\n");
    let text = strip_invisible(&text).trim().to_owned();
    if text.chars().count() < *lengths.start() {
        return Err(invalid(field, "A template needs some text."));
    }
    if let Some(detail) = too_long(field, &text, *lengths.end()) {
        return Err(invalid(field, detail));
    }
    if let Some(unknown) = reply_template::unknown_fact(&text) {
        let known = FACTS.map(|name| format!("{{{{{name}}}}}")).join(", ");
        let detail = format!("{unknown} is not known. A template can have {known}.");
        return Err(invalid(field, detail));
    }
    Ok(text)
}
