//! Drafts an email: collects its facts by the kind of its notice.

use lettre::message::Mailbox;
use serde_json::{Value, json};

use super::attached::AttachedFile;
use super::templates::Rendered;
use super::{EmailRenderer, RenderError};
use domain::clock::Time;
use domain::email::notice::Notice;
use domain::request::Request;
use store::outbox::delivery::ClaimedEmail;
use store::{self, Store};

/// Whether the email is generated automatically (RFC 3834, section 5).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AutoSubmitted {
    No,
    Generated,
    Replied,
}

/// An email before its headers are built.
pub(super) struct Draft {
    pub to: Mailbox,
    /// The display name of the person who wrote it.
    pub sender: Option<String>,
    pub reply_to: Option<Mailbox>,
    pub auto_submitted: AutoSubmitted,
    /// The Message-IDs of the conversation so far, oldest first.
    pub references: Vec<String>,
    /// Further recipients.
    pub cc: Vec<Mailbox>,
    pub files: Vec<AttachedFile>,
    pub content: Rendered,
    pub attachments: Vec<PdfFile>,
}

pub(super) struct PdfFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The recipient with this address.
pub(super) fn recipient(address: &str) -> Result<Mailbox, RenderError> {
    let invalid = |_| RenderError::Permanent("its recipient has no valid address");
    address.parse().map_err(invalid)
}

impl EmailRenderer {
    /// An automatic email with the words of `template`, without an earlier one, a sender's name,
    /// further recipients and files.
    pub(super) fn generated(
        &self,
        to: Mailbox,
        template: &str,
        facts: Value,
    ) -> Result<Draft, RenderError> {
        Ok(Draft {
            to,
            sender: None,
            reply_to: None,
            auto_submitted: AutoSubmitted::Generated,
            references: Vec::new(),
            cc: Vec::new(),
            files: Vec::new(),
            content: self.templates.render(template, facts)?,
            attachments: Vec::new(),
        })
    }

    pub(super) async fn draft(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        now: Time,
    ) -> Result<Draft, RenderError> {
        match &row.notice {
            Some(Notice::Quote { id, to, .. } | Notice::Contact { id, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let request = store.request_itself(id.clone()).await.map_err(read_error)?;
                self.request_email(to, &request)
            }
            Some(Notice::Alarm(alarm)) => {
                let to = recipient(&alarm.to)?;
                let Some(id) = &alarm.request else {
                    return self.alarm_email(to, alarm.at);
                };
                let request = store.request(id.clone()).await.map_err(read_error)?;
                if alarm.count > 1 {
                    return self.alarms_email(to, alarm.count, &request);
                }
                match request.emergency_contact {
                    true => self.request_email(to, &request),
                    false => self.escalation_email(to, &request, 1),
                }
            }
            Some(Notice::Files { id, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let request = store.request_itself(id.clone()).await.map_err(read_error)?;
                let files = store.quote_files(id.clone()).await.map_err(read_error)?;
                self.files_email(to, &request, &files)
            }
            Some(Notice::License(license)) => {
                let to = self.staff_mailbox(license.to.as_deref())?;
                self.license_email(to, license)
            }
            Some(Notice::Report(report)) => self.report_email(report),
            Some(Notice::Maintenance {
                job,
                error,
                succeeded_at,
                to,
            }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                self.maintenance_email(to, job, error, *succeeded_at)
            }
            Some(Notice::WebhookOff { name, error, to }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let facts = json!({ "name": name, "error": error });
                self.generated(to, "webhook_off", facts)
            }
            // It may have been changed by a person who should not be able to.
            Some(Notice::OfficeAddress { former, current }) => {
                let facts = json!({ "former": former, "current": current });
                self.generated(recipient(former)?, "office_address", facts)
            }
            Some(Notice::Escalation { id, step, to, .. }) => {
                let to = self.staff_mailbox(to.as_deref())?;
                let request = store.request_itself(id.clone()).await.map_err(read_error)?;
                self.escalation_email(to, &request, *step)
            }
            Some(Notice::Requests(list)) => {
                let to = self.staff_mailbox(list.to.as_deref())?;
                let named = stored(store, list.ids.clone()).await?;
                self.requests_email(to, list, &named)
            }
            Some(Notice::Acknowledgement { id, also }) => {
                let requests = stored(store, [vec![id.clone()], also.clone()].concat()).await?;
                match requests.as_slice() {
                    [] => Err(read_error(store::Error::Missing)),
                    [request] => self.acknowledgement(request),
                    [first, ..] => self.acknowledgements(first, &requests),
                }
            }
            Some(Notice::Reply { .. }) => {
                let unknown = RenderError::Permanent("its event is not known");
                let event = row.event.ok_or(unknown)?;
                self.reply(&store.stored_reply(event).await.map_err(read_error)?)
            }
            Some(Notice::Offer(notice)) => self.offer_email(store, row, notice).await,
            Some(Notice::Forward { .. }) => {
                let unknown = RenderError::Permanent("its event is not known");
                let event = row.event.ok_or(unknown)?;
                self.forward(&store.stored_forward(event).await.map_err(read_error)?)
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
}

/// Those of the requests that are still stored.
async fn stored(store: &Store, ids: Vec<String>) -> Result<Vec<Request>, RenderError> {
    let mut found = Vec::new();
    for id in ids {
        match store.request_itself(id).await {
            Ok(request) => found.push(request),
            Err(store::Error::Missing) => {}
            Err(error) => return Err(read_error(error)),
        }
    }
    Ok(found)
}

pub(super) fn read_error(error: store::Error) -> RenderError {
    match error {
        store::Error::Missing => RenderError::Permanent("its subject is no longer stored"),
        error => RenderError::Temporary(error),
    }
}
