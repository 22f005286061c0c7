//! The web server: the state that all handlers share, and the calls of the JSON API. `router` has
//! all routes, and the middleware around them.

mod access_log;
pub mod address_key;
mod admin_api;
mod allowed_methods;
mod attachments;
pub mod auth;
mod bearer;
mod body;
pub mod body_budget;
mod case_page;
pub mod client_address;
mod confirmation;
mod connection;
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
mod router;
pub mod runtime_pool;
mod same_site;
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
mod uploads;
mod visitor_api;

use std::sync::Arc;

use poem_openapi::{OpenApi, OpenApiService};

use self::body_budget::BodyBudget;
use self::client_address::ClientAddresses;
use self::form_views::FormViews;
use self::live::Streams;
use self::metrics::Metrics;
use self::pages::Pages;
use crate::auth::Auth;
use crate::certificates::Certificates;
use crate::config;
use crate::domain::case_link::CaseLinks;
use crate::domain::clock::Clock;
use crate::domain::due_time::AnswerTimes;
use crate::domain::form::Forms;
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
