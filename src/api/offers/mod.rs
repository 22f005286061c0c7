//! Offers, for the desk: rates, drafts, prices, sending, answers on a customer's behalf, lists.

mod answers;
mod drafts;
mod dto;
mod errors;
mod filter;
mod list;
pub mod making;
mod parts;
mod rates;
mod send;

pub use filter::describe as describe_parameters;
use poem_openapi::OpenApi;

/// All calls about offers and their rates.
pub fn endpoints() -> impl OpenApi {
    (
        rates::RatesApi,
        list::OffersApi,
        drafts::DraftsApi,
        send::SendApi,
        answers::AnswersApi,
    )
}
