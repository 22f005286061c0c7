//! The inbox: requests of both kinds, their changes and history, people and filters.

mod changes;
mod corrections;
mod dto;
mod emailed;
pub(crate) mod errors;
mod export;
mod lists;
mod messages;
mod notes;
mod outcome;
mod params;
mod parts;
mod people;
mod person;
mod phone_requests;
mod replies;
mod reply_templates;
mod unmatched;

pub use params::describe_requests as describe_parameters;
use poem_openapi::OpenApi;
use poem_openapi::types::ToJSON;
use serde_json::Value;

use domain::request::Request;
use domain::request::due_time::AnswerTimes;

/// All calls of the inbox.
pub fn endpoints() -> impl OpenApi {
    (
        lists::InboxApi,
        (changes::ChangesApi, corrections::CorrectionsApi),
        changes::edits::EditsApi,
        notes::NotesApi,
        phone_requests::PhoneRequestsApi,
        outcome::OutcomeApi,
        (replies::ReplyApi, reply_templates::TemplateApi),
        (unmatched::UnmatchedApi, emailed::EmailedApi),
        messages::MessagesApi,
        people::PeopleApi,
        export::ExportApi,
        person::PersonApi,
    )
}

/// A request as the calls of the inbox return it, for webhooks.
pub fn request_json(request: Request, times: AnswerTimes) -> Value {
    let item = dto::RequestItem::new(request, times);
    item.to_json().unwrap_or_default()
}
