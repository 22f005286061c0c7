//! People for assignment, named filters, and the caller's profile: how colleagues and customers see
//! them.

use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::desk::Desk;
use crate::tags::Tag;
use domain::account::{Person, profile};
use domain::ids;
use domain::text::clean;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::invalid;
use http::request::strict_json::StrictJson;
use http::request::success_responses::{Created, NoContent};
use store::lists::named_filters::NamedFilter;

/// Maximum length of a filter's name, in code points.
const MAX_NAME: usize = 80;
/// Maximum length of a filter's query string, in bytes.
const MAX_QUERY: usize = 2000;

/// The users to whom a request can be assigned.
#[derive(Object)]
struct People {
    people: Vec<Person>,
}

/// The named filters of an admin.
#[derive(Object)]
struct Filters {
    filters: Vec<NamedFilter>,
}

/// A filter to store. A filter of yours with the same name is replaced.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NewFilter {
    /// 1 to 80 characters.
    name: String,
    /// The query string of the dashboard's address.
    query: String,
    /// Whether all admins see it.
    #[serde(default)]
    #[oai(default)]
    shared: bool,
}

/// How colleagues and customers see you.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Profile {
    /// In the history and in the sender of your replies; at most 60 characters. Empty: the desk
    /// shows your address, and replies come from the company alone.
    name: String,
    /// The end of your replies: at most 500 characters in eight lines. Empty: none.
    signature: String,
}

impl From<profile::Profile> for Profile {
    fn from(profile: profile::Profile) -> Self {
        Self {
            name: profile.name.unwrap_or_default(),
            signature: profile.signature.unwrap_or_default(),
        }
    }
}

/// The calls about people, filters and the caller's profile.
pub struct PeopleApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::Desk")]
impl PeopleApi {
    /// List the users to whom requests can be assigned
    ///
    /// All active admins and dispatchers, by address.
    #[oai(path = "/people", method = "get", operation_id = "listPeople")]
    async fn people(&self, desk: Desk) -> AdminResult<People> {
        let people = desk.store.people(desk.now).await?;
        Ok(Json(People { people }))
    }

    /// List named filters
    ///
    /// Your filters and the shared ones of others, by name.
    #[oai(path = "/filters", method = "get", operation_id = "listFilters")]
    async fn filters(&self, desk: Desk) -> AdminResult<Filters> {
        let filters = desk.store.named_filters(desk.me()).await?;
        Ok(Json(Filters { filters }))
    }

    /// Store a named filter
    #[oai(path = "/filters", method = "post", operation_id = "saveFilter")]
    async fn save_filter(
        &self,
        desk: Desk,
        body: StrictJson<NewFilter>,
    ) -> Result<Created<NamedFilter>, AdminError> {
        let name = clean(&body.0.name, false);
        if !(1..=MAX_NAME).contains(&name.chars().count()) {
            return Err(invalid("name", "A filter's name has 1 to 80 characters.").into());
        }
        let query = body.0.query.trim_start_matches('?');
        let is_plain = query.bytes().all(|byte| byte.is_ascii_graphic());
        if query.len() > MAX_QUERY || !is_plain {
            let detail = "`query` is the query string of the desk's address.";
            return Err(invalid("query", detail).into());
        }
        let filter = NamedFilter {
            id: ids::new(desk.now).to_string(),
            name,
            query: query.to_owned(),
            shared: body.0.shared,
            own: true,
        };
        let owner = desk.me();
        let saved = desk.store.save_filter(filter, owner, desk.now);
        Ok(Created::of(saved.await?))
    }

    /// Delete a named filter
    #[oai(
        path = "/filters/:id",
        method = "delete",
        operation_id = "deleteFilter"
    )]
    async fn delete_filter(&self, desk: Desk, id: Path<String>) -> Result<NoContent, AdminError> {
        desk.store.delete_filter(id.0, desk.me()).await?;
        Ok(NoContent::Done)
    }

    /// Get your profile
    #[oai(path = "/profile", method = "get", operation_id = "readProfile")]
    async fn profile(&self, desk: Desk) -> AdminResult<Profile> {
        let profile = desk.store.profile(desk.me()).await?;
        Ok(Json(profile.into()))
    }

    /// Change your profile
    ///
    /// No two people have the same name.
    #[oai(path = "/profile", method = "put", operation_id = "saveProfile")]
    async fn save_profile(&self, desk: Desk, body: StrictJson<Profile>) -> AdminResult<Profile> {
        let parsed = profile::Profile::parse(&body.0.name, &body.0.signature);
        let profile = parsed.map_err(|fault| invalid(fault.field, fault.message))?;
        let saved = desk
            .store
            .save_profile(profile.clone(), desk.actor(), desk.now)
            .await;
        saved.map_err(|error| match error {
            store::Error::Conflict(detail) => invalid("name", detail),
            other => other.into(),
        })?;
        Ok(Json(profile.into()))
    }
}
