//! The desk: requests of both kinds in one inbox, their changes and history, people and filters.

mod changes;
mod corrections;
mod drafts;
mod dto;
mod export;
mod held_requests;
mod lists;
mod notes;
mod params;
mod people;
mod person;
mod replies;

use poem::http::StatusCode;
use poem_openapi::{OpenApi, Tags};

use crate::http::request::client_address::Client;
use crate::http::request::problem::Problem;
use crate::http::request::require_admin::Admin;
use crate::store;
use crate::store::Mover;

/// The group of calls in the API description.
#[derive(Tags)]
pub(in crate::http) enum Tag {
    /// The desk: quote requests and contact messages. Needs an admin's access token.
    Desk,
}

pub use params::describe as describe_parameters;

/// All calls of the desk.
pub fn endpoints() -> impl OpenApi {
    (
        lists::InboxApi,
        (changes::ChangesApi, corrections::CorrectionsApi),
        (notes::NotesApi, drafts::DraftsApi),
        replies::ReplyApi,
        people::PeopleApi,
        export::ExportApi,
        held_requests::HeldApi,
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
