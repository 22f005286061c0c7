//! The dashboard's calls for templates of replies: those of the program, one's own, and shared
//! ones.

mod facts;
mod texts;

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use self::facts::facts;
use self::texts::parse_text;
use super::errors::unknown_request;
use super::replies::{SUBJECT_MAX, TEXT_MAX};
use crate::desk::Desk;
use crate::tags::Tag;
use domain::account::profile::Profile;
use domain::email::reply_template;
use domain::email::reply_template::{NewTemplate, ReplyTemplate};
use domain::text::clean;
use http::AppState;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid};
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
    async fn templates(&self, desk: Desk) -> AdminResult<ReplyTemplates> {
        let templates = all(&desk, &desk.caller.user.id).await?;
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
    async fn filled_templates(&self, desk: Desk, id: Path<String>) -> AdminResult<ReplyTemplates> {
        let me = desk.me();
        let request = desk.store.request(id.0).await.map_err(unknown_request)?;
        let facts = facts(&desk, &request, &desk.store.profile(me.clone()).await?);
        let templates = all(&desk, &me).await?.into_iter();
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
        desk: Desk,
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
        Ok(Created(added.map_err(refused)?))
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
        Ok(NoContent)
    }
}

/// The templates of the program, then those that `viewer` sees, with their `{{facts}}`.
async fn all(app: &AppState, viewer: &str) -> Result<Vec<ReplyTemplate>, Problem> {
    let mut templates = app.reply_templates.clone();
    templates.extend(app.store.reply_templates(viewer.to_owned()).await?);
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
