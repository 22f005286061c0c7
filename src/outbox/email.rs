//! Renders a notice as an email: recipient, headers and body. `staff`, `visitor` and `account`
//! collect the facts, the words and the layout are in `templates/`.

mod account;
mod staff;
mod templates;
mod visitor;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use self::templates::{Rendered, Templates};
use crate::config::{self, Company};
use crate::domain::case_link::CaseLinks;
use crate::domain::clock::Time;
use crate::domain::due_time::AnswerTimes;
use crate::domain::form::Forms;
use crate::domain::notice::Notice;
use crate::domain::sealing::SealingKey;
use crate::domain::text::is_invisible;
use crate::domain::time_zone::TimeZone;
use crate::store::{self, ClaimedEmail, Store};

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
    /// A retry cannot succeed; the reason.
    Permanent(&'static str),
    /// Its code and link have expired.
    Expired,
}

/// Renders emails.
pub struct EmailRenderer {
    templates: Templates,
    origin: String,
    time_zone: TimeZone,
    answer_times: AnswerTimes,
    forms: Arc<Forms>,
    email_key: SealingKey,
    case_links: CaseLinks,
    from: Mailbox,
    /// The company's public address, for answers of visitors.
    office: Mailbox,
    staff: Vec<Mailbox>,
    acknowledges: bool,
}

/// The keys that emails need.
#[derive(Clone)]
pub struct EmailKeys {
    /// Decrypts the codes and links in account emails.
    pub sealing: SealingKey,
    /// Makes the links to status pages.
    pub case_links: CaseLinks,
}

/// Whether a machine writes the email (RFC 3834, section 5).
#[derive(Clone, Copy, PartialEq, Eq)]
enum AutoSubmitted {
    No,
    Generated,
    Replied,
}

/// An email before its headers are built.
struct Draft {
    to: Mailbox,
    reply_to: Option<Mailbox>,
    auto_submitted: AutoSubmitted,
    /// The Message-IDs of the conversation so far, oldest first.
    references: Vec<String>,
    content: Rendered,
}

impl EmailRenderer {
    /// A renderer for this company; `origin` is the site's public address, `times`
    /// are the company's time zone and how soon it answers.
    ///
    /// # Errors
    /// If a configured address is not a valid email address.
    pub fn new(
        company: &Company,
        origin: &str,
        forms: Arc<Forms>,
        settings: &config::Mail,
        times: (TimeZone, AnswerTimes),
        keys: EmailKeys,
    ) -> anyhow::Result<Self> {
        let (time_zone, answer_times) = times;
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
            templates: Templates::new(company, origin),
            origin: origin.to_owned(),
            time_zone,
            answer_times,
            forms,
            email_key: keys.sealing,
            case_links: keys.case_links,
            from,
            office,
            staff,
            acknowledges: settings.acknowledge,
        })
    }

    /// Renders the email of a claimed row.
    ///
    /// # Errors
    /// See `RenderError`.
    pub async fn render(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        now: Time,
    ) -> Result<Email, RenderError> {
        let draft = self.draft(store, row, now).await?;
        self.build_message(row, draft)
            .map_err(|_| RenderError::Permanent("its headers are invalid"))
    }

    async fn draft(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        now: Time,
    ) -> Result<Draft, RenderError> {
        match &row.notice {
            Some(Notice::Quote { id, to, .. }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let quote = store.quote(id.clone()).await.map_err(read_error)?;
                self.quote_email(to, &quote)
            }
            Some(Notice::Files { id, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let quote = store.quote(id.clone()).await.map_err(read_error)?;
                let files = store.quote_files(id.clone()).await.map_err(read_error)?;
                self.files_email(to, &quote, &files)
            }
            Some(Notice::Contact { id, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let message = store.contact(id.clone()).await.map_err(read_error)?;
                self.contact_email(to, &message)
            }
            Some(Notice::License(license)) => {
                let to = self.staff_mailbox(license.to.as_deref())?;
                self.license_email(to, license)
            }
            Some(Notice::Maintenance {
                job,
                error,
                succeeded_at,
                to,
            }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                self.maintenance_email(to, job, error, succeeded_at.as_deref())
            }
            Some(Notice::Escalation { id, step, to, .. }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let request = store.request(id.clone()).await.map_err(read_error)?;
                self.escalation_email(to, &request, *step)
            }
            Some(Notice::Acknowledgement { id }) => {
                let request = store.request(id.clone()).await.map_err(read_error)?;
                self.acknowledgement(&request)
            }
            Some(Notice::Reply { .. }) => {
                let unknown = RenderError::Permanent("its event is not known");
                let event = row.event.ok_or(unknown)?;
                self.reply(&store.stored_reply(event).await.map_err(read_error)?)
            }
            Some(Notice::Account(notice)) => {
                let lifetime = i64::from(notice.minutes) * 60;
                if now > row.created_at.plus_seconds(lifetime) {
                    return Err(RenderError::Expired);
                }
                self.account_email(notice)
            }
            None => Err(RenderError::Permanent("its notice is invalid")),
        }
    }

    /// Splits a notice to the staff into one notice per address, so that they are delivered and
    /// retried independently, and the acknowledgement to the visitor. Empty if the row has a
    /// recipient already.
    pub fn split_recipients(&self, row: &ClaimedEmail) -> Vec<Notice> {
        let Some(notice) = &row.notice else {
            return Vec::new();
        };
        let staff = self
            .staff
            .iter()
            .filter_map(|mailbox| notice.for_recipient(mailbox.email.as_ref()));
        let acknowledgement = notice.acknowledgement().filter(|_| self.acknowledges);
        staff.chain(acknowledgement).collect()
    }

    fn message_id(&self, email: i64) -> String {
        format!("<{email}@{}>", self.from.email.domain())
    }

    /// The staff mailbox with this address; the first (and only) one if no address is given.
    fn staff_mailbox(&self, address: Option<&str>) -> Result<Mailbox, RenderError> {
        let matches = |mailbox: &&Mailbox| {
            address.is_none_or(|address| same_address(mailbox.email.as_ref(), address))
        };
        let mailbox = self.staff.iter().find(matches).cloned();
        mailbox.ok_or(RenderError::Permanent(
            "its recipient is no longer one of `mail.to`",
        ))
    }

    /// Adds the headers. Message-ID and date come from the row, so that a retry sends the same
    /// message.
    fn build_message(
        &self,
        row: &ClaimedEmail,
        draft: Draft,
    ) -> Result<Email, lettre::error::Error> {
        let at = Duration::from_millis(row.created_at.millis().try_into().unwrap_or(0));
        let mut builder = Message::builder()
            .message_id(Some(self.message_id(row.id)))
            .date(SystemTime::UNIX_EPOCH + at)
            .from(self.from.clone())
            .to(draft.to)
            .subject(draft.content.subject);
        // Suppresses automatic replies.
        let auto_submitted = match draft.auto_submitted {
            AutoSubmitted::No => None,
            AutoSubmitted::Generated => Some("auto-generated"),
            AutoSubmitted::Replied => Some("auto-replied"),
        };
        if let Some(value) = auto_submitted {
            let name = HeaderName::new_from_ascii_str("Auto-Submitted");
            builder = builder.raw_header(HeaderValue::new(name, value.to_owned()));
        }
        if draft.auto_submitted == AutoSubmitted::Replied {
            let name = HeaderName::new_from_ascii_str("X-Auto-Response-Suppress");
            builder = builder.raw_header(HeaderValue::new(name, "All".to_owned()));
        }
        if let Some(last) = draft.references.last() {
            builder = builder
                .in_reply_to(last.clone())
                .references(draft.references.join(" "));
        }
        if let Some(reply_to) = draft.reply_to {
            builder = builder.reply_to(reply_to);
        }
        let (text, html) = (draft.content.text, draft.content.html);
        Ok(Email {
            id: row.id,
            created_at: row.created_at,
            kind: row.kind.clone(),
            message: builder.multipart(MultiPart::alternative_plain_html(text, html))?,
        })
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

fn read_error(error: store::Error) -> RenderError {
    match error {
        store::Error::Missing => RenderError::Permanent("its subject is no longer stored"),
        error => RenderError::Temporary(error),
    }
}

/// A visitor's text on one line: no line breaks, no control or invisible characters, at most `max`
/// code points.
fn one_line(text: &str, max: usize) -> String {
    let separates = |c: char| c.is_control() || c.is_whitespace();
    let printable: String = text
        .chars()
        .filter(|c| separates(*c) || !is_invisible(*c))
        .map(|c| if separates(c) { ' ' } else { c })
        .collect();
    let line = printable.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests;
