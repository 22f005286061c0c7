//! Turns a notice into a letter: who gets it, what it says, and the headers around it. The words are in `office` and `account`, their looks in `sheet`.

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

/// A letter ready to go.
pub struct Email {
    /// The id of the outbox row it comes from; the same over every try.
    pub id: i64,
    /// When the fact it tells of happened.
    pub created_at: Time,
    /// The word under which it is listed.
    pub kind: String,
    /// What travels.
    pub message: Message,
}

/// Why there is no letter.
#[derive(Debug)]
pub enum RenderError {
    /// The store could not say what it is about just now.
    Later(store::Error),
    /// There will never be one; why.
    Never(&'static str),
    /// Its code and link no longer work.
    Spent,
}

/// Writes letters.
pub struct EmailRenderer {
    company: Company,
    origin: String,
    forms: Arc<Forms>,
    email_key: SealingKey,
    from: Mailbox,
    office: Vec<Mailbox>,
}

/// What a letter says, and to whom.
struct Draft {
    to: Mailbox,
    reply_to: Option<Mailbox>,
    subject: String,
    sheet: EmailBody,
}

impl EmailRenderer {
    /// A scribe for this company; `origin` is the site's public address, `email_key` opens the codes and links in account emails.
    ///
    /// # Errors
    /// When a configured address is no mail address.
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
        let office = match settings.to.as_slice() {
            [] => vec![Mailbox::new(Some(company.name.clone()), own)],
            to => each_once(to)?,
        };
        Ok(Self {
            company: company.clone(),
            origin: origin.to_owned(),
            forms,
            email_key,
            from,
            office,
        })
    }

    /// Writes the letter of a claimed row.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn write(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        now: Time,
    ) -> Result<Email, RenderError> {
        let draft = match serde_json::from_str(&row.notice) {
            Ok(Notice::Quote { id, to, .. }) => {
                let to = self.at_the_office(to.as_deref())?;
                self.about_quote(to, &store.quote(id).await.map_err(unread)?)
            }
            Ok(Notice::Contact { id, to }) => {
                let to = self.at_the_office(to.as_deref())?;
                self.about_contact(to, &store.contact(id).await.map_err(unread)?)
            }
            Ok(Notice::Account(letter)) => {
                let life = i64::from(letter.minutes) * 60;
                if now > row.created_at.plus_seconds(life) {
                    return Err(RenderError::Spent);
                }
                self.to_account(&letter)?
            }
            Err(_) => return Err(RenderError::Never("its notice cannot be read")),
        };
        self.seal(row, draft)
            .map_err(|_| RenderError::Never("its headers cannot be written"))
    }

    /// A notice to an office of several addresses, as one for each: what becomes of one letter must not touch the others.
    /// Empty where the row is for one party already.
    pub fn shares(&self, row: &ClaimedEmail) -> Vec<Notice> {
        let [_, _, ..] = self.office.as_slice() else {
            return Vec::new();
        };
        let Ok(notice) = serde_json::from_str::<Notice>(&row.notice) else {
            return Vec::new();
        };
        self.office
            .iter()
            .filter_map(|mailbox| notice.addressed(mailbox.email.as_ref()))
            .collect()
    }

    /// The mailbox of the office with this address; the first, which is the only one, where none is named.
    fn at_the_office(&self, address: Option<&str>) -> Result<Mailbox, RenderError> {
        let named = |mailbox: &&Mailbox| {
            address.is_none_or(|address| same(mailbox.email.as_ref(), address))
        };
        let found = self.office.iter().find(named).cloned();
        found.ok_or(RenderError::Never(
            "its recipient is no longer one of `mail.to`",
        ))
    }

    /// Puts the letter into its envelope. Message-ID and date come from the row, so that a second try is the same letter.
    fn seal(&self, row: &ClaimedEmail, draft: Draft) -> Result<Email, lettre::error::Error> {
        let at = Duration::from_millis(row.created_at.millis().try_into().unwrap_or(0));
        let mut builder = Message::builder()
            .message_id(Some(format!("<{}@{}>", row.id, self.from.email.domain())))
            .date(SystemTime::UNIX_EPOCH + at)
            .from(self.from.clone())
            .to(draft.to)
            .subject(draft.subject)
            .raw_header(HeaderValue::new(
                // RFC 3834: no out-of-office answers, please.
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ));
        if let Some(reply_to) = draft.reply_to {
            builder = builder.reply_to(reply_to);
        }
        let (text, html) = (
            draft.sheet.text(&self.company),
            draft.sheet.html(&self.company, &self.origin),
        );
        Ok(Email {
            id: row.id,
            created_at: row.created_at,
            kind: row.kind.clone(),
            message: builder.multipart(MultiPart::alternative_plain_html(text, html))?,
        })
    }
}

/// The office's mailboxes as they are listed, one that is listed twice once.
fn each_once(listed: &[String]) -> anyhow::Result<Vec<Mailbox>> {
    let mut office: Vec<Mailbox> = Vec::new();
    for text in listed {
        let mailbox: Mailbox = text.parse().context("setting `mail.to`")?;
        let known = |known: &Mailbox| same(known.email.as_ref(), mailbox.email.as_ref());
        if !office.iter().any(known) {
            office.push(mailbox);
        }
    }
    Ok(office)
}

/// Whether two addresses lead to one mailbox; no mail server in use tells them apart by case.
fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

fn unread(error: store::Error) -> RenderError {
    match error {
        store::Error::Missing => RenderError::Never("what it tells of is no longer stored"),
        error => RenderError::Later(error),
    }
}

/// A visitor's text as part of one line: no line ends, no control or invisible characters, at most `most` code points.
fn one_line(text: &str, most: usize) -> String {
    let parts = |c: char| c.is_control() || c.is_whitespace();
    let kept: String = text
        .chars()
        .filter(|c| parts(*c) || !is_invisible(*c))
        .map(|c| if parts(c) { ' ' } else { c })
        .collect();
    let line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
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
