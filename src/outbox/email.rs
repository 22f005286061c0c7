//! Renders a notice as an email: recipient, headers and body. The contents are in `staff` and
//! `account`, the layout is in `body`.

mod account;
mod body;
mod staff;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};

use self::body::EmailBody;
use crate::config::{self, Company};
use crate::domain::clock::Time;
use crate::domain::form::Forms;
use crate::domain::notice::Notice;
use crate::domain::sealing::SealingKey;
use crate::domain::text::is_invisible;
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
    company: Company,
    origin: String,
    forms: Arc<Forms>,
    email_key: SealingKey,
    from: Mailbox,
    staff: Vec<Mailbox>,
}

/// An email before its headers are built.
struct Draft {
    to: Mailbox,
    reply_to: Option<Mailbox>,
    subject: String,
    body: EmailBody,
}

impl EmailRenderer {
    /// A renderer for this company; `origin` is the site's public address, `email_key` decrypts the
    /// codes and links in account emails.
    ///
    /// # Errors
    /// If a configured address is not a valid email address.
    pub fn new(
        company: &Company,
        origin: &str,
        forms: Arc<Forms>,
        settings: &config::Mail,
        email_key: SealingKey,
    ) -> anyhow::Result<Self> {
        let own: Address = company.email.parse().context("setting `company.email`")?;
        let from = match settings.from.as_str() {
            "" => Mailbox::new(Some(company.name.clone()), own.clone()),
            from => from.parse().context("setting `mail.from`")?,
        };
        let staff = match settings.to.as_slice() {
            [] => vec![Mailbox::new(Some(company.name.clone()), own)],
            to => parse_staff(to)?,
        };
        Ok(Self {
            company: company.clone(),
            origin: origin.to_owned(),
            forms,
            email_key,
            from,
            staff,
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
        let draft = match serde_json::from_str(&row.notice) {
            Ok(Notice::Quote { id, to, .. }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                self.quote_email(to, &store.quote(id).await.map_err(read_error)?)
            }
            Ok(Notice::Contact { id, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                self.contact_email(to, &store.contact(id).await.map_err(read_error)?)
            }
            Ok(Notice::Account(notice)) => {
                let lifetime = i64::from(notice.minutes) * 60;
                if now > row.created_at.plus_seconds(lifetime) {
                    return Err(RenderError::Expired);
                }
                self.account_email(&notice)?
            }
            Err(_) => return Err(RenderError::Permanent("its notice is invalid")),
        };
        self.build_message(row, draft)
            .map_err(|_| RenderError::Permanent("its headers are invalid"))
    }

    /// Splits a notice to several staff addresses into one notice per address, so that they are
    /// delivered and retried independently. Empty if the row has one recipient already.
    pub fn split_recipients(&self, row: &ClaimedEmail) -> Vec<Notice> {
        let [_, _, ..] = self.staff.as_slice() else {
            return Vec::new();
        };
        let Ok(notice) = serde_json::from_str::<Notice>(&row.notice) else {
            return Vec::new();
        };
        self.staff
            .iter()
            .filter_map(|mailbox| notice.for_recipient(mailbox.email.as_ref()))
            .collect()
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
            .message_id(Some(format!("<{}@{}>", row.id, self.from.email.domain())))
            .date(SystemTime::UNIX_EPOCH + at)
            .from(self.from.clone())
            .to(draft.to)
            .subject(draft.subject)
            .raw_header(HeaderValue::new(
                // Suppresses automatic replies (RFC 3834).
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        if let Some(reply_to) = draft.reply_to {
            builder = builder.reply_to(reply_to);
        }
        let (text, html) = (
            draft.body.text(&self.company),
            draft.body.html(&self.company, &self.origin),
        );
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
    use super::one_line;

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
