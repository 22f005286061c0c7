//! The receipt of an acceptance: what was accepted, by whom, when, and what proves it.

use super::error::PdfError;
use super::fonts::Fonts;
use super::layout::{Layout, Tag};
use super::line::span;
use super::parts::{facts, heading, letterhead};
use super::style::{BODY, LEAD, TITLE};
use super::writer::{About, write};
use crate::offer::document::acceptance::Receipt;
use crate::offer::document::receipt::receipt_facts;
use crate::offer::document::summary::service;
use crate::offer::document::types::Document;

/// The PDF of a receipt.
///
/// # Errors
/// If a font cannot be read or the library refuses the file.
pub fn receipt_pdf(document: &Document, receipt: &Receipt) -> Result<Vec<u8>, PdfError> {
    let acceptance = &receipt.acceptance;
    let mut layout = Layout::new(Fonts::get()?);
    letterhead(&mut layout, document);
    let title = format!("Receipt for offer {}", acceptance.number);
    layout.paragraph(
        Tag::Heading(1, title.clone()),
        &[span(title.as_str(), TITLE)],
    );
    layout.gap(8.0);
    let text = format!("This offer was accepted: {}", service(document));
    layout.paragraph(Tag::Paragraph, &[span(text, LEAD)]);
    for (title, all) in receipt_facts(document, receipt) {
        heading(&mut layout, title);
        facts(&mut layout, &all);
    }
    heading(&mut layout, "How to check it");
    let text = format!(
        "Keep this file and the PDF of the offer. {}/offer/verify says whether a file is what we \
         sent and what was accepted, and whether a byte of it has changed. The fingerprints above \
         are SHA-256 digests; the seal is an HMAC-SHA256 of the fingerprint of the acceptance \
         with a key that only our server has.",
        document.company.website.trim_end_matches('/')
    );
    layout.paragraph(Tag::Paragraph, &[span(text, BODY)]);
    let own = &document.company;
    let date = acceptance
        .accepted_at
        .get(..10)
        .and_then(|day| day.parse().ok());
    let about = About {
        footer: format!("{title}   ·   {}   ·   {}", own.name, own.phone),
        title: format!("{title}, {}", own.name),
        subject: format!("Acceptance by {}", acceptance.name),
        author: own.name.clone(),
        date: date.unwrap_or(document.sent_on),
    };
    write(layout, &about)
}
