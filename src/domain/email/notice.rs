//! Notices: requests to send an email. A notice is stored in the transaction of the event it
//! reports; the outbox renders and sends the email later.

use serde::{Deserialize, Serialize};

pub use super::alarm_notice::AlarmNotice;
use super::offer_notice::{OfferEmail, OfferNotice};
use super::priority::Priority;
use super::report_notice::ReportNotice;
use super::request_list::RequestList;
use crate::account::account_email::AccountEmail;
use crate::clock::Time;

/// One event to report to one recipient. Records with their own row are referenced by id
/// and read when the email is rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// To staff: a new contact message.
    Contact {
        /// The message's id.
        id: String,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: a new quote request.
    Quote {
        /// The quote's id.
        id: String,
        /// Whether the visitor asks for an immediate call.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        emergency: bool,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: a license expires or has expired.
    License(LicenseNotice),
    /// To staff: a visitor has added files to a quote request.
    Files {
        /// The quote's id.
        id: String,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: a maintenance job fails, or succeeds again.
    Maintenance {
        /// The job, as in `backup`.
        job: String,
        /// The error; empty if it succeeds again.
        error: String,
        /// When it last succeeded.
        succeeded_at: Option<Time>,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: a webhook was switched off, because its target fails or wants no more events.
    WebhookOff {
        /// The webhook's name.
        name: String,
        /// The last error.
        error: String,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To the former address of the office: the site has another one now.
    OfficeAddress {
        /// The address before.
        former: String,
        /// The address from now on.
        current: String,
    },
    /// To staff: a request is overdue.
    Escalation {
        /// The request's id.
        id: String,
        /// The kind of the request, `quote` or `message`.
        kind: String,
        /// 1 at the due time, 2 an hour later.
        step: u8,
        /// The recipient, after a notice to several staff addresses was split.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String>,
    },
    /// To staff: requests that came, or became overdue, while there were many.
    Requests(RequestList),
    /// To a visitor: the request was received.
    Acknowledgement {
        /// The request's id.
        id: String,
        /// The ids of those that came soon after it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        also: Vec<String>,
    },
    /// To a visitor: a reply, whose subject and text are in the row's event.
    Reply {
        /// The request's id.
        id: String,
    },
    /// To a colleague: a customer's message, which is named by the row's event.
    Forward {
        /// The request's id.
        id: String,
        /// The recipient.
        to: String,
    },
    /// To a user or an invited person.
    Account(AccountEmail),
    /// To a person who is on call.
    Alarm(AlarmNotice),
    /// About an offer: to the customer, or to staff.
    Offer(OfferNotice),
    /// To a person who gets reports: the figures of a week or a month.
    Report(ReportNotice),
}

/// A license that expires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LicenseNotice {
    /// The state's name.
    pub state: String,
    pub number: String,
    /// Who holds it.
    pub holder: String,
    /// The authority that renews it, if known.
    pub authority: Option<String>,
    /// The last valid day, `YYYY-MM-DD`.
    pub expires: String,
    /// Days until then; negative once it has expired.
    pub days: i32,
    /// Whether it was entered in the dashboard, not in `config.toml`.
    #[serde(default)]
    pub in_dashboard: bool,
    /// The recipient, after a notice to several staff addresses was split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl Notice {
    /// A notice of a contact message.
    pub const fn contact(id: String) -> Self {
        Self::Contact { id, to: None }
    }

    /// An acknowledgement of one request.
    pub const fn received(id: String) -> Self {
        Self::Acknowledgement {
            id,
            also: Vec::new(),
        }
    }

    /// A notice of a quote request.
    pub const fn quote(id: String, emergency: bool) -> Self {
        Self::Quote {
            id,
            emergency,
            to: None,
        }
    }

    /// A notice of files added to a quote request.
    pub const fn files(id: String) -> Self {
        Self::Files { id, to: None }
    }

    /// The priority of its email.
    pub const fn priority(&self) -> Priority {
        match self {
            Self::Account(_) | Self::Reply { .. } | Self::Forward { .. } => Priority::Account,
            Self::Offer(offer) => match offer.email {
                OfferEmail::Offer | OfferEmail::Code => Priority::Account,
                OfferEmail::Reminder | OfferEmail::Receipt | OfferEmail::Office => Priority::Normal,
            },
            Self::Escalation { .. }
            | Self::Alarm(_)
            | Self::Quote {
                emergency: true, ..
            }
            | Self::Requests(RequestList {
                emergencies: 1.., ..
            }) => Priority::Emergency,
            Self::Quote { .. }
            | Self::Contact { .. }
            | Self::Files { .. }
            | Self::License(_)
            | Self::Maintenance { .. }
            | Self::WebhookOff { .. }
            | Self::OfficeAddress { .. }
            | Self::Requests(_)
            | Self::Report(_)
            | Self::Acknowledgement { .. } => Priority::Normal,
        }
    }

    /// The same notice for one staff address; `None` if it has a recipient already.
    pub fn for_recipient(&self, address: &str) -> Option<Self> {
        let mut notice = self.clone();
        let to = notice.staff_recipient()?;
        if to.is_some() {
            return None;
        }
        *to = Some(address.to_owned());
        Some(notice)
    }

    /// The recipient of a notice to staff, which may be empty; `None` for other notices.
    const fn staff_recipient(&mut self) -> Option<&mut Option<String>> {
        match self {
            Self::Contact { to, .. }
            | Self::Quote { to, .. }
            | Self::Files { to, .. }
            | Self::Maintenance { to, .. }
            | Self::WebhookOff { to, .. }
            | Self::Escalation { to, .. } => Some(to),
            Self::License(license) => Some(&mut license.to),
            Self::Requests(list) => Some(&mut list.to),
            Self::Offer(offer) => match offer.email {
                OfferEmail::Office => Some(&mut offer.to),
                _ => None,
            },
            Self::OfficeAddress { .. }
            | Self::Acknowledgement { .. }
            | Self::Reply { .. }
            | Self::Forward { .. }
            | Self::Alarm(_)
            | Self::Report(_)
            | Self::Account(_) => None,
        }
    }

    /// Kind of the outbox row.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Contact { .. } => "contact",
            Self::Quote { .. } => "quote",
            Self::License(_) => "license",
            Self::Maintenance { .. } | Self::WebhookOff { .. } | Self::OfficeAddress { .. } => {
                "system"
            }
            Self::Files { .. } => "files",
            Self::Escalation { .. } => "escalation",
            Self::Requests(_) => "requests",
            Self::Acknowledgement { .. } => "acknowledgement",
            Self::Reply { .. } => "reply",
            Self::Forward { .. } => "forward",
            Self::Account(_) => "account",
            Self::Alarm(_) => "alarm",
            Self::Offer(_) => "offer",
            Self::Report(_) => "report",
        }
    }

    /// The staff address of a notice that was split.
    pub fn recipient(&self) -> Option<&str> {
        match self {
            Self::Contact { to, .. } | Self::Quote { to, .. } | Self::Escalation { to, .. } => {
                to.as_deref()
            }
            _ => None,
        }
    }

    /// The acknowledgement to the visitor that a new request causes; `None` for other notices.
    pub fn acknowledgement(&self) -> Option<Self> {
        match self {
            Self::Contact { id, to: None } | Self::Quote { id, to: None, .. } => {
                Some(Self::received(id.clone()))
            }
            _ => None,
        }
    }

    /// What the notice is about: a row's id, or the recipient's address.
    pub fn subject_id(&self) -> &str {
        match self {
            Self::Files { id, .. } => id,
            Self::License(license) => &license.state,
            Self::Requests(_) => "requests",
            Self::OfficeAddress { former, .. } => former,
            Self::Maintenance { job, .. } => job,
            Self::WebhookOff { name, .. } => name,
            Self::Contact { id, .. }
            | Self::Quote { id, .. }
            | Self::Escalation { id, .. }
            | Self::Forward { id, .. }
            | Self::Acknowledgement { id, .. }
            | Self::Reply { id } => id,
            Self::Account(email) => &email.to,
            Self::Offer(offer) => &offer.id,
            Self::Report(report) => &report.to,
            Self::Alarm(alarm) => alarm.request.as_deref().unwrap_or(&alarm.job),
        }
    }
}
