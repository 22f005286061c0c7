//! The doors: the whole URL surface and the order of middleware on one screen.

pub mod address;
pub mod listen;
pub mod problem;

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::{EndpointExt, Route};

use self::address::Addresses;
use crate::config;
use crate::domain::clock::Clock;
use crate::domain::form::Forms;
use crate::store::Store;

/// What the handlers work with. Each takes from it what it names.
pub struct App {
    /// The database.
    pub store: Store,
    /// The time.
    pub clock: Clock,
    /// The form rules.
    pub forms: Forms,
    /// The company's facts.
    pub company: config::Company,
    /// Where the server listens and whom it believes.
    pub server: config::Server,
    /// Whom a request comes from.
    pub addresses: Addresses,
    /// How much a client may do.
    pub limits: config::Limits,
}

/// Everything that is not a page: the JSON API, the authentication service and the forms' posts.
pub fn endpoint(app: Arc<App>) -> BoxEndpoint<'static> {
    Route::new().data(app).boxed()
}
