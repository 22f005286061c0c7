//! What a receipt says, for its PDF and its email.

use super::acceptance::Receipt;
use super::types::Document;
use super::words::long_date;
use crate::clock::Time;

/// Parts of a receipt with their titles.
type Parts = Vec<(&'static str, Vec<(String, String)>)>;

/// What was accepted, by whom, and what proves it.
pub fn receipt_facts(document: &Document, receipt: &Receipt) -> Parts {
    let acceptance = &receipt.acceptance;
    let version = format!("{}, version {}", acceptance.number, acceptance.version);
    let what = [
        ("Offer", version),
        ("Sent", long_date(document.sent_on)),
        ("Customer", customer(document)),
        ("Consent", acceptance.consent.clone()),
    ];
    let who = [
        ("Name", acceptance.name.clone()),
        ("Title", acceptance.title.clone()),
        ("Email", acceptance.email.clone()),
        ("Time", time(&acceptance.accepted_at)),
        ("Internet address", acceptance.client.clone()),
        ("Browser", acceptance.user_agent.clone()),
        (
            "Entered by",
            acceptance.entered_by.clone().unwrap_or_default(),
        ),
        ("Note", acceptance.note.clone().unwrap_or_default()),
    ];
    let previous = match acceptance.previous.as_str() {
        "" => "none: this is the first acceptance".to_owned(),
        digest => digest.to_owned(),
    };
    let proof = [
        ("PDF", acceptance.digests.pdf.clone()),
        ("Text", acceptance.digests.text.clone()),
        ("Data (JSON)", acceptance.digests.json.clone()),
        ("Acceptance", receipt.digest.clone()),
        ("Acceptance before", previous),
        ("Seal", receipt.seal.clone()),
    ];
    vec![
        ("What was accepted", named(&what)),
        ("By whom and when", named(&who)),
        ("Fingerprints", named(&proof)),
    ]
}

fn customer(document: &Document) -> String {
    let customer = &document.customer;
    let all = [
        Some(&customer.name),
        customer.company.as_ref(),
        Some(&customer.location),
    ];
    let all: Vec<&str> = all.into_iter().flatten().map(String::as_str).collect();
    all.join(", ")
}

/// A time as `Tuesday, December 1, 2026 at 3:04:05 PM UTC`.
fn time(at: &str) -> String {
    let parsed = Time::parse(at).and_then(|at| jiff::Timestamp::from_millisecond(at.millis()).ok());
    parsed.map_or_else(
        || at.to_owned(),
        |at| {
            at.strftime("%A, %B %-d, %Y at %-I:%M:%S %p UTC")
                .to_string()
        },
    )
}

fn named(all: &[(&str, String)]) -> Vec<(String, String)> {
    let named = all.iter().filter(|(_, value)| !value.is_empty());
    named
        .map(|(label, value)| ((*label).to_owned(), value.clone()))
        .collect()
}
