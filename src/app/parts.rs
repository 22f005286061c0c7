//! The parts of the application that commands build too, without the HTTP application.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use alarms::outgoing::Outgoing;
use alarms::phone::Phone;
use alarms::push::Push;
use alarms::texts::Texts;
use alarms::{self, Alarms};
use auth::Auth;
use config::Config;
use domain::clock::Clock;
use domain::clock::time_zone::TimeZone;
use domain::form::Forms;
use domain::sealing::SealingKey;
use inbound_mail::InboundMail;
use inbound_mail::imap::mailbox_name;
use inbound_mail::reading::process::{EmailProgram, ReaderSettings};
use s3::ownership::Role;
use storage::Files;
use storage::contents::Contents;
use storage::pictures::process::PictureProgram;
use store::Store;

/// The settings that `role` allows: a drill calls no identity providers.
pub(super) fn allowed(config: &Config, role: &Role) -> Config {
    let mut allowed = config.clone();
    if role.is_drill() {
        allowed.auth.providers.clear();
        allowed.auth.sso.clear();
    }
    allowed
}

pub(super) async fn open_auth(config: &Config, store: &Store, clock: &Clock) -> Result<Auth> {
    Auth::open(
        store.clone(),
        clock.clone(),
        config.auth.clone(),
        config.limits.clone(),
        api::auth::urls(&config.server.origin()),
        &config.data.dir,
    )
    .await
}

/// What each part is made of.
pub(super) struct Parts<'a> {
    pub config: &'a Config,
    pub store: &'a Store,
    pub clock: &'a Clock,
    pub auth: &'a Auth,
}

impl Parts<'_> {
    /// The storage service; `program` decodes pictures.
    pub(super) async fn files(&self, role: &Role, program: PathBuf) -> Result<Files> {
        let config = self.config;
        let files = Files::open(
            self.store.clone(),
            self.clock.clone(),
            config.files.clone(),
            Contents::open(&config.files, &config.s3, &config.data.dir, role)?,
            SealingKey::new(&self.auth.derived_key("storage"))?,
            PictureProgram::of(program),
        );
        Ok(files.await?)
    }

    /// The receiver of customers' emails, whose files are stored in `files`; `program` reads them.
    pub(super) fn inbound(&self, files: &Files, program: PathBuf) -> Result<InboundMail> {
        let settings = &self.config.mail.inbound;
        let reader = ReaderSettings {
            address_key: self.auth.derived_key("reply address"),
            message_id_key: self.auth.derived_key("message id"),
            mailbox: settings.address.clone(),
            authserv_id: settings.authserv_id.clone(),
            own_addresses: own_addresses(self.config),
            own_names: own_names(self.config),
        };
        Ok(InboundMail {
            store: self.store.clone(),
            clock: self.clock.clone(),
            files: files.clone(),
            reader: reader.reader()?,
            program: EmailProgram::of(program, reader),
            turn: Arc::default(),
            max_bytes: settings.max_bytes(),
            mailbox: (!settings.host.is_empty()).then(|| mailbox_name(settings)),
        })
    }

    /// The alarms; their texts name services by the labels of `forms`.
    pub(super) fn alarms(&self, forms: &Arc<Forms>, time_zone: &TimeZone) -> Result<Alarms> {
        let config = self.config;
        let origin = config.server.origin().into_owned();
        Ok(Alarms {
            store: self.store.clone(),
            clock: self.clock.clone(),
            rules: alarms::rules(&config.alarms, &config.phone, time_zone.clone())?,
            outgoing: Outgoing::new(&config.outgoing),
            push: Push::new(&self.auth.derived_key("web push"), &config.company.email)?,
            phone: Phone::new(&config.phone, &origin)?,
            texts: Texts {
                forms: forms.clone(),
                origin,
                company: config.company.name.clone(),
                time_zone: time_zone.clone(),
            },
        })
    }
}

/// The addresses from which the office writes and at which it receives.
fn own_addresses(config: &Config) -> Vec<String> {
    let from = config.mail.from.rsplit('<').next().unwrap_or_default();
    let all = [
        config.mail.inbound.address.as_str(),
        &config.company.email,
        from.trim_end_matches('>'),
    ];
    let all = all.map(|address| address.trim().to_ascii_lowercase());
    all.into_iter().filter(|it| it.contains('@')).collect()
}

/// The names with which the office writes.
fn own_names(config: &Config) -> Vec<String> {
    let from = config.mail.from.split('<').next().unwrap_or_default();
    let from = from.trim().trim_matches('"');
    let all = [config.company.name.as_str(), from].map(str::to_owned);
    all.into_iter()
        .filter(|it| !it.is_empty() && !it.contains('@'))
        .collect()
}
