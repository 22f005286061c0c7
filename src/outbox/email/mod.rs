//! Renders a notice as an email: recipient, headers and body. `staff`, `visitor` and `account`
//! collect the facts; the words and the layout are in `templates/`.

mod account;
mod attached;
mod draft;
mod message;
mod offer;
mod operations;
mod recipients;
mod staff;
mod templates;
mod visitor;

use std::io;
use std::sync::Arc;

use anyhow::Context;
use futures_util::future::BoxFuture;
use lettre::message::Mailbox;
use lettre::{Address, Message};

use self::templates::Templates;
use config::{self, Company};
use domain::clock::Time;
use domain::clock::time_zone::TimeZone;
use domain::email::email_address::is_mailable_box;
use domain::email::message_id::MessageIds;
use domain::email::reply_address::ReplyAddresses;
use domain::form::Forms;
use domain::offer::link::OfferKeys;
use domain::request::due_time::AnswerTimes;
use domain::request::status_link::StatusLinks;
use domain::sealing::SealingKey;
use store::outbox::delivery::ClaimedEmail;
use store::{self, Store};

/// Reads a stored content by its SHA-256.
pub type FileReader = Arc<dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<u8>>> + Send + Sync>;

/// An email ready to be sent.
pub struct Email {
    /// Id of its outbox row; the same for every attempt.
    pub id: i64,
    /// When the notice was written.
    pub created_at: Time,
    /// Kind of the notice, as `guardpost outbox list` shows it.
    pub kind: String,
    /// The MIME message.
    pub message: Message,
}

/// Why an email could not be rendered.
#[derive(Debug)]
pub enum RenderError {
    /// Its data could not be read; a retry may succeed.
    Temporary(store::Error),
    /// The headers cannot be written, by a fault of the settings; succeeds once an operator
    /// or the office has corrected them.
    OwnHeaders,
    /// A retry cannot succeed; the reason.
    Permanent(&'static str),
    /// Its code and link have expired.
    Expired,
    /// Its subject was settled before it could be sent.
    NotNeeded,
}

pub struct EmailRenderer {
    templates: Templates,
    origin: String,
    time_zone: TimeZone,
    answer_times: AnswerTimes,
    forms: Arc<Forms>,
    email_key: SealingKey,
    status_links: StatusLinks,
    offers: OfferKeys,
    reply_addresses: ReplyAddresses,
    message_ids: MessageIds,
    from: Mailbox,
    /// The company's public address, for visitors' answers.
    office: Mailbox,
    staff: Vec<Mailbox>,
    acknowledges: bool,
    read_file: FileReader,
}

/// The keys that emails need.
#[derive(Clone)]
pub struct EmailKeys {
    /// Decrypts the codes and links in account emails.
    pub sealing: SealingKey,
    /// Makes the links to status pages.
    pub status_links: StatusLinks,
    /// Makes the links to offers.
    pub offers: OfferKeys,
    /// Makes the addresses for customers' answers.
    pub reply_addresses: ReplyAddresses,
    /// Makes the Message-IDs.
    pub message_ids: MessageIds,
}

/// The company's times.
#[derive(Clone)]
pub struct CompanyTimes {
    pub zone: TimeZone,
    pub answer: AnswerTimes,
}

impl EmailRenderer {
    /// A renderer for this company; `origin` is the site's public address, and `read_file` reads
    /// the files that emails carry. Fails if a configured address is not a valid email address.
    pub fn new(
        company: &Company,
        origin: &str,
        forms: Arc<Forms>,
        settings: &config::Mail,
        times: CompanyTimes,
        keys: EmailKeys,
        read_file: FileReader,
    ) -> anyhow::Result<Self> {
        let own: Address = company.email.parse().context("setting `company.email`")?;
        let office = Mailbox::new(Some(company.name.clone()), own);
        let from = match settings.from.as_str() {
            "" => office.clone(),
            from => from.parse().context("setting `mail.from`")?,
        };
        let staff = match settings.to.as_slice() {
            [] => vec![office.clone()],
            to => parse_staff(to)?,
        };
        Ok(Self {
            templates: Templates::new(company, origin)?,
            origin: origin.to_owned(),
            time_zone: times.zone,
            answer_times: times.answer,
            forms,
            email_key: keys.sealing,
            status_links: keys.status_links,
            offers: keys.offers,
            reply_addresses: keys.reply_addresses,
            message_ids: keys.message_ids,
            from,
            office,
            staff,
            acknowledges: settings.acknowledge,
            read_file,
        })
    }

    /// Renders the email of a claimed row. Errors: see `RenderError`.
    pub async fn render(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        now: Time,
    ) -> Result<Email, RenderError> {
        let draft = self.draft(store, row, now).await?;
        let files = self.attachments(&draft.files).await?;
        let is_own = !self.can_send() || self.staff.contains(&draft.to);
        self.build_message(row, draft, files)
            .map_err(|_| match is_own {
                true => RenderError::OwnHeaders,
                false => RenderError::Permanent("its recipient's address cannot be written"),
            })
    }

    /// Whether the addresses that every email names can be written into its headers.
    fn can_send(&self) -> bool {
        is_mailable_box(&self.from) && is_mailable_box(&self.office)
    }
}

/// Parses `mail.to`, without duplicates.
fn parse_staff(addresses: &[String]) -> anyhow::Result<Vec<Mailbox>> {
    let mut staff: Vec<Mailbox> = Vec::new();
    for text in addresses {
        let mailbox: Mailbox = text.parse().context("setting `mail.to`")?;
        let email = mailbox.email.as_ref();
        if !staff
            .iter()
            .any(|known| same_address(known.email.as_ref(), email))
        {
            staff.push(mailbox);
        }
    }
    Ok(staff)
}

/// Compares addresses without case: mail servers in use ignore it.
fn same_address(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

impl From<minijinja::Error> for RenderError {
    fn from(error: minijinja::Error) -> Self {
        tracing::error!(%error, "an email template cannot be rendered");
        Self::Permanent("its template cannot be rendered")
    }
}

#[cfg(test)]
mod tests;
