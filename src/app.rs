//! Builds the application from the settings and a clock. `serve` and the tests share these
//! functions, so a test runs what production runs.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::alarms::phone::Phone;
use crate::alarms::push::Push;
use crate::alarms::texts::Texts;
use crate::alarms::{self, Alarms};
use crate::auth::{Auth, keys};
use crate::certificates::Certificates;
use crate::config::{Config, Desk};
use crate::domain::clock::Clock;
use crate::domain::clock::time_zone::TimeZone;
use crate::domain::email::message_id::MessageIds;
use crate::domain::email::reply_address::ReplyAddresses;
use crate::domain::email::reply_template::ReplyTemplate;
use crate::domain::form::Forms;
use crate::domain::offer::document::SealKey;
use crate::domain::offer::link::OfferKeys;
use crate::domain::rate_limit::RateLimiter;
use crate::domain::request::due_time::AnswerTimes;
use crate::domain::request::status_link::StatusLinks;
use crate::erasure::Eraser;
use crate::http::AppState;
use crate::http::api::content::previews::Previews;
use crate::http::api::inbox::request_json;
use crate::http::api::live::Streams;
use crate::http::forms::form_views::FormViews;
use crate::http::pages::Pages;
use crate::http::pages::page_map::PageSettings;
use crate::http::request::address_key;
use crate::http::request::body_budget::BodyBudget;
use crate::http::request::client_address::ClientAddresses;
use crate::http::server::metrics::Metrics;
use crate::inbound_mail::InboundMail;
use crate::inbound_mail::imap::MailboxReader;
use crate::inbound_mail::reading::Reader;
use crate::maintenance::Maintenance;
use crate::outbox::DeliveryWorker;
use crate::outbox::current_renderer::CurrentRenderer;
use crate::outbox::email::{EmailKeys, EmailRenderer, FileReader};
use crate::outbox::mailer::Mailer;
use crate::outgoing::Outgoing;
use crate::ownership::Role;
use crate::publishing::Publisher;
use crate::site::renderer::{self, Renderer};
use crate::storage::Files;
use crate::storage::contents::Contents;
use crate::storage::pictures::process::PictureProgram;
use crate::store::Store;
use crate::store::database::key_files::KeyFile;
use crate::supervisor::Supervisor;
use crate::webhooks::WebhookWorker;

/// How long the server of the mailbox may take for an answer.
pub const MAILBOX_PATIENCE: Duration = Duration::from_secs(60);

/// The office is notified of a low disk at this multiple of `data.min_free_mb`: early enough to
/// act.
const LOW_DISK_FACTOR: u64 = 5;

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
    let role = Role::of(&store, &config.data, &clock).await?;
    let config = &allowed(config, &role);
    let folder = &config.data.dir;
    let forms = Forms::bundled().map_err(|error| anyhow!("the form rules: {error}"))?;
    let time_zone = TimeZone::parse(&config.company.time_zone)
        .ok_or_else(|| anyhow!("`{}` is not a time zone", config.company.time_zone))?;
    let auth = open_auth(config, &store, &clock).await?;
    let files = open_files(config, &auth, (&store, &clock), (&role, program.clone())).await?;
    let inbound = inbound_mail(config, (&store, &clock), &auth, &files)?;
    let renderer = Renderer::of(program);
    let publisher =
        Publisher::open(store.clone(), clock.clone(), &config.company, renderer).await?;
    let publisher = Arc::new(publisher);
    let page_settings = page_settings(config, &clock);
    let pages = Pages::open(page_settings, publisher.clone(), &clock)?;
    let addresses = ClientAddresses::open(&store, folder, &config.server.trusted_proxies).await?;
    let forms = Arc::new(forms);
    let alarms = open_alarms(config, (&store, &clock), &auth, (&forms, &time_zone))?;
    let [offer_links, offer_codes, offer_seals] = auth.offer_keys();
    Ok(Arc::new(AppState {
        alarms: Arc::new(alarms),
        offer_keys: OfferKeys::new(&offer_links, &offer_codes)?,
        seal_key: SealKey::new(&offer_seals)?,
        offer_posts: RateLimiter::per_minute(OFFER_POSTS),
        status_links: StatusLinks::new(&auth.status_link_key())?,
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
        previews: Previews::default(),
        metrics: Metrics::default(),
        time_zone,
        answer_times: answer_times(&config.desk),
        server: config.server.clone(),
        bodies: BodyBudget::new(&config.limits),
        downloads: BodyBudget::for_downloads(),
        limits: config.limits.clone(),
        data: config.data.clone(),
        backup: config.backup.clone(),
        tasks: Supervisor::default(),
    }))
}

async fn open_auth(config: &Config, store: &Store, clock: &Clock) -> Result<Auth> {
    Auth::open(
        store.clone(),
        clock.clone(),
        config.auth.clone(),
        config.limits.clone(),
        crate::http::auth::urls(&config.server.origin()),
        &config.data.dir,
    )
    .await
}

async fn open_files(
    config: &Config,
    auth: &Auth,
    (store, clock): (&Store, &Clock),
    (role, program): (&Role, PathBuf),
) -> Result<Files> {
    let files = Files::open(
        store.clone(),
        clock.clone(),
        config.files.clone(),
        Contents::open(&config.files, &config.s3, &config.data.dir, role)?,
        auth.storage_key()?,
        PictureProgram::of(program),
    );
    Ok(files.await?)
}

/// What receives emails of customers, for a command beside the server.
pub async fn open_inbound(
    config: &Config,
    store: Store,
    clock: Clock,
    role: &Role,
) -> Result<InboundMail> {
    let config = &allowed(config, role);
    let auth = open_auth(config, &store, &clock).await?;
    let program = (role, renderer::this_program());
    let files = open_files(config, &auth, (&store, &clock), program).await?;
    inbound_mail(config, (&store, &clock), &auth, &files)
}

/// What reads the mailbox of the settings; `None` if there is none. Fails if the settings are invalid.
pub fn mailbox_reader(config: &Config, inbound: &InboundMail) -> Result<Option<MailboxReader>> {
    let (store, clock) = (inbound.store.clone(), inbound.clock.clone());
    let receiver = Arc::new(inbound.clone());
    let settings = &config.mail.inbound;
    let reader = MailboxReader::new(settings, MAILBOX_PATIENCE, receiver, store, clock)?;
    Ok(reader.map(|reader| reader.reporting_to(inbound.mailbox.clone())))
}

fn inbound_mail(
    config: &Config,
    (store, clock): (&Store, &Clock),
    auth: &Auth,
    files: &Files,
) -> Result<InboundMail> {
    let settings = &config.mail.inbound;
    Ok(InboundMail {
        store: store.clone(),
        clock: clock.clone(),
        files: files.clone(),
        reader: Reader {
            addresses: ReplyAddresses::new(&auth.reply_address_key(), &settings.address)?,
            message_ids: MessageIds::new(&auth.message_id_key())?,
            authserv_id: settings.authserv_id.clone(),
        },
        max_bytes: settings.max_bytes(),
        discarded_days: config.desk.held_days,
        counters: Arc::default(),
        mailbox: Arc::default(),
    })
}

/// What tells people of alarms.
fn open_alarms(
    config: &Config,
    (store, clock): (&Store, &Clock),
    auth: &Auth,
    (forms, time_zone): (&Arc<Forms>, &TimeZone),
) -> Result<Alarms> {
    let origin = config.server.origin().into_owned();
    Ok(Alarms {
        store: store.clone(),
        clock: clock.clone(),
        rules: alarms::rules(&config.alarms, &config.phone, time_zone.clone())?,
        outgoing: Outgoing::new(&config.outgoing),
        push: Push::new(&auth.push_key(), &config.company.email)?,
        phone: Phone::new(&config.phone, &origin)?,
        texts: Texts {
            forms: forms.clone(),
            origin,
            company: config.company.name.clone(),
            time_zone: time_zone.clone(),
        },
    })
}

/// The worker that delivers webhooks.
pub fn webhook_worker(config: &Config, app: &AppState) -> WebhookWorker {
    let (times, texts) = (app.answer_times, app.alarms.texts.clone());
    WebhookWorker {
        store: app.store.clone(),
        clock: app.clock.clone(),
        settings: config.webhooks.clone(),
        outgoing: app.alarms.outgoing.clone(),
        request_json: Box::new(move |request| request_json(request, times)),
        chat_text: Box::new(move |title, request, urgent| texts.chat(title, request, urgent)),
    }
}

/// The response-time targets of the settings.
pub fn answer_times(desk: &Desk) -> AnswerTimes {
    AnswerTimes::new(desk.answer_hours, desk.emergency_minutes)
        .with_next_answer(desk.next_answer_hours)
}

/// The settings that `role` allows: a drill calls no identity providers.
fn allowed(config: &Config, role: &Role) -> Config {
    let mut allowed = config.clone();
    if role.is_drill() {
        allowed.auth.providers.clear();
        allowed.auth.sso.clear();
    }
    allowed
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
        KeyFile::Auth => keys::parse(text)?.1,
        KeyFile::Address => address_key::parse(text)?.1,
    })
}

/// The maintenance jobs of `app` by the settings.
pub fn maintenance(config: &Config, app: &AppState) -> Result<Maintenance> {
    Ok(Maintenance {
        role: app.role.clone(),
        store: app.store.clone(),
        clock: app.clock.clone(),
        certificates: app.certificates.clone(),
        backup: config.backup.clone(),
        s3: config.s3.clone(),
        files: config.files.clone(),
        retention: config.retention.clone(),
        data: config.data.clone(),
        low_disk_mb: config.data.min_free_mb.saturating_mul(LOW_DISK_FACTOR),
        settings: config.without_secrets()?,
        fingerprint: key_fingerprint,
    })
}

/// The worker that delivers the outbox of `app` through `mailer`. Fails if an address in the
/// settings is invalid.
pub fn delivery_worker(
    config: &Config,
    app: &AppState,
    mailer: Arc<dyn Mailer>,
) -> Result<DeliveryWorker> {
    let keys = EmailKeys {
        sealing: app.auth.email_key(),
        status_links: app.status_links.clone(),
        offers: app.offer_keys.clone(),
        reply_addresses: app.inbound.reader.addresses.clone(),
        message_ids: app.inbound.reader.message_ids.clone(),
    };
    let (origin, forms) = (config.server.origin().into_owned(), app.forms.clone());
    let (mail, times) = (
        config.mail.clone(),
        (app.time_zone.clone(), app.answer_times),
    );
    let contents = app.files.contents().clone();
    let read_file: FileReader = Arc::new(move |sha256| {
        let contents = contents.clone();
        Box::pin(async move {
            let read = move || {
                let mut bytes = Vec::new();
                contents.file(&sha256)?.read_to_end(&mut bytes)?;
                Ok(bytes)
            };
            tokio::task::spawn_blocking(read).await?
        })
    });
    let renderer = CurrentRenderer::new(
        app.publisher.current().clone(),
        Box::new(move |company| {
            let (forms, times, keys) = (forms.clone(), times.clone(), keys.clone());
            let read_file = read_file.clone();
            EmailRenderer::new(company, &origin, forms, &mail, times, keys, read_file)
        }),
    )?;
    Ok(DeliveryWorker::new(
        app.store.clone(),
        app.clock.clone(),
        renderer,
        mailer,
        &config.mail,
        config.retention.sent_days,
        app.answer_times,
    ))
}
