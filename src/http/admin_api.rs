//! The dispatchers' calls: the queue, one quote, its moves, and what the phone links were tapped. Admins only; each asks for one by type.

use std::sync::Arc;

use poem::http::StatusCode;
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use uuid::Uuid;

use super::App;
use super::client_address::Client;
use super::error_responses::AdminRefusal;
use super::guard::Admin;
use super::problem::Problem;
use super::strict_json::{StrictJson, UniqueKeys};
use crate::domain::quote::{Quote, Status};
use crate::store::{MoveResult, Mover, QuoteQuery};

/// Quotes on a page where the caller does not say.
const PAGE: usize = 50;
/// Quotes on a page at most.
const PAGE_MAX: usize = 200;
/// Days of taps in the sum.
const CALL_CLICK_DAYS: i64 = 30;

#[derive(Tags)]
enum Tag {
    /// What the dashboard calls. Needs an admin's access token.
    AdminApi,
}

/// How many quotes stand in each status.
#[derive(Object)]
struct Counts {
    pending: i64,
    in_progress: i64,
    completed: i64,
    cancelled: i64,
}

/// One page of the queue.
#[derive(Object)]
struct QuotePage {
    /// Newest first.
    quotes: Vec<Quote>,
    /// Give it as `cursor` for the next page; null at the end.
    next_cursor: Option<String>,
    /// Of all quotes, whatever the page shows.
    counts: Counts,
    /// True where a search could not wait for the newest quotes to be indexed: they may be missing. Ask again in some seconds.
    search_incomplete: bool,
}

/// Where to move a quote.
#[derive(Object)]
struct Move {
    /// `in_progress` (accept), `cancelled` (reject) or `completed` (complete).
    status: Option<String>,
}

/// Taps on the phone links of one page.
#[derive(Object)]
struct PageCallClicks {
    page: String,
    taps: i64,
}

/// Taps by page in the last thirty days, most first.
#[derive(Object)]
struct CallClicks {
    pages: Vec<PageCallClicks>,
}

#[derive(ApiResponse)]
enum Queue {
    /// A page of quotes.
    #[oai(status = 200)]
    Page(Json<QuotePage>),
}

#[derive(ApiResponse)]
enum One {
    /// The quote.
    #[oai(status = 200)]
    Quote(Json<Quote>),
}

#[derive(ApiResponse)]
enum CallClicksResponse {
    /// The sums.
    #[oai(status = 200)]
    CallClicks(Json<CallClicks>),
}

/// The dispatchers' calls.
pub struct AdminApi;

#[OpenApi(prefix_path = "/api/admin", tag = "Tag::AdminApi")]
impl AdminApi {
    /// The queue, newest first
    #[oai(path = "/quotes", method = "get", operation_id = "listQuotes")]
    async fn quotes(
        &self,
        app: Data<&Arc<App>>,
        _admin: Admin,
        /// Only quotes in this status.
        status: Query<Option<String>>,
        /// Only quotes that hold all these words; the last may be unfinished.
        q: Query<Option<String>>,
        /// Quotes on the page, 1 to 200; 50 where it is not given.
        limit: Query<Option<String>>,
        /// Where the page before ended.
        cursor: Query<Option<String>>,
    ) -> Result<Queue, AdminRefusal> {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let listing = QuoteQuery {
            status: given(status.0).map(|word| read_status(&word)).transpose()?,
            search: q.0.unwrap_or_default(),
            limit: given(limit.0).map_or(Ok(PAGE), |text| read_limit(&text))?,
            cursor: given(cursor.0),
        };
        let page = app
            .store
            .quotes(listing)
            .await
            .map_err(|error| match error {
                crate::store::Error::Conflict(detail) => {
                    Problem::new(StatusCode::BAD_REQUEST, detail)
                }
                other => other.into(),
            })?;
        let [pending, in_progress, completed, cancelled] = page.counts;
        let counts = Counts {
            pending,
            in_progress,
            completed,
            cancelled,
        };
        Ok(Queue::Page(Json(QuotePage {
            quotes: page.quotes,
            next_cursor: page.next_cursor,
            counts,
            search_incomplete: page.incomplete,
        })))
    }

    /// One quote
    #[oai(path = "/quotes/:id", method = "get", operation_id = "getQuote")]
    async fn quote(
        &self,
        app: Data<&Arc<App>>,
        _admin: Admin,
        id: Path<String>,
    ) -> Result<One, AdminRefusal> {
        Ok(One::Quote(Json(app.store.quote(read_id(&id)?).await?)))
    }

    /// Move a quote
    ///
    /// pending to in_progress or cancelled, in_progress to completed. Decided in the transaction that writes it: of two dispatchers who press at
    /// once, one gets 409 and the present status.
    #[oai(path = "/quotes/:id", method = "patch", operation_id = "moveQuote")]
    async fn move_quote(
        &self,
        app: Data<&Arc<App>>,
        admin: Admin,
        client: Client,
        id: Path<String>,
        body: StrictJson<UniqueKeys, Move>,
    ) -> Result<One, AdminRefusal> {
        let next = read_status(body.0.text("status").unwrap_or_default())?;
        let id = read_id(&id)?;
        let by = Mover {
            user_id: admin.0.user.id,
            client: client.key,
        };
        match app.store.move_quote(id, next, by, app.clock.now()).await? {
            MoveResult::Done(quote) => Ok(One::Quote(Json(*quote))),
            MoveResult::Refused { present } => {
                let detail = format!("This quote is {present}; it cannot become {next}.");
                Err(Problem::stale(detail, present.word()).into())
            }
        }
    }

    /// Taps on the phone links
    #[oai(path = "/taps", method = "get", operation_id = "listTaps")]
    async fn taps(
        &self,
        app: Data<&Arc<App>>,
        _admin: Admin,
    ) -> Result<CallClicksResponse, AdminRefusal> {
        let since = app
            .clock
            .now()
            .plus_seconds(-CALL_CLICK_DAYS * 86_400)
            .day();
        let pages = app.store.call_clicks_since(since).await?;
        let pages = pages
            .into_iter()
            // The dashboard links them: rows from before only our pages were counted stay out.
            .filter(|(page, _)| app.pages.is_page(page))
            .map(|(page, taps)| PageCallClicks { page, taps })
            .collect();
        Ok(CallClicksResponse::CallClicks(Json(CallClicks { pages })))
    }
}

fn read_status(word: &str) -> Result<Status, Problem> {
    Status::parse(word).ok_or_else(|| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "`status` is one of pending, in_progress, completed, cancelled.",
        )
        .about("status")
    })
}

fn read_limit(text: &str) -> Result<usize, Problem> {
    let limit = text
        .parse()
        .ok()
        .filter(|limit| (1..=PAGE_MAX).contains(limit));
    limit.ok_or_else(|| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "`limit` is a number from 1 to 200.",
        )
        .about("limit")
    })
}

fn read_id(text: &str) -> Result<String, Problem> {
    let id = Uuid::try_parse(text)
        .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "The id is not a UUID."))?;
    Ok(id.to_string())
}
