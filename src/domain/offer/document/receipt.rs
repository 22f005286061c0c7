//! What a receipt says, for its PDF and its email.

use super::acceptance::Receipt;
use super::outline::facts;
use super::types::Document;
use super::words::long_date;
use crate::clock::Time;
use crate::clock::local_time::zone_of;
use crate::clock::time_zone::TimeZone;

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
        ("Time", time(document, &acceptance.accepted_at)),
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
        ("What was accepted", facts(what)),
        ("By whom and when", facts(who)),
        ("Fingerprints", facts(proof)),
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

/// A time as `Tuesday, December 1, 2026 at 9:04:05 AM CST (3:04:05 PM UTC)`, on the clock of the
/// customer's place, else of the company's; with the office's time where that is another.
fn time(document: &Document, at: &str) -> String {
    let Some(at) = Time::parse(at) else {
        return at.to_owned();
    };
    let utc = TimeZone::utc();
    let office = zone_of(&document.company.region);
    let zone = zone_of(&document.customer.location).or_else(|| office.clone());
    let of_day = |zone: &TimeZone| zone.format(at, "%-I:%M:%S %p %Z");
    let zone = zone.as_ref().unwrap_or(&utc);
    let day = zone.format(at, "%A, %B %-d, %Y");
    let local = of_day(zone);
    let at_office = office.map(|it| of_day(&it)).filter(|it| *it != local);
    let at_office = at_office.map_or(String::new(), |it| format!("{it} at our office, "));
    format!("{day} at {local} ({at_office}{})", of_day(&utc))
}

#[cfg(test)]
mod tests {
    use super::super::tests::samples::fire_watch;
    use super::time;

    #[test]
    fn the_time_is_that_of_the_customers_place_with_the_offices_where_it_differs() {
        let mut document = fire_watch();
        for (place, said) in [
            (
                "Portland, ME 04101",
                "Tuesday, December 1, 2026 at 10:04:05 AM EST \
                 (9:04:05 AM CST at our office, 3:04:05 PM UTC)",
            ),
            (
                "77002",
                "Tuesday, December 1, 2026 at 9:04:05 AM CST (3:04:05 PM UTC)",
            ),
        ] {
            document.customer.location = place.to_owned();
            assert_eq!(time(&document, "2026-12-01T15:04:05.000Z"), said);
        }
    }
}
