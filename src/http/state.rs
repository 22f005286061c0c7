//! The application, and what a handler takes of it. The type of its parameter says what it touches:
//! one part, as in `Uses<&Store>`, or the struct of its area, as in `Uses<OfferPages<'_>>`.

use std::ops::Deref;
use std::sync::Arc;

use poem::http::StatusCode;
use poem::{FromRequest, Request, RequestBody};

use super::forms::form_views::FormViews;
use super::offer_page::previewed::OfferPreview;
use super::open_streams::Streams;
use super::pages::Pages;
use super::pages::page_map::PageMap;
use super::pages::page_views::PageViews;
use super::request::body::Bodies;
use super::request::body_budget::BodyBudget;
use super::request::client_address::ClientAddresses;
use super::request::previews::Previews;
use super::server::figures_cache::FiguresCache;
use super::server::metrics::Metrics;
use crate::supervisor::Supervisor;
use alarms::Alarms;
use auth::Auth;
use backup::erasure::Eraser;
use certificates::Certificates;
use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::email::reply_template::ReplyTemplate;
use domain::form::Forms;
use domain::offer::document::SealKey;
use domain::offer::link::OfferKeys;
use domain::rate_limit::RateLimiter;
use domain::request::due_time::AnswerTimes;
use domain::request::status_link::StatusLinks;
use inbound_mail::InboundMail;
use s3::ownership::Role;
use site::publishing::Publisher;
use storage::Files;
use store::Store;

/// Declares the application: each of its fields is a part, and `area!` finds its type by its name.
macro_rules! application {
    ($(#[$meta:meta])* pub struct $app:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        pub struct $app {
            $($(#[$doc])* pub $field: $type,)+
        }

        $(impl<'a> Part<'a> for &'a $type {
            fn of(app: &'a $app) -> Self {
                &app.$field
            }
        })+

        /// The types of the application's fields, by their names.
        #[expect(non_camel_case_types, reason = "a type has the name of its field")]
        pub mod types {
            use crate::state::*;
            $(pub type $field = $type;)+
        }
    };
}

application! {
/// The state shared by all handlers.
pub struct AppState {
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
    /// Counts the views of pages.
    pub page_views: Arc<PageViews>,
    /// Previews of drafts of the content.
    pub previews: Previews<PageMap>,
    /// Previews of drafts of offers.
    pub offer_previews: Previews<OfferPreview>,
    /// The figures that were read last.
    pub figures: FiguresCache,
    /// Publishes the site's content.
    pub publisher: Arc<Publisher>,
    /// The request and connection counters.
    pub metrics: Metrics,
    /// How bodies of requests are received.
    pub bodies: Bodies,
    /// The memory budget of downloads.
    pub downloads: Arc<BodyBudget>,
    /// The open event streams.
    pub live: Arc<Streams>,
    /// What may be done outside of the data folder.
    pub role: Role,
    /// Erases visitors.
    pub eraser: Eraser,
    /// The `desk` settings.
    pub desk: config::Desk,
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
    /// Receives emails of customers.
    pub inbound: InboundMail,
    /// The supervisor of the background tasks.
    pub tasks: Supervisor,
    /// Makes and verifies the links to status pages.
    pub status_links: StatusLinks,
    /// Makes and verifies the links to offers, and their codes.
    pub offer_keys: OfferKeys,
    /// Counts the posts of the pages of offers by client.
    pub offer_posts: RateLimiter,
    /// Seals acceptances of offers.
    pub seal_key: SealKey,
    /// Notifies people of alarms.
    pub alarms: Arc<Alarms>,
    /// The templates of replies to visitors.
    pub reply_templates: Vec<ReplyTemplate>,
}
}

impl AppState {
    /// The application that answers `request`. Fails if it did not come through `Router`.
    pub fn of(request: &Request) -> poem::Result<&Arc<Self>> {
        let app = request.data();
        app.ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into())
    }
}

/// A part of the application.
pub trait Part<'a>: Send {
    /// The part of `app`.
    fn of(app: &'a AppState) -> Self;
}

/// Nothing more.
impl Part<'_> for () {
    fn of(_: &AppState) {}
}

/// Declares the struct of an area: the names of the fields that it touches.
#[macro_export]
macro_rules! area {
    ($(#[$meta:meta])* $name:ident: $($field:ident),+) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name<'a> {
            $(pub $field: &'a $crate::state::types::$field,)+
        }

        impl<'a> $crate::state::Part<'a> for $name<'a> {
            fn of(app: &'a $crate::state::AppState) -> Self {
                Self { $($field: &app.$field,)+ }
            }
        }
    };
}

/// A part, as a parameter of a handler.
pub struct Uses<P>(pub P);

impl<P> Deref for Uses<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.0
    }
}

impl<'a, P: Part<'a>> FromRequest<'a> for Uses<P> {
    async fn from_request(request: &'a Request, _: &mut RequestBody) -> poem::Result<Self> {
        Ok(Self(P::of(AppState::of(request)?)))
    }
}
