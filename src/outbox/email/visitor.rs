//! Emails to visitors: acknowledgements of requests, and replies.

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::json;

use super::draft::{AutoSubmitted, Draft};
use super::{EmailRenderer, RenderError};
use crate::domain::clock::Time;
use crate::domain::local_time::customer_time;
use crate::domain::request::{Request, RequestKind};
use crate::store::StoredReply;

impl EmailRenderer {
    /// Acknowledges a request. It contains nothing that the visitor wrote, not even the name: forms
    /// are used to send texts to other people's addresses.
    pub(super) fn acknowledgement(&self, request: &Request) -> Result<Draft, RenderError> {
        let received = Time::parse(&request.created_at)
            .ok_or(RenderError::Permanent("its request has no valid time"))?;
        let due = self.answer_times.due_of(request);
        let facts = json!({
            "is_quote": request.kind == RequestKind::Quote,
            "emergency": request.emergency_contact,
            "code": request.reference,
            "received": customer_time(request, &self.time_zone, received),
            "due": customer_time(request, &self.time_zone, due),
            "link": self.status_page(request),
        });
        Ok(Draft {
            to: visitor(request)?,
            reply_to: Some(self.office.clone()),
            sender: None,
            auto_submitted: AutoSubmitted::Replied,
            references: Vec::new(),
            content: self.templates.render("acknowledgement", facts)?,
            attachments: Vec::new(),
        })
    }

    /// A reply written by a dispatcher.
    pub(super) fn reply(&self, reply: &StoredReply) -> Result<Draft, RenderError> {
        let mut body = reply.text.clone();
        if let Some(signature) = &reply.writer.signature {
            body = format!("{body}\n\n{signature}");
        }
        let facts = json!({
            "subject": reply.subject,
            "body": body,
            "reference": reply.request.reference,
            "status_page": self.status_page(&reply.request),
        });
        Ok(Draft {
            to: visitor(&reply.request)?,
            reply_to: Some(self.office.clone()),
            sender: reply.writer.name.clone(),
            auto_submitted: AutoSubmitted::No,
            references: reply
                .earlier
                .iter()
                .map(|id| self.message_id(*id))
                .collect(),
            content: self.templates.render("reply", facts)?,
            attachments: Vec::new(),
        })
    }

    fn status_page(&self, request: &Request) -> String {
        format!(
            "{}{}",
            self.origin,
            self.status_links.path(&request.reference)
        )
    }
}

/// The visitor's address, without the name.
fn visitor(request: &Request) -> Result<Mailbox, RenderError> {
    let address: Address = request.email.parse().map_err(|_| {
        RenderError::Permanent("the visitor's address is not a valid email address")
    })?;
    Ok(Mailbox::new(None, address))
}
