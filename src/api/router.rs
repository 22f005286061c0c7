//! All routes, and the middleware around them.

use std::sync::{Arc, LazyLock, OnceLock};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use poem::endpoint::{BoxEndpoint, make_sync};
use poem::http::StatusCode;
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Route, get, post};

use super::allowed_methods::AllowedMethods;
use crate::json_middleware::json_middleware;
use crate::storage::FileCalls;
use crate::{auth, content, description, health, live, openapi_document, service, storage};
use ::auth::AuthError;
use domain::offer;
use domain::rate_limit::RateLimiter;
use domain::request::status_link;
use http::forms::{confirmation, html_forms, paths, status_page};
use http::request::client_address::Client;
use http::request::problem::Problem;
use http::server::Routes;
use http::{AppState, Part, calendar, offer_page, phone};

/// The path of the OpenAPI document.
const OPENAPI_PATH: &str = "/api/openapi.json";
/// The path of the description of the webhooks.
const WEBHOOKS_PATH: &str = "/api/webhooks.json";

/// The router of everything that is not a page: the JSON API, the authentication service and the
/// form posts. Starts the checks of event streams.
pub fn open(app: Arc<AppState>) -> Router {
    let checked = app.clone();
    app.tasks
        .spawn("live streams", move || live::run_checks(checked.clone()));
    let calls: Arc<LazyLock<Calls>> = Arc::new(LazyLock::new(Calls::new));
    // The framework takes a third of the start to build them, so the server listens first.
    let unset = calls.clone();
    tokio::task::spawn_blocking(move || {
        LazyLock::force(&unset);
    });
    // On first use: it is a megabyte.
    let spec = OnceLock::new();
    let spec = make_sync(move |_| {
        let spec: &Bytes = spec.get_or_init(|| description().into());
        spec.clone().with_content_type("application/json")
    });
    let forms = paths::FORMS.into_iter();
    let forms = forms.fold(Route::new(), |route, path| {
        route.at(path, post(html_forms::post_form).get(confirmation::sent))
    });
    Router {
        calls,
        others: forms
            .at(OPENAPI_PATH, get(spec))
            .at(
                WEBHOOKS_PATH,
                get(make_sync(|_| {
                    openapi_document::webhooks().with_content_type("application/json")
                })),
            )
            .at("/case/*link", status_page::show)
            .at(offer_page::STYLE, get(offer_page::style))
            .at(offer_page::SCRIPT, get(offer_page::script))
            .at(
                offer_page::VERIFY,
                get(offer_page::file_form).post(offer_page::check),
            )
            .at(
                "/offer/:link",
                get(offer_page::show).post(offer_page::answer),
            )
            .at("/offer/:link/:file", get(offer_page::file))
            .at(format!("{}:name", calendar::PREFIX), get(calendar::show))
            .at(format!("{}:what/:id", phone::PREFIX), post(phone::callback))
            .at(format!("{}sms", phone::PREFIX), post(phone::text_message))
            .at(
                format!("{}:token", content::preview::PREFIX),
                get(content::preview::show),
            )
            .at(
                format!("{}:token", offer_page::preview::PREFIX),
                get(offer_page::preview::show),
            )
            .at(
                format!("{}:token/offer.pdf", offer_page::preview::PREFIX),
                get(offer_page::preview::file),
            ),
        limiter: RateLimiter::per_minute(app.limits.api_per_minute),
        app,
    }
}

/// The routes of the JSON API and of the authentication service.
struct Calls {
    endpoint: BoxEndpoint<'static>,
    methods: AllowedMethods,
}

impl Calls {
    fn new() -> Self {
        let api = service();
        Self {
            methods: AllowedMethods::of(&api, openapi_document::storage_routes()),
            endpoint: api.into_endpoint(),
        }
    }
}

/// Dispatches requests and applies the middleware. Hand-written, because each poem middleware and
/// each nested route moves every request once more.
pub struct Router {
    app: Arc<AppState>,
    calls: Arc<LazyLock<Calls>>,
    others: Route,
    limiter: RateLimiter,
}

impl Router {
    /// Rare futures that are larger are boxed: otherwise each request would take as much memory.
    async fn dispatch(&self, mut request: Request) -> poem::Result<Response> {
        if let Some(response) = self.rate_limit(&mut request)? {
            return Ok(response);
        }
        let path = request.uri().path();
        if other_template(path).is_some() {
            Box::pin(self.others.call(request)).await
        } else if storage::is_path(path) {
            Ok(Box::pin(storage::handle(request, FileCalls::of(&self.app))).await)
        } else if path.starts_with(auth::BASE) {
            auth::middleware::handle(&self.calls.endpoint, request, &self.app.bodies).await
        } else {
            json_middleware(&self.calls.endpoint, request, &self.app.bodies).await
        }
    }

    /// Counts the request against its client's `limits.api_per_minute`; returns 429 if the limit is
    /// reached.
    fn rate_limit(&self, request: &mut Request) -> poem::Result<Option<Response>> {
        if health::PATHS.contains(&request.uri().path()) {
            return Ok(None);
        }
        let client = Client::of(request)?;
        let result = self.limiter.check(&client.key, client.site.as_deref());
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

/// The template of a path outside of the two APIs with bodies of JSON and of the storage service.
fn other_template(path: &str) -> Option<&'static str> {
    let prefixes = [
        (status_link::PREFIX, status_page::TEMPLATE),
        (offer::link::PREFIX, offer_page::TEMPLATE),
        (content::preview::PREFIX, content::preview::TEMPLATE),
        (offer_page::preview::PREFIX, offer_page::preview::TEMPLATE),
        (calendar::PREFIX, calendar::TEMPLATE),
        (phone::PREFIX, phone::TEMPLATE),
    ];
    let found = prefixes
        .into_iter()
        .find(|(prefix, _)| path.starts_with(prefix));
    let mut exact = paths::FORMS
        .into_iter()
        .chain([OPENAPI_PATH, WEBHOOKS_PATH]);
    found
        .map(|(_, template)| template)
        .or_else(|| exact.find(|other| *other == path))
}

impl Routes for Router {
    fn respond(&self, mut request: Request) -> BoxFuture<'_, Response> {
        Box::pin(async move {
            let uri = request.uri().clone();
            request.set_data(self.app.clone());
            let mut response = self
                .dispatch(request)
                .await
                .unwrap_or_else(Problem::error_response);
            self.calls.methods.add_allow(uri.path(), &mut response);
            response
        })
    }

    fn template(&self, path: &str) -> Option<&str> {
        other_template(path).or_else(|| self.calls.methods.template(path))
    }
}
