//! The inbox: quotes and messages in one list, and one request with its history.

use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use super::dto::RequestItem;
use super::dto::detail::{RelatedRequest, RequestFile};
use super::dto::event::RequestEvent;
use super::params::{self, parse_sort};
use super::parts::Inbox;
use crate::desk::Desk;
use crate::filter_params::FilterParams;
use crate::quotes_api::{DEFAULT_PAGE_SIZE, parse_limit, wrong_cursor};
use crate::tags::Tag;
use domain::account::Role;
use domain::clock::Time;
use domain::request::due_time::AnswerTimes;
use http::request::error_responses::AdminResult;
use store::inbox::detail::RequestDetail;
use store::inbox::drafts::RequestDraft;
use store::lists::counts::Views;
use store::lists::list::IdPage;
use store::lists::query::InboxQuery;
use store::lists::status_counts::StatusCounts;
use store::search::found_in::FoundIn;

/// Maximum number of ids in one answer.
const MAX_IDS: usize = 2000;

/// The number of requests in each view, without filters.
#[derive(Object)]
struct InboxViews {
    #[oai(flatten)]
    views: Views,
    /// Emails of people that belong to no request.
    unmatched: u64,
}

impl InboxViews {
    fn new(mut views: Views, unmatched: u64) -> Self {
        views.attention += unmatched.cast_signed();
        Self { views, unmatched }
    }
}

/// One page of the inbox.
#[derive(Object)]
struct InboxPage {
    /// Your role: `admin`, or `dispatcher`, who may call what concerns requests.
    role: String,
    requests: Vec<RequestItem>,
    /// Where a search has found a request, if its name, company, place and service do not show it;
    /// without a search empty.
    found_in: Vec<FoundIn>,
    /// Give it as `cursor` for the next page; null at the end.
    next_cursor: Option<String>,
    /// Counts of the requests that pass all filters but `status`.
    counts: StatusCounts,
    /// True if there may be more in each status than `counts` says: beyond a limit, requests found
    /// by words are not counted.
    counts_at_least: bool,
    views: InboxViews,
    /// True if the newest requests could not be indexed in time: a search may lack them. Retry in a
    /// few seconds.
    search_incomplete: bool,
    /// Of a search that finds nothing: the same with words that exist; null if none is near.
    search_nearest: Option<String>,
}

/// One request with its history.
#[derive(Object)]
struct InboxRequest {
    #[oai(flatten)]
    request: RequestItem,
    /// Oldest first, with the events of the duplicates.
    history: Vec<RequestEvent>,
    /// The id of the event of the customer's newest message that waits for an answer; null if none
    /// does.
    newest_unanswered: Option<i64>,
    /// The requests that were merged into it, oldest first.
    duplicates: Vec<RequestItem>,
    /// Other requests with the same address or phone number, newest first.
    related: Vec<RelatedRequest>,
    /// The files of a request and of its emails: objects of the storage service.
    files: Vec<RequestFile>,
    /// Your drafts about it.
    drafts: Vec<RequestDraft>,
}

impl InboxRequest {
    fn new(detail: RequestDetail, times: AnswerTimes, viewer: &str, now: Time) -> Self {
        let own = detail.history.iter();
        let own = own.filter(|event| event.seq == detail.request.seq);
        let own: Vec<_> = own.cloned().collect();
        let of_duplicate = |seq| detail.duplicates.iter().find(|other| other.seq == seq);
        let events = detail.history.iter().map(|event| {
            let duplicate = of_duplicate(event.seq);
            let history = duplicate.map_or(&own, |_| &detail.history);
            let event = RequestEvent::new(event.clone(), history, viewer, now);
            match duplicate {
                Some(other) => event.of_duplicate(&other.reference),
                None => event,
            }
        });
        let received = detail.duplicates.iter();
        let received =
            received.map(|other| RequestEvent::received(other).of_duplicate(&other.reference));
        let history = std::iter::once(RequestEvent::received(&detail.request))
            .chain(received)
            .chain(events)
            .collect();
        let duplicates = detail.duplicates.into_iter();
        Self {
            history,
            duplicates: duplicates
                .map(|other| RequestItem::new(other, times))
                .collect(),
            related: (detail.related.into_iter())
                .map(|other| RelatedRequest::new(other, &detail.request))
                .collect(),
            files: detail.files.into_iter().map(Into::into).collect(),
            drafts: detail.drafts,
            newest_unanswered: detail.newest_unanswered,
            request: RequestItem {
                offer: Some(detail.offer).into(),
                ..RequestItem::new(detail.request, times)
            },
        }
    }
}

/// The reading calls of the inbox.
pub struct InboxApi;

#[OpenApi(prefix_path = "/api/admin/inbox", tag = "Tag::Desk")]
impl InboxApi {
    /// List requests
    ///
    /// Newest first. With `attention=true`: emergencies without a call that reached the customer,
    /// earliest due first; then due reminders, yours first; then overdue requests, newest due
    /// first; then the rest, earliest due first. A further message of the customer has its own due
    /// time.
    ///
    /// With `sort`, by the time of receipt, the time at which the next answer is due (`due_at`),
    /// the first day, or the value: that of the outcome of a closed request, or the total of the
    /// offer that was sent last. Requests without a due time, first day or value come last, upwards
    /// as downwards.
    #[oai(path = "/", method = "get", operation_id = "listInbox")]
    async fn inbox(
        &self,
        desk: Desk<Inbox<'_>>,
        filters: FilterParams,
        /// `received`, `due`, `start` or `value`, upwards, or downwards with `-` before it, as in
        /// `-value`. Without one, the order of the description.
        sort: Query<Option<String>>,
        /// Page size, 1 to 200; default 50.
        limit: Query<Option<String>>,
        /// `next_cursor` of the previous page.
        cursor: Query<Option<String>>,
    ) -> AdminResult<InboxPage> {
        let non_empty = |text: Option<String>| text.filter(|text| !text.is_empty());
        let (filter, search) = params::read(&filters, &desk)?;
        let query = InboxQuery {
            filter,
            search,
            sort: parse_sort(sort.0.as_deref())?,
            limit: non_empty(limit.0).map_or(Ok(DEFAULT_PAGE_SIZE), |text| parse_limit(&text))?,
            cursor: non_empty(cursor.0),
        };
        let page = desk.store.inbox(query).await.map_err(wrong_cursor)?;
        let unmatched = desk.store.count_unmatched().await?.people;
        let marks = page.asked_before.into_iter().zip(page.drafted);
        let items = page.requests.into_iter().zip(marks);
        let items = items.zip(page.offers);
        let role = desk.caller.role.map(Role::as_str).unwrap_or_default();
        Ok(Json(InboxPage {
            role: role.to_owned(),
            requests: items
                .map(|((request, (asked_before, drafted)), offer)| RequestItem {
                    asked_before: Some(asked_before),
                    drafted: Some(drafted),
                    offer: Some(offer).into(),
                    ..RequestItem::new(request, desk.times)
                })
                .collect(),
            found_in: page.found_in,
            next_cursor: page.next_cursor,
            counts_at_least: page.counts.at_least,
            counts: page.counts.by_status,
            views: InboxViews::new(page.views, unmatched),
            search_incomplete: page.incomplete,
            search_nearest: page.nearest,
        }))
    }

    /// List the ids of requests
    ///
    /// In the order of the list of the same filters, 2,000 at a time: to change all of them
    /// (`changeRequests`).
    #[oai(path = "/ids", method = "get", operation_id = "listInboxIds")]
    async fn ids(
        &self,
        desk: Desk<Inbox<'_>>,
        filters: FilterParams,
        /// As in the list.
        sort: Query<Option<String>>,
        /// `next_cursor` of the previous ids.
        cursor: Query<Option<String>>,
    ) -> AdminResult<IdPage> {
        let (filter, search) = params::read(&filters, &desk)?;
        let query = InboxQuery {
            filter,
            search,
            sort: parse_sort(sort.0.as_deref())?,
            limit: MAX_IDS,
            cursor: cursor.0.filter(|text| !text.is_empty()),
        };
        let page = desk.store.inbox_ids(query).await.map_err(wrong_cursor)?;
        Ok(Json(page))
    }

    /// One request
    ///
    /// With its history and the other requests of the same person. `id` is the id or the reference,
    /// in any case, with or without `GP-`.
    #[oai(path = "/:id", method = "get", operation_id = "getRequest")]
    async fn request(&self, desk: Desk, id: Path<String>) -> AdminResult<InboxRequest> {
        let (viewer, now) = (&desk.caller.user.id, desk.now);
        let detail = desk.store.request_detail(id.0, viewer.clone()).await;
        let detail = detail.map_err(super::errors::unknown_request)?;
        Ok(Json(InboxRequest::new(detail, desk.times, viewer, now)))
    }
}
