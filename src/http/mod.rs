//! The doors: the whole URL surface and the order of middleware on one screen.

mod access_log;
mod admin_api;
mod allowed_methods;
pub mod auth;
mod body;
pub mod body_budget;
pub mod client_address;
mod connections;
mod encoding;
mod error_responses;
pub mod guard;
mod health;
mod html_forms;
pub mod metrics;
mod metrics_server;
mod openapi_document;
pub mod page_map;
pub mod problem;
mod resource;
pub mod runtime_pool;
mod security_headers;
pub mod server;
mod stream;
mod strict_json;
pub mod submit;
mod timeouts;
pub mod tls;
mod visitor_api;

use std::sync::Arc;
use std::time::Duration;

use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::StatusCode;
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Route, get, post};
use poem_openapi::{OpenApi, OpenApiService};

use self::allowed_methods::AllowedMethods;
use self::body_budget::BodyBudget;
use self::client_address::{Client, ClientAddresses};
use self::metrics::Metrics;
use self::page_map::PageMap;
use self::problem::Problem;
use crate::auth::{Auth, AuthError};
use crate::config;
use crate::domain::clock::Clock;
use crate::domain::form::Forms;
use crate::domain::rate_limit::RateLimiter;
use crate::store::Store;
use crate::supervisor::Supervisor;

/// What the handlers work with. Each takes from it what it names.
pub struct App {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// The form rules.
    pub forms: Arc<Forms>,
    /// The company's facts.
    pub company: config::Company,
    /// Where the server listens and whom it believes.
    pub server: config::Server,
    /// Whom a request comes from.
    pub addresses: ClientAddresses,
    /// The public pages.
    pub pages: Arc<PageMap>,
    /// What the operator counts.
    pub metrics: Metrics,
    /// The memory of request bodies.
    pub bodies: Arc<BodyBudget>,
    /// How much a client may do.
    pub limits: config::Limits,
    /// The authentication service.
    pub auth: Auth,
    /// The background tasks.
    pub tasks: Supervisor,
}

/// Where the description of the JSON interface lies.
const DESCRIPTION: &str = "/api/openapi.json";

/// Every call of the JSON interface, with its description.
pub fn api() -> OpenApiService<impl OpenApi, ()> {
    let calls = (
        visitor_api::Visitor,
        admin_api::AdminApi,
        health::Operations,
        auth::doors(),
    );
    OpenApiService::new(calls, "Guardpost", env!("CARGO_PKG_VERSION"))
        .description("The quote desk of a security guard company.")
}

/// The API description as it is committed and served.
pub fn description() -> String {
    openapi_document::of(&api().spec())
}

/// Everything that is not a page: the JSON API, the authentication service and the forms' posts.
pub fn endpoint(app: Arc<App>) -> Router {
    let description = description();
    let methods = AllowedMethods::of(&description);
    let spec = bytes::Bytes::from(description);
    let spec = make_sync(move |_| spec.clone().with_content_type("application/json"));
    Router {
        json: api().into_endpoint(),
        others: Route::new()
            .at(DESCRIPTION, get(spec))
            .at(html_forms::QUOTE, post(html_forms::quote))
            .at(html_forms::CONTACT, post(html_forms::contact)),
        patience: Duration::from_secs(app.server.body_seconds.into()),
        origin: app.server.origin().into_owned(),
        limiter: RateLimiter::per_minute(app.limits.api_per_minute),
        methods,
        app,
    }
}

/// Which way a call goes, and what is around every one. Said by hand: each middleware, and each route nested in another, moves every request once more.
pub struct Router {
    app: Arc<App>,
    json: BoxEndpoint<'static>,
    others: Route,
    patience: Duration,
    origin: String,
    methods: AllowedMethods,
    limiter: RateLimiter,
}

impl Router {
    /// The template of the route that `path` takes; `None` where there is no such route.
    pub fn template(&self, path: &str) -> Option<&str> {
        let others = [DESCRIPTION, html_forms::QUOTE, html_forms::CONTACT];
        let other = others.into_iter().find(|other| *other == path);
        other.or_else(|| self.methods.template(path))
    }

    async fn way(&self, mut request: Request) -> poem::Result<Response> {
        if let Some(refusal) = self.count(&mut request)? {
            return Ok(refusal);
        }
        let path = request.uri().path();
        if [DESCRIPTION, html_forms::QUOTE, html_forms::CONTACT].contains(&path) {
            self.others.call(request).await
        } else if path.starts_with(auth::BASE) {
            auth::middleware::speak(&self.json, request, &self.app, self.patience).await
        } else {
            body::json_only(&self.json, request, &self.app, self.patience, &self.origin).await
        }
    }

    /// Counts the call against its client's `limits.api_per_minute`; the answer if that is used up.
    fn count(&self, request: &mut Request) -> poem::Result<Option<Response>> {
        if health::PATHS.contains(&request.uri().path()) {
            return Ok(None);
        }
        let client = Client::of(request)?;
        let verdict = self.limiter.check(&client.key);
        request.set_data(client);
        Ok(verdict.err().map(|seconds| {
            if request.uri().path().starts_with(auth::BASE) {
                return auth::middleware::refuse(
                    request.headers(),
                    AuthError::rate_limited(seconds),
                );
            }
            let detail = "Please wait a moment and try again.";
            Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
                .titled("Too many requests")
                .retry_after(seconds)
                .into_response()
        }))
    }
}

impl Endpoint for Router {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let uri = request.uri().clone();
        request.set_data(self.app.clone());
        let mut response = self.way(request).await.unwrap_or_else(Problem::answer);
        self.methods.name(uri.path(), &mut response);
        Ok(response)
    }
}
