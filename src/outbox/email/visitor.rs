//! Emails to visitors: acknowledgements of requests, and replies.

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::json;

use super::attached::AttachedFile;
use super::draft::{AutoSubmitted, Draft, recipient};
use super::{EmailRenderer, RenderError};
use domain::clock::local_time::{customer_time, long_time};
use domain::email::message_id::EmailId;
use domain::request::event::{RepliedFile, Via};
use domain::request::{Request, RequestKind};
use store::conversation::forward::StoredForward;
use store::inbox::replies::StoredReply;

impl EmailRenderer {
    /// Acknowledges a request. It contains nothing that the visitor wrote, not even the name: forms
    /// are used to send texts to other people's addresses.
    pub(super) fn acknowledgement(&self, request: &Request) -> Result<Draft, RenderError> {
        let due = self.answer_times.due_of(request);
        let facts = json!({
            "is_quote": request.kind == RequestKind::Quote,
            "emergency": request.emergency_contact,
            "code": request.reference,
            "received": customer_time(request, &self.time_zone, request.created_at),
            "due": customer_time(request, &self.time_zone, due),
            "link": self.status_page(request),
        });
        Ok(Draft {
            reply_to: Some(self.answers_to(request)),
            auto_submitted: AutoSubmitted::Replied,
            ..self.generated(visitor(request)?, "acknowledgement", facts)?
        })
    }

    /// Acknowledges several requests of one address.
    pub(super) fn acknowledgements(
        &self,
        first: &Request,
        requests: &[Request],
    ) -> Result<Draft, RenderError> {
        let named: Vec<_> = requests
            .iter()
            .map(|request| {
                let due = self.answer_times.due_of(request);
                let due = customer_time(request, &self.time_zone, due);
                let what = match request.emergency_contact {
                    true => format!("{}: we will call you by {due}", request.reference),
                    false => format!("{}: you will hear from us by {due}", request.reference),
                };
                (what, self.status_page(request), request.emergency_contact)
            })
            .collect();
        let facts = json!({ "count": requests.len(), "requests": named });
        Ok(Draft {
            reply_to: Some(self.answers_to(first)),
            auto_submitted: AutoSubmitted::Replied,
            ..self.generated(visitor(first)?, "acknowledgements", facts)?
        })
    }

    /// A reply written by a dispatcher.
    pub(super) fn reply(&self, stored: &StoredReply) -> Result<Draft, RenderError> {
        let StoredReply { request, reply, .. } = stored;
        let mut body = reply.text.clone();
        if let Some(signature) = &reply.signature {
            body = format!("{body}\n\n{signature}");
        }
        let links = links(&reply.files);
        if !links.is_empty() {
            body = format!("{body}\n\nFiles, for seven days:\n{links}");
        }
        let facts = json!({
            "subject": reply.subject,
            "body": body,
            "reference": request.reference,
            "status_page": self.status_page(request),
        });
        Ok(Draft {
            reply_to: Some(self.answers_to(request)),
            sender: reply.sender.clone(),
            auto_submitted: AutoSubmitted::No,
            references: self.references(&stored.earlier),
            cc: reply.cc.iter().filter_map(|cc| cc.parse().ok()).collect(),
            files: AttachedFile::all(Some(&json!(reply.files))),
            ..self.generated(mailbox(&reply.to)?, "reply", facts)?
        })
    }

    /// A customer's message that a person passes on to a colleague.
    pub(super) fn forward(&self, forward: &StoredForward) -> Result<Draft, RenderError> {
        let message = forward.message.event.message();
        let message = message.ok_or(RenderError::Permanent("its message is not stored"))?;
        let request = &forward.request;
        let words = [&*message.text, &message.folded].join("\n\n");
        let facts = json!({
            "by": forward.by,
            "note": forward.note,
            "from": match message.via {
                Via::Page => "the status page",
                Via::Offer => "the page of the offer",
                Via::Email => message.from.as_deref().unwrap_or_default(),
            },
            "subject": match message.subject.as_deref().unwrap_or_default() {
                "" => &request.reference,
                subject => subject,
            },
            "text": words.trim(),
            "received": long_time(&self.time_zone, forward.message.at),
            "reference": request.reference,
            "customer": request.full_name(),
            "warning": match message.verified {
                true => "",
                false => "The sender of the message is not verified.",
            },
            "link": format!("{}/admin?request={}", self.origin, request.reference),
        });
        Ok(Draft {
            reply_to: Some(self.answers_to(request)),
            sender: Some(forward.by.clone()),
            auto_submitted: AutoSubmitted::No,
            files: AttachedFile::all(Some(&forward.files)),
            ..self.generated(recipient(&forward.to)?, "forward", facts)?
        })
    }

    /// The Message-IDs of a conversation, each once, oldest first.
    pub(super) fn references(&self, earlier: &[EmailId]) -> Vec<String> {
        let mut references: Vec<String> = Vec::new();
        for email in earlier {
            let id = match email {
                EmailId::Ours(id) => self.message_id(*id),
                EmailId::Other(id) => id.clone(),
            };
            if !references.contains(&id) {
                references.push(id);
            }
        }
        references
    }

    /// The mailbox for answers about a request: the signed address, or the office.
    pub(super) fn answers_to(&self, request: &Request) -> Mailbox {
        let signed = self.reply_addresses.address(&request.reference);
        let signed = signed.and_then(|address| address.parse().ok());
        match signed {
            Some(address) => Mailbox::new(self.office.name.clone(), address),
            None => self.office.clone(),
        }
    }

    fn status_page(&self, request: &Request) -> String {
        format!(
            "{}{}",
            self.origin,
            self.status_links.path(&request.reference)
        )
    }
}

/// The files that are opened by a link, a line each.
fn links(files: &[RepliedFile]) -> String {
    let line = |file: &RepliedFile| Some(format!("{}: {}", file.name, file.link.as_ref()?));
    let lines: Vec<_> = files.iter().filter_map(line).collect();
    lines.join("\n")
}

/// The visitor's address, without the name.
fn visitor(request: &Request) -> Result<Mailbox, RenderError> {
    mailbox(&request.email)
}

fn mailbox(email: &str) -> Result<Mailbox, RenderError> {
    let address: Address = email.parse().map_err(|_| {
        RenderError::Permanent("the visitor's address is not a valid email address")
    })?;
    Ok(Mailbox::new(None, address))
}
