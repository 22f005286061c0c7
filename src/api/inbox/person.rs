//! The stored data of a visitor: numbers, an export, and the erasure. The address is in the body,
//! because paths are logged.

use poem::Body;
use poem::http::StatusCode;
use poem_openapi::payload::{Attachment, Json};
use poem_openapi::{Object, OpenApi};

use crate::desk::{Admin, Desk, RecentAdmin};
use crate::tags::Tag;
use backup::erasure::{Actor, Error};
use http::area;
use http::request::error_responses::{AdminError, AdminResult};
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use store::person::Erased;

/// Maximum length of an address, in bytes: the longest deliverable one, and some white space.
const MAX_EMAIL: usize = 320;

/// A visitor.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Visitor {
    /// The email address of the requests.
    email: String,
}

/// A visitor to erase.
#[derive(Object, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct VisitorToErase {
    /// The email address of the requests.
    email: String,
    /// The same address, typed by hand: an erasure cannot be undone.
    confirm: String,
}

/// The number of rows stored about a visitor, or erased.
#[derive(Object)]
struct VisitorData {
    /// The email address of the requests.
    email: String,
    #[oai(flatten)]
    rows: Erased,
    /// Whether an account has this address, which an erasure keeps.
    has_account: bool,
}

area! {
    /// What the calls about one visitor touch.
    Visitors: eraser, files
}

/// The calls about one visitor.
pub struct PersonApi;

#[OpenApi(prefix_path = "/api/admin/person", tag = "Tag::Desk")]
impl PersonApi {
    /// Count what is stored about a visitor
    ///
    /// Finds the requests with this email address in any state, and the data that belongs to them.
    /// What an erasure would delete; zeros if nothing is stored.
    #[oai(path = "/find", method = "post", operation_id = "findPerson")]
    async fn find(
        &self,
        desk: Admin<Visitors<'_>>,
        body: StrictJson<Visitor>,
    ) -> AdminResult<VisitorData> {
        let email = address(&body.0.email)?;
        let found = desk.eraser.find(&email).await.map_err(refusal)?;
        Ok(Json(VisitorData {
            email,
            rows: found.rows,
            has_account: found.has_account,
        }))
    }

    /// Export what is stored about a visitor
    ///
    /// For a visitor who asks for their data: all rows by table, as JSON, without the attached
    /// files. The audit records who has exported it.
    #[oai(path = "/export", method = "post", operation_id = "exportPerson")]
    async fn export(
        &self,
        desk: Admin<Visitors<'_>>,
        body: StrictJson<Visitor>,
    ) -> Result<Attachment<Body>, AdminError> {
        let email = address(&body.0.email)?;
        let (actor, now) = (actor(&desk), desk.now);
        let export = desk.eraser.export(&email, actor, now).await;
        let text = format!("{:#}\n", export.map_err(refusal)?);
        Ok(Attachment::new(Body::from_string(text)).filename("person.json"))
    }

    /// Erase a visitor
    ///
    /// Deletes the requests with this email address in one transaction, with their history, emails,
    /// search words and files. A keyed hash of the address is stored first, so that a restored
    /// backup erases the visitor again. This cannot be undone. The audit records who did it.
    #[oai(path = "/erase", method = "post", operation_id = "erasePerson")]
    async fn erase(
        &self,
        desk: RecentAdmin<Visitors<'_>>,
        body: StrictJson<VisitorToErase>,
    ) -> AdminResult<VisitorData> {
        let email = address(&body.0.email)?;
        if !body.0.confirm.trim().eq_ignore_ascii_case(&email) {
            let detail = format!("Type {email} to erase this person.");
            return Err(invalid("confirm", detail).into());
        }
        let (store, files) = (desk.store.clone(), desk.files.clone());
        let (eraser, actor, now) = (desk.eraser.clone(), actor(&desk), desk.now);
        // A client that disconnects does not interrupt it.
        let erase = tokio::spawn(async move {
            let erased = eraser.erase(&email, actor, now).await;
            files.collect_released().await;
            let has_account = store.has_account(email.clone()).await.unwrap_or(false);
            erased.map(|done| VisitorData {
                email,
                rows: done.rows,
                has_account,
            })
        });
        let erased = erase.await.map_err(|_| internal("the erasure panicked"))?;
        Ok(Json(erased.map_err(refusal)?))
    }
}

fn actor(desk: &Desk<Visitors<'_>>) -> Actor {
    let store::accounts::actor::Actor { user_id, client } = desk.actor();
    Actor {
        id: user_id,
        client: Some(client),
    }
}

/// The address without white space around it.
fn address(text: &str) -> Result<String, Problem> {
    let email = text.trim();
    let (is_address, is_short) = (email.contains('@'), email.len() <= MAX_EMAIL);
    match is_address && is_short {
        true => Ok(email.to_owned()),
        false => Err(invalid("email", "`email` is an email address.")),
    }
}

fn refusal(error: Error) -> Problem {
    match error {
        Error::Store(error) => error.into(),
        error => internal(&error.to_string()),
    }
}

/// 500 with a sentence about the state of the data.
fn internal(detail: &str) -> Problem {
    tracing::error!(detail, "a person could not be exported or erased");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
}
