//! Emails about offers: to customers, and to staff.

use lettre::Address;
use lettre::message::Mailbox;
use serde_json::{Value, json};

use super::draft::{AutoSubmitted, Draft, PdfFile, read_error};
use super::{EmailRenderer, RenderError};
use domain::clock::local_time::time_at;
use domain::email::offer_notice::{OfferEmail, OfferNotice};
use domain::offer::document::{self, Document, Stored};
use domain::offer::lines::dollars;
use domain::offer::state::OfferState;
use domain::request::event::Event;
use store::Store;
use store::offers::{Offer, SentVersion};
use store::outbox::delivery::ClaimedEmail;

/// What the emails about a version need.
struct Facts {
    offer: Offer,
    sent: SentVersion,
    stored: Stored,
    document: Document,
}

impl EmailRenderer {
    pub(super) async fn offer_email(
        &self,
        store: &Store,
        row: &ClaimedEmail,
        notice: &OfferNotice,
    ) -> Result<Draft, RenderError> {
        let facts = facts(store, notice).await?;
        match notice.email {
            OfferEmail::Offer => {
                let event = row.event.unwrap_or_default();
                let earlier = store.emails_before(event).await.map_err(read_error)?;
                let mut draft = self.offer(&facts, "offer")?;
                draft.references = self.references(&earlier);
                Ok(draft)
            }
            OfferEmail::Reminder => self.offer(&facts, "offer_reminder"),
            OfferEmail::Code => self.code(&facts, notice),
            OfferEmail::Receipt => self.receipt(&facts, notice),
            OfferEmail::Office => {
                let event = notice.event.unwrap_or_default();
                let event = store.event(event).await.map_err(read_error)?;
                let to = self.staff_mailbox(notice.to.as_deref())?;
                self.office(&facts, to, &event.event)
            }
        }
    }

    /// The offer itself, or a reminder; neither is sent once the version is no longer open.
    fn offer(&self, facts: &Facts, template: &str) -> Result<Draft, RenderError> {
        if facts.sent.state != OfferState::Sent {
            return Err(RenderError::NotNeeded);
        }
        let document = &facts.document;
        let words = json!({
            "number": document.number,
            "version": document.version,
            "name": document.customer.name,
            "summary": document::summary(document),
            "message": document.message,
            "valid_until": document.valid_until.to_string(),
            "link": self.offer_link(facts),
        });
        self.to_customer(facts, None, template, words, vec![offer_file(facts)])
    }

    fn code(&self, facts: &Facts, notice: &OfferNotice) -> Result<Draft, RenderError> {
        let sealed = notice.code.as_deref().unwrap_or_default();
        let code = self.email_key.open(sealed, &notice.number);
        let code = code.map_err(|_| RenderError::Permanent("its code cannot be read"))?;
        let words = json!({ "code": code, "number": notice.number });
        let to = notice.to.as_deref();
        self.to_customer(facts, to, "offer_code", words, Vec::new())
    }

    fn receipt(&self, facts: &Facts, notice: &OfferNotice) -> Result<Draft, RenderError> {
        let acceptance = facts.stored.acceptance.as_ref();
        let unknown = RenderError::Permanent("its acceptance is not stored");
        let receipt = acceptance.ok_or(unknown)?.receipt.clone();
        let document = &facts.document;
        let words = json!({
            "number": document.number,
            "summary": document::service(document),
            "accepted_by": facts.sent.answered_by,
            "accepted_at": self.answered_at(facts),
            "link": self.offer_link(facts),
        });
        let files = vec![offer_file(facts), receipt_file(facts, receipt)];
        let to = notice.to.as_deref();
        self.to_customer(facts, to, "offer_receipt", words, files)
    }

    fn office(&self, facts: &Facts, to: Mailbox, event: &Event) -> Result<Draft, RenderError> {
        let document = &facts.document;
        let accepted = match event {
            Event::OfferAccepted(accepted) => Some(accepted),
            _ => None,
        };
        let reason = match event {
            Event::OfferDeclined(ended) | Event::OfferExpired(ended) => ended.reason.as_ref(),
            _ => accepted.and_then(|accepted| accepted.reason.as_ref()),
        };
        let per = if facts.sent.is_weekly { " a week" } else { "" };
        let words = json!({
            "verb": event.verb(),
            "number": document.number,
            "version": facts.sent.version,
            "customer": document.customer,
            "name": accepted.map(|accepted| &accepted.name),
            "title": accepted.map(|accepted| &accepted.title),
            "by": facts.sent.answered_by,
            "reason": reason,
            "question": event.message().map(|message| &message.text),
            "total": format!("{}{per}", dollars(facts.sent.total_cents)),
            "summary": document::service(document),
            "link": format!("{}/admin?request={}", self.origin, document.reference),
        });
        let receipt = facts.stored.acceptance.as_ref();
        let files = match (accepted, receipt) {
            (Some(_), Some(acceptance)) => {
                vec![receipt_file(facts, acceptance.receipt.clone())]
            }
            _ => Vec::new(),
        };
        let customer = document.customer.email.parse::<Address>().ok();
        let name = Some(document.customer.name.clone());
        Ok(Draft {
            reply_to: customer.map(|address| Mailbox::new(name, address)),
            attachments: files,
            ..self.generated(to, "offer_office", words)?
        })
    }

    fn to_customer(
        &self,
        facts: &Facts,
        to: Option<&str>,
        template: &str,
        words: Value,
        attachments: Vec<PdfFile>,
    ) -> Result<Draft, RenderError> {
        let address = to.unwrap_or(&facts.sent.recipient).parse();
        let invalid = RenderError::Permanent("the customer's address is not a valid email address");
        Ok(Draft {
            reply_to: Some(self.answers_to_offer(facts, template)),
            auto_submitted: match template {
                "offer" => AutoSubmitted::No,
                _ => AutoSubmitted::Generated,
            },
            attachments,
            ..self.generated(
                Mailbox::new(None, address.map_err(|_| invalid)?),
                template,
                words,
            )?
        })
    }

    /// The mailbox for answers. The address of a code is not known to be the customer's: it gets
    /// none that leads into the request.
    fn answers_to_offer(&self, facts: &Facts, template: &str) -> Mailbox {
        match &facts.offer.request {
            Some(request) if template != "offer_code" => self.answers_to(request),
            _ => self.office.clone(),
        }
    }

    fn offer_link(&self, facts: &Facts) -> String {
        let path = self.offers.path(&facts.offer.number, facts.sent.version);
        format!("{}{path}", self.origin)
    }

    /// On the clock of the customer's place.
    fn answered_at(&self, facts: &Facts) -> String {
        let location = &facts.document.customer.location;
        let at = facts.sent.answered_at;
        at.map(|at| time_at(location, &self.time_zone, at))
            .unwrap_or_default()
    }
}

async fn facts(store: &Store, notice: &OfferNotice) -> Result<Facts, RenderError> {
    let offer = store.offer(notice.number.clone()).await;
    let offer = offer.map_err(read_error)?;
    let stored = store.offer_version(notice.number.clone(), notice.version);
    let stored = stored.await.map_err(read_error)?;
    let sent = offer.sent(notice.version).cloned();
    let document = document::from_json(&stored.json);
    Ok(Facts {
        sent: sent.ok_or(RenderError::Permanent("its version is not stored"))?,
        document: document.map_err(|_| RenderError::Permanent("its document cannot be read"))?,
        offer,
        stored,
    })
}

fn offer_file(facts: &Facts) -> PdfFile {
    let Stored {
        number, version, ..
    } = &facts.stored;
    PdfFile {
        name: format!("Offer-{number}-version-{version}.pdf"),
        bytes: facts.stored.pdf.clone(),
    }
}

fn receipt_file(facts: &Facts, bytes: Vec<u8>) -> PdfFile {
    PdfFile {
        name: format!("Receipt-{}.pdf", facts.stored.number),
        bytes,
    }
}
