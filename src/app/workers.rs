//! The background workers of the application, and the receiver of emails for a command.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::key_fingerprint;
use super::parts::{Parts, allowed, open_auth};
use super::reports::Reports;
use crate::maintenance::Maintenance;
use alarms::webhooks::WebhookWorker;
use api::inbox::request_json;
use backup::Keep;
use config::Config;
use domain::clock::Clock;
use http::AppState;
use inbound_mail::InboundMail;
use inbound_mail::imap::MailboxReader;
use outbox::DeliveryWorker;
use outbox::current_renderer::CurrentRenderer;
use outbox::email::{CompanyTimes, EmailKeys, EmailRenderer, FileReader};
use outbox::mailer::Mailer;
use s3::ownership::Role;
use site::renderer::this_program;
use store::Store;

/// How long the server of the mailbox may take for an answer.
const MAILBOX_PATIENCE: Duration = Duration::from_secs(60);

/// The office is notified of a low disk at this multiple of `data.min_free_mb`: early enough to
/// act.
const LOW_DISK_FACTOR: u64 = 5;

/// The receiver of customers' emails, for a command beside the server.
pub async fn open_inbound(
    config: &Config,
    store: Store,
    clock: Clock,
    role: &Role,
) -> Result<InboundMail> {
    let config = &allowed(config, role);
    let auth = open_auth(config, &store, &clock).await?;
    let parts = Parts {
        config,
        store: &store,
        clock: &clock,
        auth: &auth,
    };
    let files = parts.files(role, this_program()).await?;
    parts.inbound(&files, this_program())
}

/// The reader of the mailbox; `None` if the settings name none. Fails if they are invalid.
pub fn mailbox_reader(config: &Config, inbound: &InboundMail) -> Result<Option<MailboxReader>> {
    let (store, clock) = (inbound.store.clone(), inbound.clock.clone());
    let receiver = Arc::new(inbound.clone());
    let settings = &config.mail.inbound;
    MailboxReader::new(settings, MAILBOX_PATIENCE, receiver, store, clock)
}

/// The worker that delivers webhooks.
pub fn webhook_worker(app: &AppState) -> WebhookWorker {
    let (times, texts) = (app.answer_times, app.alarms.texts.clone());
    WebhookWorker {
        store: app.store.clone(),
        clock: app.clock.clone(),
        outgoing: app.alarms.outgoing.clone(),
        request_json: Box::new(move |request| request_json(request, times)),
        chat_text: Box::new(move |title, request, urgent| texts.chat(title, request, urgent)),
    }
}

/// What sends the reports of figures.
pub fn reports(config: &Config, app: &Arc<AppState>) -> Reports {
    Reports {
        app: app.clone(),
        to: config.mail.report_to.clone(),
    }
}

/// The maintenance jobs of `app` by the settings.
pub fn maintenance(config: &Config, app: &AppState) -> Result<Maintenance> {
    Ok(Maintenance {
        role: app.role.clone(),
        store: app.store.clone(),
        clock: app.clock.clone(),
        site: app.publisher.current.clone(),
        certificates: app.certificates.clone(),
        backup: config.backup.clone(),
        keep: Keep::default(),
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
        CompanyTimes {
            zone: app.time_zone.clone(),
            answer: app.answer_times,
        },
    );
    let contents = app.files.contents.clone();
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
        app.publisher.current.clone(),
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
    ))
}
