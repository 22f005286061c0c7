//! The public pages' calls: send a contact message, request a quote, count a call click.

use std::sync::Arc;

use crate::tags::Tag;
use domain::clock::Time;
use domain::request::attribution::Attribution;
use domain::request::quote::Status;

use poem_openapi::param::Header;
use poem_openapi::types::MaybeUndefined;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;
use serde_json::Value;

use crate::storage;
use ::storage::signing::Grant;
use domain::storage::content_type::ContentType;
use domain::storage::{MAX_FILE_BYTES, MAX_QUOTE_FILES, QUOTES};
use http::Uses;
use http::forms::FormPages;
use http::forms::paths::FORMS;
use http::forms::submit::{self, FormKind, RawForm, submit};
use http::pages::page_views::PageViews;
use http::request::client_address::Client;
use http::request::error_responses::FormError;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::{StrictJson, UniqueKeys};
use http::request::success_responses::{Created, NoContent};

/// A contact message as typed; every field is text, validated by the form's rules.
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
    /// Whether files will follow: then the response contains where to upload them.
    attachments: Option<bool>,
    /// How many files will follow, at most `max_files`: the page of the request says how many did
    /// not arrive.
    files: Option<u32>,
}

/// A call click: a tap on a phone link.
#[derive(Object, Deserialize)]
#[oai(rename = "Tap")]
#[serde(deny_unknown_fields)]
struct CallClick {
    /// The path of the page.
    page: String,
}

/// A form that somebody has begun to fill in.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct BegunForm {
    /// The path of the form's page.
    page: String,
}

/// The message is stored, and the office will be notified.
#[derive(Object)]
struct ContactReceipt {
    id: String,
    /// A short reference for use on the phone, as `GP-2K7Q`.
    reference: String,
    /// The path of the page that says where the request stands.
    status_page: String,
    created_at: Time,
}

/// The quote is stored, and the office will be notified.
#[derive(Object)]
struct QuoteReceipt {
    id: String,
    /// A short reference for use on the phone, as `GP-2K7Q`.
    reference: String,
    /// The path of the page that says where the request stands.
    status_page: String,
    created_at: Time,
    status: Status,
    /// Where to upload files, if `attachments` is true; `null` if none are accepted now.
    uploads: MaybeUndefined<Uploads>,
}

/// A grant to add files to a quote request: `PUT {url}{name}?token={token}`.
#[derive(Object)]
#[oai(rename = "QuoteUploads")]
struct Uploads {
    /// The path prefix of the files.
    url: String,
    /// The token of the uploads; resumable uploads send it as `x-signature`.
    token: String,
    /// When the grant expires.
    expires_at: Time,
    /// Maximum number of files.
    max_files: u32,
    /// Maximum size of a file, in bytes.
    max_bytes: u64,
    /// The accepted media types.
    types: Vec<String>,
}

impl Uploads {
    /// Describes a grant for the quote `id`.
    fn new(id: &str, grant: Grant) -> Self {
        let types = ContentType::VISITORS.map(|kind| kind.media_type().to_owned());
        Self {
            url: format!("{}/object/upload/sign/{QUOTES}/{id}/", storage::BASE),
            token: grant.token,
            expires_at: grant.expires_at,
            max_files: MAX_QUOTE_FILES,
            max_bytes: MAX_FILE_BYTES,
            types: types.into(),
        }
    }
}

/// Whether files will follow a quote request.
fn wants_uploads(UniqueKeys(members): &UniqueKeys) -> Result<bool, Problem> {
    match members.get("attachments") {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(wanted)) => Ok(*wanted),
        Some(_) => {
            let detail = "`attachments` is true or false.";
            Err(invalid("attachments", detail))
        }
    }
}

/// How many files a quote request announces.
fn announced_files(UniqueKeys(members): &UniqueKeys) -> Result<u32, Problem> {
    match members.get("files") {
        None | Some(Value::Null) => Ok(0),
        Some(count) => {
            let count = count.as_u64().and_then(|count| u32::try_from(count).ok());
            let known = count.filter(|count| *count <= MAX_QUOTE_FILES);
            known.ok_or_else(|| invalid("files", "`files` is a number of files that we take."))
        }
    }
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
        app: Uses<FormPages<'_>>,
        client: Client,
        /// A UUID that the form generates for this content. A repeated key returns the first
        /// response and stores nothing.
        #[oai(name = "Idempotency-Key")]
        key: Header<Option<String>>,
        body: StrictJson<UniqueKeys, ContactBody>,
    ) -> Result<Created<ContactReceipt>, FormError> {
        let raw = RawForm::from_json(FormKind::Contact.form(app.forms), body.0);
        let key = submit::key(key.0, app.clock.now())?;
        let receipt = submit(&app, &client, FormKind::Contact, raw, Some(key)).await?;
        Ok(Created::of(ContactReceipt {
            id: receipt.id,
            status_page: app.status_links.path(&receipt.reference),
            reference: receipt.reference,
            created_at: receipt.created_at,
        }))
    }

    /// Request a quote
    ///
    /// Validated by the quote form's rules; at most three in any five minutes from one client.
    #[oai(path = "/quotes", method = "post", operation_id = "submitQuote")]
    async fn quote(
        &self,
        app: Uses<FormPages<'_>>,
        client: Client,
        /// A UUID that the form generates for this content. A repeated key returns the first
        /// response and stores nothing.
        #[oai(name = "Idempotency-Key")]
        key: Header<Option<String>>,
        body: StrictJson<UniqueKeys, QuoteBody>,
    ) -> Result<Created<QuoteReceipt>, FormError> {
        let wants_uploads = wants_uploads(&body.0)?;
        let announced = announced_files(&body.0)?;
        let raw = RawForm::from_json(FormKind::Quote.form(app.forms), body.0);
        let key = submit::key(key.0, app.clock.now())?;
        let receipt = submit(&app, &client, FormKind::Quote, raw, Some(key)).await?;
        if announced > 0 {
            app.store
                .announce_files(receipt.id.clone(), announced)
                .await?;
        }
        let uploads = match wants_uploads {
            false => MaybeUndefined::Undefined,
            true => match app.files.grant(&receipt.id).await {
                Some(grant) => MaybeUndefined::Value(Uploads::new(&receipt.id, grant)),
                None => MaybeUndefined::Null,
            },
        };
        Ok(Created::of(QuoteReceipt {
            uploads,
            id: receipt.id,
            status_page: app.status_links.path(&receipt.reference),
            reference: receipt.reference,
            created_at: receipt.created_at,
            status: Status::Pending,
        }))
    }

    /// Count a call click
    ///
    /// Only the day and the page are stored.
    #[oai(path = "/taps", method = "post", operation_id = "countTap")]
    async fn call_click(
        &self,
        app: Uses<FormPages<'_>>,
        body: StrictJson<CallClick>,
    ) -> Result<NoContent, FormError> {
        let page = body.0.page;
        if !app.pages.current().is_page(&page) {
            return Err(invalid("page", "`page` is the path of a page of this site.").into());
        }
        let today = app.publisher.site().company.today(app.clock.now());
        app.store.count_call_click(page, today).await?;
        Ok(NoContent::Done)
    }

    /// Count a form that somebody has begun to fill in
    ///
    /// Only the day and the page are stored.
    #[oai(path = "/begun", method = "post", operation_id = "countBegunForm")]
    async fn begun(
        &self,
        views: Uses<&Arc<PageViews>>,
        client: Client,
        body: StrictJson<BegunForm>,
    ) -> Result<NoContent, FormError> {
        let Some(page) = FORMS.into_iter().find(|form| *form == body.0.page) else {
            return Err(invalid("page", "`page` is the path of a page with a form.").into());
        };
        views.begin_form(page, client.address);
        Ok(NoContent::Done)
    }
}
