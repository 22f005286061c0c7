//! The desk: requests of both kinds in one inbox, their changes and history, people and filters.

mod changes;
mod corrections;
mod drafts;
mod dto;
mod export;
mod held;
mod inbox;
mod notes;
mod params;
mod people;
mod person;
mod replies;

use poem::http::StatusCode;
use poem_openapi::{OpenApi, Tags};

use super::client_address::Client;
use super::guard::Admin;
use super::problem::Problem;
use crate::store::{self, Mover};

/// The group of calls in the API description.
#[derive(Tags)]
pub(super) enum Tag {
    /// The desk: quote requests and contact messages. Needs an admin's access token.
    Desk,
}

pub use params::describe as describe_parameters;

/// All calls of the desk.
pub fn endpoints() -> impl OpenApi {
    (
        inbox::InboxApi,
        (changes::ChangesApi, corrections::CorrectionsApi),
        (notes::NotesApi, drafts::DraftsApi),
        replies::ReplyApi,
        people::PeopleApi,
        export::ExportApi,
        held::HeldApi,
        person::PersonApi,
    )
}

/// Who changes a request.
fn mover(admin: Admin, client: Client) -> Mover {
    Mover {
        user_id: admin.0.user.id,
        client: client.key,
    }
}

/// The error of a call about one request.
fn unknown_request(error: store::Error) -> Problem {
    match error {
        store::Error::Missing => Problem::new(
            StatusCode::NOT_FOUND,
            "There is no request with this id or reference.",
        ),
        other => other.into(),
    }
}
