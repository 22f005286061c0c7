//! The dashboard's calls: list, read and move quotes, and count call clicks. Every handler takes a
//! `Desk`.

use poem::http::StatusCode;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde_json::Value;
use uuid::Uuid;

use crate::content::Content;
use crate::desk::Desk;
use crate::tags::Tag;
use domain::clock::DAY_MS;
use domain::request::quote::{Quote, Status, refused_move};
use http::request::error_responses::AdminResult;
use http::request::problem::{Problem, bad_parameter};
use http::request::strict_json::{StrictJson, UniqueKeys};
use store::inbox::quotes::MoveResult;
use store::lists::quote_list::{QuotePage, QuoteQuery};

/// Default page size.
pub(crate) const DEFAULT_PAGE_SIZE: usize = 50;
/// Maximum page size.
const MAX_PAGE_SIZE: usize = 200;
/// Number of days over which call clicks are summed.
const CALL_CLICK_DAYS: i64 = 30;

/// The new status of a quote.
#[derive(Object)]
#[oai(rename = "Move")]
struct StatusChange {
    /// `in_progress` (accept), `cancelled` (reject) or `completed` (complete).
    status: Option<String>,
}

/// Call clicks (taps on the phone link) of one page.
#[derive(Object)]
struct PageCallClicks {
    page: String,
    #[oai(rename = "taps")]
    clicks: i64,
}

/// Call clicks by page in the last thirty days, highest first.
#[derive(Object)]
struct CallClicks {
    pages: Vec<PageCallClicks>,
}

/// The dashboard's endpoints.
pub struct QuotesApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::AdminApi")]
impl QuotesApi {
    /// List quotes, newest first
    #[oai(path = "/quotes", method = "get", operation_id = "listQuotes")]
    async fn quotes(
        &self,
        desk: Desk,
        /// Only quotes with this status.
        status: Query<Option<String>>,
        /// Only quotes that contain all these words; the last word may be a prefix.
        q: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<String>>,
        /// `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
    ) -> AdminResult<QuotePage> {
        let non_empty = |text: Option<String>| text.filter(|text| !text.is_empty());
        let query = QuoteQuery {
            status: non_empty(status.0)
                .map(|text| parse_status(&text))
                .transpose()?,
            search: q.0.unwrap_or_default(),
            limit: non_empty(limit.0).map_or(Ok(DEFAULT_PAGE_SIZE), |text| parse_limit(&text))?,
            cursor: non_empty(cursor.0),
        };
        let page = desk.store.quotes(query).await.map_err(wrong_cursor)?;
        Ok(Json(page))
    }

    /// One quote
    #[oai(path = "/quotes/:id", method = "get", operation_id = "getQuote")]
    async fn quote(&self, desk: Desk, id: Path<String>) -> AdminResult<Quote> {
        Ok(Json(desk.store.quote(parse_id(&id)?).await?))
    }

    /// Move a quote
    ///
    /// pending to in_progress or cancelled, in_progress to completed. Checked in the transaction
    /// that writes it: if two dispatchers move a quote at once, one gets 409 with the current
    /// status.
    #[oai(path = "/quotes/:id", method = "patch", operation_id = "moveQuote")]
    async fn move_quote(
        &self,
        desk: Desk,
        id: Path<String>,
        body: StrictJson<UniqueKeys, StatusChange>,
    ) -> AdminResult<Quote> {
        let next = parse_status(
            body.0
                .0
                .get("status")
                .and_then(Value::as_str)
                .unwrap_or_default(),
        )?;
        let id = parse_id(&id)?;
        match desk
            .store
            .move_quote(id, next, desk.actor(), desk.now)
            .await?
        {
            MoveResult::Done(quote) => Ok(Json(*quote)),
            MoveResult::Refused { present } => {
                let detail = refused_move(present, Some(next));
                Err(Problem::conflict(detail).with_status(present).into())
            }
        }
    }

    /// Call clicks by page
    #[oai(path = "/taps", method = "get", operation_id = "listTaps")]
    async fn call_clicks(&self, desk: Desk<Content<'_>>) -> AdminResult<CallClicks> {
        let since = desk.now.plus_millis(-CALL_CLICK_DAYS * DAY_MS);
        let since = desk.publisher.site().company.today(since);
        let pages = desk.store.call_clicks_since(since.to_string()).await?;
        let pages = pages
            .into_iter()
            // The dashboard links each page, so rows of paths that are no longer pages are left
            // out.
            .filter(|(page, _)| desk.pages.current().is_page(page))
            .map(|(page, clicks)| PageCallClicks { page, clicks })
            .collect();
        Ok(Json(CallClicks { pages }))
    }
}

/// The status in a parameter or a body. Errors: 400 that lists the statuses.
pub(crate) fn parse_status(text: &str) -> Result<Status, Problem> {
    Status::parse(text).ok_or_else(|| {
        bad_parameter(
            "status",
            "`status` is one of pending, in_progress, completed, cancelled.",
        )
    })
}

/// 400 for a cursor of another list.
pub(crate) fn wrong_cursor(error: store::Error) -> Problem {
    match error {
        store::Error::Conflict(detail) => Problem::new(StatusCode::BAD_REQUEST, detail),
        other => other.into(),
    }
}

/// The page size in a parameter. Errors: 400 that names the limits.
pub(crate) fn parse_limit(text: &str) -> Result<usize, Problem> {
    let limit = text
        .parse()
        .ok()
        .filter(|limit| (1..=MAX_PAGE_SIZE).contains(limit));
    limit.ok_or_else(|| bad_parameter("limit", "`limit` is a number from 1 to 200."))
}

fn parse_id(text: &str) -> Result<String, Problem> {
    let id = Uuid::try_parse(text)
        .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "The id is not a UUID."))?;
    Ok(id.to_string())
}
