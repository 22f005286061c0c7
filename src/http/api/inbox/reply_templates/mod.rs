//! The dashboard's calls for templates of replies: those of the program, one's own, and shared
//! ones.

mod facts;
mod texts;

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use self::facts::facts;
use self::texts::parse_text;
use super::errors::unknown_request;
use super::replies::{SUBJECT_MAX, TEXT_MAX};
use crate::AppState;
use crate::api::tags::Tag;
use crate::request::error_responses::AdminError;
use crate::request::problem::{Problem, invalid};
use crate::request::require_admin::Admin;
use crate::request::strict_json::StrictJson;
use crate::request::success_responses::{Created, NoContent};
use domain::account::profile::Profile;
use domain::email::reply_template;
use domain::email::reply_template::{FACTS, ReplyTemplate};
use domain::text::clean;
use store::{Error, StoredTemplate, TemplateText};

/// Maximum code points of a title.
const TITLE_MAX: usize = 80;

/// A template of a reply.
#[derive(Object)]
#[oai(rename = "ReplyTemplate")]
struct Template {
    /// Identifies it; the id of one that an admin has written.
    key: String,
    /// Its name in a menu.
    title: String,
    subject: String,
    text: String,
    /// Whether all admins see it.
    shared: bool,
    /// Whether you may change and delete it.
    editable: bool,
}

impl From<ReplyTemplate> for Template {
    fn from(template: ReplyTemplate) -> Self {
        Self {
            key: template.key,
            title: template.title,
            subject: template.subject,
            text: template.text,
            shared: true,
            editable: false,
        }
    }
}

impl Template {
    /// A stored one as `viewer` sees it.
    fn stored(template: StoredTemplate, viewer: &str) -> Self {
        Self {
            editable: template.is_editable_by(viewer),
            key: template.id,
            title: template.title,
            subject: template.subject,
            text: template.text,
            shared: template.shared,
        }
    }

    fn filled(self, facts: &[String; FACTS.len()]) -> Self {
        Self {
            subject: reply_template::fill(&self.subject, facts),
            text: reply_template::fill(&self.text, facts).trim().to_owned(),
            ..self
        }
    }
}

#[derive(Object)]
struct ReplyTemplates {
    templates: Vec<Template>,
}

/// A template to store.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTemplate {
    /// 1 to 80 characters; no two of yours are the same.
    title: String,
    /// At most 200 characters; may be empty.
    #[serde(default)]
    #[oai(default)]
    subject: String,
    /// 1 to 10,000 characters. A fact's name in double braces is replaced by the fact.
    text: String,
    /// Whether all admins see it.
    #[serde(default)]
    #[oai(default)]
    shared: bool,
    /// The id or reference of the request for which the text was written: what belongs to it, such
    /// as the customer's name, becomes the name of a fact in double braces again.
    request: Option<String>,
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
    async fn templates(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
    ) -> Result<Json<ReplyTemplates>, AdminError> {
        let templates = all(&app, &admin.0.user.id).await?;
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
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<String>,
    ) -> Result<Json<ReplyTemplates>, AdminError> {
        let me = admin.0.user.id;
        let request = app.store.request(id.0).await.map_err(unknown_request)?;
        let facts = facts(&app, &request, &app.store.profile(me.clone()).await?);
        let templates = all(&app, &me).await?.into_iter();
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
        app: Data<&Arc<AppState>>,
        admin: Admin,
        body: StrictJson<NewTemplate>,
    ) -> Result<Created<Template>, AdminError> {
        let me = admin.0.user.id;
        let mut new = body.0;
        if let Some(id) = new.request.take() {
            let request = app.store.request(id).await.map_err(unknown_request)?;
            let facts = facts(&app, &request, &Profile::default());
            new.subject = reply_template::unfill(&new.subject, &facts);
            new.text = reply_template::unfill(&new.text, &facts);
        }
        let (text, now) = (parse(&new)?, app.clock.now());
        let added = app.store.add_template(me.clone(), text, now).await;
        let added = added.map_err(refused)?;
        Ok(Created(Template::stored(added, &me)))
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
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<String>,
        body: StrictJson<NewTemplate>,
    ) -> Result<Json<Template>, AdminError> {
        let (me, now) = (admin.0.user.id, app.clock.now());
        let text = parse(&body.0)?;
        let changed = app.store.change_template(id.0, me.clone(), text, now);
        let changed = changed.await.map_err(refused)?;
        Ok(Json(Template::stored(changed, &me)))
    }

    /// Delete a reply template
    #[oai(
        path = "/reply-templates/:id",
        method = "delete",
        operation_id = "deleteReplyTemplate"
    )]
    async fn delete(
        &self,
        app: Data<&Arc<AppState>>,
        admin: Admin,
        id: Path<String>,
    ) -> Result<NoContent, AdminError> {
        let deleted = app.store.delete_template(id.0, admin.0.user.id).await;
        deleted.map_err(refused)?;
        Ok(NoContent)
    }
}

/// The templates of the program, then those that `viewer` sees, with their `{{facts}}`.
async fn all(app: &AppState, viewer: &str) -> Result<Vec<Template>, Problem> {
    let stored = app.store.reply_templates(viewer.to_owned()).await?;
    let shipped = app.reply_templates.iter().cloned().map(Template::from);
    let stored = stored.into_iter();
    let stored = stored.map(|template| Template::stored(template, viewer));
    Ok(shipped.chain(stored).collect())
}

fn refused(error: Error) -> Problem {
    match error {
        Error::Conflict(detail) => Problem::from(Error::Conflict(detail)).with_field("title"),
        other => other.into(),
    }
}

/// The cleaned texts of a template; 422 for one that is too long or names an unknown fact.
fn parse(new: &NewTemplate) -> Result<TemplateText, Problem> {
    let title = clean(&new.title, false);
    if !(1..=TITLE_MAX).contains(&title.chars().count()) {
        return Err(invalid(
            "title",
            "A template's name has 1 to 80 characters.",
        ));
    }
    Ok(TemplateText {
        title,
        subject: parse_text(&new.subject, "subject", 0..=SUBJECT_MAX)?.replace('\n', " "),
        text: parse_text(&new.text, "text", 1..=TEXT_MAX)?,
        shared: new.shared,
    })
}
