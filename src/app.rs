//! Builds the application from the settings and a clock. `serve` and the tests share these
//! functions, so a test runs what production runs.

use std::sync::Arc;

use anyhow::{Result, anyhow};

use crate::auth::Auth;
use crate::config::Config;
use crate::domain::clock::Clock;
use crate::domain::form::Forms;
use crate::http::App;
use crate::http::body_budget::BodyBudget;
use crate::http::client_address::ClientAddresses;
use crate::http::metrics::Metrics;
use crate::http::page_map::PageMap;
use crate::outbox::DeliveryWorker;
use crate::outbox::email::EmailRenderer;
use crate::outbox::mailer::Mailer;
use crate::store::Store;
use crate::supervisor::Supervisor;

/// Builds the HTTP application on `store`, the database of `config.data.dir`.
///
/// # Errors
/// If the settings, the keys in the data folder or the embedded site are invalid.
pub async fn build(config: &Config, store: Store, clock: Clock) -> Result<Arc<App>> {
    let folder = &config.data.dir;
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let auth = Auth::open(
        store.clone(),
        clock.clone(),
        config.auth.clone(),
        config.limits.clone(),
        crate::http::auth::urls(&config.server.origin()),
        folder,
    )
    .await?;
    let pages = PageMap::open(
        &config.company,
        &config.server,
        &config.auth.sso,
        &folder.join("media"),
        &clock,
    )?;
    let addresses = ClientAddresses::open(&store, folder, &config.server.trusted_proxies).await?;
    Ok(Arc::new(App {
        auth,
        store,
        clock,
        forms: Arc::new(forms),
        addresses,
        pages: Arc::new(pages),
        metrics: Metrics::default(),
        company: config.company.clone(),
        server: config.server.clone(),
        bodies: BodyBudget::new(&config.limits),
        limits: config.limits.clone(),
        tasks: Supervisor::default(),
    }))
}

/// The worker that delivers the outbox of `app` through `mailer`.
///
/// # Errors
/// If an address in the settings is invalid.
pub fn delivery_worker(
    config: &Config,
    app: &App,
    mailer: Arc<dyn Mailer>,
) -> Result<DeliveryWorker> {
    let renderer = EmailRenderer::new(
        &config.company,
        &config.server.origin(),
        app.forms.clone(),
        &config.mail,
        app.auth.email_key(),
    )?;
    Ok(DeliveryWorker::new(
        app.store.clone(),
        app.clock.clone(),
        renderer,
        mailer,
        &config.mail,
    ))
}
