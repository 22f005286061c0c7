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
mod tests {
    use super::*;
    use crate::domain::account_email::{AccountEmail, AccountEmailKind, CodeAndLink, EmailSecret};
    use crate::domain::attribution::Attribution;
    use crate::domain::contact::ContactMessage;
    use crate::domain::form::ExtraFields;
    use crate::domain::notice::LicenseNotice;
    use crate::domain::quote::{Quote, Status};
    use crate::domain::request::{Request, RequestKind};
    use crate::store::{Object, StoredReply};

    fn renderer() -> EmailRenderer {
        EmailRenderer::new(
            &Company::default(),
            "https://www.guardpost.example",
            Arc::new(Forms::bundled().unwrap()),
            &config::Mail::default(),
            (
                TimeZone::parse("America/Chicago").unwrap(),
                AnswerTimes::new(24, 30),
            ),
            EmailKeys {
                sealing: SealingKey::new(&[1; 32]).unwrap(),
                case_links: CaseLinks::new(&[1; 32]).unwrap(),
            },
        )
        .unwrap()
    }

    fn quote(optional: Option<&str>) -> Quote {
        let at = "2026-11-21T12:00:00.000Z";
        Quote {
            id: "01a1fc3e-39c6-7a77-b418-fd7752849fdb".into(),
            created_at: at.into(),
            updated_at: at.into(),
            first_name: "Ana".into(),
            last_name: "Silva".into(),
            email: "ana@dock.example".into(),
            phone: "713-555-0177".into(),
            company: optional.map(str::to_owned),
            service_type: "fire-watch".into(),
            duration: "1-week".into(),
            start_date: "2026-12-01".into(),
            location: "Houston".into(),
            description: optional.map(str::to_owned),
            emergency_contact: optional.is_some(),
            status: Status::Pending,
            attribution: optional.map(|text| Attribution {
                utm_source: Some(text.to_owned()),
                ..Attribution::default()
            }),
            extra_fields: ExtraFields::new(),
            reference: "GP-2K7Q".into(),
        }
    }

    fn message(optional: Option<&str>) -> ContactMessage {
        let quote = quote(optional);
        ContactMessage {
            id: quote.id,
            created_at: quote.created_at,
            first_name: quote.first_name,
            last_name: quote.last_name,
            email: quote.email,
            phone: quote.phone,
            company: quote.company,
            service: "emergency".into(),
            details: "Gate 4".into(),
            attribution: quote.attribution,
            extra_fields: quote.extra_fields,
            reference: quote.reference,
        }
    }

    fn request(kind: RequestKind, optional: Option<&str>) -> Request {
        let quote = quote(optional);
        Request {
            seq: 1,
            kind,
            id: quote.id,
            reference: quote.reference,
            created_at: quote.created_at,
            updated_at: quote.updated_at,
            first_name: quote.first_name,
            last_name: quote.last_name,
            email: quote.email,
            phone: quote.phone,
            company: quote.company,
            service: quote.service_type,
            duration: optional.map(str::to_owned),
            start_date: optional.map(str::to_owned),
            location: optional.map(str::to_owned),
            description: quote.description,
            status: quote.status,
            emergency_contact: quote.emergency_contact,
            attribution: quote.attribution,
            extra_fields: quote.extra_fields,
            assignee: None,
            assignee_email: None,
            answered_at: None,
            failed_reply: None,
            held: None,
        }
    }

    fn file() -> Object {
        Object {
            id: "01a1fc3e-39c6-7a77-b418-fd7752849fdc".into(),
            bucket_id: "quotes".into(),
            name: "a/plan.pdf".into(),
            owner: None,
            version: "1".into(),
            sha256: "0".repeat(64),
            size: 120_000,
            media_type: "application/pdf".into(),
            cache_control: "no-store".into(),
            user_metadata: None,
            scan: "clean".into(),
            created_at: "2026-11-21T12:00:00.000Z".into(),
            updated_at: "2026-11-21T12:00:00.000Z".into(),
        }
    }

    fn license(optional: Option<&str>) -> LicenseNotice {
        LicenseNotice {
            state: "Texas".into(),
            number: "B-1".into(),
            holder: "Guardpost".into(),
            authority: optional.map(str::to_owned),
            expires: "2026-12-01".into(),
            days: 10,
            to: None,
        }
    }

    fn account_email(kind: AccountEmailKind, optional: Option<&str>) -> AccountEmail {
        let (code, link) = ("048213".to_owned(), optional.map(str::to_owned));
        let changes = matches!(
            kind,
            AccountEmailKind::EmailChangeCurrent | AccountEmailKind::EmailChangeNew
        );
        AccountEmail {
            kind,
            to: "ana@dock.example".into(),
            secret: EmailSecret::Clear(CodeAndLink { code, link }),
            new_email: changes.then(|| "new@dock.example".to_owned()),
            minutes: 60,
        }
    }

    #[test]
    fn every_email_renders_with_and_without_its_optional_facts() {
        let renderer = renderer();
        for optional in [None, Some("<b>more</b>")] {
            let to = || renderer.staff[0].clone();
            let mut drafts = vec![
                renderer.quote_email(to(), &quote(optional)),
                renderer.contact_email(to(), &message(optional)),
                renderer.files_email(to(), &quote(optional), &[file()]),
                renderer.license_email(to(), &license(optional)),
                renderer.maintenance_email(
                    to(),
                    "backup",
                    "the disk is full",
                    optional.map(|_| "2026-11-21T12:00:00.000Z"),
                ),
            ];
            for kind in RequestKind::ALL {
                let request = request(kind, optional);
                drafts.push(renderer.acknowledgement(&request));
                for step in [1, 2] {
                    drafts.push(renderer.escalation_email(to(), &request, step));
                }
                drafts.push(renderer.reply(&StoredReply {
                    request,
                    subject: "Your quote".into(),
                    text: "Hello".into(),
                    earlier: vec![1],
                }));
            }
            for kind in AccountEmailKind::ALL {
                drafts.push(renderer.account_email(&account_email(kind, optional)));
            }
            for draft in drafts {
                let Rendered {
                    subject,
                    text,
                    html,
                } = draft.unwrap().content;
                assert!(!subject.is_empty());
                assert!(text.ends_with("\n(713) 555-0142\n"), "{text}");
                assert!(!text.contains("none") && !html.contains(">none<"), "{text}");
                assert!(!text.contains("\n\n\n"), "{text}");
                assert!(
                    !html.contains("<b>") && !html.contains("&amp;lt;"),
                    "{html}"
                );
            }
        }
    }

    #[test]
    fn every_template_is_valid() {
        let renderer = renderer();
        for (name, _) in templates::EMAILS {
            let compiled = renderer.templates.compile(name);
            assert!(compiled.is_ok(), "{name}: {:?}", compiled.err());
        }
    }

    #[test]
    fn an_email_without_its_facts_is_an_error() {
        for (name, _) in templates::EMAILS {
            let rendered = renderer().templates.render(name, serde_json::json!({}));
            assert!(rendered.is_err(), "{name}");
        }
    }

    #[test]
    fn a_visitors_text_stays_on_one_line() {
        for (text, line) in [
            ("Houston TX", "Houston TX"),
            ("a\r\nBcc: b@c.example", "a Bcc: b@c.example"),
            ("a\u{202e}b\u{0}c", "ab c"),
            ("  as long as it may be ", "as long as it may be"),
            ("  much   too long to be read ", "much too long to be…"),
        ] {
            assert_eq!(one_line(text, 20), line, "{text:?}");
        }
    }
}
