//! `/api/admin/live`: the stream of changes for open dashboards, and which admins have a request
//! open. A stream ends with the session and the token that opened it; a shutdown ends streams
//! first.

mod event_stream;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, IntoResponse, Response};
use poem_openapi::param::Header;
use poem_openapi::registry::{
    MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::Deserialize;
use tokio::time::{interval, sleep};

use super::tags::Tag;
use crate::desk::Desk;
use domain::live::Viewer;
use event_stream::{HEARTBEAT, LiveStream};
use http::open_streams::{MAX_PER_ACCOUNT, Streams, Tab};
use http::request::error_responses::AdminError;
use http::request::permissions::DESK;
use http::request::problem::{Problem, invalid};
use http::request::strict_json::StrictJson;
use http::request::success_responses::NoContent;
use http::server::timeouts::StreamSlot;
use http::{AppState, Uses};

/// How often tokens are checked for expiry.
const EXPIRY_INTERVAL: Duration = Duration::from_millis(500);
/// The pause after a check of all sessions.
const CHECK_PAUSE: Duration = Duration::from_millis(200);
/// Maximum length of a tab's name, in bytes: a UUID.
const MAX_TAB: usize = 36;
/// Seconds after which a client with too many streams may try again.
const RETRY_SECONDS: u32 = 60;

/// The request that the caller has open.
#[derive(Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    /// The request's id; null if none is open.
    #[serde(deserialize_with = "Option::deserialize")]
    request: Option<String>,
    /// Whether a reply is being written there; false if it is absent.
    replying: Option<bool>,
    /// Names the tab, in up to 36 characters: each tab of a session has one request open.
    tab: Option<String>,
}

/// The calls.
pub struct LiveApi;

#[OpenApi(prefix_path = "/api/admin/live", tag = "Tag::Desk")]
impl LiveApi {
    /// Changes as they happen
    ///
    /// An event stream. `change` names a changed request: `{id, kind, verb, actor_id, status}`; its
    /// verb is `received`, that of an event in the history, or `delivery` if the state of one of
    /// its emails has changed; `assignee_id` is the user to whom `assigned` has given it,
    /// `reminds_id` the one whom `follow_up_due` reminds; `emergency` is true if its visitor asked
    /// for a call right away.
    /// `presence` lists the users who have a request open:
    /// `{request, people: [{id, email, name, replying}]}`. `site`: the drafts or the published
    /// version of the site's content have changed. `email`: an email of a
    /// person came that belongs to no request. `resync`: changes were missed or are too many,
    /// so read the lists again. `end` is the last event: `{reason}` is `token` (expired: reconnect
    /// with the next one), `session` (signed out, or without a role) or `shutdown` (reconnect
    /// later). A comment is sent after 25 seconds without an event.
    #[oai(path = "/", method = "get", operation_id = "watchRequests")]
    async fn watch(
        &self,
        desk: Desk,
        streams: Uses<&Arc<Streams>>,
        /// The `id` of the last event that the client has seen. The stream continues after it, or
        /// begins with `resync` if that is not possible.
        #[oai(name = "Last-Event-ID")]
        last: Header<Option<String>>,
    ) -> Result<LiveResponse, AdminError> {
        let Some(handle) = streams.open(desk.caller.holder()) else {
            let detail = format!(
                "This account has {MAX_PER_ACCOUNT} streams open. Close the dashboard in another \
                 window."
            );
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
                .with_title("Too many streams")
                .with_retry_after(RETRY_SECONDS);
            return Err(problem.into());
        };
        // The session may have ended since the token was checked.
        desk.store.request_access_check();
        // A malformed number counts as unknown to the feed.
        let last = last.0.map(|text| text.trim().parse().unwrap_or(0));
        let listener = desk.store.live_feed().listen(last);
        let slot = StreamSlot::default();
        let live = LiveStream {
            opening: opening(&streams, last.is_none().then(|| listener.seen())),
            listener,
            handle,
            _connection: slot.clone(),
            heartbeat: HEARTBEAT,
        };
        Ok(LiveResponse { live, slot })
    }

    /// Report which request is open
    ///
    /// Shown to the other admins until the tab opens another request, has not renewed it for two
    /// and a half minutes, or the session's last stream ends. A request needs an open stream of
    /// the same session: 409 without one.
    #[oai(path = "/presence", method = "post", operation_id = "setPresence")]
    async fn presence(
        &self,
        desk: Desk,
        streams: Uses<&Arc<Streams>>,
        body: StrictJson<OpenRequest>,
    ) -> Result<NoContent, AdminError> {
        let request = body.0.request.as_deref().map(request_id).transpose()?;
        let tab = tab_name(body.0.tab)?;
        let replying = body.0.replying.unwrap_or_default();
        let (me, session) = (&desk.caller.user, desk.caller.session.id.clone());
        let profile = desk.store.profile(desk.me()).await?;
        let person = Viewer {
            id: me.id.clone(),
            email: me.email.clone(),
            name: profile.name,
            replying: replying && request.is_some(),
        };
        let tab = Tab { session, name: tab };
        let leaves = request.is_none();
        // Without a stream no admin is shown anywhere: there is nothing to leave.
        if streams.set_presence(tab, person, request, desk.now) || leaves {
            return Ok(NoContent::Done);
        }
        Err(
            Problem::conflict("This session has no stream. Open /api/admin/live first.")
                .with_code("no_stream")
                .into(),
        )
    }
}

/// The beginning of a stream: the number of the newest event for a new client, and which admins
/// have a request open.
fn opening(streams: &Streams, newest: Option<u64>) -> Option<Bytes> {
    let number = newest.map(|number| format!("id: {number}\n\n"));
    let people = streams.presence();
    let people = people.iter().map(|event| event.frame(None));
    let frames: Vec<Bytes> = number.into_iter().map(Bytes::from).chain(people).collect();
    (!frames.is_empty()).then(|| frames.concat().into())
}

/// Errors: 422 for a name that is too long.
fn tab_name(tab: Option<String>) -> Result<String, Problem> {
    let tab = tab.unwrap_or_default();
    if tab.len() > MAX_TAB {
        let detail = format!("`tab` is a text of up to {MAX_TAB} characters.");
        return Err(invalid("tab", detail));
    }
    Ok(tab)
}

/// The id as it is stored. Errors: 422 for a text that is no UUID.
fn request_id(text: &str) -> Result<String, Problem> {
    match uuid::Uuid::try_parse(text) {
        Ok(id) => Ok(id.to_string()),
        Err(_) => {
            let detail = "`request` is the id of a request, or null.";
            Err(invalid("request", detail))
        }
    }
}

/// Ends the streams whose token has expired, or whose session has ended, until the shutdown.
pub async fn run_checks(app: Arc<AppState>) {
    let mut expiry = interval(EXPIRY_INTERVAL);
    loop {
        tokio::select! {
            () = app.live.shutting_down() => return,
            _ = expiry.tick() => app.live.end_expired(app.clock.now()),
            () = app.store.access_changed() => {
                end_ended_sessions(&app).await;
                // Writes come in bursts; one check covers all of them.
                sleep(CHECK_PAUSE).await;
            }
        }
    }
}

async fn end_ended_sessions(app: &AppState) {
    let holders = app.live.holders();
    if holders.is_empty() {
        return;
    }
    match app.auth.without_role(holders, DESK).await {
        Ok(ended) => app.live.end_sessions(&ended),
        Err(error) => tracing::warn!(%error, "the sessions of open streams could not be checked"),
    }
}

/// The stream as a response.
struct LiveResponse {
    live: LiveStream,
    slot: StreamSlot,
}

impl IntoResponse for LiveResponse {
    fn into_response(self) -> Response {
        let body = Body::from_bytes_stream(self.live.into_body());
        let mut response = Response::builder()
            .content_type("text/event-stream")
            .extension(self.slot)
            .body(body);
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        // nginx would hold back events until its buffer is full.
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

impl ApiResponse for LiveResponse {
    fn meta() -> MetaResponses {
        let schema = MetaSchemaRef::Inline(Box::new(MetaSchema::new("string")));
        MetaResponses {
            responses: vec![MetaResponse {
                description: "The events, until the session or its token ends.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: "text/event-stream",
                    schema,
                }],
                headers: vec![],
            }],
        }
    }

    fn register(_: &mut Registry) {}
}
