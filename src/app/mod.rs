//! Builds the application from the settings and a clock. `serve` and the tests share these
//! functions, so a test runs what production runs.

mod parts;
pub mod reports;
pub mod workers;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};

use self::parts::{Parts, allowed, open_auth};
use auth::keys;
use backup::erasure::Eraser;
use certificates::Certificates;
use config::{Config, Desk};
use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::email::reply_template::ReplyTemplate;
use domain::form::Forms;
use domain::offer::document::SealKey;
use domain::offer::link::OfferKeys;
use domain::rate_limit::RateLimiter;
use domain::request::due_time::AnswerTimes;
use domain::request::status_link::StatusLinks;
use http::AppState;
use http::forms::form_views::FormViews;
use http::open_streams::Streams;
use http::pages::Pages;
use http::pages::page_map::PageSettings;
use http::pages::page_views::PageViews;
use http::request::address_key;
use http::request::body::Bodies;
use http::request::body_budget::BodyBudget;
use http::request::client_address::ClientAddresses;
use http::request::permissions::{ADMIN, DESK};
use http::request::previews::Previews;
use http::server::figures_cache::FiguresCache;
use http::server::metrics::Metrics;
use http::supervisor::Supervisor;
use s3::ownership::Role;
use site::publishing::Publisher;
use site::renderer::{self, Renderer};
use store::Store;
use store::database::key_files::KeyFile;

/// Posts of the pages of offers by one client, per minute.
const OFFER_POSTS: u32 = 10;

/// Builds the HTTP application on `store`, the database of `config.data.dir`. Fails if the
/// settings, the keys in the data folder or the embedded site are invalid.
pub async fn build(config: &Config, store: Store, clock: Clock) -> Result<Arc<AppState>> {
    build_with(config, store, clock, renderer::this_program()).await
}

/// As `build`, with another `program` for rendering changed content and decoding pictures.
pub async fn build_with(
    config: &Config,
    store: Store,
    clock: Clock,
    program: PathBuf,
) -> Result<Arc<AppState>> {
    if let Some(newest) = store.newest_time()? {
        clock.start_at(newest);
    }
    let role = Role::of(&store, &config.data, &clock).await?;
    let config = &allowed(config, &role);
    let folder = &config.data.dir;
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let time_zone = TimeZone::parse(&config.company.time_zone)
        .ok_or_else(|| anyhow!("`{}` is not a time zone", config.company.time_zone))?;
    let auth = open_auth(config, &store, &clock).await?;
    let parts = Parts {
        auth: &auth,
        config,
        store: &store,
        clock: &clock,
    };
    let files = parts.files(&role, program.clone()).await?;
    let inbound = parts.inbound(&files, program.clone())?;
    let renderer = Renderer::of(program);
    let publisher =
        Publisher::open(store.clone(), clock.clone(), &config.company, renderer).await?;
    let publisher = Arc::new(publisher);
    let page_settings = page_settings(config, &clock);
    let pages = Pages::open(page_settings, publisher.clone(), &clock)?;
    let addresses = ClientAddresses::open(&store, folder, &config.server.trusted_proxies).await?;
    let forms = Arc::new(forms);
    let alarms = parts.alarms(&forms, &time_zone)?;
    store.keep_figures_in(time_zone.clone()).await?;
    let page_views = Arc::new(PageViews::new(clock.clone(), time_zone.clone()));
    let [offer_links, offer_codes, offer_seals] =
        ["offer links", "offer codes", "offer seals"].map(|purpose| auth.derived_key(purpose));
    Ok(Arc::new(AppState {
        alarms: Arc::new(alarms),
        offer_keys: OfferKeys::new(&offer_links, &offer_codes)?,
        seal_key: SealKey::new(&offer_seals)?,
        offer_posts: RateLimiter::per_minute(OFFER_POSTS),
        status_links: StatusLinks::new(&auth.derived_key("case"))?,
        reply_templates: ReplyTemplate::bundled().context("the reply templates")?,
        auth,
        files,
        inbound,
        live: Streams::new(store.live_feed()),
        eraser: Eraser::new(
            store.clone(),
            folder,
            &config.backup.to,
            &config.s3,
            role.clone(),
        ),
        role,
        store,
        certificates: Certificates::open(&config.server, folder, &clock)?,
        clock,
        forms,
        form_views: FormViews::default(),
        addresses,
        pages: Arc::new(pages),
        publisher,
        page_views,
        previews: Previews::new(ADMIN),
        offer_previews: Previews::new(DESK),
        figures: FiguresCache::default(),
        metrics: Metrics::default(),
        time_zone,
        answer_times: answer_times(&config.desk),
        server: config.server.clone(),
        bodies: Bodies::new(&config.server, &config.limits),
        downloads: BodyBudget::for_downloads(),
        desk: config.desk.clone(),
        limits: config.limits.clone(),
        data: config.data.clone(),
        backup: config.backup.clone(),
        tasks: Supervisor::default(),
    }))
}

/// The response-time targets of the settings.
pub fn answer_times(desk: &Desk) -> AnswerTimes {
    AnswerTimes::new(desk.answer_hours, desk.emergency_minutes)
        .with_next_answer(desk.next_answer_hours)
}

/// What the pages take from the settings.
pub fn page_settings(config: &Config, clock: &Clock) -> PageSettings {
    PageSettings {
        server: config.server.clone(),
        call_minutes: config.desk.emergency_minutes,
        has_sso: !config.auth.sso.is_empty(),
        media: config.data.dir.join("media"),
        clock: clock.clone(),
    }
}

/// The fingerprint of a key file with the content `text`. Fails if it holds no keys.
pub fn key_fingerprint(file: KeyFile, text: &str) -> Result<String> {
    Ok(match file {
        KeyFile::Auth => keys::parse(text)?.fingerprint,
        KeyFile::Address => address_key::parse(text)?.fingerprint,
    })
}
