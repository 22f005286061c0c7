//! All routes, and the middleware around them.

mod access_log;
mod admin_api;
mod allowed_methods;
mod attachments;
pub mod auth;
mod bearer;
mod body;
pub mod body_budget;
mod case_page;
pub mod client_address;
mod connection_service;
mod connections;
mod desk;
mod dto;
mod encoding;
mod error_page;
mod error_responses;
pub mod form_views;
pub mod guard;
mod health;
mod html_forms;
pub mod live;
pub mod metrics;
mod metrics_server;
mod openapi_document;
pub mod page_map;
pub mod pages;
mod posted_fields;
pub mod problem;
pub mod redirect;
mod resource;
pub mod runtime_pool;
mod security_headers;
pub mod server;
mod server_state;
pub mod site;
pub mod storage;
mod stream;
mod strict_json;
pub mod submit;
pub mod system_api;
pub mod system_status;
mod timeouts;
pub mod tls;
mod visitor_api;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::StatusCode;
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Route, get, post};
use poem_openapi::{OpenApi, OpenApiService};

use self::allowed_methods::AllowedMethods;
use self::body_budget::BodyBudget;
use self::client_address::{Client, ClientAddresses};
use self::form_views::FormViews;
use self::live::Streams;
use self::metrics::Metrics;
use self::pages::Pages;
use self::problem::Problem;
use crate::auth::{Auth, AuthError};
use crate::certificates::Certificates;
use crate::config;
use crate::domain::case_link::{self, CaseLinks};
use crate::domain::clock::Clock;
use crate::domain::due_time::AnswerTimes;
use crate::domain::form::Forms;
use crate::domain::rate_limit::RateLimiter;
use crate::domain::reply_template::ReplyTemplate;
use crate::domain::time_zone::TimeZone;
use crate::erasure::Eraser;
use crate::files::Files;
use crate::publishing::Publisher;
use crate::site::current::SiteState;
use crate::store::Store;
use crate::supervisor::Supervisor;

/// The state shared by all handlers.
pub struct App {
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Clock,
    /// The form rules.
    pub forms: Arc<Forms>,
    /// When clients opened the forms' pages.
    pub form_views: FormViews,
    /// The company's time zone.
    pub time_zone: TimeZone,
    /// The promised times of an answer.
    pub answer_times: AnswerTimes,
    /// The `server` settings.
    pub server: config::Server,
    /// Finds the client of a request.
    pub addresses: ClientAddresses,
    /// The public pages.
    pub pages: Arc<Pages>,
    /// Previews of drafts of the content.
    pub previews: site::preview::Previews,
    /// Publishes the site's content.
    pub publisher: Arc<Publisher>,
    /// The request and connection counters.
    pub metrics: Metrics,
    /// The memory budget of request bodies.
    pub bodies: Arc<BodyBudget>,
    /// The open event streams.
    pub live: Arc<Streams>,
    /// Erases visitors.
    pub eraser: Eraser,
    /// The `limits` settings.
    pub limits: config::Limits,
    /// The `data` settings.
    pub data: config::Data,
    /// The `backup` settings.
    pub backup: config::Backup,
    /// The certificate from an authority; `None` without `server.tls_acme`.
    pub certificates: Option<Arc<Certificates>>,
    /// The authentication service.
    pub auth: Auth,
    /// The storage service.
    pub files: Files,
    /// The supervisor of the background tasks.
    pub tasks: Supervisor,
    /// Makes and verifies the links to status pages.
    pub case_links: CaseLinks,
    /// The templates of replies to visitors.
    pub reply_templates: Vec<ReplyTemplate>,
}

impl App {
    /// What the company says of itself now.
    pub fn site(&self) -> Arc<SiteState> {
        self.publisher.current().get()
    }
}

/// The path of the OpenAPI document.
const OPENAPI_PATH: &str = "/api/openapi.json";

/// All calls of the JSON API, with their OpenAPI description.
pub fn api() -> OpenApiService<impl OpenApi, ()> {
    let calls = (
        visitor_api::VisitorApi,
        admin_api::AdminApi,
        desk::endpoints(),
        site::endpoints(),
        live::LiveApi,
        system_api::SystemApi,
        health::Operations,
        auth::endpoints(),
    );
    OpenApiService::new(calls, "Guardpost", env!("CARGO_PKG_VERSION"))
        .description("The quote desk of a security guard company.")
}

/// The OpenAPI document as it is committed and served.
pub fn description() -> String {
    openapi_document::build(&api().spec())
}

/// The router of everything that is not a page: the JSON API, the authentication service and the
/// form posts.
pub fn endpoint(app: Arc<App>) -> Router {
    let api = api();
    let methods = AllowedMethods::of(&api, openapi_document::storage_routes());
    // Made when it is first asked for: it is half a megabyte, and more while it is made.
    let spec = OnceLock::new();
    let spec = make_sync(move |_| {
        let spec: &Bytes = spec.get_or_init(|| description().into());
        spec.clone().with_content_type("application/json")
    });
    Router {
        json: api.into_endpoint(),
        others: Route::new()
            .at(OPENAPI_PATH, get(spec))
            .at(
                html_forms::QUOTE,
                post(html_forms::quote).get(html_forms::sent),
            )
            .at(
                html_forms::CONTACT,
                post(html_forms::contact).get(html_forms::sent),
            )
            .at("/case/*link", case_page::show)
            .at(
                format!("{}:token", site::preview::PREFIX),
                get(site::preview::show),
            ),
        body_timeout: Duration::from_secs(app.server.body_seconds.into()),
        origin: app.server.origin().into_owned(),
        limiter: RateLimiter::per_minute(app.limits.api_per_minute),
        methods,
        app,
    }
}

/// Dispatches requests and applies the middleware. Hand-written, because each poem middleware and
/// each nested route moves every request once more.
pub struct Router {
    app: Arc<App>,
    json: BoxEndpoint<'static>,
    others: Route,
    body_timeout: Duration,
    origin: String,
    methods: AllowedMethods,
    limiter: RateLimiter,
}

impl Router {
    /// The template of the route that matches `path`; `None` if no route does.
    pub fn template(&self, path: &str) -> Option<&str> {
        if path.starts_with(case_link::PREFIX) {
            return Some(case_page::TEMPLATE);
        }
        if path.starts_with(site::preview::PREFIX) {
            return Some(site::preview::TEMPLATE);
        }
        let others = [OPENAPI_PATH, html_forms::QUOTE, html_forms::CONTACT];
        let other = others.into_iter().find(|other| *other == path);
        let other = other.or_else(|| storage::template(path));
        other.or_else(|| self.methods.template(path))
    }

    /// Rarer futures that are larger are boxed: each request would take as much memory.
    async fn dispatch(&self, mut request: Request) -> poem::Result<Response> {
        if let Some(response) = self.rate_limit(&mut request)? {
            return Ok(response);
        }
        let path = request.uri().path();
        if [OPENAPI_PATH, html_forms::QUOTE, html_forms::CONTACT].contains(&path)
            || path.starts_with(case_link::PREFIX)
            || path.starts_with(site::preview::PREFIX)
        {
            Box::pin(self.others.call(request)).await
        } else if storage::is_path(path) {
            Ok(Box::pin(storage::handle(request, &self.app)).await)
        } else if path.starts_with(auth::BASE) {
            auth::middleware::handle(&self.json, request, &self.app, self.body_timeout).await
        } else {
            body::json_middleware(
                &self.json,
                request,
                &self.app,
                self.body_timeout,
                &self.origin,
            )
            .await
        }
    }

    /// Counts the request against its client's `limits.api_per_minute`; returns 429 if that is used
    /// up.
    fn rate_limit(&self, request: &mut Request) -> poem::Result<Option<Response>> {
        if health::PATHS.contains(&request.uri().path()) {
            return Ok(None);
        }
        let client = Client::of(request)?;
        let result = self.limiter.check(&client.key);
        request.set_data(client);
        Ok(result.err().map(|seconds| {
            if request.uri().path().starts_with(auth::BASE) {
                return auth::middleware::reject(
                    request.headers(),
                    AuthError::rate_limited(seconds),
                );
            }
            if storage::is_path(request.uri().path()) {
                return storage::slow_down(request.uri().path(), seconds);
            }
            let detail = "Please wait a moment and try again.";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
                .with_title("Too many requests")
                .with_retry_after(seconds)
                .into_response()
        }))
    }
}

impl Endpoint for Router {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let uri = request.uri().clone();
        request.set_data(self.app.clone());
        let mut response = self
            .dispatch(request)
            .await
            .unwrap_or_else(Problem::error_response);
        self.methods.add_allow(uri.path(), &mut response);
        Ok(response)
    }
}
