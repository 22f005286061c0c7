//! The public pages' calls: send a contact message, request a quote, count a call click.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::Header;
use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};

use super::App;
use super::client_address::Client;
use super::dto::{Attribution, QuoteStatus};
use super::error_responses::FormError;
use super::problem::Problem;
use super::strict_json::{StrictJson, UniqueKeys};
use super::submit::{self, FormKind, RawForm, submit};
use crate::domain::quote::Receipt;

#[derive(Tags)]
enum Tag {
    /// What the public pages call.
    Visitors,
}

/// A contact message as typed; every field is text, and the form's rules validate it.
#[derive(Object)]
#[oai(rename = "ContactRequest")]
struct ContactBody {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    service: Option<String>,
    details: Option<String>,
    attribution: Option<Attribution>,
}

/// A quote request as typed.
#[derive(Object)]
#[oai(rename = "QuoteRequest")]
struct QuoteBody {
    first_name: Option<String>,
    last_name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    company: Option<String>,
    service_type: Option<String>,
    location: Option<String>,
    /// `YYYY-MM-DD`.
    start_date: Option<String>,
    duration: Option<String>,
    description: Option<String>,
    emergency_contact: Option<bool>,
    attribution: Option<Attribution>,
}

/// A call click: a tap on a phone link.
#[derive(Object)]
#[oai(rename = "Tap")]
struct CallClickBody {
    /// The path of the page.
    page: String,
}

/// The message is stored, and the office will be notified.
#[derive(Object)]
struct ContactReceipt {
    id: String,
    created_at: String,
}

/// The quote is stored, and the office will be notified.
#[derive(Object)]
struct QuoteReceipt {
    id: String,
    created_at: String,
    status: QuoteStatus,
}

#[derive(ApiResponse)]
enum Created<T: ToJSON> {
    /// Stored; the same response if the same submission is sent again.
    #[oai(status = 201)]
    Created(Json<T>),
}

#[derive(ApiResponse)]
enum Counted {
    /// Counted.
    #[oai(status = 204)]
    Counted,
}

/// The public endpoints.
pub struct VisitorApi;

#[OpenApi(prefix_path = "/api", tag = "Tag::Visitors")]
impl VisitorApi {
    /// Send a contact message
    ///
    /// Validated by the contact form's rules; at most three in any five minutes from one client.
    #[oai(path = "/contact", method = "post", operation_id = "submitContact")]
    async fn contact(
        &self,
        app: Data<&Arc<App>>,
        client: Client,
        /// A UUID that the form makes for this content. A repeated key returns the first response
        /// and stores nothing.
        #[oai(name = "Idempotency-Key")]
        key: Header<Option<String>>,
        body: StrictJson<UniqueKeys, ContactBody>,
    ) -> Result<Created<ContactReceipt>, FormError> {
        let raw = RawForm::from_json(FormKind::Contact.form(&app.forms), body.0);
        let key = submit::key(key.0, app.clock.now())?;
        let Receipt { id, created_at } =
            submit(&app, &client, FormKind::Contact, raw, Some(key)).await?;
        Ok(Created::Created(Json(ContactReceipt {
            id,
            created_at: created_at.to_string(),
        })))
    }

    /// Request a quote
    ///
    /// Validated by the quote form's rules; at most three in any five minutes from one client.
    #[oai(path = "/quotes", method = "post", operation_id = "submitQuote")]
    async fn quote(
        &self,
        app: Data<&Arc<App>>,
        client: Client,
        /// A UUID that the form makes for this content. A repeated key returns the first response
        /// and stores nothing.
        #[oai(name = "Idempotency-Key")]
        key: Header<Option<String>>,
        body: StrictJson<UniqueKeys, QuoteBody>,
    ) -> Result<Created<QuoteReceipt>, FormError> {
        let raw = RawForm::from_json(FormKind::Quote.form(&app.forms), body.0);
        let key = submit::key(key.0, app.clock.now())?;
        let Receipt { id, created_at } =
            submit(&app, &client, FormKind::Quote, raw, Some(key)).await?;
        Ok(Created::Created(Json(QuoteReceipt {
            id,
            created_at: created_at.to_string(),
            status: QuoteStatus::Pending,
        })))
    }

    /// Count a call click
    ///
    /// Only the day and the page are stored.
    #[oai(path = "/taps", method = "post", operation_id = "countTap")]
    async fn call_click(
        &self,
        app: Data<&Arc<App>>,
        body: StrictJson<UniqueKeys, CallClickBody>,
    ) -> Result<Counted, FormError> {
        let Some(page) = body.0.text("page").filter(|page| app.pages.is_page(page)) else {
            let detail = "`page` is the path of a page of this site.";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
                .with_field("page")
                .into());
        };
        app.store
            .count_call_click(page.to_owned(), app.clock.now())
            .await?;
        Ok(Counted::Counted)
    }
}
