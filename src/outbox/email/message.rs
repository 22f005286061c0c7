//! The MIME message of an email: its headers around the rendered text.

use std::time::{Duration, SystemTime};

use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};

use super::draft::{AutoSubmitted, Draft, PdfFile};
use super::{Email, EmailRenderer};
use domain::email::email_address::is_mailable_box;
use store::outbox::delivery::ClaimedEmail;

impl EmailRenderer {
    pub(super) fn message_id(&self, email: i64) -> String {
        self.message_ids.id(email, self.from.email.domain())
    }

    /// The sender: the company, after the name of the person who wrote the email.
    fn sender(&self, name: Option<&str>) -> Mailbox {
        let company = self.office.name.as_deref().unwrap_or_default();
        let named = name
            .map(|name| Mailbox::new(Some(format!("{name}, {company}")), self.from.email.clone()));
        let named = named.filter(is_mailable_box);
        named.unwrap_or_else(|| self.from.clone())
    }

    /// Adds the headers. Message-ID and date come from the row, so that a retry sends the same
    /// message.
    pub(super) fn build_message(
        &self,
        row: &ClaimedEmail,
        draft: Draft,
        files: Vec<SinglePart>,
    ) -> Result<Email, lettre::error::Error> {
        let at = Duration::from_millis(row.created_at.millis().try_into().unwrap_or(0));
        let mut builder = Message::builder()
            .message_id(Some(self.message_id(row.id)))
            .date(SystemTime::UNIX_EPOCH + at)
            .from(self.sender(draft.sender.as_deref()))
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
        for cc in draft.cc {
            builder = builder.cc(cc);
        }
        if let Some(reply_to) = draft.reply_to {
            builder = builder.reply_to(reply_to);
        }
        let (text, html) = (draft.content.text, draft.content.html);
        let content = MultiPart::alternative_plain_html(text, html);
        let content = match draft.attachments.is_empty() && files.is_empty() {
            true => content,
            false => files.into_iter().fold(
                with_files(content, draft.attachments)?,
                MultiPart::singlepart,
            ),
        };
        Ok(Email {
            id: row.id,
            created_at: row.created_at,
            kind: row.kind.clone(),
            message: builder.multipart(content)?,
        })
    }
}

/// The text with PDF files after it.
fn with_files(content: MultiPart, files: Vec<PdfFile>) -> Result<MultiPart, lettre::error::Error> {
    let pdf = ContentType::parse("application/pdf");
    let pdf = pdf.map_err(|_| lettre::error::Error::NonAsciiChars)?;
    let whole = MultiPart::mixed().multipart(content);
    let attach = |whole: MultiPart, file: PdfFile| {
        whole.singlepart(Attachment::new(file.name).body(file.bytes, pdf.clone()))
    };
    Ok(files.into_iter().fold(whole, attach))
}
